# expect: all passed
"""Characters and lines stream through generators; pictures by pcolormesh, queries drawn upwards."""

import itertools

import matplotlib.pyplot as plt
import numpy as np


def kept(characters):
    import re

    return (c for c in characters if re.match(r"[\w\s]", c))


def tokenize(sentence):
    groups = itertools.groupby(kept(sentence), key=str.isspace)
    return ["".join(group) for space, group in groups if not space]


def sentence_embed(sentence, embed_dict):
    def vectors():
        for word in sentence.split():
            if word not in embed_dict:
                raise KeyError(word)
            yield embed_dict[word]

    return np.vstack(list(vectors()))


def lines_of(path):
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            yield number, str(line, "utf8").rstrip("\n").rstrip("\r")


def entries(path):
    d = 0
    for number, line in lines_of(path):
        (*word,) = line.split(" ")
        d = d or len(word) - 1
        if len(word) <= d:
            raise ValueError("line " + str(number))
        try:
            yield " ".join(word[: len(word) - d]), np.asarray(word[len(word) - d :]).astype(np.float32)
        except ValueError as e:
            raise ValueError("line " + str(number)) from e


def load_glove_embeddings(glove_file):
    return dict(entries(glove_file))


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    def numbers():
        for word in vocab:
            nothing = itertools.repeat(0.0, embed_dim)
            yield from glove_embeddings.get(word, glove_embeddings.get(word.lower(), nothing))

    return np.fromiter(numbers(), dtype=np.float32, count=len(vocab) * embed_dim).reshape(len(vocab), embed_dim)


def embed_sentence(sentence, embeddings):
    def known():
        for word in tokenize(sentence):
            for key in dict.fromkeys((word, word.lower())):
                if key in embeddings:
                    yield word, embeddings[key]
                    break

    found = list(known())
    width = np.size(next(iter(embeddings.values())))
    vectors = np.array([vector for _, vector in found], dtype=float).reshape(len(found), width)
    return vectors[None], [word for word, _ in found]


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    axes = plt.gca() if ax is None else ax
    mesh = axes.pcolormesh(np.asarray(attn_matrix, dtype=float), edgecolors="w")
    axes.set_yticks(np.arange(len(query_tokens)) + 0.5)
    axes.set_yticklabels(query_tokens)
    axes.set_xticks(np.arange(len(key_tokens)) + 0.5)
    axes.set_xticklabels(key_tokens, rotation=90)
    axes.set_xlabel("Keys")
    axes.set_ylabel("Queries")
    axes.set_title("Map")
    axes.figure.colorbar(mesh, ax=axes)
    return axes
