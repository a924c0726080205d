# expect: all passed
"""Loops over words and sentences, lists for pairs and for losses that are tensors, leftover prints."""

import torch
from torch import nn


def shift_right(targets, start):
    shifted = targets.clone()
    for place in range(targets.shape[-1]):
        shifted[..., place] = start if place == 0 else targets[..., place - 1]
    return shifted


def cross_attention(queries, keys, values):
    contexts, rows = [], []
    for place in range(queries.shape[-2]):
        query = queries[..., place : place + 1, :]
        row = torch.softmax((query * keys).sum(dim=-1) / keys.shape[-1] ** 0.5, dim=-1)
        rows.append(row)
        contexts.append((row.unsqueeze(-1) * values).sum(dim=-2))
    return [torch.stack(contexts, dim=-2), torch.stack(rows, dim=-2)]


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
        self.train()
        losses = []
        for step in steps:
            scores, _ = self(sources, shift_right(targets, self.start))
            loss = 0
            for place in range(targets.shape[1]):
                loss = loss + nn.functional.cross_entropy(scores[:, place], targets[:, place])
            loss = loss / targets.shape[1]
            loss.backward()
            for parameter in self.parameters():
                parameter.data = parameter.data - learning_rate * parameter.grad
                parameter.grad = None
            print("step", step, loss)
            losses.append(loss.detach())
        return losses

    def translate(self, sources, length):
        written, looks = [], []
        for sentence in sources:
            words = [self.start]
            for _ in range(length):
                scores, weights = self(sentence.unsqueeze(0), torch.tensor([words]))
                words.append(int(scores[0, -1].argmax()))
            written.append(words[1:])
            looks.append(weights[0].detach())
        return [torch.tensor(written), torch.stack(looks)]
