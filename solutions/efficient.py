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
# # Efficient
#
# *A model writes a story word by word. For each new word it looks back at all earlier words. After a thousand words,
# how many times has it computed the key of the first one?*
#
# It has done so a thousand times, each time with the same result. Attention as you have built it is correct but
# wasteful. This chapter has two halves, each with its own question:
#
# 1. **How does a model write without repeating work?** Keep keys and values in a cache, share them among heads, and
#    look only a limited number of words back.
# 2. **How does it read a long text?** First avoid storing the table of $n^2$ weights, then do without softmax
#    altogether.
#
# A cache does not change the result, and neither does reading the keys in blocks. Shared keys, windows and attention
# without softmax (**linear attention**) change the model, so it has to be trained with them.
#
# Predict first: `attn predict efficient`.

# %%
import math

import torch
from torch import nn
from torch.nn import functional

# %% [markdown]
# Each row of these pictures is one step of writing, and each coloured cell is a key that is computed in that step:

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import STYLE
#
# plt.style.use(STYLE)
#
# written = 12
# every_word, new_word = torch.ones(written, written).tril(), torch.eye(written)
# figure, axes = plt.subplots(1, 2, figsize=(7, 3.4), sharey=True, layout="constrained")
# for axis, (title, keys) in zip(axes, {"all words again": every_word, "the new word only": new_word}.items()):
#     sns.heatmap(keys, ax=axis, cmap="Oranges", vmax=1.6, cbar=False, square=True, linewidths=0.5)
#     axis.set(title=f"{title}: {int(keys.sum())} keys", xlabel="word")
# axes[0].set(ylabel="step")
# plt.show()

# %% [markdown]
# ## Keep what is known
#
# *Why is an old key still right when new words arrive?* In the first layer, `Wk` computes it from its own word alone.
# In a deeper layer it also depends on other words. But under a causal mask those are earlier words, and they do not
# change. So the keys and values of old words never change either.
#
# A **key-value cache** keeps them. For each new word the model computes `q`, `k` and `v` once and appends `k` and `v`
# to the cache. Then the new query attends to everything in the cache. The result must not depend on how the words are
# divided among calls.
#
# Three mistakes are common.
#
# - **The wrong axis.** The shape is `(..., h, m, d)`: leading batch dimensions, heads, words, numbers.
#   `torch.cat(parts, 1)` works for `(h, m, d)`; with a batch axis in front it adds *heads* instead of words.
# - **A shared list.** A list in the class body, or as a default argument, is created once and shared by all caches. A
#   model needs a separate cache for each layer and each text.
# - **A step that starts over.** Joining the old tensor and the new keys is fine. But joining all the pieces one by one
#   in every call repeats old work, like the triangle in the first picture.
#
# <div data-figure="kv-cache">The book has a figure to try here; in a notebook: %figure kv-cache.</div>


# %% exercise="KeyValueCache" points=9 minutes=15
class KeyValueCache:
    """A cache of the keys and values of all words so far, so that none is computed twice.

    Examples
    --------
    Two words, then one more, with one head:

    >>> cache = KeyValueCache()
    >>> all_k, all_v = cache.append(torch.tensor([[[1.0, 2.0], [3.0, 4.0]]]), torch.tensor([[[0.5, 0.0], [0.0, 0.5]]]))
    >>> all_k, all_v = cache.append(torch.tensor([[[5.0, 6.0]]]), torch.tensor([[[0.5, 0.5]]]))
    >>> all_k.tolist()
    [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]
    >>> all_v.tolist()
    [[[0.5, 0.0], [0.0, 0.5], [0.5, 0.5]]]

    Another text has its own cache. This one holds two sentences and four heads:

    >>> another = KeyValueCache()
    >>> for words in (3, 1, 2):
    ...     all_k, all_v = another.append(torch.zeros(2, 4, words, 8), torch.ones(2, 4, words, 8))
    ...     print(tuple(all_k.shape), int(all_v.sum()))
    (2, 4, 3, 8) 192
    (2, 4, 4, 8) 256
    (2, 4, 6, 8) 384
    """

    def __init__(self):
        ### BEGIN SOLUTION
        self.k = self.v = None
        ### END SOLUTION

    def append(self, k, v):
        """Add the keys and values of new words.

        Parameters
        ----------
        k, v : Tensor, shape (..., h, m, d)
            Keys and values of m more words, in each of h heads; only m may differ from call to call.

        Returns
        -------
        all_k, all_v : Tensor, shape (..., h, n, d)
            The keys and values of all n words so far, the oldest first.
        """
        ### BEGIN SOLUTION
        if self.k is not None:
            k, v = torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)
        self.k, self.v = k, v
        return k, v
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - all keys and all values so far after every call, in order, in portions of any size, for any number of heads and of
#   leading batch dimensions, or none
# - caches that share nothing
# - results that later calls leave unchanged
# - gradients that reach what is appended
# - that a late call does not start over: the forty-first may allocate at most eight times as many numbers as it returns

# %% [markdown] hint="KeyValueCache"
# What does a cache have to remember between two calls, and what is in it before the first?

# %% [markdown] hint="KeyValueCache"
# The first call is special: there is nothing to join the new keys to. From the second call on, "what I have" and "what
# is new" become one tensor, which you both keep and return.

# %% [markdown] hint="KeyValueCache"
# `torch.cat([old, new], dim=...)` joins along an existing axis. Count the axis of words from the end: that works for
# any number of leading batch dimensions.

# %% [markdown] after="KeyValueCache"
# Before its first word, a chatbot has to compute the keys of your whole question; for each later word, it needs only
# one more.

# %% [markdown]
# Here is your cache at work. A small layer with a causal mask reads 200 words twice: first starting over at every word,
# then with the cache.

# %% tags=["active-ipynb"]
# torch.manual_seed(0)
# Wq, Wk, Wv = (nn.Linear(64, 64) for _ in range(3))
# rows, entries = [0], [0]  # of the projections and of the tables of scores, after each word
# for layer in (Wq, Wk, Wv):
#     layer.register_forward_hook(lambda layer, inputs, output: rows.append(rows.pop() + output.shape[-2]))
#
#
# def split(x):
#     return x.unflatten(-1, (4, 16)).transpose(-3, -2)  # (4 heads, words, 16)
#
#
# def attend(q, k, v, mask=None):
#     scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#     entries[0] += scores.numel()
#     scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
#     return torch.softmax(scores, dim=-1) @ v
#
#
# def from_the_beginning(words, cache):
#     q, k, v = (split(layer(words)) for layer in (Wq, Wk, Wv))
#     causal = torch.ones(len(words), len(words), dtype=torch.bool).tril()
#     return attend(q, k, v, causal)[:, -1:]
#
#
# def with_the_cache(words, cache):
#     q, k, v = (split(layer(words[-1:])) for layer in (Wq, Wk, Wv))
#     return attend(q, *cache.append(k, v))  # the last word may look at all of them: no mask
#
#
# story = torch.randn(200, 64)
# outputs, projected, scored = {}, {}, {}
# for name, step in {"from the beginning": from_the_beginning, "with the cache": with_the_cache}.items():
#     cache, outputs[name], projected[name], scored[name] = KeyValueCache(), [], [], []
#     rows[:], entries[:] = [0], [0]
#     with torch.no_grad():
#         for n in range(1, len(story) + 1):
#             outputs[name].append(step(story[:n], cache))
#             projected[name].append(rows[0])
#             scored[name].append(entries[0])
# torch.testing.assert_close(*(torch.cat(output, dim=-2) for output in outputs.values()))
#
# figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
# for axis, (title, curves) in zip(axes, {"rows projected so far": projected, "scores so far": scored}.items()):
#     for name, numbers in curves.items():
#         sns.lineplot(x=range(1, len(story) + 1), y=numbers, ax=axis, label=f"{name}: {numbers[-1]:,.0f}")
#     axis.set(title=title, xlabel="words")
# plt.show()

# %% [markdown]
# ## Share keys among heads
#
# *What does the cache cost?* It stores `2 * h * d_h` numbers for each word in each layer. Llama 2 with 7 billion
# weights has 32 layers of 32 heads, each 128 wide. At two bytes per number, that is half a megabyte for *every token*,
# and 2 gigabytes for a text of 4,096 tokens. All of it is read from memory for each new token, which takes longer than
# the arithmetic.
#
# In **multi-query attention** (Shazeer, 2019), every head has its own queries, but all share *one* set of keys and
# values. The cache shrinks by a factor of $h$, and the quality suffers a little. In **grouped-query attention**
# (Ainslie and colleagues, 2023), each group of query heads shares one key head.
#
# Neighbours form a group: query head $i$ uses key head $\lfloor i \,/\, (h / h_{kv}) \rfloor$. In code, each key head
# is repeated $h / h_{kv}$ times. `repeat` is wrong here: it puts one copy of all heads after another, so query head 1
# gets key head 1. `repeat_interleave` is right: it repeats each head in place. Neither raises an error.

# %% tags=["active-ipynb"]
# key_heads = torch.arange(2)
# tables = {"repeat_interleave": key_heads.repeat_interleave(4), "repeat: not this": key_heads.repeat(4)}
# figure, axes = plt.subplots(1, 3, figsize=(10, 3), width_ratios=[1, 1, 2.4], layout="constrained")
# for axis, (title, used) in zip(axes, tables.items()):
#     sns.heatmap(used[:, None] == key_heads, ax=axis, cmap="Oranges", vmax=1.6, cbar=False, linewidths=1)
#     axis.set(title=title, xlabel="key head", ylabel="query head")
# counts = [32, 8, 4, 1]
# gigabytes = [2 * 32 * count * 128 * 2 * 4096 / 2**30 for count in counts]
# sns.barplot(x=[str(count) for count in counts], y=gigabytes, color="C1", ax=axes[2])
# axes[2].bar_label(axes[2].containers[0], fmt="%.2f")
# axes[2].set(title="cache of 4,096 words, in gigabytes", xlabel="key heads (of 32 query heads)")
# axes[2].margins(y=0.12)
# plt.show()

# %% [markdown]
# The rest is the multi-head attention that you know, and you may copy your earlier functions. Two things are new: `Wk`
# and `Wv` are narrower, with `num_kv_heads * d_h` outputs, and their heads are repeated after splitting. All heads,
# including key heads, are `d_h = d_model // num_heads` wide. You may assume that `num_heads` divides `d_model` and
# `num_kv_heads` divides `num_heads`.


# %% exercise="GroupedQueryAttention" points=14 minutes=30 bans="MultiheadAttention scaled_dot_product_attention"
class GroupedQueryAttention(nn.Module):
    """Multi-head attention in which groups of query heads share one head of keys and values.

    Parameters
    ----------
    d_model : int
        Width of queries, keys, values and output.
    num_heads : int
        The number of query heads; divides `d_model`.
    num_kv_heads : int
        The number of heads of keys and values; divides `num_heads`.

    Attributes
    ----------
    Wq, Wo : nn.Linear
        From d_model to d_model, with bias: the projections of queries, and of the merged heads.
    Wk, Wv : nn.Linear
        From d_model to num_kv_heads * d_h, with bias, where d_h is d_model // num_heads.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not allowed here: they are what you build.

    References
    ----------
    Shazeer (2019), "Fast Transformer Decoding: One Write-Head is All You Need".
    Ainslie et al. (2023), "GQA: Training Generalized Multi-Query Transformer Models from Multi-Head Checkpoints".

    Examples
    --------
    Four query heads, two numbers wide, and two key heads. The projections change nothing, except that keys and values
    lose their last four numbers, and `Wo` adds 1:

    >>> layer = GroupedQueryAttention(d_model=8, num_heads=4, num_kv_heads=2).double()
    >>> with torch.no_grad():
    ...     for linear, bias in ((layer.Wq, 0), (layer.Wk, 0), (layer.Wv, 0), (layer.Wo, 1)):
    ...         _ = linear.weight.copy_(torch.eye(*linear.weight.shape)), linear.bias.fill_(bias)
    >>> queries = torch.tensor([[1.0, 0.0, 0.0, 2.0, 1.0, 1.0, 2.0, 0.0]], dtype=torch.float64)
    >>> keys = torch.tensor([[1.0, 2.0, 0.0, 2.0], [0.0, 1.0, 3.0, 1.0]], dtype=torch.float64).repeat(1, 2)
    >>> output, weights = layer(queries, keys, keys)
    >>> torch.round(weights, decimals=4).squeeze(dim=-2).tolist()
    [[0.6698, 0.3302], [0.8044, 0.1956], [0.1956, 0.8044], [0.0142, 0.9858]]
    >>> torch.round(output, decimals=4).tolist()
    [[1.6698, 2.6698, 1.8044, 2.8044, 3.4133, 2.1956, 3.9575, 2.0142]]

    Hide the second key; then try a batch of five, with a gradient for every parameter; then print the shapes of the
    parameters:

    >>> layer(queries, keys, keys, torch.tensor([True, False]))[0].tolist()
    [[2.0, 3.0, 2.0, 3.0, 1.0, 3.0, 1.0, 3.0]]
    >>> output, weights = layer(queries.expand(5, 1, 8), keys.expand(5, 2, 8), keys.expand(5, 2, 8))
    >>> tuple(output.shape), tuple(weights.shape)
    ((5, 1, 8), (5, 4, 1, 2))
    >>> output.square().sum().backward()
    >>> sum(parameter.grad is not None for parameter in layer.parameters())
    8
    >>> for name in ("Wq", "Wk", "Wv", "Wo"):
    ...     print(name, tuple(getattr(layer, name).weight.shape), tuple(getattr(layer, name).bias.shape))
    Wq (8, 8) (8,)
    Wk (4, 8) (4,)
    Wv (4, 8) (4,)
    Wo (8, 8) (8,)
    """

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        ### BEGIN SOLUTION
        self.d_h, self.group = d_model // num_heads, num_heads // num_kv_heads
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.d_h) for _ in range(2))
        ### END SOLUTION

    def forward(self, queries, keys, values, mask=None):
        """Let every query head attend to the keys of its group.

        Parameters
        ----------
        queries : Tensor, shape (..., n_q, d_model)
            One query in each row.
        keys : Tensor, shape (..., n_k, d_model)
            One key in each row.
        values : Tensor, shape (..., n_k, d_model)
            One value in each row: row i is the value of key i.
        mask : Tensor of bool, broadcastable to (..., num_heads, n_q, n_k), optional
            True where the query may attend to the key. Without a mask it may attend to every key.

        Returns
        -------
        output : Tensor, shape (..., n_q, d_model)
            One row for each query.
        weights : Tensor, shape (..., num_heads, n_q, n_k)
            Each row sums to 1.
        """
        ### BEGIN SOLUTION
        projected = self.Wq(queries), self.Wk(keys), self.Wv(values)
        q, k, v = (x.unflatten(-1, (-1, self.d_h)).transpose(-3, -2) for x in projected)  # (..., heads, n, d_h)
        k, v = (x.repeat_interleave(self.group, dim=-3) for x in (k, v))  # (..., h, n_k, d_h)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_h)  # (..., h, n_q, n_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output first, then the weights of all query heads
# - any number of key heads from one to all
# - different numbers of queries and keys
# - any leading batch dimensions, or none
# - no mask, or masks that broadcast to the weights `(..., num_heads, n_q, n_k)` and leave every query at least one key
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - names and shapes of the parameters, and gradients for all of them

# %% [markdown] hint="GroupedQueryAttention"
# Start with multi-head attention as you know it, which is the case `num_kv_heads == num_heads`. Which two layers
# change, and in which line do the numbers of heads no longer match?

# %% [markdown] hint="GroupedQueryAttention"
# Split by the width of a head, not by the number of heads: cut each of the three projections into pieces of `d_h`. That
# gives `(..., num_heads, n_q, d_h)` for the queries and `(..., num_kv_heads, n_k, d_h)` for the other two.

# %% [markdown] hint="GroupedQueryAttention"
# `torch.tensor([0, 1]).repeat_interleave(3)` is `[0, 0, 0, 1, 1, 1]`. With a `dim` it repeats whole heads. Keys and
# values both need it; the queries have enough heads.

# %% [markdown] after="GroupedQueryAttention"
# The cache shrinks in proportion to the number of key heads. Many open models are trained that way.

# %% [markdown]
# PyTorch's own attention can do this too (`enable_gqa`):

# %% tags=["active-ipynb"]
# def difference_from_torch(num_heads, num_kv_heads):
#     layer = GroupedQueryAttention(32, num_heads, num_kv_heads)
#     words = torch.randn(3, 10, 32)
#     causal = torch.ones(10, 10, dtype=torch.bool).tril()
#     projected = layer.Wq(words), layer.Wk(words), layer.Wv(words)
#     q, k, v = (x.unflatten(-1, (-1, 32 // num_heads)).transpose(1, 2) for x in projected)
#     heads = functional.scaled_dot_product_attention(q, k, v, causal, enable_gqa=True)
#     expected = layer.Wo(heads.transpose(1, 2).flatten(-2))
#     output, _ = layer(words, words, words, causal)
#     torch.testing.assert_close(output, expected)
#     return (output - expected).abs().max().item()
#
#
# largest = max(difference_from_torch(8, num_kv_heads) for num_kv_heads in (1, 2, 4, 8))
# f"They agree; the largest difference is {largest:.1g}."

# %% [markdown]
# ## Look only as far as you have to
#
# *Does word 5,000 need to look at word 3?* Often not: much of what matters is nearby. In the first Mistral 7B (Jiang
# and colleagues, 2023), each word sees only a **window** of the last $w$ words, itself included. The work falls from
# $n^2$ to $n w$ if the hidden pairs are never computed, and the cache never keeps more than $w$ words.
#
# After $l$ layers, information from up to $l (w - 1)$ words back can reach a word. In practice far less gets through,
# so many models alternate: Gemma 3 (2025) has five layers with a window for each layer that sees everything.
#
# The usual mistake is to be off by one: with $w = 3$ a word sees itself and *two* before it. Row $i$ may attend to
# columns $i - w + 1, \dots, i$, where they exist.


# %% exercise="sliding_window_mask" points=4 minutes=10 shows="query key"
def sliding_window_mask(n, window):
    """Return a mask that lets each word attend to itself and to the words just before it.

    Parameters
    ----------
    n : int
        The number of words.
    window : int
        The number of words that a word sees, including itself; 1 or more.

    Returns
    -------
    Tensor of bool, shape (n, n)
        True where row i may attend to column j: from i - window + 1 to i.

    References
    ----------
    Child et al. (2019), "Generating Long Sequences with Sparse Transformers".
    Beltagy et al. (2020), "Longformer: The Long-Document Transformer".
    Jiang et al. (2023), "Mistral 7B".

    Examples
    --------
    >>> for row in sliding_window_mask(5, 3).tolist():
    ...     print(row)
    [True, False, False, False, False]
    [True, True, False, False, False]
    [True, True, True, False, False]
    [False, True, True, True, False]
    [False, False, True, True, True]
    >>> int(sliding_window_mask(4, 1).sum()), int(sliding_window_mask(4, 9).sum())
    (4, 10)
    """
    ### BEGIN SOLUTION
    positions = torch.arange(n)
    back = positions[:, None] - positions  # (n, n), how far column j lies behind row i
    return (back >= 0) & (back < window)
    ### END SOLUTION


# %% [markdown]
# **What is graded:** a Boolean mask of shape `(n, n)`, for any window of 1 or more, even if it is larger than the text.

# %% [markdown] hint="sliding_window_mask"
# First make the table of differences `i - j`: a column of positions minus a row of positions. What is it on the
# diagonal, below it and above it?

# %% [markdown] hint="sliding_window_mask"
# Two conditions have to hold: not in the future, and not too far back. For tensors, "and" is `&`, with parentheses
# around both sides. Is a difference of exactly `window` still inside?

# %% [markdown] after="sliding_window_mask"
# A word that attends only to the last few needs only those in the cache.

# %% [markdown]
# Here is your mask, and what has reached each word after two and after three such layers:

# %% tags=["active-ipynb"]
# mask = sliding_window_mask(16, 4).double()
# look = {"cmap": "Oranges", "vmax": 1.6, "cbar": False, "square": True, "linewidths": 0.3}
# figure, axes = plt.subplots(1, 3, figsize=(10, 3.5), layout="constrained")
# for layers, axis in enumerate(axes, start=1):
#     reached = torch.linalg.matrix_power(mask, layers) > 0
#     sns.heatmap(reached, ax=axis, xticklabels=3, yticklabels=3, **look)
#     axis.set(title=f"{layers} layer{'s' * (layers > 1)}: {layers * 3} words back", xlabel="key")
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# **What you have made so far**: a writer that computes each key once, shares it among heads, and looks only as far as
# it has to. This is a large part of what makes a chatbot affordable. The second half can wait for another day.
#
# ## Never store the table
#
# *What if every word should see all of a long text?* Then $n^2$ scores have to be computed. But do they all have to
# *exist* at the same time? With 16,384 words the table takes a gigabyte in each head.
#
# Could you take 64 keys, mix their values, and then take the next 64? Softmax is in the way: it needs the maximum of
# *all* scores in a row and the sum of their exponentials, and neither is known before the last key.
#
# But try it with two keys, in blocks of one. Their scores are 0 and $\log 3$, their values $a$ and $b$. After the first
# block the maximum is 0, the sum $e^0 = 1$ and the mixture $a$. The second block has a larger maximum, $\log 3$. If you
# had known it before, the first exponential would have been $e^{0 - \log 3} = 1/3$ instead of 1. So multiply sum and
# mixture by $1/3$, then add the new terms, $e^0 = 1$ and $b$. The sum is $4/3$ and the mixture $a/3 + b$. Their
# quotient is $\frac{1}{4} a + \frac{3}{4} b$, exactly what softmax gives for both at once.
#
# In general, work with the maximum **so far**, $m$, the sum so far, $\ell$, and the mixture so far, $o$. When a new
# block has a larger maximum $m'$, multiply $\ell$ and $o$ by $c = e^{m - m'}$ and continue:
#
# $$\begin{aligned}
# m' &= \max(m,\; \max_j s_j) \\
# c &= e^{\,m - m'} \\
# \ell' &= c\,\ell + \sum_j e^{\,s_j - m'} \\
# o' &= c\,o + \sum_j e^{\,s_j - m'}\, v_j \\
# \text{output} &= o / \ell \quad\text{after the last block}
# \end{aligned}$$
#
# where $j$ runs over the new block. This is the **online softmax** (Milakov and Gimelshein, 2018), with which
# *FlashAttention* (Dao and colleagues, 2022) avoids the table. Here is one row of 24 scores in blocks of 6. Where the
# maximum jumps, the earlier part of the sum is scaled down.

# %% tags=["active-ipynb"]
# generator = torch.Generator().manual_seed(3)
# scores = torch.randn(24, generator=generator) + torch.linspace(-1, 1.5, 24)
# maxima, kept, added = [], [], []
# maximum, total = -math.inf, 0.0
# for block in scores.split(6):
#     larger = max(maximum, block.max().item())
#     kept.append(total * math.exp(maximum - larger))
#     added.append(torch.exp(block - larger).sum().item())
#     maximum, total = larger, kept[-1] + added[-1]
#     maxima.append(maximum)
#
# figure, axes = plt.subplots(1, 2, figsize=(10, 3.2), width_ratios=[3, 2], layout="constrained")
# blocks, colours = [number // 6 for number in range(24)], sns.color_palette("Blues", 5)[1:]
# sns.barplot(x=range(24), y=scores.numpy(), hue=blocks, palette=colours, legend=False, ax=axes[0])
# axes[0].step([-0.5, 5.5, 11.5, 17.5, 23.5], [maxima[0], *maxima], color="black", label="maximum so far")
# axes[0].set(title="scores", xlabel="key")
# axes[0].legend()
# axes[1].bar(range(4), kept, color="lightgrey", label="from before, scaled by c")
# axes[1].bar(range(4), added, bottom=kept, color=colours, label="new")
# axes[1].set(title="sum so far", xlabel="block", xticks=range(4), ylim=(0, 10))
# axes[1].legend()
# plt.show()

# %% [markdown]
# Four mistakes are common. **Only the sum is rescaled** when the maximum grows, not the mixture. **Each block gets its
# own softmax** and the results are averaged: then a block of unimportant keys counts as much as any other. **The
# maximum starts at 0**: if all scores are below -1000, every exponential is 0, and 0 / 0 is not a number. Start at
# `-math.inf`. **The last block is forgotten** if the block size does not divide the number of keys.
#
# **What you may allocate**: nothing whose size depends on the number of keys. Views, such as a slice or a transpose,
# are free. No *new* tensor may have more elements per head than the largest of $n_q \times \text{block size}$,
# $\text{block size} \times \max(d, d_v)$ and $n_q \times \max(d, d_v)$. For 16,384 words of width 64 and blocks of 64,
# that is about a million numbers; the table has 268 million. There may be far more keys than queries, so do not scale
# *all* keys: scale the queries, or the scores of a block. And do not keep the scores of every block in a list, because
# that list is the table again. All that you hold at the same time has to stay below half a table.
#
# <div data-figure="online-softmax">The book has a figure to try here; in a notebook: %figure online-softmax.</div>


# %% exercise="online_softmax_attention" points=18 minutes=45 bans="MultiheadAttention scaled_dot_product_attention"
def online_softmax_attention(q, k, v, block_size):
    """Compute exact scaled dot-product attention, one block of keys at a time.

    Parameters
    ----------
    q : Tensor, shape (..., n_q, d)
        One query in each row.
    k : Tensor, shape (..., n_k, d)
        One key in each row.
    v : Tensor, shape (..., n_k, d_v)
        One value in each row.
    block_size : int
        The number of keys in a block; the last block may be smaller.

    Returns
    -------
    Tensor, shape (..., n_q, d_v)
        The value of ``softmax(q k^T / sqrt(d)) v``. No intermediate tensor has more elements for each head than
        ``max(n_q * block_size, block_size * max(d, d_v), n_q * max(d, d_v))``, and in a long text all that is held at
        the same time takes less than half of the whole table.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not allowed here: they are what you build.

    References
    ----------
    Milakov and Gimelshein (2018), "Online normalizer calculation for softmax".
    Rabe and Staats (2021), "Self-attention Does Not Need O(n^2) Memory".
    Dao et al. (2022), "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness".

    Examples
    --------
    >>> q = torch.tensor([[1.0, 0.0], [0.5, 2.0]], dtype=torch.float64)
    >>> k = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [-1.0, 3.0], [4.0, -1.0]], dtype=torch.float64)
    >>> v = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]).double()
    >>> for block_size in (1, 2, 5, 64):
    ...     print(torch.round(online_softmax_attention(q, k, v, block_size), decimals=4).tolist())
    [[0.1027, 0.7499, 0.8566], [0.7889, 0.8468, 0.1466]]
    [[0.1027, 0.7499, 0.8566], [0.7889, 0.8468, 0.1466]]
    [[0.1027, 0.7499, 0.8566], [0.7889, 0.8468, 0.1466]]
    [[0.1027, 0.7499, 0.8566], [0.7889, 0.8468, 0.1466]]

    Scores in the thousands, and a batch:

    >>> torch.round(online_softmax_attention(-2000 * q, k, v, 2), decimals=4).tolist()
    [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]]
    >>> tuple(online_softmax_attention(q.expand(5, 2, 2), k.expand(5, 5, 2), v.expand(5, 5, 3), 2).shape)
    (5, 2, 3)
    """
    ### BEGIN SOLUTION
    q = q / math.sqrt(q.shape[-1])  # the queries, of which there are few: a scaled copy of all keys is too large
    maximum = q.new_full((*q.shape[:-1], 1), -math.inf)  # (..., n_q, 1)
    total = torch.zeros_like(maximum)  # (..., n_q, 1)
    output = q.new_zeros(*q.shape[:-1], v.shape[-1])  # (..., n_q, d_v), before it is divided by the total
    for keys, values in zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True):
        scores = q @ keys.transpose(-2, -1)  # (..., n_q, block)
        larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        correction, exponentials = torch.exp(maximum - larger), torch.exp(scores - larger)
        total = correction * total + exponentials.sum(dim=-1, keepdim=True)
        output = correction * output + exponentials @ values
        maximum = larger
    return output / total
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the output of exact scaled attention, for any numbers of queries and keys and any block size of 1 or more, even
#   larger than the number of keys
# - any leading batch dimensions, or none
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - gradients
# - the memory, which counts for half of the points

# %% [markdown] hint="online_softmax_attention"
# Three things are carried from block to block, for each query: the maximum, the sum and the mixture. Write down their
# shapes, with the leading batch dimensions, and what they are before the first block.

# %% [markdown] hint="online_softmax_attention"
# `k.split(block_size, dim=-2)` cuts the keys into blocks. All of them are views, and the last one may be shorter. Keep
# the last axis of maximum and sum with `keepdim=True`, so that everything lines up.

# %% [markdown] hint="online_softmax_attention"
# The factor for the old sum and the old mixture is `exp(old maximum - new maximum)`. It is 0 for the first block,
# because the old maximum is `-inf`. Divide once, at the very end.

# %% [markdown] hint="online_softmax_attention"
# Here is the whole function as comments. Replace them line by line:
#
# ```python
# # scale q
# # maximum: -inf for each query                    (..., n_q, 1)
# # total: 0 for each query                         (..., n_q, 1)
# # output: zeros                                   (..., n_q, d_v)
# # for each block of keys and of values:
# #   scores of this block                          (..., n_q, block)
# #   larger: the old maximum, or that of these scores
# #   c: what everything so far has to be multiplied by
# #   exponentials of scores - larger
# #   total and output: the old one times c, plus what is new
# #   maximum = larger
# # return output divided by total
# ```

# %% [markdown] after="online_softmax_attention"
# Softmax can run over blocks if the sum and the mixture are corrected whenever a larger maximum turns up, and the
# result is exact. The table of weights never exists.

# %% [markdown]
# ### What it costs
#
# *What do you gain, in numbers?* You save no operations: attention among $n$ words takes about $4 n^2 d$ of them, with
# blocks or without. But you save memory:

# %% tags=["active-ipynb"]
# from torch.utils._python_dispatch import TorchDispatchMode
#
#
# class Watch(TorchDispatchMode):
#     """Sees the result of every operation, and remembers the most bytes that one of them took."""
#
#     largest = 0
#
#     def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
#         result = operation(*args, **(kwargs or {}))
#         for tensor in result if isinstance(result, (tuple, list)) else [result]:
#             if isinstance(tensor, torch.Tensor):
#                 self.largest = max(self.largest, tensor.untyped_storage().nbytes())
#         return result
#
#
# def plain(q, k, v):
#     return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v
#
#
# forms = {
#     "plain": plain,
#     "yours, blocks of 128": lambda q, k, v: online_softmax_attention(q, k, v, 128),
#     "F.scaled_dot_product_attention": functional.scaled_dot_product_attention,
# }
# lengths, d, window = [256, 512, 1024, 2048, 4096], 64, 256
# sizes = {name: [] for name in forms}
# for n in lengths:
#     q, k, v = (torch.randn(1, 1, n, d, generator=generator) for _ in range(3))
#     for name, attention in forms.items():
#         with Watch() as watch:
#             attention(q, k, v)
#         sizes[name].append(watch.largest)
#
# counts = {"every pair": [4 * n * n * d for n in lengths], "a window of 256": [4 * n * window * d for n in lengths]}
# panels = {"operations": counts, "bytes of the largest tensor": sizes}
# figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
# for axis, (title, curves) in zip(axes, panels.items()):
#     for (label, numbers), style in zip(curves.items(), ("-", "--", ":")):
#         sns.lineplot(x=lengths, y=numbers, ax=axis, label=label, marker="o", linestyle=style)
#     axis.set(title=title, xscale="log", yscale="log", xlabel="words n")
#     axis.set_xticks(lengths, labels=lengths)
#     axis.minorticks_off()
#     axis.set(ylim=(None, 30 * max(map(max, curves.values()))))  # room for the names
#     axis.legend(loc="upper left")
# plt.show()

# %% [markdown]
# The table of plain attention grows by a factor of four with every doubling of the text. Your function needs memory in
# proportion to the length of the text, and so does PyTorch's own.
#
# **Why it is faster on a graphics card.** A graphics card has two kinds of memory. The large one is slow: an A100 reads
# about 2 terabytes per second from it. The fast one is about ten times as fast but tiny: 192 kilobytes for each of the
# 108 processors. Plain attention writes its table to the slow memory and reads it back, twice. FlashAttention cuts
# *both* queries and keys into **tiles** small enough for the fast memory. It loads a tile of queries, runs the tiles of
# keys past it as your loop does, and writes out only the finished rows.

# %% [markdown]
# ## Without softmax
#
# *A cache grows with every token. Could everything that was read be kept in a table of fixed size?* Not with softmax:
# every new query needs every old key again, because $e^{q \cdot k}$ is not the dot product of two vectors, unless they
# have infinitely many numbers. So replace it with such a product, $f(q) \cdot f(k)$, with a function $f$ that makes all
# numbers positive. Katharopoulos and colleagues (2020) use $f(x) = \text{elu}(x) + 1$, which is $e^x$ below 0 and
# $x + 1$ above. Then
#
# $$\begin{aligned}
# \text{output}_i &= \frac{\sum_{j \le i} \big(f(q_i) \cdot f(k_j)\big)\, v_j}{\sum_{j \le i} f(q_i) \cdot f(k_j)} \\
# &= \frac{f(q_i)\, S_i}{f(q_i) \cdot z_i} \\
# S_i &= \sum_{j \le i} f(k_j)\, v_j^\top \\
# z_i &= \sum_{j \le i} f(k_j).
# \end{aligned}$$
#
# In the first line, every query meets every key up to its own: about $n^2 / 2$ pairs. In the second, the past is a
# **state**: a matrix $S$ of $d_k \times d_v$ numbers and a vector $z$ of $d_k$. A new token first *adds* its own terms
# to $S$ and $z$, and then its query reads the state. After a million tokens the state is as small as after one.
#
# A state can be passed on: read half a text, keep $(S, z)$, and continue tomorrow. Do not build large tables: neither a
# weight for every pair of tokens nor an $S$ for every token at once.


# %% exercise="linear_attention" points=8 minutes=20
def linear_attention(queries, keys, values, state=None):
    """Attend to the past without softmax, with a state of fixed size.

    The function f(x) = elu(x) + 1 (`functional.elu`) replaces softmax.

    Parameters
    ----------
    queries, keys : Tensor, shape (..., n, d_k)
        A query and a key for every token.
    values : Tensor, shape (..., n, d_v)
    state : (Tensor, Tensor), optional
        S (..., d_k, d_v) and z (..., d_k) of the tokens before these. Without a state, these tokens are the first.

    Returns
    -------
    output : Tensor, shape (..., n, d_v)
        Token i attends to all earlier tokens, including those in the state, and to itself.
    state : (Tensor, Tensor)
        S and z with these tokens added.

    Notes
    -----
    Add nothing to the divisor. For texts of 64 tokens and more, no new tensor has more than ``2 * n * max(d_k, d_v)``
    elements for each head, and all that is held at the same time, in tensors or elsewhere, takes less than a table of
    all pairs.

    References
    ----------
    Katharopoulos et al. (2020), "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention".

    Examples
    --------
    >>> queries = torch.tensor([[0.0, 1.0], [1.0, -1.0], [2.0, 0.0]], dtype=torch.float64)
    >>> keys = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]], dtype=torch.float64)
    >>> values = torch.tensor([[4.0, 0.0], [0.0, 4.0], [8.0, 8.0]], dtype=torch.float64)
    >>> output, (S, z) = linear_attention(queries, keys, values)
    >>> torch.round(output, decimals=4).tolist()
    [[4.0, 0.0], [2.4595, 1.5405], [3.4978, 2.9681]]
    >>> torch.round(S, decimals=4).tolist(), torch.round(z, decimals=4).tolist()
    ([[10.943, 6.943], [20.0, 24.0]], [3.3679, 5.0])

    The same in two pieces, the second with the state of the first:

    >>> first, state = linear_attention(queries[:2], keys[:2], values[:2])
    >>> second, state = linear_attention(queries[2:], keys[2:], values[2:], state)
    >>> torch.allclose(torch.cat([first, second]), output), torch.allclose(state[0], S)
    (True, True)
    """
    ### BEGIN SOLUTION
    queries, keys = functional.elu(queries) + 1, functional.elu(keys) + 1
    if state is None:
        z = torch.zeros_like(keys[..., 0, :])  # (..., d_k)
        S = z[..., :, None] * values[..., :1, :]  # (..., d_k, d_v)
    else:
        S, z = state
    outputs = []
    for q, k, v in zip(queries.unbind(-2), keys.unbind(-2), values.unbind(-2), strict=True):
        S = S + k[..., :, None] * v[..., None, :]
        z = z + k
        mixed = (q[..., None, :] @ S)[..., 0, :]  # (..., d_v)
        outputs.append(mixed / (q * z).sum(dim=-1, keepdim=True))
    return torch.stack(outputs, dim=-2), (S, z)
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output and state, for any positive number of tokens and any widths, with any leading batch dimensions, or none
# - pieces that give the same result as the whole
# - a given state that stays unchanged
# - float32 and float64
# - gradients for all inputs, through the given state and the returned one
# - the memory

# %% [markdown] hint="linear_attention"
# Start with one token: what is added to `S`, and what to `z`? Both are made of `f(k)` and `v`. Does a token see itself?

# %% [markdown] hint="linear_attention"
# A loop over the tokens is fine, and it is the simplest way. `k[..., :, None] * v[..., None, :]` is the product of a
# column and a row. Make a new `S` each time, `S = S + ...`: `S += ...` would change the state that was passed in.

# %% [markdown] hint="linear_attention"
# For each token: add the product to S; add f(k) to z; multiply f(q) by S and divide by the sum of f(q) * z. Collect the
# outputs in a list, and stack them along the axis of the tokens, `dim=-2`.

# %% [markdown] after="linear_attention"
# Without the exponential, the whole past fits into one matrix. What is lost is the ability to look at each token by
# itself.

# %% [markdown]
# **What it cannot do.** How many pairs of key and value fit into such a state? Store 32 pairs in it, and ask for each
# by its key. How often is the right value the one closest to what comes back? Keys and values are random vectors of the
# same width. *Plain state* is $S = \sum_j k_j v_j^\top$, without $f$.

# %% tags=["active-ipynb"]
# widths, pairs = [4, 8, 16, 32, 64], 32
# shares = {"softmax": [], "plain state": [], "elu + 1 (yours)": []}
# for d in widths:
#     keys, values = torch.randn(2, 100, pairs, d, generator=generator)
#     keys = keys / keys.norm(dim=-1, keepdim=True) * math.sqrt(d)  # all of one length
#     values = values / values.norm(dim=-1, keepdim=True)
#     _, (state, _) = linear_attention(keys, keys, values)
#     answers = {
#         "softmax": attend(keys, keys, values),
#         "plain state": keys @ (keys.transpose(-2, -1) @ values),
#         "elu + 1 (yours)": (functional.elu(keys) + 1) @ state,
#     }
#     for name, answer in answers.items():
#         right = (answer @ values.transpose(-2, -1)).argmax(dim=-1) == torch.arange(pairs)
#         shares[name].append(100 * right.float().mean().item())
#
# figure, axis = plt.subplots(figsize=(5.5, 3), layout="constrained")
# for name, curve in shares.items():
#     sns.lineplot(x=widths, y=curve, ax=axis, marker="o", label=name)
# axis.set(title="32 pairs stored, each asked for", xlabel="width of keys and values", ylabel="found (%)")
# axis.set(xscale="log", ylim=(-5, 105))
# axis.set_xticks(widths, labels=widths)
# axis.minorticks_off()
# plt.show()

# %% [markdown]
# Softmax needs keys 16 wide to tell 32 of them apart. The plain state finds nearly all values once its keys have as
# many numbers as there are pairs: **a state holds about as many pairs as its keys have numbers**. With elu + 1 it finds
# hardly any, at every width here: **a positive $f$ is costly**, because vectors of positive numbers all point in much
# the same direction. So linear attention keeps the gist of what was read, but is bad at looking up a name.
#
# **How it is trained.** A loop over tokens leaves a graphics card idle, and computing all pairs costs $n^2$. In
# practice the text is cut into blocks, of 64 tokens for example. Within a block, all pairs are computed at once, with a
# causal mask; everything before the block comes from the state. So each output is the sum of two parts. Here $Q$, $K$
# and $V$ hold the rows of one block, $S$ is the state before it and $S'$ the state after it:
#
# $$O = f(Q)\, S + \big(f(Q) f(K)^\top \odot \text{mask}\big)\, V, \qquad S' = S + f(K)^\top V,$$
#
# and the denominator is computed in the same way, with a column of ones as $V$.

# %% [markdown]
# ### Five recent ideas
#
# *(No exercise needs this section, so you may skip it.)*
#
# **Gates.** The state above never forgets. So later models multiply it, before a token is added, by a **gate**: a
# number between 0 and 1 computed from the token (Mamba-2: Dao and Gu, 2024). Others correct the state: they look up the
# value that it returns for the new key, and add only the difference between the new value and the old one. This is the
# *delta rule* (Schlag and colleagues, 2021). Gated DeltaNet (Yang, Kautz and Hatamizadeh, 2024) does both.
#
# **Hybrids.** A state of fixed size cannot look up one thing among many thousands, but a layer with softmax can. So
# mix the two: Kimi Linear (2025) has one layer with softmax for every three with a state. Its cache is about a quarter
# of the usual size.
#
# **Choose which tokens to read.** A window keeps the nearest tokens, which may not be the ones that matter. So let a
# small, cheap **scorer** rate all earlier tokens, and attend only to the best. DeepSeek-V3.2 (2025) keeps 2,048 of
# them.
#
# **One short vector instead of keys and values.** Even with shared key heads, the cache of a long text is large. So
# project each token down to one short vector $c$, and store only that. Learned matrices compute the keys and values of
# all heads from $c$. This is **multi-head latent attention** (MLA). In DeepSeek-V2 (2024) it stores 576 numbers per
# token and layer, where ordinary keys and values in 128 heads would be 32,768.
#
# **Sinks.** Each row of weights sums to 1, so a head with nothing to look for has to put its weight somewhere, often on
# the first token: an attention **sink**. If a window drops that token, its weight falls on other tokens, and the text
# turns to nonsense. So keep the first four tokens visible in addition to the window: a model that was trained without a
# window then continues for millions of tokens (Xiao and colleagues, 2023). Newer models let a head do nothing instead.
# In gpt-oss (2025) each head has one more learned score, without a value. In **gated attention** (Qiu and colleagues,
# 2025), a gate can switch off the output of a head.

# %% [markdown]
# ## What you have made
#
# **Attention that reads a long text without ever storing its table, and attention whose whole past is a matrix.** The
# curves above show what the first saves; the picture of 32 pairs shows what the second gives up. Models that read long
# texts use one of the two, or both.
#
# All of this was the forward pass. In the next chapter, `backward`, you work out the backward pass by hand.
#
# <details markdown>
# <summary>Sources</summary>
#
# Besides those that the exercises name: [Gemma 3](https://arxiv.org/abs/2503.19786) (2025); [Schlag, Irie and
# Schmidhuber (2021)](https://arxiv.org/abs/2102.11174); [Dao and Gu (2024)](https://arxiv.org/abs/2405.21060); [Yang,
# Kautz and Hatamizadeh (2024)](https://arxiv.org/abs/2412.06464), and [Yang et al.
# (2023)](https://arxiv.org/abs/2312.06635), for the blocks; [Kimi Linear](https://arxiv.org/abs/2510.26692) (2025);
# [DeepSeek-V2](https://arxiv.org/abs/2405.04434) (2024) and [DeepSeek-V3.2](https://arxiv.org/abs/2512.02556) (2025);
# [Xiao et al. (2023)](https://arxiv.org/abs/2309.17453); [gpt-oss](https://arxiv.org/abs/2508.10925) (2025); [Qiu et
# al. (2025)](https://arxiv.org/abs/2505.06708).
#
# </details>
#
# Find the bug: `attn debug online_softmax_attention`.

# %% [markdown] after="efficient"
# You can now make attention cheap: with a cache, shared keys, a window, blocks, or a state of fixed size.
