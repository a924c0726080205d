# Tries to return an integer of forty million bits.
# expect: softmax wrong 0
# says: an integer of 40000001 bits


def softmax(x):
    return 1 << 40_000_000
