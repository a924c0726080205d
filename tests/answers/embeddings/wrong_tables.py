# expect: get_glove_embeddings wrong changes_its_input
# expect: embed_sentence wrong also_found_capitalised
# expect: plot_attention wrong
"""A table that is written to, a look-up that goes too far, and words on the axes that changed places."""

import re

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = np.empty((len(vocab), embed_dim), dtype=np.float32)
    for row, word in zip(rows, vocab, strict=True):
        if word not in glove_embeddings:
            glove_embeddings[word] = glove_embeddings.get(word.lower(), np.zeros(embed_dim))
        row[:] = glove_embeddings[word]
    return rows


def embed_sentence(sentence, embeddings):
    found = []
    for word in re.sub(r"[^\w\s]", "", sentence).split():
        forms = (word, word.lower(), word.lower().capitalize(), word.upper())
        known = [form for form in forms if form in embeddings]
        if known:
            found.append((word, embeddings[known[0]]))
    width = len(next(iter(embeddings.values())))
    return np.array([vector for _, vector in found], dtype=float).reshape(1, -1, width), [word for word, _ in found]


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = plt.gca() if ax is None else ax
    sns.heatmap(attn_matrix, ax=ax, xticklabels=list(key_tokens), yticklabels=list(query_tokens))
    ax.set(title="Attention", xlabel="Query tokens", ylabel="Key tokens")
    return ax
