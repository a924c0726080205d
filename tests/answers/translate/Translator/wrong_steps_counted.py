# expect: Translator raised
# like: ../loops.py
# told: An iterator has no length
import torch
from torch import nn


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        optimizer = torch.optim.SGD(self.parameters(), lr=learning_rate)
        losses = []
        for _ in range(len(steps)):
            optimizer.zero_grad()
            scores = self.forward(sources, shift_right(targets, self.start))[0]
            loss = nn.functional.cross_entropy(scores.transpose(1, 2), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    @torch.no_grad()
    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        for _ in range(length):
            scores, weights = self(sources, words)
            words = torch.cat([words, scores[:, -1:].argmax(-1)], dim=1)
        return words[:, 1:], weights
