# expect: all passed
"""Everything textual by regular expressions, tables by ChainMap and np.char; imshow through an inset colour bar."""

import re
from collections import ChainMap

import matplotlib.pyplot as plt
import numpy as np

WORD = re.compile(r"\w(?:[^\s]*\w)?|\w", re.UNICODE)


def tokenize(sentence):
    return re.findall(r"\S+", "".join(re.findall(r"[\w\s]", sentence)))


def sentence_embed(sentence, embed_dict):
    return np.array([embed_dict[m.group()] for m in re.finditer(r"\S+", sentence)], dtype=np.float64)


def load_glove_embeddings(glove_file):
    with open(str(glove_file), encoding="utf-8", newline="") as file:
        text = file.read()
    lines = re.split(r"\r?\n", text)
    lines = lines[:-1] if lines[-1] == "" else lines
    d = len(re.findall(" ", lines[0]))
    pattern = re.compile(r"(?s)(.*?)" + r" ([^ ]*)" * d)
    table = {}
    for number, line in enumerate(lines, 1):
        match = pattern.fullmatch(line)
        if not match:
            raise ValueError(f"{number}")
        word, *numbers = match.groups()
        try:
            table[word] = np.float32(numbers)
        except ValueError:
            raise ValueError(f"{number} is no good")
    return table


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    lower = {word: glove_embeddings[word.lower()] for word in vocab if word.lower() in glove_embeddings}
    zero = {word: [0.0] * embed_dim for word in vocab}
    table = ChainMap(glove_embeddings, lower, zero)
    return np.array([table[word] for word in vocab], dtype=np.float32).reshape((len(vocab), embed_dim))


def embed_sentence(sentence, embeddings):
    tokens = tokenize(sentence)
    lower = {token: embeddings[token.lower()] for token in tokens if token.lower() in embeddings}
    table = ChainMap(embeddings, lower)
    words = [token for token in tokens if token in table]
    (d,) = {len(vector) for vector in embeddings.values()}
    return np.array([[table[word] for word in words]], dtype=np.float32).reshape(1, -1, d), words


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        fig = plt.figure()
        ax = fig.add_axes([0.1, 0.1, 0.7, 0.8])
    im = ax.imshow(np.array(attn_matrix, dtype=float), interpolation="nearest")
    ax.xaxis.set_ticks(np.arange(len(key_tokens)), labels=list(map(str, key_tokens)))
    ax.yaxis.set_ticks(np.arange(len(query_tokens)), labels=list(map(str, query_tokens)))
    ax.figure.colorbar(im, ax=ax, orientation="horizontal")
    plt.setp(ax.get_xticklabels(), rotation=45, ha="right")
    ax.set(title="Attention weights", xlabel="key tokens", ylabel="query tokens")
    return ax
