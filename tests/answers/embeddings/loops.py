# expect: all passed
# ruff: noqa: SIM113, SIM115, B904, UP031
"""Loops over letters and lines, tuples for lists, and imshow with the first query at the bottom."""

import matplotlib.pyplot as plt
import numpy as np


def tokenize(sentence):
    words, word = [], ""
    for sign in sentence + " ":
        if sign.isspace():
            if word:
                words.append(word)
            word = ""
        elif sign.isalnum() or sign == "_":
            word += sign
    return tuple(words)


def sentence_embed(text, table):
    rows = []
    for word in text.split():
        if word not in table:
            print("unknown:", word)
            raise KeyError(f"no embedding for {word!r}")
        rows.append([float(number) for number in table[word]])
    return rows


def load_glove_embeddings(path):
    table, width = {}, None
    file = open(path, encoding="utf8", newline="\n")
    number = 0
    for line in file:
        number += 1
        parts = line[:-1].split(" ") if line[-1] == "\n" else line.split(" ")
        if width is None:
            width = len(parts) - 1
        vector = []
        while len(vector) < width:
            if len(parts) < 2:
                raise ValueError("line %d is too short" % number)
            last = parts.pop()
            try:
                vector.insert(0, np.float32(last))
            except ValueError:
                raise ValueError("line %d: %r is no number" % (number, last))
        table[" ".join(parts)] = vector
    file.close()
    return table


def get_glove_embeddings(words, table, d):
    rows = np.zeros((len(words), d))
    for i in range(len(words)):
        if words[i] in table:
            rows[i, :] = table[words[i]]
        elif words[i].lower() in table:
            rows[i, :] = table[words[i].lower()]
    return rows


def embed_sentence(sentence, table):
    for vector in table.values():
        d = len(vector)
    rows, labels = np.empty((1, 0, d), dtype=np.float32), ()
    for word in tokenize(sentence):
        for form in (word, word.lower()):
            if form in table:
                rows = np.concatenate([rows, np.reshape(table[form], (1, 1, d))], axis=1)
                labels += (word,)
                break
    return [rows, labels]


def plot_attention(q, k, a, axes=None):
    if axes is None:
        figure = plt.figure()
        axes = figure.add_subplot(1, 1, 1)
    image = axes.imshow(a, origin="lower", aspect="auto", vmin=0, vmax=1)
    plt.colorbar(image, ax=axes)
    axes.set_xticks(range(len(k)))
    axes.set_xticklabels(k, rotation=45, ha="right")
    axes.set_yticks(range(len(q)))
    axes.set_yticklabels(q)
    axes.set_title("attention", loc="left")
    axes.set_xlabel("keys")
    axes.set_ylabel("queries")
    return axes
