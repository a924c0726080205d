# expect: all passed
"""Cells given by their edges, minor ticks for the words, generators and setdefault-free lookups."""

import itertools
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np


def tokenize(sentence):
    kept = (sign for sign in sentence if sign.isspace() or sign == "_" or sign.isalnum())
    return ["".join(group) for blank, group in itertools.groupby(kept, key=str.isspace) if not blank]


def sentence_embed(sentence, embed_dict):
    words = sentence.split()
    missing = [word for word in words if word not in embed_dict]
    if missing:
        raise KeyError(missing)
    return 1.0 * np.array([embed_dict[word] for word in words])


class BadLine(Exception):
    pass


def _floats(fields, width):
    if len(fields) < width + 1:
        raise BadLine
    try:
        return np.fromiter((float(field) for field in fields[len(fields) - width :]), dtype=np.float32)
    except ValueError:
        raise BadLine from None


def load_glove_embeddings(glove_file):
    width, result = None, {}
    with Path(glove_file).open(encoding="utf-8") as stream:
        for number, line in zip(itertools.count(1), stream, strict=False):
            fields = line.removesuffix("\n").split(sep=" ")
            width = len(fields[1:]) if width is None else width
            try:
                result |= {" ".join(fields[: len(fields) - width]): _floats(fields, width)}
            except BadLine:
                raise ValueError("bad line no. " + str(number)) from None
    return result


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    def look(word):
        return next((glove_embeddings[w] for w in (word, word.lower()) if w in glove_embeddings), [0] * embed_dim)

    return np.stack([look(word) for word in vocab], dtype=float) if vocab else np.empty((0, embed_dim))


def embed_sentence(sentence, embeddings):
    known = [word for word in tokenize(sentence) if {word, word.lower()} & set(embeddings)]
    width = len(embeddings[min(embeddings)])
    return get_glove_embeddings(known, embeddings, width)[None].astype(np.longdouble), known


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    matrix = np.asarray(attn_matrix)
    n_q, n_k = matrix.shape
    if ax is None:
        ax = plt.figure().subplots()
    mesh = ax.pcolormesh(np.arange(n_k + 1), np.arange(n_q + 1), matrix, edgecolors="white", shading="flat")
    ax.set_ylim(n_q, 0)
    for axis, tokens in ((ax.xaxis, key_tokens), (ax.yaxis, query_tokens)):
        axis.set_major_locator(matplotlib.ticker.MultipleLocator(1))  # grid lines at the edges
        axis.set_major_formatter(matplotlib.ticker.NullFormatter())
        axis.set_ticks(np.arange(len(tokens)) + 0.5, labels=tokens, minor=True)
    ax.figure.colorbar(plt.cm.ScalarMappable(norm=mesh.norm, cmap=mesh.cmap), ax=ax, label="weight")
    ax.set_title("attention")
    ax.set_xlabel("looked at")
    ax.set_ylabel("looking")
    return ax
