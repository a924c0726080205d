# Tries to bury the feedback under ten megabytes.
# expect: softmax raised 0
# says: raised ValueError: long


def softmax(x):
    raise ValueError("long " * 2_000_000)
