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
# # Queries, keys and values
#
# *In "one step", the word "one" belongs to the word "step". Why should "one" have to resemble "step" in order to find
# it?*
#
# So far, the score of two words has been the dot product of their embeddings. That has two drawbacks. In the maps of
# `embeddings`, most words looked most at themselves. And the score is the same both ways: if "one" needs "step", then
# "step" has to need "one" just as much.
#
# Think of a library instead. You arrive with a **query**: what you are looking for. Every book has a **key** on its
# spine: the label under which it can be found. What you take home is the book's contents, its **value**. In attention
# every token has all three, and three matrices compute them from its embedding. These matrices are *learned*, and at
# the end of this chapter you watch that happen.
#
# Learning needs gradients, so we switch from NumPy to **PyTorch**. Its **tensors** are arrays that remember how they
# were computed, so PyTorch can work out which way to change each learned number.
#
# Predict first: `attn predict qkv`.

# %%
import math

import torch
from torch import nn

# %% [markdown]
# *If you have never used PyTorch*, read these lines first.

# %% tags=["active-ipynb"]
# # A tensor is an array; @, .shape, slices and broadcasting are as in NumPy.
# x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
# # Axes are called dim. transpose swaps the two that you name.
# x.sum(dim=-1), x.transpose(-2, -1)
#
# # requires_grad: "I will want to know how a result changes with this."
# w = torch.tensor([3.0], requires_grad=True)
# # The loss is 16, and it remembers how it was computed.
# loss = (2 * w - 10).square().sum()
# # backward computes the gradient: w.grad is -16, which means that the loss falls when w grows.
# loss.backward()
#
# # An optimizer moves weights against their gradients.
# optimizer = torch.optim.SGD([w], lr=0.1)
# # Now w is 3 + 0.1 * 16 = 4.6, and the loss would be 0.64.
# optimizer.step()
# # Gradients add up until they are set to zero.
# optimizer.zero_grad()
#
# # A module has weights of its own, here (3, 2) and (3,), and computes something from an input.
# linear = nn.Linear(2, 3)
# linear(x).shape, [weight.shape for weight in linear.parameters()]

# %% [markdown]
# To see what the three matrices do, we first choose them by hand. Each word gets four entries. They say how much the
# word is a number word, a noun, a verb, or a function word (such as "with"). Each matrix has one row for each of these
# four, and a word's entries times `wq` are its query. The columns of `wq` are what a word can *ask for*, and those of
# `wk` what it can *offer*: a noun or a verb.

# %%
tokens = ["Your", "journey", "starts", "with", "one", "step"]
words = torch.tensor(
    [
        [0.0, 0.0, 0.0, 1.0],
        [0.0, 1.0, 0.25, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.5, 0.0],
    ]
)
wq = torch.tensor([[4.0, 0.0], [0.0, 3.0], [2.0, 0.0], [2.0, 0.0]])
wk = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
wv = torch.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import KEY, QUERY, STYLE, VALUE, shades
#
# plt.style.use(STYLE)
#
# kinds = ["number", "noun", "verb", "function"]
# columns = {"wq: asks for a ...": ["noun", "verb"], "wk: offers a ...": ["noun", "verb"]}
# columns["wv: passes on ..."] = ["content", "amount"]
# colors = [shades(colour) for colour in (QUERY, KEY, VALUE)]
#
# figure, axes = plt.subplots(1, 4, figsize=(10, 3), width_ratios=[2, 1, 1, 1], layout="constrained")
# look = {"annot": True, "fmt": "g", "linewidths": 1, "cbar": False, "vmin": 0}
# sns.heatmap(words, ax=axes[0], cmap="Greys", xticklabels=kinds, yticklabels=tokens, **look)
# axes[0].set(title="words")
# for axis, matrix, (title, names), color in zip(axes[1:], (wq, wk, wv), columns.items(), colors):
#     sns.heatmap(matrix, ax=axis, cmap=color, xticklabels=names, yticklabels=kinds, **look)
#     axis.set(title=title)
# for axis in axes:
#     axis.tick_params(axis="y", rotation=0)
# plt.show()

# %% [markdown]
# So read `wq` row by row: row 0 is the query of a pure number word. A number word asks strongly for a noun (4). A noun
# asks for the verb that says what it does (3). The key and the value are computed in the same way. In `wk`, a noun can
# be found as a noun, and a verb as a verb. In `wv`, nouns and verbs pass on content, and number words pass on an
# amount.

# %% [markdown]
# ## Three projections
#
# *Why three?* With one matrix for queries and keys, every score would be the same in both directions again. With one
# matrix for keys and values, a word could pass on only what it is found by. Computing a new vector from an old one with
# a matrix is called a **projection**:
#
# $$Q = X W_q \qquad K = X W_k \qquad V = X W_v$$
#
# $X$ has a row for each token, and so do $Q$, $K$ and $V$; only the width changes, from $d_{in}$ to $d_k$.


# %% exercise="project_qkv" points=4 minutes=5
def project_qkv(inp, wq, wk, wv):
    """Compute a query, a key and a value for every token.

    Parameters
    ----------
    inp : Tensor, shape (..., n, d_in)
        One token in each row.
    wq, wk, wv : Tensor, shape (d_in, d_k)
        The projections for queries, keys and values.

    Returns
    -------
    q, k, v : Tensor, shape (..., n, d_k)
        Row i of each belongs to token i.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.

    Examples
    --------
    >>> q, k, v = project_qkv(words, wq, wk, wv)
    >>> q.tolist()
    [[2.0, 0.0], [0.5, 3.0], [2.0, 0.0], [2.0, 0.0], [4.0, 0.0], [1.0, 3.0]]
    >>> k[4].tolist(), v[4].tolist()
    ([0.0, 0.0], [0.0, 1.0])
    >>> [list(part.shape) for part in project_qkv(torch.ones(2, 5, 3), *torch.ones(3, 3, 4))]
    [[2, 5, 4], [2, 5, 4], [2, 5, 4]]
    """
    ### BEGIN SOLUTION
    return inp @ wq, inp @ wk, inp @ wv
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the three products in the order q, k, v
# - any number of leading batch dimensions of `inp` (all sentences share the matrices)
# - float32 and float64 (float64 stays float64)
# - gradients that reach all four arguments
#
# > **House rules** for this chapter and all that follow (modules and gradients are explained further down):
# >
# > - Leave the arguments unchanged, and return a new result from each call.
# > - Gradients must flow through the output; they need not flow through returned weights.
# > - With `float64` input, compute in `float64` throughout.
# > - At each call, a module uses the current values of its parameters and changes none of them; its state can be saved
# >   and loaded.
# > - Tensors may have been transposed, so that their numbers are not in order in memory (not *contiguous*; see
# >   `multi_head`).
# > - Where your code is checked, `torch.compile` does not work, and packages such as `einops` may be missing.

# %% [markdown] hint="project_qkv"
# `(n, d_in)` and `(d_in, d_k)` should become `(n, d_k)`. Which axis is summed over, and does anything have to be
# transposed?

# %% [markdown] hint="project_qkv"
# You need one matrix product for each of the three. `@` applies a matrix to each sentence of a batch separately.

# %% [markdown] after="project_qkv"
# Attention learns in these three matrices: the steps after them have no parameters at all.

# %% [markdown]
# Here is the first projection as boxes. The highlighted number says how strongly "one" asks for a noun.

# %% tags=["active-ipynb"]
# from given.drawing import PALE, canvas, lines, product
#
# axis = canvas(6.4, 6.4)
# queries = project_qkv(words, wq, wk, wv)[0]
# look = {"labels": (tokens, ["noun", "verb"]), "colours": (PALE, QUERY)}
# product(axis, words, wq, queries, 4, 0, ("words", "wq", "queries"), **look)
# plt.show()

# %% [markdown]
# As a query, "one" asks for a noun. As a key it offers nothing, because no word here asks for numbers.

# %% tags=["active-ipynb"]
# figure, axes = plt.subplots(1, 3, figsize=(8, 3), sharey=True, layout="constrained")
# look = {"annot": True, "fmt": "g", "linewidths": 1, "cbar": False, "vmin": 0, "yticklabels": tokens}
# for axis, part, names, color in zip(axes, project_qkv(words, wq, wk, wv), columns.values(), colors):
#     sns.heatmap(part, ax=axis, cmap=color, xticklabels=names, **look)
#     axis.tick_params(axis="y", rotation=0)
# axes[0].set(title="queries")
# axes[1].set(title="keys")
# axes[2].set(title="values")
# plt.show()

# %% [markdown]
# Now choose your own matrices. In the figure, each of five words is two numbers, and each matrix is two arrows: what a
# noun becomes, and what a verb becomes. Turn the verb's query away from the noun's key, and see which word "praises"
# attends to then.
#
# <div data-figure="queries-keys">The book has a figure to try here; in a notebook: %figure queries-keys.</div>
#
# ## Attention with projections
#
# You have written the rest in NumPy. Now write it in PyTorch; it takes two or three lines.
#
# $$\operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# **Swap the last two axes, and only those.** For $Q K^\top$ the keys have to be transposed. `k.transpose(0, -1)` and
# `k.T` are correct for one sentence. In a batch, axis 0 counts sentences, so both forms swap sentences with the numbers
# of a token. If the sizes happen to agree, no error is raised.


# %% exercise="dot_attention" points=8 minutes=10 bans="MultiheadAttention scaled_dot_product_attention"
def dot_attention(inp, wq, wk, wv):
    """Let every token attend to all tokens of its sentence, with learned queries, keys and values.

    Parameters
    ----------
    inp : Tensor, shape (..., n, d_in)
        One token in each row.
    wq, wk, wv : Tensor, shape (d_in, d_k)
        The projections for queries, keys and values.

    Returns
    -------
    output : Tensor, shape (..., n, d_k)
        The weighted sum of the values for each token.
    weights : Tensor, shape (..., n, n)
        Row i says how much each token contributed to output i, and sums to 1.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not accepted here: you are building what they do.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.

    Examples
    --------
    >>> output, weights = dot_attention(words, wq, wk, wv)
    >>> [round(weight, 4) for weight in weights[4].tolist()]
    [0.0264, 0.4471, 0.0264, 0.0264, 0.0264, 0.4471]
    >>> [round(number, 4) for number in output[4].tolist()]
    [1.2561, 0.0264]

    Two sentences of five tokens at once:

    >>> output, weights = dot_attention(torch.ones(2, 5, 3), *torch.ones(3, 3, 4))
    >>> list(output.shape), list(weights.shape)
    ([2, 5, 4], [2, 5, 5])
    """
    ### BEGIN SOLUTION
    q, k, v = project_qkv(inp, wq, wk, wv)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)
    return weights @ v, weights
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output first, then the weights
# - any number of leading batch dimensions of `inp`
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64 (float64 stays float64)
# - gradients that reach all four arguments

# %% [markdown] hint="dot_attention"
# Start with `project_qkv`. Then write down the shapes: `(..., n, d_k)` and `(..., n, d_k)` should become `(..., n, n)`.

# %% [markdown] hint="dot_attention"
# `transpose` takes the two axes to swap. From which end do you count them, so that the numbers suit every batch? And
# which axis of the scores should softmax run along, so that each *query* has weights that sum to 1?

# %% [markdown] hint="dot_attention"
# `d_k` is the width of the queries and keys, not that of `inp`. Where can you read it off? Divide the scores by its
# root, not the weights.

# %% [markdown] after="dot_attention"
# With projections, a word can look for something that it does not resemble.

# %% [markdown]
# In the left panel, *the words themselves*, all three matrices are the identity: every word finds what it resembles,
# and "one" finds "one". With *three projections*, "one" finds the nouns that can be counted, and "journey" finds its
# verb, "starts".

# %% tags=["active-ipynb"]
# identity = torch.eye(4)
# maps = {"the words themselves": (identity, identity, identity), "three projections": (wq, wk, wv)}
#
# figure, axes = plt.subplots(1, 2, figsize=(8, 4), sharey=True, layout="constrained")
# look = {"annot": True, "fmt": ".2f", "linewidths": 1, "square": True, "xticklabels": tokens, "yticklabels": tokens}
# for axis, (title, matrices) in zip(axes, maps.items()):
#     weights = dot_attention(words, *matrices)[1]
#     sns.heatmap(weights, ax=axis, cmap="Oranges", vmin=0, vmax=0.5, cbar=False, **look)
#     axis.set(title=title, xlabel="key")
#     axis.tick_params(axis="x", rotation=40)
#     axis.tick_params(axis="y", rotation=0)
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# Here is the row of "one" again, as lines:

# %% tags=["active-ipynb"]
# axes = canvas(6.6, 2.8, columns=2)
# for axis, (title, matrices) in zip(axes, maps.items()):
#     lines(axis, tokens, dot_attention(words, *matrices)[1][4].tolist(), 4)
#     axis.set(title=title)
# plt.show()

# %% [markdown]
# ## Two sentences, and masks
#
# *What if the questions come from one sentence and the answers from another?* In a translator, the words it writes ask,
# and the words it has read answer. That is **cross-attention**. There may be more keys than queries, or fewer. The
# function takes queries, keys and values as they are, projected or not.
#
# In PyTorch the parts of a network are **modules**: classes derived from `nn.Module`. What a part *does* is in its
# method `forward`, and you run it by calling the module like a function: `attention(queries, keys, values)`. This first
# module has nothing to learn, so it needs no `__init__`.
#
# **The mask** is the one you know: a Boolean tensor in which `True` means *may attend*. It may have any shape that
# broadcasts to the shape of the weights, such as `(n_q, n_k)`, `(b, 1, n_k)` or `(n_k,)`. **A row that may attend to
# nothing** gets weights 0 and output 0.


# %% exercise="DotProductAttention" points=12 minutes=20 bans="MultiheadAttention scaled_dot_product_attention"
class DotProductAttention(nn.Module):
    """Scaled dot-product attention, with a mask if there is one. It has no parameters.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not accepted here: you are building what they do.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.

    Examples
    --------
    >>> attention = DotProductAttention()
    >>> queries = torch.tensor([[2.0, 0.0], [0.0, 2.0]])
    >>> keys = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> values = torch.tensor([[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]])
    >>> attn_output, attn_matrix = attention(queries, keys, values)
    >>> [round(weight, 4) for weight in attn_matrix[0].tolist()]
    [0.4458, 0.1084, 0.4458]
    >>> [round(number, 4) for number in attn_output[0].tolist()]
    [1.3374, 0.3252, 1.3374]

    With the last key hidden from both queries:

    >>> attn_output, attn_matrix = attention(queries, keys, values, torch.tensor([True, True, False]))
    >>> [round(weight, 4) for weight in attn_matrix[0].tolist()]
    [0.8044, 0.1956, 0.0]
    """

    def forward(self, queries, keys, values, mask=None):
        """Let every query attend to all keys that it may see, and mix their values.

        Parameters
        ----------
        queries : Tensor, shape (..., n_q, d_k)
            One query in each row.
        keys : Tensor, shape (..., n_k, d_k)
            One key in each row.
        values : Tensor, shape (..., n_k, d_v)
            One value in each row: row i is the value of key i.
        mask : bool Tensor, broadcastable to (..., n_q, n_k), optional
            True where the query may attend to the key. Without a mask it may attend to every key.

        Returns
        -------
        attn_output : Tensor, shape (..., n_q, d_v)
            The weighted sum of the values for each query.
        attn_matrix : Tensor, shape (..., n_q, n_k)
            Row i sums to 1. If query i may attend to nothing, its weights and its output are 0.
        """
        ### BEGIN SOLUTION
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
        else:
            # Finite, so that a row without any key stays free of NaN; its weights are set to 0 in the next line.
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
            attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
        return attn_matrix @ values, attn_matrix
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output first, then the weights
# - any number of leading batch dimensions, the same for queries, keys and values
# - different numbers of queries and keys, and values of any width
# - scaled scores between -1,000,000 and 1,000,000
# - `mask` left out, or given in any shape that broadcasts
# - float32 and float64
# - gradients that reach queries, keys and values
#
# Rows that may attend to nothing have a separate test.

# %% [markdown] hint="DotProductAttention"
# Start without the mask: it is `dot_attention` without the projections. Do your lines assume that two sizes are equal,
# although they may now differ?

# %% [markdown] hint="DotProductAttention"
# `masked_fill(condition, number)` fills where the condition is `True`, but `mask` is `True` where nothing should be
# filled. `~` swaps `True` and `False`. Ask `if mask is not None`, not `if mask`.

# %% [markdown] hint="DotProductAttention"
# For rows that may attend to nothing, fill in a very large negative number instead of minus infinity: then softmax
# gives wrong weights, but not NaN. `torch.finfo(scores.dtype).min` works in any dtype. What does the mask tell you
# about those weights?

# %% [markdown] after="DotProductAttention"
# The formula is a module now, and it works for two sentences of different lengths.

# %% [markdown]
# Here the eight words of one sentence ask, and the nine words of another answer. In *function words hidden*, a mask
# hides the function words of the second sentence, and their weight goes to the others.

# %% tags=["active-ipynb"]
# features = {  # person, teaching, learning, doing, getting better, function word
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
# def draw_map(axis, attn_matrix, title, **options):
#     look = {"annot": True, "fmt": ".2f", "annot_kws": {"size": 8}, "linewidths": 1, "square": True, "cbar": False}
#     look |= {"cmap": "Oranges", "vmin": 0, "xticklabels": key_tokens, "yticklabels": query_tokens}
#     sns.heatmap(attn_matrix.detach(), ax=axis, **look | options)
#     axis.set(title=title, xlabel="key")
#     axis.tick_params(axis="x", rotation=60)
#     axis.tick_params(axis="y", rotation=0)
#
#
# attention = DotProductAttention()
# maps = {"every word": None, "function words hidden": key_words[:, 5] < 1}
#
# figure, axes = plt.subplots(1, 2, figsize=(9, 4.4), sharey=True, layout="constrained")
# for axis, (title, mask) in zip(axes, maps.items()):
#     draw_map(axis, attention(3 * query_words, key_words, key_words, mask)[1], title, vmax=0.6)
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# ## Weights that learn
#
# *Who finds the numbers in `wq`, `wk` and `wv`?* Training does, in small steps. A **loss** measures how far an output
# is from the desired one. Its **gradient** says how the loss changes with each weight. An **optimizer** moves every
# weight a little in the direction that makes the loss smaller.
#
# The optimizer has to know which tensors are weights. You give it `module.parameters()`, which lists only what was
# **registered**: tensors wrapped in `nn.Parameter` and set as attributes. A published notebook sets `self.wq` to
# `torch.rand(...)`, a plain tensor. The forward pass works, but the weights are never trained, never saved with the
# model, and never moved to the graphics card.
#
# The initial values matter, too. Weights drawn by `torch.rand`, between 0 and 1, make all queries and keys point
# roughly the same way. If both `wq` and `wk` start at 0, the gradient of each is 0 because the other is 0, so neither
# ever moves. Draw small random numbers around 0, for instance `torch.randn(d_in, d_k) / math.sqrt(d_in)`.


# %% exercise="SelfAttention" points=10 minutes=15 bans="MultiheadAttention scaled_dot_product_attention"
class SelfAttention(nn.Module):
    """Self-attention with trainable projections.

    Parameters
    ----------
    d_in : int
        The width of a token.
    d_k : int
        The width of queries, keys and values.

    Attributes
    ----------
    wq, wk, wv : nn.Parameter, shape (d_in, d_k)
        The projections for queries, keys and values.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not accepted here: you are building what they do.

    Examples
    --------
    >>> layer = SelfAttention(2, 2)
    >>> {name: list(weight.shape) for name, weight in sorted(layer.named_parameters())}
    {'wk': [2, 2], 'wq': [2, 2], 'wv': [2, 2]}
    >>> wq, wk, wv = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 2.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 1.0]]])
    >>> layer.load_state_dict({"wq": wq, "wk": wk, "wv": wv})
    <All keys matched successfully>
    >>> output, weights = layer(torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> [round(weight, 4) for weight in weights[0].tolist()]
    [0.1636, 0.6728, 0.1636]
    >>> [round(number, 4) for number in output[0].tolist()]
    [1.0, 0.3272]

    A gradient reaches the weights:

    >>> output[0, 1].backward()
    >>> bool(layer.wq.grad.any())
    True
    """

    def __init__(self, d_in, d_k):
        super().__init__()
        # Set self.wq, self.wk and self.wv, each of shape (d_in, d_k), so that the module knows them as parameters.
        ### BEGIN SOLUTION
        self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        ### END SOLUTION

    def forward(self, inp):
        """Let every token attend to all tokens of its sentence.

        Parameters
        ----------
        inp : Tensor, shape (..., n, d_in)
            One token in each row.

        Returns
        -------
        output : Tensor, shape (..., n, d_k)
            The weighted sum of the values for each token.
        weights : Tensor, shape (..., n, n)
            Row i says how much each token contributed to output i, and sums to 1.
        """
        ### BEGIN SOLUTION
        return dot_attention(inp, self.wq, self.wk, self.wv)
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - three registered parameters under the names `wq`, `wk` and `wv`, of shape `(d_in, d_k)`, and no others
# - output first, then the weights, computed from the *current* values of the parameters, for any number of leading
#   batch dimensions
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - gradients that reach all three and the input
#
# You may choose the order and the initial values of the parameters, as long as each of the three gets a gradient: with
# zeros in `wq`, none reaches `wk`.

# %% [markdown] hint="SelfAttention"
# You have already written the computation. `__init__` creates the weights once, and `forward` uses them at every call.

# %% [markdown] hint="SelfAttention"
# `list(layer.parameters())` should hold three tensors. If it is empty, what are your weights wrapped in?

# %% [markdown] hint="SelfAttention"
# `__init__` needs three lines, each with an `nn.Parameter` around a random tensor of shape `(d_in, d_k)`. `forward`
# needs one call, with four arguments, of a function from this chapter.

# %% [markdown] after="SelfAttention"
# An optimizer finds an `nn.Parameter` but ignores a plain tensor, without an error. If something does not learn, look
# at `parameters()` first.

# %% [markdown]
# Now watch them learn. The nine sentences "one is one", "two is two" and so on should become "1 la 1", "2 la 2" and so
# on. Each word is one-hot, and a linear layer (one more learned matrix) reads the translation off the output. "is"
# becomes "la" in every sentence, so it has to learn not to look at its neighbours, which differ. The grey curve is the
# same layer with plain tensors, which the optimizer does not see: only the linear layer is trained.

# %% tags=["active-ipynb"]
# sentences = torch.stack([torch.eye(10)[[number, 0, number]] for number in range(1, 10)])  # column 0: "is"
# translations = torch.stack([torch.eye(10)[[9 - number, 9, 9 - number]] for number in range(1, 10)])  # column 9: "la"
#
#
# def train(layer, steps=200):
#     readout = nn.Linear(10, 10)
#     parameters = [*layer.parameters(), *readout.parameters()]
#     optimizer = torch.optim.Adam([weight for weight in parameters if weight.requires_grad], lr=0.05)
#     losses = []
#     for _ in range(steps):
#         loss = nn.functional.mse_loss(readout(layer(sentences)[0]), translations)
#         optimizer.zero_grad()
#         loss.backward()
#         optimizer.step()
#         losses.append(loss.item())
#     return losses
#
#
# torch.manual_seed(0)
# layer, plain = SelfAttention(10, 10), SelfAttention(10, 10).requires_grad_(False)
# before = layer(sentences)[1][0].detach()
# losses = {"parameters": train(layer), "plain tensors": train(plain)}
# after = layer(sentences)[1][0].detach()
#
# figure, axes = plt.subplots(1, 3, figsize=(10, 3), width_ratios=[1, 1, 1.6], layout="constrained")
# look = {"annot": True, "fmt": ".2f", "linewidths": 1, "square": True, "cbar": False, "cmap": "Oranges"}
# look |= {"vmin": 0, "vmax": 1, "xticklabels": ["one", "is", "one"], "yticklabels": ["one", "is", "one"]}
# for axis, title, weights in zip(axes, ("before training", "after training"), (before, after)):
#     sns.heatmap(weights, ax=axis, **look)
#     axis.set(title=title, xlabel="key", ylabel="query")
#     axis.tick_params(axis="y", rotation=0)
# for (name, curve), color in zip(losses.items(), ("C1", "grey")):
#     sns.lineplot(curve, ax=axes[2], label=name, color=color)
# axes[2].set(title="loss", xlabel="training step", ylim=(0, None))
# plt.show()

# %% [markdown]
# The two words "one" always get the same weight, because they have the same vector. The chapter `positions` changes
# that.
#
# ## What the scale does for learning
#
# *Why are scores divided by $\sqrt{d_k}$?* Without this scale, the scores of wide vectors differ so much that softmax
# chooses a single key. But learning needs attention weights that *move* when a score moves a little. The left panel
# shows how much they move. The measure is the size (norm) of softmax's **Jacobian**, a table that says how each
# attention weight changes with each score. (You will compute with it in `backward`.) In the right panel, a small
# attention layer gets a rotated copy of one of eight keys and has to find that key. In each step, the gradient of each
# matrix, times the **learning rate**, is subtracted from the matrix.

# %% tags=["active-ipynb"]
# torch.manual_seed(0)
# torch.set_num_threads(1)  # several threads only wait for each other on tensors as small as these
# widths, sizes = [4, 16, 64, 256, 1024], {"scaled": [], "not scaled": []}
# for width in widths:
#     scores = (torch.randn(400, 8, width) @ torch.randn(400, width, 1)).squeeze(-1)
#     for name, numbers in (("scaled", scores / math.sqrt(width)), ("not scaled", scores)):
#         weights = torch.softmax(numbers, dim=-1)
#         jacobians = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None, :]
#         sizes[name].append(torch.linalg.matrix_norm(jacobians).median().item())
#
#
# def losses_of(scale, rate, d_in=16, d_k=1024, steps=80):
#     generator = torch.Generator().manual_seed(0)
#     rotation = torch.linalg.qr(torch.randn(d_in, d_in, generator=generator))[0]
#     start = torch.randn(2, d_in, d_k, generator=generator) / math.sqrt(d_in)
#     weights, losses = [matrix.clone().requires_grad_() for matrix in start], []
#     for _ in range(steps):
#         keys, values = torch.randn(2, 32, 8, d_in, generator=generator)
#         chosen = torch.arange(32), torch.randint(8, (32,), generator=generator)
#         scores = (keys[chosen] @ rotation @ weights[0])[:, None] @ (keys @ weights[1]).transpose(-2, -1) * scale
#         output = (torch.softmax(scores, dim=-1) @ values)[:, 0]
#         loss = nn.functional.mse_loss(output, values[chosen])
#         with torch.no_grad():
#             for weight, gradient in zip(weights, torch.autograd.grad(loss, weights)):
#                 weight -= rate * gradient
#         losses.append(loss.item())
#     return losses
#
#
# runs = {"scaled, rate 10": (1 / 32, 10), "not scaled, rate 0.1": (1, 0.1), "not scaled, rate 10": (1, 10)}
# figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), layout="constrained")
# for (name, curve), style in zip(sizes.items(), ("-", "--")):
#     sns.lineplot(x=widths, y=curve, ax=axes[0], marker="o", label=name, linestyle=style)
# for (name, settings), style in zip(runs.items(), ("-", "--", ":")):
#     sns.lineplot(losses_of(*settings), ax=axes[1], label=name, linestyle=style)
# axes[0].set(title="how much gets through softmax", xlabel="d_k", ylabel="norm of the Jacobian")
# axes[0].set(xscale="log", yscale="log")
# axes[0].set_xticks(widths, labels=widths)
# axes[0].minorticks_off()
# axes[1].set(title="loss, d_k = 1024", xlabel="step", ylim=(0, 2.2))
# plt.show()

# %% [markdown]
# Without the scale, the norm falls from 0.37 to about half a millionth between $d_k = 4$ and $d_k = 1024$. With the
# scale, it stays at 0.37. At the learning rate that suits the scaled layer, the other one learns nothing; at a rate of
# 0.1 it learns, but slowly. With the optimizer Adam (rate 0.01), which adapts the step of each weight, both learn: the
# loss of the scaled layer is below 0.1 after about 5 steps, that of the other after 50 to 80. (Some recent models omit
# the scale and bring `q` and `k` to a fixed length instead, for the same reason: **QK-norm**.)
#
# ## A layer for two sentences
#
# In practice everybody uses `nn.Linear(a, b)`: a module that projects the last axis from width `a` to width `b`, with
# registered weights and sensible initial values. It also adds a **bias**, a learned number for each of the `b` columns.
# If you set a module as an attribute of another one, it is registered with all its parameters.
#
# The layer that you write next takes queries from one sentence, keys and values from another, and projects each of the
# three first.


# %% exercise="TrainableAttention" points=8 minutes=10 bans="MultiheadAttention scaled_dot_product_attention"
class TrainableAttention(nn.Module):
    """Scaled dot-product attention between two sentences, with trainable projections.

    Parameters
    ----------
    num_in_features : int
        The width of queries, keys and values before they are projected.
    num_out_features : int
        Their width after they are projected.

    Attributes
    ----------
    Wq, Wk, Wv : nn.Linear
        From `num_in_features` to `num_out_features`, with bias, for queries, keys and values.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not accepted here: you are building what they do.

    Examples
    --------
    >>> TrainableAttention().Wq
    Linear(in_features=300, out_features=256, bias=True)
    >>> layer = TrainableAttention(2, 2)
    >>> for linear, bias in (layer.Wq, 1.0), (layer.Wk, 0.0), (layer.Wv, 10.0):
    ...     _ = nn.init.eye_(linear.weight), nn.init.constant_(linear.bias, bias)
    >>> _ = layer.Wk.load_state_dict({"weight": torch.tensor([[0.0, 1.0], [2.0, 0.0]]), "bias": torch.zeros(2)})
    >>> keys = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> attn_output, attn_matrix = layer(torch.tensor([[2.0, 0.0]]), keys, 2 * keys)
    >>> [round(weight, 4) for weight in attn_matrix[0].tolist()]
    [0.0879, 0.1784, 0.7337]
    >>> [round(number, 4) for number in attn_output[0].tolist()]
    [11.6433, 11.8241]
    """

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        # Set self.Wq, self.Wk and self.Wv, each an nn.Linear from num_in_features to num_out_features.
        ### BEGIN SOLUTION
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Wv = nn.Linear(num_in_features, num_out_features)
        self.attention = DotProductAttention()
        ### END SOLUTION

    def forward(self, queries, keys, values):
        """Project, then let every query attend to all keys.

        Parameters
        ----------
        queries : Tensor, shape (..., n_q, num_in_features)
            The sentence that asks, one token in each row.
        keys, values : Tensor, shape (..., n_k, num_in_features)
            The sentence that answers, one token in each row; often the same tensor twice.

        Returns
        -------
        attn_output : Tensor, shape (..., n_q, num_out_features)
            The weighted sum of the projected values for each query.
        attn_matrix : Tensor, shape (..., n_q, n_k)
            Row i says how much each key contributed to output i, and sums to 1.
        """
        ### BEGIN SOLUTION
        return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - exactly three `nn.Linear` with bias, under the names `Wq`, `Wk` and `Wv`, and no other parameters
# - output first, then the weights
# - different numbers of queries and keys
# - any number of leading batch dimensions, the same for queries, keys and values
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - the default widths
# - gradients that reach the weights and the inputs
#
# You may choose the initial values, as long as each of the three layers gets a gradient: with zeros in `Wv`, none
# reaches `Wq` and `Wk`.

# %% [markdown] hint="TrainableAttention"
# Which module in this chapter attends, given queries, keys and values? What is left to do before it?

# %% [markdown] hint="TrainableAttention"
# Call an `nn.Linear` like a function: it takes `(..., n, a)` and returns `(..., n, b)`.

# %% [markdown] hint="TrainableAttention"
# Create `DotProductAttention()` in `__init__`, as an attribute next to the three layers, and call it in `forward`.

# %% [markdown] after="TrainableAttention"
# Queries from one sentence, keys and values from another: this is cross-attention, ready to be trained.

# %% [markdown]
# ## What you have made
#
# **Attention that learns what to ask for, what to offer and what to pass on.** It can be trained as a part of any
# model. For comparison, here are two such layers *before* any training. In *untrained, start 1* every word seems to
# look at the teacher; in *start 2* hardly any word does. Both patterns are pure chance: never read meaning into the map
# of an untrained model.

# %% tags=["active-ipynb"]
# figure, axes = plt.subplots(1, 2, figsize=(9, 4.4), sharey=True, layout="constrained")
# for seed, axis in enumerate(axes):
#     torch.manual_seed(seed)
#     attn_matrix = TrainableAttention(6, 8)(query_words, key_words, key_words)[1]
#     draw_map(axis, attn_matrix, f"untrained, start {seed + 1}", vmin=None)
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# Every token still asks only one question. In the chapter `multi_head`, it asks several at once. Before that, the short
# chapter `additive` builds the first form of attention, in which a small network computes the score.
#
# <details markdown>
# <summary>Sources</summary>
#
# [Vaswani et al. (2017)](https://arxiv.org/abs/1706.03762); [Kingma and Ba (2015)](https://arxiv.org/abs/1412.6980);
# [Henry et al. (2020)](https://arxiv.org/abs/2010.04245).
#
# </details>
#
# Find the bug: `attn debug TrainableAttention`.

# %% [markdown] after="qkv"
# You can now build attention that learns, as PyTorch modules.
