# expect: plot_attention wrong
# plain: has row labels that are not at the centres of the rows

import matplotlib.pyplot as plt


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    im = ax.pcolormesh(attn_matrix)
    ax.set_xticks(range(len(key_tokens)), key_tokens)
    ax.set_yticks(range(len(query_tokens)), query_tokens)
    plt.colorbar(im, ax=ax)
    ax.set(title="a", xlabel="k", ylabel="q")
    return ax
