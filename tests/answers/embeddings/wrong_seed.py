# expect: tokenize wrong punctuation_stays
# expect: sentence_embed wrong missing_words_left_out
# expect: load_glove_embeddings raised split_at_every_space
# expect: get_glove_embeddings wrong never_lower_cased
# expect: embed_sentence wrong labels_out_of_sync
# expect: plot_attention wrong nothing_returned
# ruff: noqa: SIM105
"""What the course grew from, or nearly."""

import re

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns


def tokenize(sentence):
    return sentence.split()


def sentence_embed(sentence, embed_dict):
    rows = []
    for word in sentence.split():
        try:
            rows.append(embed_dict[word])
        except KeyError:
            pass
    return np.array(rows)


def load_glove_embeddings(glove_file):
    glove_embeddings = {}
    with open(glove_file, encoding="utf-8") as file:
        for line in file:
            values = line.split()
            glove_embeddings[values[0]] = np.asarray(values[1:], dtype="float32")
    return glove_embeddings


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    return np.array([glove_embeddings.get(word, np.zeros(embed_dim)) for word in vocab]).reshape(-1, embed_dim)


def embed_sentence(sentence, embeddings):
    words = re.sub(r"[^\w\s]", "", sentence).split()
    found = [embeddings.get(word, embeddings.get(word.lower())) for word in words]
    rows = np.array([row for row in found if row is not None])
    return rows.reshape(1, -1, len(next(iter(embeddings.values())))), words


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = sns.heatmap(np.asarray(attn_matrix), cmap="Blues", ax=ax)
    plt.xticks(np.arange(len(key_tokens)) + 0.5, key_tokens)
    plt.yticks(np.arange(len(query_tokens)) + 0.5, query_tokens)
    plt.title("Attention matrix")
    plt.xlabel("Attention score")
    plt.show()
