# Tries to be a chain of conditions too long for whoever reads it; the answer itself is right.
# expect: softmax passed 8


def softmax(x):
    return right(x)


LONG_CHAIN
