# expect: shift_right wrong
# told: The numbers are correct, but in a Python list.


def shift_right(targets, start):
    return [[start, *row[:-1].tolist()] for row in targets]
