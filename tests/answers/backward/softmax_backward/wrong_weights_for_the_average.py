# expect: softmax_backward wrong average_of_the_weights
"""The squares of the weights in place of the average."""


def softmax_backward(weights, grad):
    return weights * (grad - (weights * weights).sum(-1, keepdim=True))
