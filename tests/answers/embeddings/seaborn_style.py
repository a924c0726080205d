# expect: all passed
"""Regular expressions, comprehensions and seaborn, close to the text."""

import re

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns


def tokenize(sentence):
    without = re.compile(r"[^\w\s]", re.UNICODE).sub("", sentence)
    return [word for word in re.split(r"\s+", without) if word]


def sentence_embed(sentence, embed_dict):
    return np.stack([np.asarray(embed_dict[word], dtype=np.float32) for word in sentence.split()])


def load_glove_embeddings(glove_file):
    vectors = {}
    with open(glove_file, encoding="utf-8") as lines:
        d = None
        for i, line in enumerate(lines):
            fields = line.rstrip("\n").split(" ")
            d = d or len(fields) - 1
            if len(fields) < d + 1:
                raise ValueError(f"{glove_file}:{i + 1}: expected {d} numbers, found {len(fields) - 1}")
            try:
                numbers = [float(field) for field in fields[-d:]]
            except ValueError as error:
                raise ValueError(f"{glove_file}:{i + 1}: {error}") from error
            vectors[" ".join(fields[:-d])] = np.array(numbers, dtype=np.float32)
    return vectors


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    zeros = np.zeros(embed_dim)
    rows = [glove_embeddings.get(word, glove_embeddings.get(word.lower(), zeros)) for word in vocab]
    return np.array(rows, dtype=np.float32).reshape(-1, embed_dim)


def embed_sentence(sentence, embeddings):
    pairs = [(word, key) for word in tokenize(sentence) for key in [word if word in embeddings else word.lower()]]
    pairs = [(word, embeddings[key]) for word, key in pairs if key in embeddings]
    width = np.shape(list(embeddings.values()))[1]
    vectors = np.array([vector for _, vector in pairs], dtype=float)
    return vectors.reshape((1, -1, width)), [word for word, _ in pairs]


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        plt.figure(figsize=(6, 5))
        ax = plt.gca()
    sns.heatmap(
        attn_matrix,
        xticklabels=key_tokens,
        yticklabels=query_tokens,
        annot=len(key_tokens) < 10,
        fmt=".2f",
        square=True,
        linewidths=0.5,
        cmap="Blues",
        ax=ax,
    )
    ax.set_title("Who looks at whom")
    ax.set_xlabel("Keys")
    ax.set_ylabel("Queries")
    return ax
