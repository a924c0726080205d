# Tries to return ten million numbers.
# expect: softmax wrong 0
# says: 10000000 parts


def softmax(x):
    return [0.0] * 10**7
