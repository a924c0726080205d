# Tries to return a billion characters.
# expect: softmax wrong 0
# says: 1000000000 characters


def softmax(x):
    return "x" * 10**9
