# Tries to delete the exercise after defining it.
# expect: softmax wrong 0
# says: softmax is not a function


def softmax(x):
    return right(x)


del softmax
