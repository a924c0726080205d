# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Additive attention
#
# *The longer a well-fitting key is, the higher its dot product. What if the best key is one of medium size?*
#
# Then you need another kind of score. When Bahdanau, Cho and Bengio introduced attention in machine translation, they
# let a small neural network *learn* how well a query fits a key. It adds query and key, applies a non-linear function,
# and takes a weighted sum of the result. That is **additive attention**.
#
# The function is the **hyperbolic tangent**, $\tanh$. Near 0, $\tanh x$ is nearly $x$ itself, and further out it levels
# off at $-1$ and $1$. Without such a **non-linear** function, $q$ would raise the scores of all keys by the same
# amount. Softmax depends only on differences, so all queries would get the same weights.
#
# Predict first: `attn predict additive`.

# %%
import math

import torch
from torch import nn

# %% [markdown]
# Here are three ways to score a query and a key of one number each. For a given query, their product is largest for the
# smallest or the largest key, never in the middle (except for q = 0). *tanh(q + k)* is no better. The last score
# combines two hyperbolic tangents, one shifted up and one shifted down, with the weights 1 and -1. It is largest where
# $q + k$ is near 0, so it can prefer a key in the middle.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import SIGNED, STYLE
#
# plt.style.use(STYLE)
#
# line = [number / 8 for number in range(-24, 25)]
# scores = {
#     "q · k": lambda q, k: q * k,
#     "tanh(q + k)": lambda q, k: math.tanh(q + k),
#     "tanh(q + k + 1) - tanh(q + k - 1)": lambda q, k: math.tanh(q + k + 1) - math.tanh(q + k - 1),
# }
# figure, axes = plt.subplots(1, 3, figsize=(10, 3), sharey=True, layout="constrained")
# look = {"cmap": SIGNED, "center": 0, "square": True, "cbar_kws": {"shrink": 0.8}}
# for axis, (title, score) in zip(axes, scores.items()):
#     sns.heatmap([[score(q, k) for k in line] for q in line], ax=axis, **look)
#     axis.set_xticks([0.5, 24.5, 48.5], labels=[-3, 0, 3], rotation=0)
#     axis.set_yticks([0.5, 24.5, 48.5], labels=[-3, 0, 3], rotation=0)
#     axis.set(title=title, xlabel="key k")
# axes[0].set(ylabel="query q")
# plt.show()

# %% [markdown]
# Here one query and one key pass through the network. The same network serves every pair.

# %% tags=["active-ipynb"]
# from given.drawing import KEY, LIT, QUERY, arrow, box, canvas
#
# axis = canvas(4.5, 2.6)
# for y, name, colour in ((1.5, "query", QUERY), (0.5, "key", KEY)):
#     box(axis, 0, y, name, colour)
#     for hidden in (0, 1, 2):
#         arrow(axis, (0, y), (2, hidden), shrinkA=22, shrinkB=20)
# for hidden in (0, 1, 2):
#     box(axis, 2, hidden, "tanh")
#     arrow(axis, (2, hidden), (4, 1), shrinkA=20, shrinkB=20)
#     axis.text(3.1, (0.3, 1.07, 1.6)[hidden], "ws", ha="center")
# box(axis, 4, 1, "score", LIT)
# axis.text(2, -0.55, "hidden numbers", ha="center")
# axis.set(xlim=(-0.6, 4.6), ylim=(-0.7, 2.4))
# plt.show()

# %% [markdown]
# ## A score for every pair
#
# *How do rows of queries and rows of keys become a table of scores?* Two loops would do it slowly. For every query $i$
# and every key $j$, add the two vectors and take $\tanh$ of every number of the sum. Then add up the $d$ results,
# weighted by the numbers in $w_s$.
#
# $$S_{ij} = w_s \cdot \tanh(q_i + k_j)$$
#
# Without loops, you add with broadcasting. But there is a trap: `torch.tanh(Q + K)` adds query $i$ only to key $i$.
# With *one* query or one key the numbers are correct, because its row is broadcast, but the result lacks an axis. With
# as many queries as keys it runs, and only the shape of the result shows the mistake. With any other numbers it raises
# an error.


# %% exercise="additive_scores" points=8 minutes=20 shows="query key"
def additive_scores(queries, keys, ws):
    """Score every query against every key by a weighted sum of hyperbolic tangents.

    Parameters
    ----------
    queries : Tensor, shape (..., n_q, d)
        One query in each row.
    keys : Tensor, shape (..., n_k, d)
        One key in each row, as wide as the queries.
    ws : Tensor, shape (d,)
        The weights of the d hyperbolic tangents.

    Returns
    -------
    Tensor, shape (..., n_q, n_k)
        Row i holds the scores of query i, one for each key.

    References
    ----------
    Bahdanau, Cho and Bengio (2015), "Neural Machine Translation by Jointly Learning to Align and Translate".

    Examples
    --------
    >>> queries = torch.tensor([[0.0, 0.0], [1.0, -1.0]])
    >>> keys = torch.tensor([[1.0, 0.0], [0.0, 2.0], [-1.0, -1.0]])
    >>> for row in additive_scores(queries, keys, torch.tensor([1.0, 2.0])).tolist():
    ...     print([round(score, 4) for score in row])
    [0.7616, 1.9281, -2.2848]
    [-0.5592, 2.2848, -1.9281]
    >>> list(additive_scores(torch.ones(6, 3, 4), torch.ones(6, 5, 4), torch.ones(4)).shape)
    [6, 3, 5]
    """
    ### BEGIN SOLUTION
    # (..., n_q, 1, d) and (..., 1, n_k, d) give (..., n_q, n_k, d)
    return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - a score for every pair, for different or equal numbers of queries and keys
# - any number of leading batch dimensions, the same for queries and keys (`ws` has none)
# - sums of any size
# - float32 and float64
# - gradients that reach all three arguments
#
# Nothing is scaled.

# %% [markdown] hint="additive_scores"
# Before the sum over `d`, there is a number for every query, every key and every feature: `(..., n_q, n_k, d)`. How can
# you add `(..., n_q, d)` and `(..., n_k, d)` to get this shape?

# %% [markdown] hint="additive_scores"
# Broadcasting stretches an axis of length 1. The queries need such an axis where the keys are counted, and the keys
# need one where the queries are counted. `unsqueeze` makes it; count from the end, so that it works for batches.

# %% [markdown] hint="additive_scores"
# The two shapes are `(..., n_q, 1, d)` and `(..., 1, n_k, d)`. Now only `tanh` is missing, and a product with `ws` that
# sums over the last axis.

# %% [markdown] after="additive_scores"
# One small network scores every pair, and broadcasting forms the pairs.

# %% [markdown]
# Of the 64 scores, `tanh(Q + K)` computes only the framed ones. The small map below them shows the resulting weights:
# every query gets the same row. In the right panel, each query has its own row.

# %% tags=["active-ipynb"]
# features = {  # person, teaching, learning, doing, getting better, small word
#     "the": [0, 0, 0, 0, 0, 1],
#     "a": [0, 0, 0, 0, 0, 1],
#     "to": [0, 0, 0, 0, 0, 1],
#     "because": [0, 0, 0, 0, 0, 1],
#     "teacher": [1, 1, 0, 0, 0, 0],
#     "student": [1, 0, 1, 0, 0, 0],
#     "she": [1, 0, 0, 0, 0, 0.5],
#     "her": [1, 0, 0, 0, 0, 0.5],
#     "praised": [0, 0.5, 0, 1, 0.5, 0],
#     "asked": [0, 0, 0.5, 1, 0, 0],
#     "help": [0, 0.5, 0, 1, 0.5, 0],
#     "improved": [0, 0, 0.5, 0.5, 1, 0],
#     "improving": [0, 0, 0.5, 0.5, 1, 0],
# }
# query_tokens = "The teacher praised a student because she improved".split()
# key_tokens = "A student asked the teacher to help her improving".split()
# query_words = torch.tensor([features[token.lower()] for token in query_tokens])
# key_words = torch.tensor([features[token.lower()] for token in key_tokens])
#
#
# def draw_map(axis, numbers, title, rows=query_tokens, columns=key_tokens, **options):
#     look = {"annot": True, "fmt": ".2f", "linewidths": 1, "cbar": False, "cmap": "Oranges"}
#     look |= {"vmin": 0, "vmax": 1, "xticklabels": columns, "yticklabels": rows}
#     sns.heatmap(numbers.detach(), ax=axis, **look | options)
#     axis.set(title=title, xlabel="key")
#     axis.tick_params(axis="x", rotation=60)
#     axis.tick_params(axis="y", rotation=0)
#
#
# scores = additive_scores(4 * query_words - 3, 4 * key_words[:8] - 3, torch.ones(6))
# shared = torch.softmax(scores.diagonal(), dim=0)
#
# places = [["pairs", "each"], ["shared", "."]]
# figure, axes = plt.subplot_mosaic(places, figsize=(8.5, 5.4), height_ratios=[4, 1], layout="constrained")
# look = {"cmap": SIGNED, "fmt": ".1f", "vmin": -6, "vmax": 6}
# draw_map(axes["pairs"], scores, "scores of all pairs", columns=key_tokens[:8], **look)
# for i in range(8):
#     axes["pairs"].add_patch(plt.Rectangle((i, i), 1, 1, fill=False, edgecolor="black", linewidth=2))
# draw_map(axes["shared"], shared[None], "query i with key i: one row", rows=["all"], columns=key_tokens[:8])
# draw_map(axes["each"], torch.softmax(scores, dim=-1), "every pair: a row each", columns=key_tokens[:8])
# axes["pairs"].set(ylabel="query")
# plt.show()

# %% [markdown]
# ## A layer that learns its score
#
# *Where do queries, keys and $w_s$ come from?* They come from three linear layers. `Wq` and `Wk` project tokens to
# `num_out_features` hidden numbers each, and `Ws` turns the hidden numbers of a pair into one score.
#
# $$S_{ij} = W_s \tanh(W_q\, q_i + W_k\, k_j)$$
#
# Three things differ from the layer in the last chapter:
#
# - The **values** are not projected, and may have a different width.
# - **No score is divided by a root**, because $\tanh$ keeps every hidden number between -1 and 1.
# - `Ws` leaves an **axis of length 1** at the end. `squeeze()` removes *every* axis of length 1, even those of a batch
#   of one sentence or a single query; name the axis that you mean.


# %% exercise="AdditiveAttention" points=12 minutes=20
class AdditiveAttention(nn.Module):
    """Attention whose score is computed by a small trained network.

    Parameters
    ----------
    num_in_features : int
        The width of queries and keys before they are projected.
    num_out_features : int
        How many hidden numbers there are for each pair of a query and a key.

    Attributes
    ----------
    Wq, Wk : nn.Linear
        From `num_in_features` to `num_out_features`, for queries and keys.
    Ws : nn.Linear
        From `num_out_features` to 1: the score.

    References
    ----------
    Bahdanau, Cho and Bengio (2015), "Neural Machine Translation by Jointly Learning to Align and Translate".

    Examples
    --------
    >>> AdditiveAttention().Wq.weight.shape, AdditiveAttention().Ws.weight.shape
    (torch.Size([256, 300]), torch.Size([1, 256]))
    >>> layer = AdditiveAttention(2, 2)
    >>> for parameter in layer.parameters():
    ...     _ = nn.init.zeros_(parameter)
    >>> _ = nn.init.eye_(layer.Wq.weight), nn.init.ones_(layer.Ws.weight)
    >>> _ = layer.Wk.load_state_dict({"weight": torch.tensor([[1.0, 2.0], [0.5, 1.0]])}, strict=False)
    >>> queries = torch.tensor([[0.0, 0.0], [1.0, -1.0]])
    >>> keys = torch.tensor([[1.0, 0.0], [0.0, 2.0], [-1.0, -1.0]])
    >>> attn_output, attn_matrix = layer(queries, keys, torch.tensor([[10.0], [20.0], [30.0]]))
    >>> for row in attn_matrix.tolist():
    ...     print([round(weight, 4) for weight in row])
    [0.3186, 0.6674, 0.014]
    [0.2169, 0.7644, 0.0187]
    >>> [round(number, 4) for number in attn_output[:, 0].tolist()]
    [16.9546, 18.0175]

    One sentence, one query:

    >>> attn_output, attn_matrix = layer(torch.ones(1, 1, 2), torch.ones(1, 5, 2), torch.ones(1, 5, 3))
    >>> list(attn_output.shape), list(attn_matrix.shape)
    ([1, 1, 3], [1, 1, 5])
    """

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        # Set self.Wq, self.Wk and self.Ws, each an nn.Linear of the widths named above.
        ### BEGIN SOLUTION
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)
        ### END SOLUTION

    def forward(self, queries, keys, values):
        """Let every query attend to all keys, and mix the values.

        Parameters
        ----------
        queries : Tensor, shape (..., n_q, num_in_features)
            The sentence that asks, one token in each row.
        keys : Tensor, shape (..., n_k, num_in_features)
            The sentence that answers, one token in each row.
        values : Tensor, shape (..., n_k, d_v)
            One value in each row: row i is the value of key i.

        Returns
        -------
        attn_output : Tensor, shape (..., n_q, d_v)
            The weighted sum of the values for each query.
        attn_matrix : Tensor, shape (..., n_q, n_k)
            Row i says how much each value contributed to output i, and sums to 1.
        """
        ### BEGIN SOLUTION
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)
        attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)
        return attn_matrix @ values, attn_matrix
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - exactly three `nn.Linear`, with or without a bias, under the names `Wq`, `Wk` and `Ws`, and no other parameters
# - output first, then the weights
# - different or equal numbers of queries and keys, 1 included
# - any number of leading batch dimensions, the same for queries, keys and values
# - values of any width
# - scores between -1,000,000 and 1,000,000
# - float32 and float64
# - the default widths
# - gradients that reach the weights and the inputs
#
# You may choose the initial values, as long as each of the three gets a gradient: with zeros in `Ws`, none reaches
# `Wq`.

# %% [markdown] hint="AdditiveAttention"
# Start from `additive_scores`. What has to be done to queries and keys before they can be added, and what replaces
# `ws`?

# %% [markdown] hint="AdditiveAttention"
# Project both, make the axes for all pairs, add, and apply `tanh`: `(..., n_q, n_k, num_out_features)`. What does `Ws`
# turn that into, and which axis has to go?

# %% [markdown] hint="AdditiveAttention"
# `squeeze(-1)` removes only the last axis. Softmax runs over the keys; then mix the unchanged values.

# %% [markdown] after="AdditiveAttention"
# Only the score has changed: the parts of attention really are interchangeable.

# %% [markdown]
# Now watch it learn. For every word of the first sentence, the layer has to find the one in the second that can replace
# it:

# %% tags=["active-ipynb"]
# torch.set_num_threads(1)  # several threads only wait for each other on tensors as small as these
# torch.manual_seed(0)
# layer = AdditiveAttention(6, 16)
# before = layer(query_words, key_words, key_words)[1]
# optimizer = torch.optim.Adam(layer.parameters(), lr=0.02)
# for _ in range(300):
#     attn_output, after = layer(query_words, key_words, key_words)
#     loss = nn.functional.mse_loss(attn_output, query_words)
#     optimizer.zero_grad()
#     loss.backward()
#     optimizer.step()
#
# figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), sharey=True, layout="constrained")
# draw_map(axes[0], before, "before training")
# draw_map(axes[1], after, "after training")
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# ## What you have made
#
# **Attention whose score is learned, so that it can prefer a key that no dot product prefers.** Here queries and keys
# are single numbers, and each query should find the key that is *nearest* to it. As the key grows, a dot product of two
# numbers only rises or only falls, so it is largest at one of the ends. Your network has learned a ridge:

# %% tags=["active-ipynb"]
# torch.manual_seed(0)
# layer = AdditiveAttention(1, 16)
# points = torch.linspace(-1, 1, 41)[:, None]
# before = layer(points, points, points)[1]
# optimizer = torch.optim.Adam(layer.parameters(), lr=0.02)
# for _ in range(500):
#     queries, keys = 2 * torch.rand(16, 4, 1) - 1, 2 * torch.rand(16, 6, 1) - 1
#     nearest = (queries - keys.transpose(-2, -1)).abs().argmin(dim=-1)
#     attn_matrix = layer(queries, keys, keys)[1]
#     loss = nn.functional.nll_loss(attn_matrix.log().flatten(0, 1), nearest.flatten())
#     optimizer.zero_grad()
#     loss.backward()
#     optimizer.step()
#
# figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), sharey=True, layout="constrained")
# weights = {"before training": before, "after training": layer(points, points, points)[1]}
# for axis, (title, numbers) in zip(axes, weights.items()):
#     sns.heatmap(numbers.detach(), ax=axis, cmap="Oranges", vmin=0, square=True)
#     axis.set_xticks([0.5, 20.5, 40.5], labels=[-1, 0, 1], rotation=0)
#     axis.set_yticks([0.5, 20.5, 40.5], labels=[-1, 0, 1])
#     axis.set(title=title, xlabel="key")
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# Why does nearly everybody use the dot product? It is cheaper. The additive score has to store a whole row of hidden
# numbers for every pair. With two sentences of a thousand words and 256 hidden numbers, that is a gigabyte in float32.
# The dot product needs a million scores, 4 megabytes, and one matrix product.
#
# Both scores have the same limit: each query has *one* row of weights. In the next chapter, `multi_head`, every token
# asks several questions at once.
#
# <details markdown>
# <summary>Sources</summary>
#
# [Bahdanau, Cho and Bengio (2015; arXiv 2014)](https://arxiv.org/abs/1409.0473).
#
# </details>
#
# Find the bug: `attn debug AdditiveAttention`.

# %% [markdown] after="additive"
# You can now put any score into attention and say what it costs.
