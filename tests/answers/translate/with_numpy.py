# expect: all passed
"""NumPy where nothing needs a gradient."""

import numpy as np
import torch


def shift_right(targets, start):
    numbers = np.array(targets.numpy())
    return torch.from_numpy(np.insert(numbers, 0, start, axis=-1)[..., :-1])


def cross_attention(queries, keys, values):
    scores = queries @ keys.swapaxes(-1, -2) / float(np.sqrt(keys.shape[-1]))
    powers = torch.exp(scores - torch.tensor(scores.detach().numpy().max(-1, keepdims=True)))
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ values, weights
