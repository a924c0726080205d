# expect: softmax raised
# told: The number is larger than a float can hold: `exp` gets there at


import math


def softmax(scores):
    return [math.exp(s) / sum(math.exp(t) for t in scores) for s in scores]
