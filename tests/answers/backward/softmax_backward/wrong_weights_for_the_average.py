# expect: softmax_backward wrong
# told: A row of the result sums to 0.12, and should sum to 0.
"""The squares of the weights in place of the average."""


def softmax_backward(weights, grad):
    return weights * (grad - (weights * weights).sum(-1, keepdim=True))
