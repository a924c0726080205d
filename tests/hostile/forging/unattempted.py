# Tries to look unattempted after having run.
# expect: softmax unattempted 0
# says: softmax is still to do


def softmax(x):
    raise NotImplementedError
