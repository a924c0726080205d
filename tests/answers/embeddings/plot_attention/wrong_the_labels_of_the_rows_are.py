# expect: plot_attention wrong
# told: `plot_attention` never reads its argument `query_tokens`
# plain: on the y axis, and 'one' is missing.

import matplotlib.pyplot as plt
import seaborn as sns


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    sns.heatmap(attn_matrix, annot=True, ax=ax)
    plt.title("attention")
    plt.xlabel("keys")
    plt.ylabel("queries")
    return ax
