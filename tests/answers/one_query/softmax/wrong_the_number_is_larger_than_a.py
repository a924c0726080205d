# expect: softmax raised
# told: The number is too large for a float: `exp` overflows at


import math


def softmax(scores):
    return [math.exp(s) / sum(math.exp(t) for t in scores) for s in scores]
