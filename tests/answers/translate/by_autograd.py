# expect: all passed
# like: recursive.py
"""A table of ones for the shift, distances for scores, and gradients asked for by name."""

import math

import torch
import torch.nn.functional as F


def shift_right(targets, start):
    n = targets.shape[-1]
    return targets @ torch.eye(n, dtype=torch.long).roll(1, 1).triu(1) + start * F.one_hot(torch.tensor(0), n)


def cross_attention(q, k, v):
    s = (
        q.pow(2).sum(-1, keepdim=True)
        + k.pow(2).sum(-1)[..., None, :]
        - (q[..., :, None, :] - k[..., None, :, :]).pow(2).sum(-1)
    ) / 2
    w = torch.softmax(s / math.sqrt(q.shape[-1]), -1)
    return w @ v, w


class Translator(T):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        ps = list(self.parameters())

        def one():
            lp = F.log_softmax(self(sources, shift_right(targets, self.start))[0], -1)
            loss = -lp.gather(-1, targets.unsqueeze(-1)).mean()
            for p, g in zip(ps, torch.autograd.grad(loss, ps), strict=False):
                p.data.sub_(g, alpha=learning_rate)
            return float(loss)

        return tuple(one() for _ in steps)
