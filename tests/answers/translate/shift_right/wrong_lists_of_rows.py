# expect: shift_right wrong
# plain: returned 2 values, expected a tensor.


def shift_right(targets, start):
    return [[start, *row[:-1].tolist()] for row in targets]
