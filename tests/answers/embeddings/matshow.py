# expect: all passed
"""matshow with a locator, as an old tutorial has it, and the rest in few lines."""

import re

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FixedFormatter, MultipleLocator

tokenize = lambda sentence: re.findall(r"\w+", re.sub(r"(?![\w\s]).", "", sentence))  # noqa: E731


def sentence_embed(sentence, embed_dict):
    return np.array([np.array(embed_dict[w], dtype=float) for w in sentence.split(None)])


def load_glove_embeddings(glove_file):
    glove, d = {}, 0
    with open(glove_file, encoding="UTF-8") as f:
        for n, line in enumerate(f, 1):
            match = re.fullmatch(rf"(.*?)((?: [^ ]*){{{d or '1,'}}})\n?", line, flags=re.DOTALL)
            if match is None:
                raise ValueError(f"line {n}: fewer than {d} numbers")
            fields = match[2].split(" ")[1:]
            d = d or len(fields)
            try:
                glove[match[1]] = np.float32(fields)
            except ValueError as e:
                e.args = (f"line {n}: {e}",)
                raise
    return glove


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    out = np.zeros((len(vocab), embed_dim), np.float32)
    for row, word in zip(out, vocab, strict=True):
        for form in {word.lower(): 0, word: 1}:
            if form in glove_embeddings and (form == word or word not in glove_embeddings):
                row[:] = glove_embeddings[form]
    return out


def embed_sentence(sentence, embeddings):
    tokens = [t for t in tokenize(sentence) if t in embeddings or t.lower() in embeddings]
    d = np.size(next(iter(embeddings.values())))
    return np.array([[embeddings[t if t in embeddings else t.lower()] for t in tokens]], float).reshape(
        1, -1, d
    ), tokens


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        fig, ax = plt.subplots(figsize=(4, 4))
    else:
        fig = ax.get_figure()
    cax = ax.matshow(np.array(attn_matrix), cmap="bone")
    fig.colorbar(cax, cax=ax.inset_axes([1.04, 0, 0.04, 1]))
    for axis, tokens in ((ax.xaxis, key_tokens), (ax.yaxis, query_tokens)):
        axis.set_major_locator(MultipleLocator(1))
        axis.set_major_formatter(FixedFormatter(["", *tokens, ""]))
    ax.tick_params(axis="x", labelrotation=90, labelbottom=True, labeltop=False)
    ax.set(title="attention", xlabel="keys", ylabel="queries")
    return ax
