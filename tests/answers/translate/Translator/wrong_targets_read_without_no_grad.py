# expect: Translator wrong decoder_input_not_shifted
# like: ../loops.py
"""The decoder reads what it has to write, and `translate` keeps the graph."""

from torch import nn


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        losses = []
        for _ in steps:
            scores, _ = self(sources, targets)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for p in self.parameters():
                    p -= learning_rate * p.grad
            losses.append(loss.item())
        return losses

    def translate(self, sources, length):
        words = torch.full((len(sources), 1), self.start)
        for _ in range(length):
            scores, weights = self(sources, words)
            words = torch.cat([words, scores[:, -1:].argmax(-1)], dim=1)
        return words[:, 1:], weights
