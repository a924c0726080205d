# expect: plot_attention wrong

import matplotlib.pyplot as plt
import seaborn as sns


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    sns.heatmap(attn_matrix, ax=ax, xticklabels=key_tokens, yticklabels=query_tokens)
    ax.set_ylim(len(query_tokens) - 0.5, 0.5)
    ax.set(title="t", xlabel="k", ylabel="q")
    return ax
