# expect: plot_attention wrong
# plain: draws rows or columns on top of each other, for example because equal tokens share a position
import matplotlib.pyplot as plt
import numpy as np


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        ax = plt.gca()
    mesh = ax.pcolormesh(list(key_tokens), list(query_tokens), np.asarray(attn_matrix), shading="nearest")
    ax.invert_yaxis()
    ax.figure.colorbar(mesh, ax=ax)
    ax.set(xlabel="keys", ylabel="queries", title="attention weights")
    return ax
