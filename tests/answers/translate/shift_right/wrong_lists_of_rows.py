# expect: shift_right wrong
# told: The numbers are right, in a Python list: a tensor is asked for.


def shift_right(targets, start):
    return [[start, *row[:-1].tolist()] for row in targets]
