# expect: softmax_backward wrong
# told: The result is 0 everywhere, except for rounding
"""The Jacobian is multiplied along the wrong of two axes that are alike."""

import torch


def softmax_backward(weights, grad):
    jacobian = torch.diag_embed(weights) - torch.einsum("...i,...j->...ij", weights, weights)
    return torch.einsum("...ij,...i->...i", jacobian, grad)
