# Tries to be nested too deeply for whoever reads it; the answer itself is right.
# expect: softmax passed 8


def softmax(x):
    return right(x) + (DEEP_SUM)
