# expect: all passed
"""map, filter and lambdas; np.genfromtxt-free reading with a closure, and words found by index arrays."""

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns

tokenize = lambda sentence: list(  # noqa: E731
    filter(len, map(lambda part: "".join(filter(lambda c: c == "_" or c.isalnum(), part)), sentence.split()))
)
sentence_embed = lambda sentence, table: np.asarray(list(map(lambda word: table[word], sentence.split())))  # noqa: E731


def load_glove_embeddings(glove_file):
    def read(number, line):
        fields = line.split(" ")
        d = read.__dict__.setdefault("d", len(fields) - 1)
        try:
            if len(fields) - 1 < d:
                raise ValueError
            return " ".join(fields[:-d]), np.array(tuple(map(np.float32, fields[-d:])))
        except ValueError:
            raise ValueError(f"cannot read line number {number} of {glove_file!r}")

    with open(glove_file, encoding="utf-8") as file:
        return dict(read(number, line[:-1] if line.endswith("\n") else line) for number, line in enumerate(file, 1))


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    names = list(glove_embeddings)
    table = np.array([*map(list, glove_embeddings.values()), [0] * embed_dim], dtype=np.float32)
    place = {name: i for i, name in enumerate(names)}
    at = [place.get(word, place.get(word.lower(), -1)) for word in vocab]
    return table[np.array(at, dtype=int)]


def embed_sentence(sentence, embeddings):
    names = list(embeddings)
    table = np.array(list(map(list, embeddings.values())))
    words = list(filter(lambda w: w in names or w.lower() in names, tokenize(sentence)))
    at = np.array([names.index(w if w in names else w.lower()) for w in words], dtype=np.intp)
    return np.expand_dims(table.take(at, axis=0), 0), words


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    table = np.asarray(attn_matrix)
    ax = sns.heatmap(table, ax=ax if ax is not None else plt.figure().gca(), xticklabels=False, yticklabels=False)
    ax.set_xticks(np.arange(table.shape[1]) + 0.5)
    ax.set_xticklabels(key_tokens)
    ax.set_yticks(np.arange(table.shape[0]) + 0.5)
    ax.set_yticklabels(query_tokens)
    ax.set_xlabel("Key")
    ax.set_ylabel("Query")
    ax.set_title("Attention")
    return ax
