# expect: plot_attention wrong labels_of_the_rows_reversed

import matplotlib.pyplot as plt
import seaborn as sns


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    sns.heatmap(attn_matrix, ax=ax, xticklabels=key_tokens, yticklabels=query_tokens[::-1])
    ax.set(title="t", xlabel="k", ylabel="q")
    return ax
