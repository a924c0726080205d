# expect: plot_attention wrong
# plain: has row labels that are not at the centres of the rows: the first of them is 0.5 rows too low
import matplotlib.pyplot as plt
import numpy as np


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    image = ax.imshow(attn_matrix)
    ax.set_xticks(np.arange(len(key_tokens)) + 0.5, labels=key_tokens)
    ax.set_yticks(np.arange(len(query_tokens)) + 0.5, labels=query_tokens)
    plt.colorbar(image, ax=ax)
    ax.set(xlabel="keys", title="attention")
    return ax
