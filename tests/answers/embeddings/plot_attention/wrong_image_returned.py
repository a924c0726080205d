# expect: plot_attention wrong image_returned
import matplotlib.pyplot as plt


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    if ax is None:
        _, ax = plt.subplots()
    image = ax.imshow(attn_matrix)
    ax.set_xticks(range(len(key_tokens)), labels=key_tokens)
    ax.set_yticks(range(len(query_tokens)), labels=query_tokens)
    plt.colorbar(image, ax=ax)
    ax.set(xlabel="keys", ylabel="queries", title="attention")
    return image
