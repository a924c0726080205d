# expect: all passed
# ruff: noqa: B904
"""Bytes for the file, a DataFrame for the heat map, errors of its own, matshow-like ticks on top."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns


class _Deleter(dict):
    def __missing__(self, code):
        sign = chr(code)
        return sign if sign.isalnum() or sign.isspace() or sign == "_" else None


def tokenize(sentence: str) -> list:
    return sentence.translate(_Deleter()).split()


def sentence_embed(sentence, embed_dict):
    warnings.warn("looking words up", stacklevel=2)
    return np.vstack(list(map(embed_dict.__getitem__, sentence.split())), dtype=np.float64)


def load_glove_embeddings(glove_file):
    with open(glove_file, "rb") as file:
        lines = file.read().split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    d = lines[0].count(b" ")

    def parse(number, line):
        word, *numbers = line.decode().rsplit(" ", d)
        if len(numbers) < d:
            raise ValueError(number, "too few numbers")
        try:
            return word, np.asarray(list(map(float, numbers)), np.float32)
        except ValueError:
            raise ValueError(f"not a number in line {number}")

    return dict(parse(*pair) for pair in enumerate(lines, 1))


def get_glove_embeddings(vocab, glove_embeddings, embed_dim=300):
    frame = np.zeros((embed_dim, len(vocab)), dtype="f4")
    for column, word in enumerate(vocab):
        try:
            frame[:, column] = glove_embeddings[word]
        except KeyError:
            if word.lower() in glove_embeddings:
                frame[:, column] = glove_embeddings[word.lower()]
    return frame.T


def embed_sentence(sentence, embeddings):
    words, keys = [], []
    for word in tokenize(sentence):
        key = next((form for form in (word, word.lower()) if form in embeddings), None)
        if key is not None:
            words.append(word)
            keys.append(key)
    if not words:
        return np.zeros((1, 0, len(next(iter(embeddings.values()))))), words
    return np.expand_dims(sentence_embed(" ".join(keys), embeddings), 0), words


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = ax or plt.subplots(layout="constrained")[1]
    frame = pd.DataFrame(np.array(attn_matrix), index=query_tokens, columns=key_tokens)
    sns.heatmap(frame, ax=ax, xticklabels=True, yticklabels=True, cmap="rocket_r", vmin=0)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    plt.setp(ax.get_xticklabels(), rotation=90)
    ax.set(xlabel="key", ylabel="query", title="weights")
    return ax
