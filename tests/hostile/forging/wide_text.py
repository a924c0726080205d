# Tries to have the grader make an array as wide as the longest text among numbers.
# expect: softmax wrong 0
# says: expected numbers


def softmax(x):
    return ["x" * 90_000] + [1.0] * 100_000
