# Tries to turn warnings of the worker into errors; the answer itself is right.
# expect: softmax passed 8


import warnings

warnings.simplefilter("error")
np.seterr(divide="raise", invalid="raise")


def softmax(x):
    return right(x)
