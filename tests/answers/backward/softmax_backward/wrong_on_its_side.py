# expect: softmax_backward wrong
# told: The result is the expected one, transposed.
"""Transposed at the end."""


def softmax_backward(weights, grad):
    average = (weights * grad).sum(-1, keepdim=True)
    return (weights * (grad - average)).mT
