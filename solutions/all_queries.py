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
# # All queries at once
#
# *"Your journey starts with one step." Which of these words matter to "journey", and which to "one"? How can all six
# ask at once?*
#
# In the last chapter one decoder state asked one question. Here every **token** (for now, a word) of a sentence asks,
# and every token is asked. This is **self-attention**. You stack the six queries into a matrix, and a few matrix
# products answer them all.
#
# **From here on, rows are tokens.** The last axis of every array holds the numbers of one token, and the axis before it
# counts the tokens. Any axes before that, the **leading batch dimensions**, count independent examples, such as the
# sentences of a **batch**. One rule covers everything below: *compute with the last two axes, and leave the leading
# batch dimensions as they are*.
#
# Predict first: `attn predict all_queries`.

# %%
import numpy as np

# %% [markdown]
# Each word of the sentence has an **embedding** of three numbers. Real embeddings have hundreds. (Raschka, 2024, made
# these up.)

# %%
tokens = ["Your", "journey", "starts", "with", "one", "step"]
journey = np.array(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)

# %% [markdown]
# A batch of two such sentences has the shape `(2, 6, 3)`: two sentences, six tokens in each, three numbers per token.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import KEY, LIT, QUERY, SIGNED, STYLE, VALUE, canvas, grid, lines, product, shapes
#
# plt.style.use(STYLE)
#
# axis = canvas(4.5, 2.9)
# for number, (x, sentence, colour) in enumerate(((0, journey, QUERY), (5, journey[::-1], KEY))):
#     grid(axis, x, 0, sentence, colour, fmt="{:.2f}", size=9)
#     axis.text(x + 1.5, -0.4, f"sentence {number}", ha="center")
# axis.text(-0.4, 3, "6 tokens", rotation=90, ha="center", va="center")
# axis.text(1.5, 6.5, "3 numbers", ha="center", va="center")
# axis.set(xlim=(-1, 8.4), ylim=(6.9, -0.9), aspect="equal")
# plt.show()

# %% [markdown]
# ## A score for every pair
#
# The score of a pair is the dot product, as before: query $i$ and key $j$ give the number in row $i$, column $j$.
#
# $$S_{ij} = q_i \cdot k_j$$
#
# A matrix product computes all of them at once. It needs columns on its right, but the keys are rows, so they have to
# be transposed. `keys.T` is correct for a matrix but wrong for a batch: `.T` reverses the order of *all* axes,
# including the batch axis.


# %% exercise="attention_scores" points=6 minutes=10 shows="query key"
def attention_scores(queries, keys):
    """Score every query against every key by their dot product.

    Parameters
    ----------
    queries : array_like, shape (..., n_q, d)
        One query in each row.
    keys : array_like, shape (..., n_k, d)
        One key in each row, as wide as the queries.

    Returns
    -------
    ndarray, shape (..., n_q, n_k)
        Row i holds the scores of query i, one for each key.

    References
    ----------
    Luong, Pham and Manning (2015), "Effective Approaches to Attention-based Neural Machine Translation".

    Examples
    --------
    >>> np.round(attention_scores([[1, 2], [0, 1]], [[3, 0], [1, 1], [0, -2]]), 4).tolist()
    [[3.0, 3.0, -4.0], [0.0, 1.0, -2.0]]
    >>> np.round(attention_scores(journey, journey)[1], 4).tolist()
    [0.9544, 1.495, 1.4754, 0.8434, 0.707, 1.0865]
    >>> np.shape(attention_scores(np.ones((2, 3, 4)), np.ones((2, 5, 4))))
    (2, 3, 5)
    """
    ### BEGIN SOLUTION
    queries, keys = np.asarray(queries, dtype=float), np.asarray(keys, dtype=float)
    return queries @ np.swapaxes(keys, -1, -2)
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the plain dot products (nothing is scaled yet), for any numbers of queries and keys, and with any
# number of leading batch dimensions, the same for queries and keys.

# %% [markdown] hint="attention_scores"
# Write down the shapes: `(n_q, d)` and `(n_k, d)` should become `(n_q, n_k)`. What has to happen to the keys so that a
# matrix product fits?

# %% [markdown] hint="attention_scores"
# `@` treats the last two axes as a matrix and leaves the axes in front alone. Which function of NumPy exchanges two
# axes that you name, and no others?

# %% [markdown] hint="attention_scores"
# Counted from the end, the axes to exchange are -1 and -2, whatever comes before them.

# %% [markdown] after="attention_scores"
# Only the last two axes were touched, so any number of leading batch dimensions is allowed.

# %% [markdown]
# Here are all 36 scores as boxes. One of them is coloured: how well does *journey* fit *step*?

# %% tags=["active-ipynb"]
# scores = attention_scores(journey, journey)
# axis = canvas(6.6, 6.6)
# product(axis, journey, journey.T, scores, 1, 5, ("queries", "keys, transposed", "scores"), "{:.2f}", (tokens, tokens))
# plt.show()

# %% [markdown]
# ## Softmax with an axis
#
# Each query needs its own weights: one softmax for each *row* of the scores. So the function should take the whole
# array and the axis along which the weights sum to 1.
#
# Subtract the largest score, as before. But the largest of *what*? Suppose you subtract the largest of the whole array,
# and some row has only scores far below it. Then all exponentials of that row round to 0, and so does their sum. The
# result is 0 divided by 0: NaN, "not a number".


# %% exercise="batched_softmax" points=9 minutes=15
def batched_softmax(x, axis=-1):
    """Turn scores into weights that are positive and sum to 1 along one axis.

    Parameters
    ----------
    x : array_like
        Any numbers between -1,000,000 and 1,000,000.
    axis : int
        The axis along which the weights sum to 1.

    Returns
    -------
    ndarray
        Weights in float64, of the same shape as `x`. A tiny one may round to 0.

    References
    ----------
    Blanchard, Higham and Higham (2021), "Accurately computing the log-sum-exp and softmax functions".

    Examples
    --------
    >>> np.round(batched_softmax([[1, 2, 3], [0, 0, 0]]), 4).tolist()
    [[0.09, 0.2447, 0.6652], [0.3333, 0.3333, 0.3333]]
    >>> np.round(batched_softmax([[1, 2, 3], [0, 0, 0]], axis=0), 4).tolist()
    [[0.7311, 0.8808, 0.9526], [0.2689, 0.1192, 0.0474]]
    >>> np.round(batched_softmax([[927, 929], [-927, -929]]), 4).tolist()
    [[0.1192, 0.8808], [0.8808, 0.1192]]
    """
    ### BEGIN SOLUTION
    x = np.asarray(x, dtype=float)
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - any number of axes, and any of them as `axis`, counted from the front or from the end (the last one by default)
# - scores between -1,000,000 and 1,000,000, even far apart in the same array
# - plain float64 to its full accuracy, so add nothing to the sums

# %% [markdown] hint="batched_softmax"
# Sum your weights along `axis`. Do you get a 1 for every row? If not, over which numbers did you take the sum?

# %% [markdown] hint="batched_softmax"
# Both the maximum and the sum are taken along `axis`, separately for each row. Which shape do they have, and does it
# broadcast with the shape of `x`?

# %% [markdown] hint="batched_softmax"
# `x.max(axis=axis)` removes the axis. With `keepdims=True` the axis stays, with length 1, so that the result broadcasts
# with `x`. The sum needs the same.

# %% [markdown] after="batched_softmax"
# A forgotten or wrong axis often raises no error, so check that each row of weights sums to 1.

# %% [markdown]
# The scores are symmetric, because "journey" fits "starts" just as well as "starts" fits "journey". The weights are not
# symmetric, because each row was divided by its own sum.

# %% tags=["active-ipynb"]
# weights = batched_softmax(scores)
#
# figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
# look = {"annot": True, "fmt": ".2f", "linewidths": 1, "square": True, "xticklabels": tokens, "yticklabels": tokens}
# sns.heatmap(scores, ax=axes[0], cmap=SIGNED, vmin=-1.5, vmax=1.5, cbar_kws={"shrink": 0.8}, **look)
# sns.heatmap(weights, ax=axes[1], cmap="Oranges", vmin=0, cbar_kws={"shrink": 0.8}, **look)
# axes[0].set(title="scores: any numbers", xlabel="key", ylabel="query")
# axes[1].set(title="weights: each row sums to 1", xlabel="key")
# for axis in axes:
#     axis.tick_params(axis="x", rotation=40)
#     axis.tick_params(axis="y", rotation=0)
# plt.show()

# %% [markdown]
# ## Context vectors
#
# A query receives a weighted sum of the **values**, one vector for each key:
#
# $$c_i = \sum_j w_{ij} \, v_j$$
#
# For now the values are the vectors of the tokens themselves. The weights multiply the *values*, not the scores.


# %% exercise="context_vectors" points=6 minutes=5
def context_vectors(attention_weights, values):
    """Mix the values by the weights of each query.

    Parameters
    ----------
    attention_weights : array_like, shape (..., n_q, n_k)
        Row i holds the weights of query i, one for each key.
    values : array_like, shape (..., n_k, d_v)
        One value in each row: row i is the value of key i.

    Returns
    -------
    ndarray, shape (..., n_q, d_v)
        One context vector in each row: row i belongs to query i.

    Examples
    --------
    >>> np.round(context_vectors([[0.5, 0.5, 0], [0, 0.25, 0.75]], [[2, 0], [4, 8], [0, 4]]), 4).tolist()
    [[3.0, 4.0], [1.0, 5.0]]
    >>> weights = [[0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581]]
    >>> np.round(context_vectors(weights, journey), 2).tolist()
    [[0.44, 0.65, 0.57]]
    """
    ### BEGIN SOLUTION
    return np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the weighted sums, for any numbers of queries and keys, values of any width, and any leading batch
# dimensions, the same for both. Use the weights as they are, whether or not they sum to 1.

# %% [markdown] hint="context_vectors"
# `(n_q, n_k)` and `(n_k, d_v)` should become `(n_q, d_v)`. Which axis is summed over, and where is it on each side?

# %% [markdown] hint="context_vectors"
# A row of weights times the rows of values, added up: that is a product you have used above. Does anything have to be
# transposed this time?

# %% [markdown] after="context_vectors"
# Every query gets a weighted sum of all values, and one matrix product computes them all.

# %% [markdown]
# Here is this product as boxes. The row "journey" of the weights meets the first number of every value:

# %% tags=["active-ipynb"]
# contexts = context_vectors(weights, journey)
# axis = canvas(6.6, 6.6)
# look = {"labels": (tokens, []), "colours": (LIT, VALUE)}
# product(axis, weights, journey, contexts, 1, 0, ("weights", "values", "context"), "{:.2f}", **look)
# plt.show()

# %% [markdown]
# ## Self-attention, the simple way
#
# Put the three steps together. If queries, keys and values are all the same tokens, each word becomes a blend of itself
# and the words that resemble it.


# %% exercise="simple_self_attention" points=8 minutes=5
def simple_self_attention(inputs):
    """Let every token of a sentence attend to all tokens of that sentence.

    Parameters
    ----------
    inputs : array_like, shape (..., n, d)
        One token in each row. The tokens serve as queries, keys and values.

    Returns
    -------
    context : ndarray, shape (..., n, d)
        One context vector for each token.
    weights : ndarray, shape (..., n, n)
        Row i says how much each token contributed to context i.

    Examples
    --------
    >>> context, weights = simple_self_attention(journey)
    >>> np.round(weights[0], 4).tolist()
    [0.2098, 0.2006, 0.1981, 0.1242, 0.122, 0.1452]
    >>> for row in np.round(context, 4).tolist():
    ...     print(row)
    [0.4421, 0.5931, 0.579]
    [0.4419, 0.6515, 0.5683]
    [0.4431, 0.6496, 0.5671]
    [0.4304, 0.6298, 0.551]
    [0.4671, 0.591, 0.5266]
    [0.4177, 0.6503, 0.5645]
    """
    ### BEGIN SOLUTION
    weights = batched_softmax(attention_scores(inputs, inputs))
    return context_vectors(weights, inputs), weights
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the context first, then the weights; any leading batch dimensions; scores between -1,000,000 and
# 1,000,000, in plain float64. Nothing is scaled and nothing is trained here: softmax of the plain dot products.

# %% [markdown] hint="simple_self_attention"
# You have written all the parts. Which of them takes queries and keys, which takes scores, and which takes weights and
# values?

# %% [markdown] hint="simple_self_attention"
# Three lines are enough. Pass the tokens three times: as queries and keys to the first function, as values to the last.
# Return two things, context first.

# %% [markdown] after="simple_self_attention"
# This simple attention has one weakness: nothing in it can be trained.

# %% [markdown]
# Here "journey" asks, and then "one". A thicker line means a larger weight. The two patterns look much the same:
# without training, attention has hardly any preferences.

# %% tags=["active-ipynb"]
# axes = canvas(6.6, 2.8, columns=2)
# for axis, place in zip(axes, (1, 4)):
#     lines(axis, tokens, simple_self_attention(journey)[1][place], place)
#     axis.set(title=f"“{tokens[place]}” asks")
# plt.show()

# %% [markdown]
# ## Who may look where: the causal mask
#
# A model that writes from left to right can see only the words that it has written so far. But it is trained on
# finished sentences, which contain the very words that it should predict. So the model needs a **mask**: a table that
# is `True` where a query *may* attend to a key, and `False` where it may not. (In much other code, `True` means
# *hidden*.)
#
# Token $i$ may look at itself and at everything before it: row $i$ is `True` in the columns $j \le i$.


# %% exercise="causal_mask" points=4 minutes=5 shows="query key"
def causal_mask(n):
    """Return a mask that lets each token attend to itself and to the tokens before it.

    Parameters
    ----------
    n : int
        The number of tokens, 1 or more.

    Returns
    -------
    ndarray of bool, shape (n, n)
        True in row i, column j, where token i may attend to token j.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.3.

    Examples
    --------
    >>> for row in causal_mask(4).tolist():
    ...     print(row)
    [True, False, False, False]
    [True, True, False, False]
    [True, True, True, False]
    [True, True, True, True]
    """
    ### BEGIN SOLUTION
    return np.tril(np.ones((n, n), dtype=bool))
    ### END SOLUTION


# %% [markdown]
# **What is graded:** a Boolean array (`True` and `False`, not 1.0 and 0.0) of shape `(n, n)` for any n of 1 or more.

# %% [markdown] hint="causal_mask"
# Draw the table for three tokens on paper, with a row for each query and a column for each key. Which triangle is
# `True`, and is the diagonal `True` as well?

# %% [markdown] hint="causal_mask"
# Either compare the number of the row with the number of the column, or look for the NumPy function that keeps the
# lower triangle of an array.

# %% [markdown] after="causal_mask"
# This triangle is all that keeps a model from reading what it has yet to write.

# %% [markdown]
# ## Which tokens are real: the padding mask
#
# Sentences in a batch have different lengths, but an array needs the same number of tokens in each. So empty tokens,
# the **padding**, are added to shorter sentences, and no query should attend to them. Whether a key is padding does not
# depend on the query, so one row per sentence is enough: shape `(b, 1, max_length)`. The axis of length 1 is the axis
# of the queries, and NumPy broadcasts it over all of them.

# %% [markdown]
# How does NumPy combine arrays of different shapes (**broadcasting**)? It lines up the axes from the **right**. Equal
# lengths fit (green). An axis that has length 1 (grey), or is missing, is stretched. Other lengths do not fit (red),
# and NumPy raises an error. Worse, two axes that mean different things may happen to have equal lengths, and then there
# is no error.

# %% tags=["active-ipynb"]
# rows = {
#     "weights": ("b", "n_q", "n_k"),
#     "causal": ("n_q", "n_k"),
#     "padding": ("b", "1", "n_k"),
#     "axis left out": ("b", "n_k"),
# }
# told = {"causal": "for all b", "padding": "for all n_q", "axis left out": "b meets n_q"}
# shapes(canvas(4.5, 1.9), rows, told)
# plt.show()


# %% exercise="padding_mask" points=6 minutes=15
def padding_mask(lengths, max_length):
    """Return a mask that lets every token attend to real tokens, but not to padding.

    Parameters
    ----------
    lengths : array_like of int, shape (b,)
        The number of real tokens at the start of each sentence, from 0 to `max_length`.
    max_length : int
        The number of tokens in each sentence, including padding, 1 or more.

    Returns
    -------
    ndarray of bool, shape (b, 1, max_length)
        True where the key is a real token.

    Examples
    --------
    >>> for sentence in padding_mask([2, 4, 1], 4).tolist():
    ...     print(sentence)
    [[True, True, False, False]]
    [[True, True, True, True]]
    [[True, False, False, False]]
    """
    ### BEGIN SOLUTION
    return np.arange(max_length) < np.asarray(lengths)[:, None, None]
    ### END SOLUTION


# %% [markdown]
# **What is graded:** a Boolean array of shape `(b, 1, max_length)`, `True` for the first `lengths[i]` tokens of
# sentence i. Lengths come in any order and are between 0 and `max_length`; possibly all sentences are shorter than
# `max_length`.

# %% [markdown] hint="padding_mask"
# Number the positions of a sentence 0, 1, 2, ... Which of them hold a real token if the length is 2?

# %% [markdown] hint="padding_mask"
# `np.arange(max_length)` has shape `(max_length,)`. Which shape must the lengths have so that the comparison gives
# `(b, 1, max_length)`? `None` in an index makes a new axis.

# %% [markdown] after="padding_mask"
# A mask need not be as large as the weights: NumPy stretches an axis of length 1.

# %% [markdown]
# Here are both masks, for sentences of 6, 4 and 2 tokens. To apply both rules, combine the masks with `&`: shapes
# `(6, 6)` and `(3, 1, 6)` give `(3, 6, 6)`.

# %% tags=["active-ipynb"]
# causal, padding = causal_mask(6), padding_mask([6, 4, 2], 6)
#
# figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
# look = {"cmap": ["lightgrey", LIT], "vmin": 0, "vmax": 1, "cbar": False, "linewidths": 1, "square": True}
# sns.heatmap(causal, ax=axes[0], **look)
# sns.heatmap(padding[:, 0], ax=axes[1], **look)
# sns.heatmap((causal & padding)[1], ax=axes[2], **look)
# axes[0].set(title="causal", xlabel="key", ylabel="query")
# axes[1].set(title="padding: lengths 6, 4, 2", xlabel="key", ylabel="sentence")
# axes[2].set(title="both, for the sentence of 4", xlabel="key", ylabel="query")
# for axis in axes:
#     axis.tick_params(axis="y", rotation=0)
# figure.suptitle("orange: may attend, grey: may not")
# plt.show()

# %% [markdown]
# ## Scaled dot-product attention
#
# This is the formula on which the field is built. The rows of $Q$, $K$ and $V$ are the queries, keys and values, and
# $d_k$ is the width of a query and of a key:
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# Only two things are required: queries are as wide as keys, and there are as many values as keys.
#
# *Why divide the scores by the square root (`sqrt`) of $d_k$?* Each score is a sum of $d_k$ products. If the numbers
# are independent, with mean 0 and variance 1, each product has variance 1 as well, and the variances add up to $d_k$.
# So the scores have a spread (standard deviation) of $\sqrt{d_k}$. With 512 numbers per vector, scores easily differ by
# 20, and then softmax chooses a *single* key. Divided by $\sqrt{d_k}$, scores have a spread of 1, whatever the width.
#
# <div data-figure="sqrt-d">The book has a figure to try here; in a notebook: %figure sqrt-d.</div>

# %% tags=["active-ipynb"]
# random = np.random.default_rng(0)
# widths = [1, 4, 16, 64, 256, 1024]
# largest = {"plain scores": [], "scores / √d_k": []}
# for width in widths:
#     scores = attention_scores(random.normal(size=(500, 1, width)), random.normal(size=(500, 8, width)))
#     largest["plain scores"].append(batched_softmax(scores).max(axis=-1).mean())
#     largest["scores / √d_k"].append(batched_softmax(scores / np.sqrt(width)).max(axis=-1).mean())
#
# figure, axis = plt.subplots(figsize=(6, 3.2), layout="constrained")
# for name, weights in largest.items():
#     sns.lineplot(x=widths, y=weights, marker="o", label=name, ax=axis)
# axis.axhline(1 / 8, color="grey", linestyle=":", label="equal weights")
# axis.set_xscale("log", base=2)
# axis.set_xticks(widths, labels=widths)
# axis.set(title="random query, 8 random keys: largest weight", xlabel="d_k", ylabel="largest weight", ylim=(0, 1))
# axis.legend(loc="center right", bbox_to_anchor=(1, 0.6))
# plt.show()

# %% [markdown]
# **The mask** belongs *between* scores and softmax. A score that must not count has to end up with the weight 0, and
# softmax gives 0 to a score far below all others, such as minus infinity. Setting the *score* to 0 fails, because $e^0$
# is 1. Setting the *weight* to 0 afterwards fails too, because the rest of the row no longer sums to 1.
#
# **A row that may attend to nothing**, such as every row of an empty sentence, has nothing to average. If every score
# of a row is minus infinity, so is the largest, and subtracting it gives NaN. In this course such a row has weights 0
# and output 0. Only one test checks this.


# %% exercise="scaled_dot_product_attention" points=16 minutes=30
def scaled_dot_product_attention(query, key, value, mask=None):
    """Let every query attend to all keys that it may see, and mix their values.

    Parameters
    ----------
    query : array_like, shape (..., n_q, d_k)
        One query in each row.
    key : array_like, shape (..., n_k, d_k)
        One key in each row.
    value : array_like, shape (..., n_k, d_v)
        One value in each row: row i is the value of key i.
    mask : ndarray of bool, broadcastable to (..., n_q, n_k), optional
        True where the query may attend to the key. Without a mask it may attend to every key.

    Returns
    -------
    output : ndarray, shape (..., n_q, d_v)
        The weighted sum of the values for each query.
    weights : ndarray, shape (..., n_q, n_k)
        Row i sums to 1. If query i may attend to nothing, its weights and its output are 0.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.

    Examples
    --------
    >>> query, key, value = [[2, 0], [0, 2]], [[1, 0], [0, 1], [1, 1]], [[3, 0, 0], [0, 3, 0], [0, 0, 3]]
    >>> output, weights = scaled_dot_product_attention(query, key, value)
    >>> np.round(weights, 4).tolist()
    [[0.4458, 0.1084, 0.4458], [0.1084, 0.4458, 0.4458]]
    >>> np.round(output, 4).tolist()
    [[1.3374, 0.3252, 1.3374], [0.3252, 1.3374, 1.3374]]

    With the last key hidden from both queries:

    >>> output, weights = scaled_dot_product_attention(query, key, value, np.array([True, True, False]))
    >>> np.round(weights, 4).tolist()
    [[0.8044, 0.1956, 0.0], [0.1956, 0.8044, 0.0]]
    """
    ### BEGIN SOLUTION
    scores = attention_scores(query, key) / np.sqrt(np.shape(key)[-1])
    if mask is None:
        weights = batched_softmax(scores)
    else:
        # Finite, so that a row without any key stays free of NaN; its weights are set to 0 in the next line.
        hidden = np.finfo(float).min
        weights = np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)
    return context_vectors(weights, value), weights
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output first, then the weights
# - any leading batch dimensions, the same for query, key and value
# - scaled scores between -1,000,000 and 1,000,000, in plain float64
# - no `mask`, or a Boolean array that NumPy can stretch to the shape of the weights
#
# In the mask, `True` means "may attend". Its shape may be `(n_q, n_k)`, `(b, 1, n_k)` or `(n_k,)`, and if the weights
# have two batch axes, also `(b, 1, 1, n_k)`.

# %% [markdown] hint="scaled_dot_product_attention"
# Begin without a mask: only the three separate arrays and one division are new. Which number is `d_k`, and where can
# you read it off, even in a batch?

# %% [markdown] hint="scaled_dot_product_attention"
# The mask is an array, so ask `if mask is not None`, not `if mask`. `np.where` chooses between two values, number by
# number. Which value should a hidden score get, and before which step?

# %% [markdown] hint="scaled_dot_product_attention"
# For rows that may attend to nothing, fill in a very large negative number instead of minus infinity: then softmax
# gives wrong weights, but not NaN. What does the mask tell you about those weights?

# %% [markdown] hint="scaled_dot_product_attention"
# Here is the whole function as comments. Replace them line by line:
#
# ```python
# # 1. scores: queries with transposed keys, divided by ...  (..., n_q, n_k)
# # 2. if there is a mask: where it is False, a score far below all others
# # 3. weights: softmax along ...                   (..., n_q, n_k)
# # 4. if there is a mask: where it is False, the weight 0
# # 5. output: weights with values                  (..., n_q, d_v)
# ```

# %% [markdown] after="scaled_dot_product_attention"
# This is the attention of "Attention Is All You Need", with its scale and its optional mask. Nearly every later chapter
# uses it.

# %% [markdown]
# Here is this formula at work in a trained model that has read a sentence:
#
# <div data-figure="attention-map">The book has a figure to try here; in a notebook: %figure attention-map.</div>
#
# ## What you have made
#
# **Scaled dot-product attention with masks, for whole batches: the formula of every Transformer.** (Today's language
# models are Transformers; `multi_head` shows what surrounds the attention.) Here it reads the six words the way a
# language model does: above the diagonal all weights are 0.

# %% tags=["active-ipynb"]
# output, weights = scaled_dot_product_attention(journey, journey, journey, causal_mask(6))
#
# figure, axis = plt.subplots(figsize=(5, 4), layout="constrained")
# look = {"annot": True, "fmt": ".2f", "linewidths": 1, "square": True, "xticklabels": tokens, "yticklabels": tokens}
# sns.heatmap(weights, ax=axis, cmap="Oranges", vmin=0, vmax=1, mask=~causal_mask(6), **look)
# axis.set(title="causal weights", xlabel="key", ylabel="query")
# axis.tick_params(axis="x", rotation=40)
# axis.tick_params(axis="y", rotation=0)
# plt.show()

# %% [markdown]
# But look at the weights of "one" in `simple_self_attention`: they are nearly even, and the smallest goes to "step",
# the very word that "one" belongs to. What a token looks for, how others can find it, and what it passes on are three
# different things. In the chapter `qkv` each of them gets its own *trained* matrix. Before that, `embeddings` shows
# where the numbers of a word come from.
#
# <details markdown>
# <summary>Sources</summary>
#
# [Vaswani et al. (2017)](https://arxiv.org/abs/1706.03762); [Blanchard, Higham and Higham
# (2021)](https://doi.org/10.1093/imanum/draa038), for subtracting the maximum; [Raschka
# (2024)](https://github.com/rasbt/LLMs-from-scratch), chapter 3, for the six words and their numbers.
#
# </details>
#
# Find the bug: `attn debug scaled_dot_product_attention`. This group of chapters ends here;
# `attn predict attention-basics` asks three questions about it.

# %% [markdown] after="all_queries"
# You can now write attention for whole batches of sentences, scaled and with masks.
