# expect: merge_heads wrong
# told: in other positions
"""The first two axes change places."""


def merge_heads(x):
    return x.transpose(0, -2).flatten(-2)
