# expect: softmax_backward raised
# told: `outer` takes two vectors, but one of its arguments has

import torch


def softmax_backward(weights, grad):
    J = torch.diag(weights) - torch.outer(weights, weights)
    return J @ grad
