# expect: all passed
# like: recursive.py
"""Named tuples and dataclasses; plain gradient descent from torch.optim."""

from dataclasses import dataclass, field
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Found(NamedTuple):
    context: Tensor
    weights: Tensor


def shift_right(targets, start):
    return torch.cat([torch.full_like(targets[..., :1], start), targets[..., :-1]], dim=-1)


def cross_attention(queries, keys, values):
    scores = torch.einsum("...id,...jd->...ij", queries, keys) * queries.shape[-1] ** -0.5
    weights = scores.softmax(-1)
    return Found(torch.einsum("...ij,...jv->...iv", weights, values), weights)


@dataclass
class History:
    losses: list = field(default_factory=list)

    def note(self, loss):
        self.losses.append(loss.detach().item())
        return loss


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        optimizer = torch.optim.SGD(self.parameters(), lr=learning_rate)
        history = History()
        for _ in steps:
            optimizer.zero_grad(set_to_none=True)
            logits, _ = self(sources, shift_right(targets, self.start))
            history.note(nn.functional.cross_entropy(logits.transpose(1, 2), targets)).backward()
            optimizer.step()
        return history.losses

    def translate(self, sources, length):
        with torch.inference_mode():
            read = torch.full((len(sources), 1), self.start)
            while read.shape[1] <= length:
                logits, weights = self(sources, read)
                read = torch.cat([read, logits[:, -1:].argmax(-1)], dim=1)
        return read[:, 1:].clone(), weights.clone()
