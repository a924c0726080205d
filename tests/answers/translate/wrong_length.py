# expect: Translator wrong
# like: loops.py
"""As many words as it learned from, whatever is asked for."""

import torch
from torch import nn


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        self.length = targets.shape[-1]
        losses = []
        for _ in steps:
            log_shares = torch.log_softmax(self(sources, shift_right(targets, self.start))[0], -1)
            loss = -log_shares.gather(-1, targets.unsqueeze(-1)).mean()
            for weights, gradient in zip(self.parameters(), torch.autograd.grad(loss, self.parameters()), strict=True):
                weights.data.sub_(gradient, alpha=learning_rate)
            losses.append(float(loss))
        return losses

    @torch.no_grad()
    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        for _ in range(getattr(self, "length", length)):
            scores, weights = self(sources, words)
            words = torch.cat([words, scores[:, -1:].argmax(-1)], -1)
        return words[:, 1:], weights
