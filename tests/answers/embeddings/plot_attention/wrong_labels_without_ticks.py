# expect: plot_attention raised
# told: You pass 45 labels for 23 ticks. Set one tick for each label.
import matplotlib.pyplot as plt
import seaborn as sns


def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    ax = sns.heatmap(attn_matrix, ax=ax or plt.figure().subplots())
    ax.set(xlabel="key", ylabel="query", title="Attention")
    ax.set_xticklabels(key_tokens)
    ax.set_yticklabels(query_tokens)
    return ax
