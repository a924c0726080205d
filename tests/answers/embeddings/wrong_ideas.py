# expect: tokenize wrong
# expect: sentence_embed wrong
# expect: load_glove_embeddings raised
# expect: get_glove_embeddings wrong
# expect: embed_sentence wrong
# expect: plot_attention wrong
"""Other ideas, and forms that are almost right."""

import matplotlib.pyplot as plt
import numpy as np


def tokenize(sentence):
    kept = "".join(sign if sign.isalnum() or sign in "_'" else " " for sign in sentence)
    return kept.split()


def sentence_embed(sentence, embed_dict):
    rows = np.array([embed_dict[word] for word in sentence.split()], dtype=float)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)  # only directions


def load_glove_embeddings(glove_file):
    table = np.genfromtxt(glove_file, dtype=str, delimiter=" ", encoding="utf-8")
    return {row[0]: row[1:].astype(np.float32) for row in np.atleast_2d(table)}


_rows = np.zeros((64, 64))


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = _rows[: len(vocab), :embed_dim]  # a buffer: the next call overwrites it
    rows[:] = 0
    for i, word in enumerate(vocab):
        rows[i] = glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))
    return rows


def embed_sentence(sentence, embeddings):
    words = [word for word in tokenize(sentence) if word.lower() in embeddings]
    width = len(next(iter(embeddings.values())))
    return np.array([embeddings[word.lower()] for word in words]).reshape(1, -1, width), words


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = ax or plt.subplots()[1]
    mesh = ax.pcolormesh(key_tokens, query_tokens, attn_matrix)  # equal words share a place
    ax.figure.colorbar(mesh)
    ax.set(title="attention", xlabel="keys", ylabel="queries")
    return ax
