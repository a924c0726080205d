# expect: all passed
"""Functions as lambdas and partials, a loss of log-probabilities, a tuple of losses, recursion."""

import functools
import math

import torch
from torch import nn

softmax = functools.partial(torch.softmax, dim=-1)
turned = functools.partial(torch.transpose, dim0=-2, dim1=-1)

shift_right = lambda words, begin: torch.cat([begin + 0 * words[..., :1], words[..., :-1]], dim=-1)  # noqa: E731

_weigh = lambda q, k: softmax(q @ turned(k) / math.sqrt(k.shape[-1]))  # noqa: E731
cross_attention = lambda q, k, v: (_weigh(q, k) @ v, _weigh(q, k))  # noqa: E731


class EncoderDecoder(nn.Module):
    def __init__(self, source_size, target_size, d_model=32):
        super().__init__()
        self.start = target_size
        self.source_words = nn.Embedding(source_size, d_model)
        self.target_words = nn.Embedding(target_size + 1, d_model)
        self.encoder = nn.GRU(d_model, d_model, batch_first=True)
        self.decoder = nn.GRU(d_model, d_model, batch_first=True)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.join = nn.Linear(2 * d_model, d_model)
        self.out = nn.Linear(d_model, target_size)

    def forward(self, sources, inputs):
        words = self.source_words(sources)
        annotations, _ = self.encoder(words)
        states, _ = self.decoder(self.target_words(inputs))
        context, weights = self.attend(states, annotations, words)
        joined = torch.tanh(self.join(torch.cat([context, states], dim=-1)))
        return self.out(joined), weights

    def attend(self, states, annotations, words):
        return cross_attention(self.Wq(states), self.Wk(annotations), words)


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        def step():
            scores = self(sources, shift_right(targets, self.start))[0]
            probable = torch.log_softmax(scores, dim=-1).gather(-1, targets[..., None])
            loss = -probable.mean()
            loss.backward()
            for parameter in self.parameters():
                parameter.data.sub_(learning_rate * parameter.grad)
                parameter.grad.zero_()
            return loss.item()

        return tuple(step() for _ in steps)

    def translate(self, sources, length, words=None):
        words = torch.full((len(sources), 1), self.start) if words is None else words
        with torch.no_grad():
            scores, weights = self(sources, words)
        if words.shape[1] > length:
            return words[:, 1:], weights[:, :-1]
        return self.translate(sources, length, torch.cat([words, scores[:, -1:].argmax(-1)], 1))
