# expect: tokenize wrong
# expect: sentence_embed wrong
# expect: load_glove_embeddings wrong
# expect: get_glove_embeddings wrong
# expect: embed_sentence wrong
# expect: plot_attention wrong
"""Mistakes that nobody listed, and that show in one place only."""

import re

import matplotlib.pyplot as plt
import numpy as np


def tokenize(sentence):
    return re.sub(r"[^\w\s-]", "", sentence).split()  # hyphens stay


def sentence_embed(sentence, embed_dict):
    if sentence.split()[-1] not in embed_dict:
        raise KeyError(sentence.split()[-1])  # looks at the last word only
    return np.array([embed_dict.get(word, 0) for word in sentence.split() if word in embed_dict])


def load_glove_embeddings(glove_file):
    vectors = {}
    with open(glove_file, encoding="utf-8") as file:
        lines = file.read().split("\n")[:-1]  # loses the last line where the file does not end in a line end
    d = lines[0].count(" ")
    for number, line in enumerate(lines, 1):
        word, *fields = line.rsplit(" ", d)
        try:
            vectors[word] = np.array(fields, np.float32)
            if len(fields) != d:
                raise ValueError
        except ValueError:
            raise ValueError(f"line {number}") from None
    return vectors


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.zeros((len(vocab), embed_dim))
    for i, word in enumerate(vocab):
        for form in (word, word.lower(), word.capitalize()):  # one form too many
            if form in glove_embeddings:
                rows[i] = glove_embeddings[form]
                break
    return rows


def embed_sentence(sentence, embeddings):
    words, rows = [], []
    for word in tokenize(sentence.replace("-", "")):
        vector = embeddings.get(word, embeddings.get(word.lower()))
        if vector is not None:
            words.append(word)
            rows.append(vector)
    return np.array([rows]), words  # (1, 0) where no word is known


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = ax or plt.subplots()[1]
    image = ax.imshow(attn_matrix)
    ax.figure.colorbar(image)
    ax.set_xticks(range(len(key_tokens)), key_tokens)
    ax.set_yticks(range(len(query_tokens)), query_tokens)
    ax.set(xlabel="keys", ylabel="queries")
    ax.figure.suptitle("attention")  # a title of the figure, not of these Axes
    return ax
