# expect: softmax_backward wrong
# plain: at [0, 0], expected
"""The squares of the weights in place of the average."""


def softmax_backward(weights, grad):
    return weights * (grad - (weights * weights).sum(-1, keepdim=True))
