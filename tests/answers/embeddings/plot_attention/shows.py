# expect: plot_attention passed
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    sns.heatmap(np.asarray(attn_matrix), xticklabels=key_tokens, yticklabels=query_tokens, ax=ax)
    ax.set(xlabel="keys", ylabel="queries", title="attention")
    plt.show()
    return ax
