# expect: all passed
"""Ported from a library: every function is a method of one object, bound to a name at the end."""

import string
import unicodedata

import matplotlib.pyplot as plt
import numpy as np
import seaborn


class Vectors(dict):
    def __missing__(self, word):
        raise KeyError(word)


class Tool:
    dtype = np.dtype("f4")

    def tokenize(self, sentence):
        import re

        words, word = [], ""
        for c in sentence + " ":
            if c.isspace():
                if word:
                    words.append(word)
                word = ""
            elif re.match(r"\w", c):
                word += c
        return words

    def stack(self, sentence, table):
        table = Vectors(table)
        return (
            np.row_stack([table[w] for w in str.split(sentence)])
            if not hasattr(np, "vstack")
            else np.vstack([table[w] for w in str.split(sentence)])
        )

    def load(self, path):
        import io

        table = {}
        with io.open(path, mode="rt", encoding="UTF-8", newline="\n") as stream:
            width = None
            for count, line in enumerate(stream):
                line = line.strip("\n")
                width = width or len(line.split(" ")) - 1
                head, *tail = line.rsplit(" ", width)
                try:
                    vector = np.array(tail, dtype=self.dtype)
                    assert vector.size == width
                except (ValueError, AssertionError):
                    raise ValueError("malformed line", count + 1)
                table[head] = vector
        return table

    def lookup(self, word, table):
        return table[word] if word in table else table[word.lower()]

    def matrix(self, vocab, table, width):
        out = []
        for word in vocab:
            try:
                out += [np.asarray(self.lookup(word, table), dtype=self.dtype)]
            except KeyError:
                out += [np.zeros(width, dtype=self.dtype)]
        return np.array(out, dtype=self.dtype).reshape(-1, width)

    def embed(self, sentence, table):
        vectors, words = [], []
        for word in self.tokenize(sentence):
            try:
                vectors.append(self.lookup(word, table))
            except KeyError:
                continue
            words.append(word)
        width = len(table[next(iter(table))])
        return np.asarray(vectors, dtype=float).reshape(1, len(words), width), tuple(words)

    def plot(self, rows, columns, numbers, ax=None):
        ax = ax if ax is not None else plt.subplots(1, 1)[1]
        seaborn.heatmap(np.atleast_2d(numbers), ax=ax, cbar=True, square=True)
        ax.set_xticks([i + 0.5 for i in range(len(columns))], columns)
        ax.set_yticks([i + 0.5 for i in range(len(rows))], rows)
        ax.set_xlabel("to"), ax.set_ylabel("from"), ax.set_title("-")
        return ax


tool = Tool()
tokenize = tool.tokenize
sentence_embed = tool.stack
load_glove_embeddings = tool.load
get_glove_embeddings = tool.matrix
embed_sentence = tool.embed
plot_attention = tool.plot
