# expect: plot_attention wrong
# plain: draws 2 by 3 squares, expected 3 by 2 squares: a row for each query and a column for each key
"""Queries and keys change places, and nothing is named."""

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    sns.heatmap(np.asarray(attn_matrix).T, ax=ax, xticklabels=key_tokens, yticklabels=query_tokens)
    ax.set_xlabel("keys")
    ax.set_ylabel("queries")
    return ax
