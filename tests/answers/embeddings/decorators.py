# expect: all passed
"""Decorators split, look up and stack; pictures by matshow."""

import functools
import os
import re

import matplotlib.pyplot as plt
import numpy as np


def listed(function):
    return functools.wraps(function)(lambda *args, **kwargs: list(function(*args, **kwargs)))


@listed
def tokenize(sentence):
    yield from filter(None, re.sub(r"[^\w\s]+", "", sentence).split())


def stacked(function):
    @functools.wraps(function)
    def inner(*args):
        return np.stack(list(map(np.asarray, function(*args))))

    return inner


@stacked
def sentence_embed(sentence, embed_dict):
    return map(embed_dict.__getitem__, sentence.split())


def numbered(parse):
    """Tells the number of the line where parsing fails."""

    @functools.wraps(parse)
    def inner(lines, *args):
        for number, line in enumerate(lines, 1):
            try:
                yield parse(line, *args)
            except ValueError as error:
                raise ValueError(f"line {number}: {error}") from error

    return inner


@numbered
def parse(line, widths):
    fields = line.rstrip("\r\n").split(" ")
    widths.append(len(fields) - 1)
    d = widths[0]
    if len(fields) < d + 1:
        raise ValueError(f"only {len(fields)} fields")
    return " ".join(fields[:-d]), np.array([float(number) for number in fields[-d:]], dtype=np.float32)


def load_glove_embeddings(glove_file):
    with open(os.fspath(glove_file), encoding="utf-8", newline="\n") as lines:
        return dict(parse(lines, []))


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    @functools.lru_cache(maxsize=None)
    def vector(word):
        for spelling in (word, word.lower()):
            if spelling in glove_embeddings:
                return tuple(glove_embeddings[spelling])
        return (0,) * embed_dim

    return np.array([vector(word) for word in vocab], dtype="float32").reshape(-1, embed_dim)


def embed_sentence(sentence, embeddings):
    pairs = [(w, embeddings.get(w, embeddings.get(w.lower()))) for w in tokenize(sentence)]
    pairs = [(w, v) for w, v in pairs if v is not None]
    d = len(next(iter(embeddings.values())))
    return np.reshape([v for _, v in pairs], (1, len(pairs), d)), [w for w, _ in pairs]


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = ax or plt.subplots()[1]
    image = ax.matshow(np.array(attn_matrix))
    ax.set_xticks(range(len(key_tokens)), key_tokens)
    ax.set_yticks(range(len(query_tokens)), query_tokens)
    ax.set(xlabel="looked at", ylabel="looking", title="Who looks at whom")
    plt.colorbar(image, ax=ax)
    return ax
