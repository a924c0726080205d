# expect: shift_right wrong


def shift_right(targets, start):
    return [[start, *row[:-1].tolist()] for row in targets]
