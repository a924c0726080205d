# expect: Translator raised
# told: If this is the update of the weights, put it under `torch.no_grad()`; otherwise create a new tensor.
import math

import torch
from torch import nn
from torch.nn import functional


def shift_right(targets, start):
    first = torch.full_like(targets[..., :1], start)
    return torch.cat([first, targets[..., :-1]], dim=-1)


def cross_attention(queries, keys, values):
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights


class EncoderDecoder(nn.Module):
    """A model that scores every word of a translation, given the words before it.

    Parameters
    ----------
    source_size, target_size : int
        The numbers of words in the two languages. Words are numbered from 0.
    d_model : int
        Width of all vectors.
    """

    def __init__(self, source_size, target_size, d_model=32):
        super().__init__()
        self.start = target_size  # the number of the start word: the next one after the words that can be written
        self.source_words = nn.Embedding(source_size, d_model)  # a vector for each word: one-hot vectors times a matrix
        self.target_words = nn.Embedding(target_size + 1, d_model)
        self.encoder = nn.GRU(d_model, d_model, batch_first=True)
        self.decoder = nn.GRU(d_model, d_model, batch_first=True)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.join = nn.Linear(2 * d_model, d_model)
        self.out = nn.Linear(d_model, target_size)

    def forward(self, sources, inputs):
        """Sentences (b, n_s), and what the decoder reads (b, n_t): scores (b, n_t, target_size), weights (b, n_t, n_s).

        Row t scores the word that follows input t.
        """
        words = self.source_words(sources)  # (b, n_s, d_model)
        annotations, _ = self.encoder(words)  # (b, n_s, d_model)
        states, _ = self.decoder(self.target_words(inputs))  # (b, n_t, d_model)
        context, weights = self.attend(states, annotations, words)
        joined = torch.tanh(self.join(torch.cat([context, states], dim=-1)))  # (b, n_t, d_model)
        return self.out(joined), weights

    def attend(self, states, annotations, words):
        """Let the states attend to the annotations, with the words as values: your attention."""
        return cross_attention(self.Wq(states), self.Wk(annotations), words)


class Translator(EncoderDecoder):
    def learn(self, sources, targets, steps, learning_rate=1.0):
        losses = []
        for _ in steps:
            scores, _weights = self(sources, shift_right(targets, self.start))
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            for parameter in self.parameters():
                parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses

    @torch.no_grad()
    def translate(self, sources, length):
        inputs = torch.full((len(sources), 1), self.start)
        for _ in range(length):
            scores, weights = self(sources, inputs)
            best = scores[:, -1].argmax(dim=-1)
            inputs = torch.cat([inputs, best[:, None]], dim=1)
        return inputs[:, 1:], weights
