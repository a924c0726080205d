# Tries to return a hundred million characters.
# expect: softmax wrong 0
# says: 100000000 characters


def softmax(x):
    return "x" * 10**8
