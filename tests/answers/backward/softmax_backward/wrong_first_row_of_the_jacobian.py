# expect: softmax_backward wrong
# plain: returned 0 at [0, 0], expected 0.25
"""The Jacobian is multiplied along the wrong of two axes that are alike."""

import torch


def softmax_backward(weights, grad):
    jacobian = torch.diag_embed(weights) - torch.einsum("...i,...j->...ij", weights, weights)
    return torch.einsum("...ij,...i->...i", jacobian, grad)
