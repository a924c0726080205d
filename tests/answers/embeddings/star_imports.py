# expect: all passed
"""Star imports, translate tables and walrus operators; np.loadtxt for the numbers of a line."""

from re import *
from sys import maxunicode

import matplotlib.pyplot as plt
import seaborn as sns
from numpy import *


def tokenize(sentence):
    return findall(r"\w+", sub(r"[^\w\s]", "", sentence))


def sentence_embed(sentence, embed_dict):
    return concatenate([[embed_dict[w]] for w in sentence.split()], axis=0)


def load_glove_embeddings(glove_file):
    found = {}
    d = 0
    with open(glove_file, encoding="utf8") as f:
        text = f.read()
    for i, line in enumerate(text.split("\n")):
        if not line and i == text.count("\n"):
            continue
        parts = line.split(" ")
        if d == 0:
            d = len(parts) - 1
        if len(parts) < d + 1:
            raise ValueError("bad line: %d" % (i + 1))
        try:
            found[" ".join(parts[:-d])] = array(parts[-d:], dtype=float32)
        except ValueError:
            raise ValueError("bad line: %d" % (i + 1))
    return found


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    m = zeros((len(vocab), embed_dim), float32)
    for i, w in enumerate(vocab):
        if (v := glove_embeddings.get(w)) is not None or (v := glove_embeddings.get(w.lower())) is not None:
            m[i] = v
    return m


def embed_sentence(sentence, embeddings):
    keys = {w: w if w in embeddings else w.lower() for w in tokenize(sentence)}
    words = [w for w in tokenize(sentence) if keys[w] in embeddings]
    d = shape(list(embeddings.values()))[1]
    v = zeros((1, len(words), d))
    for i, w in enumerate(words):
        v[:, i] = embeddings[keys[w]]
    return v, words


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        ax = plt.figure().add_subplot()
    g = sns.heatmap(
        array(attn_matrix),
        ax=ax,
        xticklabels=key_tokens,
        yticklabels=query_tokens,
        annot=True,
        fmt=".1f",
        cbar_kws={"label": "weight"},
    )
    g.set(xlabel="keys", ylabel="queries", title="attention")
    return g
