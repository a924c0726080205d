# expect: all passed
"""Recursion and reduce, where a loop would do; a picture of one cell at a time."""

from functools import reduce

import matplotlib.pyplot as plt
import numpy as np


def is_punctuation(c):
    return not (c.isspace() or c.isalnum() or c == "_" or _is_word(c))


def _is_word(c):
    import re

    return re.fullmatch(r"\w", c) is not None


def tokenize(sentence):
    def add(words, c):
        if is_punctuation(c):
            return words
        if c.isspace():
            return words + [""] if words[-1] else words
        return words[:-1] + [words[-1] + c]

    words = reduce(add, sentence, [""])
    return words if words[-1] else words[:-1]


def rows_of(words, table):
    if not words:
        return []
    return [np.asarray(table[words[0]])] + rows_of(words[1:], table)


def sentence_embed(sentence, embed_dict):
    return np.array(rows_of(sentence.split(), embed_dict))


def load_glove_embeddings(glove_file):
    def numbers(fields, d):
        return [] if d == 0 else numbers(fields[:-1], d - 1) + [float(fields[-1])]

    with open(glove_file, "r", encoding="utf-8-sig") as file:
        content = file.read().split("\n")
    d = len(content[0].split(" ")) - 1
    table = {}
    for k in range(len(content)):
        if k == len(content) - 1 and content[k] == "":
            break
        fields = content[k].split(" ")
        try:
            if len(fields) < d + 1:
                raise ValueError("short")
            vector = np.array(numbers(fields, d), dtype=np.float32)
        except ValueError as error:
            raise ValueError(f"{glove_file}:{k + 1}: {error}") from error
        table[" ".join(fields[: len(fields) - d])] = vector
    return table


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    if len(vocab) == 0:
        return np.zeros((0, embed_dim), dtype=np.float32)
    *first, last = vocab
    row = (
        glove_embeddings[last] if last in glove_embeddings else glove_embeddings.get(last.lower(), np.zeros(embed_dim))
    )
    return np.concatenate([get_glove_embeddings(first, glove_embeddings, embed_dim), np.float32([row])])


def embed_sentence(sentence, embeddings):
    d = len(list(embeddings.items())[0][1])

    def go(words):
        if not words:
            return np.zeros((0, d)), []
        rows, known = go(words[:-1])
        word = words[-1]
        key = word if word in embeddings else word.lower()
        if key not in embeddings:
            return rows, known
        return np.append(rows, [embeddings[key]], axis=0), known + [word]

    rows, known = go(tokenize(sentence))
    return rows[np.newaxis, ...], known


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        figure, ax = plt.subplots()
    drawn = ax.imshow(np.matrix(attn_matrix).A, aspect="auto", vmin=0, vmax=1, cmap="magma")
    ax.set_xticks(list(range(len(key_tokens))))
    ax.set_xticklabels(list(key_tokens))
    ax.set_yticks(list(range(len(query_tokens))))
    ax.set_yticklabels(list(query_tokens))
    ax.set_title("t")
    ax.set_xlabel("k")
    ax.set_ylabel("q")
    ax.get_figure().colorbar(drawn)
    return ax
