# expect: all passed
"""Dataclasses: a token, a table of vectors and a picture; plt.show() at the end, as the notebook has it."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns


@dataclass
class Token:
    text: str

    @property
    def word(self):
        return "".join(c for c in self.text if c == "_" or c.isalnum() or unicodedata.category(c)[0] == "M" and False)


def tokenize(sentence):
    tokens = (Token(part).word for part in sentence.split())
    return [token for token in tokens if token]


@dataclass
class Table:
    vectors: dict = field(default_factory=dict)

    def find(self, word):
        if word in self.vectors:
            return self.vectors[word]
        return self.vectors.get(word.lower())

    def __getitem__(self, word):
        try:
            return self.vectors[word]
        except KeyError as error:
            raise KeyError(word) from error

    @property
    def width(self):
        return len(list(self.vectors.values())[0])


def sentence_embed(sentence, embed_dict):
    table = Table(embed_dict)
    return np.array([table[word] for word in sentence.split()])


def load_glove_embeddings(glove_file):
    table, d = Table(), None
    text = Path(glove_file).read_bytes().decode("utf-8")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    for i, line in enumerate(lines):
        line = line.removesuffix("\r")
        if d is None:
            d = line.count(" ")
        word, *numbers = line.rsplit(" ", d)
        if len(numbers) != d:
            raise ValueError(f"There are too few numbers in line {i + 1}.")
        try:
            table.vectors[word] = np.array(list(map(float, numbers)), dtype="f4")
        except ValueError:
            raise ValueError(f"Line {i + 1} has something that is not a number.") from None
    return table.vectors


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    table = Table(glove_embeddings)
    rows = np.zeros((len(vocab), embed_dim))
    for row, word in zip(rows, vocab):
        found = table.find(word)
        if found is not None:
            row[:] = found
    return rows


def embed_sentence(sentence, embeddings):
    table = Table(embeddings)
    words = [word for word in tokenize(sentence) if table.find(word) is not None]
    vectors = np.empty((1, len(words), table.width))
    for i, word in enumerate(words):
        vectors[0, i] = table.find(word)
    return vectors, words


@dataclass
class Picture:
    ax: plt.Axes

    def draw(self, numbers, rows, columns):
        sns.heatmap(numbers, xticklabels=columns, yticklabels=rows, ax=self.ax, cmap="viridis")
        self.ax.set_title("attention")
        self.ax.set_xlabel("key")
        self.ax.set_ylabel("query")
        plt.show()
        return self.ax


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots(figsize=(10, 8))
    return Picture(ax).draw(np.array(attn_matrix), list(query_tokens), list(key_tokens))
