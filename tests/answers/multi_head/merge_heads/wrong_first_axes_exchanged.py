# expect: merge_heads wrong
# told: The result has the expected numbers in another shape and order.
"""The first two axes change places."""


def merge_heads(x):
    return x.transpose(0, -2).flatten(-2)
