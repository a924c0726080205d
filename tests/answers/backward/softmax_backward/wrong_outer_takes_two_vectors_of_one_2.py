# expect: softmax_backward raised
# told: `outer` takes two vectors, but one of its arguments has

import torch


def softmax_backward(weights, grad):
    out = torch.zeros_like(grad)
    for i in range(weights.shape[0]):
        w = weights[i]
        J = torch.diag(w) - torch.outer(w, w)
        out[i] = J @ grad[i]
    return out
