# expect: plot_attention wrong labels_where_the_token_occurs_first
# plain: has no label at the centre of row 2, counted from 0
import matplotlib.pyplot as plt
import numpy as np


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = plt.figure().add_subplot() if ax is None else ax
    picture = ax.imshow(np.array(attn_matrix, dtype=float), aspect="auto")
    ax.figure.colorbar(picture, ax=ax)
    ax.set_xticks([key_tokens.index(token) for token in key_tokens], labels=key_tokens)
    ax.set_yticks([query_tokens.index(token) for token in query_tokens], labels=query_tokens)
    ax.set(title="weights", xlabel="key", ylabel="query")
    return ax
