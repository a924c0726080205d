# expect: Translator wrong reads_what_it_has_to_write
"""The decoder reads what it has to write, and `translate` keeps the graph."""

import math

import torch
from torch import nn


def cross_attention(queries, keys, values):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1]), dim=-1)
    return weights @ values, weights


class EncoderDecoder(nn.Module):
    """Scores every word of a translation, given the words before it.

    Parameters
    ----------
    source_size, target_size : int
        How many words the two languages have. They are numbered from 0.
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

        Row t of the scores is about the word that follows after input t.
        """
        words = self.source_words(sources)  # (b, n_s, d_model)
        annotations, _ = self.encoder(words)  # (b, n_s, d_model)
        states, _ = self.decoder(self.target_words(inputs))  # (b, n_t, d_model)
        context, weights = self.attend(states, annotations, words)
        joined = torch.tanh(self.join(torch.cat([context, states], dim=-1)))  # (b, n_t, d_model)
        return self.out(joined), weights

    def attend(self, states, annotations, words):
        """Your attention: states ask annotations, and get words."""
        return cross_attention(self.Wq(states), self.Wk(annotations), words)


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
