# Tries to return more text than a message carries.
# expect: softmax raised 0
# says: larger than the wire carries


def softmax(x):
    return ["x" * 99_000] * 200
