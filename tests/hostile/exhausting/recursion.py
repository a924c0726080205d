# Tries to call itself for ever.
# expect: softmax raised 0
# says: RecursionError


def softmax(x):
    return softmax(x)
