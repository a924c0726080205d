# expect: plot_attention wrong
"""Clears the figure."""

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    plt.clf()
    if ax is None:
        ax = plt.gca()
    sns.heatmap(np.asarray(attn_matrix), ax=ax, xticklabels=list(key_tokens), yticklabels=list(query_tokens))
    ax.set(title="attention", xlabel="keys", ylabel="queries")
    return ax
