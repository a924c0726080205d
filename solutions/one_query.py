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
# # One query
#
# *A translator has read four words and is about to write its first. Which of the four should it look at?*
#
# Reading a sentence with a recurrent network leaves one **hidden state** for every word read: a short list of
# numbers that says what the network knew at that moment. We call those of the reader, the *encoder*,
# **annotations**. The writer, the *decoder*, has a hidden state of its own. **Attention** is how the decoder's
# state asks a question of all the annotations and gets back one vector, mixed from the annotations that fit.
#
# You will build that in seven small functions, and at the end of the chapter they are one: `attend`.
#
# In this chapter a state has `h` numbers and there are `t` annotations, one for each **time step**. They stand
# side by side as the *columns* of an `(h, t)` array, because that is how an encoder's states are usually drawn.

# %%
import numpy as np

# %% [markdown]
# Here are the numbers we will follow: a decoder state of three hidden units, and four annotations.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# dec_hidden_state = np.array([5, 1, 20])
# annotations = np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(7, 2.6), width_ratios=[1, 4.6], layout="constrained")
# look = {"annot": True, "fmt": "g", "linewidths": 1, "cbar": False, "vmin": 0, "vmax": 60}
# sns.heatmap(dec_hidden_state[:, None], ax=left, cmap="Purples", xticklabels=["now"], **look)
# sns.heatmap(annotations, ax=right, cmap="Oranges", xticklabels=[1, 2, 3, 4], **look)
# left.set(title="decoder state", ylabel="hidden unit")
# right.set(title="annotations", xlabel="time step")
# plt.show()

# %% [markdown]
# ## A score for one annotation
#
# How well does an annotation fit the decoder's state? The simplest good measure multiplies the two vectors
# element by element and adds up: the **dot product**. It is large where both are large in the same places.
#
# $$\text{score} = \sum_{i} s_i \, a_i$$


# %% exercise="single_dot_attention_score" points=4
def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    """Score one annotation against the decoder state by their dot product.

    Parameters
    ----------
    dec_hidden_state : array_like, shape (h,)
        What the decoder knows now.
    enc_hidden_state : array_like, shape (h,)
        One annotation.

    Returns
    -------
    float
        The score: one number, without a unit.

    References
    ----------
    Luong, Pham and Manning (2015), "Effective Approaches to Attention-based Neural Machine Translation".

    Examples
    --------
    >>> float(single_dot_attention_score([5, 1, 20], [3, 12, 45]))
    927.0
    """
    ### BEGIN SOLUTION
    return float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))
    ### END SOLUTION


# %% [markdown] hint="single_dot_attention_score"
# Work the example out on paper first: 5 times 3, 1 times 12, 20 times 45. What do you do with the three products?

# %% [markdown] hint="single_dot_attention_score"
# NumPy has one function for "multiply element by element, then add up". Its name is in the name of the exercise.

# %% [markdown]
# ## A score for every annotation
#
# Four annotations, four dot products. A loop would do, but there is a better way to see it: the decoder state is
# a row, each annotation is a column, and a row times columns is what a **matrix product** computes, all at once.


# %% exercise="dot_attention_score" points=4
def dot_attention_score(dec_hidden_state, annotations):
    """Score every annotation against the decoder state.

    Parameters
    ----------
    dec_hidden_state : array_like, shape (h,)
        What the decoder knows now.
    annotations : array_like, shape (h, t)
        One annotation in each column.

    Returns
    -------
    ndarray, shape (t,)
        One score for each time step.

    Examples
    --------
    >>> annotations = np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
    >>> np.round(dot_attention_score([5, 1, 20], annotations), 4).tolist()
    [927.0, 397.0, 148.0, 929.0]
    """
    ### BEGIN SOLUTION
    return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)
    ### END SOLUTION


# %% [markdown] hint="dot_attention_score"
# Write down the shapes: `(h,)` and `(h, t)` should give `(t,)`. Which axis has to disappear?

# %% [markdown] hint="dot_attention_score"
# `@` multiplies the last axis of the left side with the first axis of a matrix on the right. Is anything left to
# transpose?

# %% [markdown]
# ## From scores to shares: a first try
#
# 927, 397, 148, 929: we want to mix the annotations by these numbers, so they should become **weights**, shares
# that add up to 1. The obvious way is to divide each score by the sum of all of them. Let us write it down, and
# then see what is wrong with it.


# %% exercise="normalize_by_sum" points=4
def normalize_by_sum(scores):
    """Divide each score by the sum of the scores.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Their sum is not 0.

    Returns
    -------
    ndarray, shape (n,)
        Numbers that sum to 1. They are shares only where no score is negative.

    Examples
    --------
    >>> scores = [0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865]
    >>> np.round(normalize_by_sum(scores), 4).tolist()
    [0.1455, 0.2278, 0.2249, 0.1285, 0.1077, 0.1656]
    """
    ### BEGIN SOLUTION
    scores = np.asarray(scores, dtype=float)
    return scores / scores.sum()
    ### END SOLUTION


# %% [markdown] hint="normalize_by_sum"
# Dividing a NumPy array by a number divides every element. A plain list cannot do that, so make an array first.

# %% [markdown] hint="normalize_by_sum"
# `np.asarray(scores, dtype=float)` leaves an array alone and turns a list into one. Its `.sum()` is the divisor.

# %% [markdown]
# Try it on the scores `[2, -1, -2]`: the sum is -1, and the best score gets the share -2. Scores `[1, -1]` sum to
# 0, and there is nothing to divide by. Dot products are often negative, so we need something that turns *any*
# number into a positive one and keeps the order: the **exponential function**.
#
# ## Softmax
#
# $$w_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# Every weight is positive, they sum to 1, and a larger score gets a larger weight. Only the *differences* of the
# scores count: adding 100 to all of them multiplies numerator and denominator by the same $e^{100}$.
#
# That is more than a curiosity. Our scores are near 927, and $e^{927}$ is larger than any `float64` can hold
# (the last one that fits is about $e^{709}$). The result would be infinity divided by infinity. Some reach for a
# wider number type, `float128`; it does not exist on Windows or on Arm Macs, and a larger score overflows it as
# well. The way out is in the paragraph above: if shifting all scores changes nothing, shift them so that none is
# too large.
#
# Your softmax has to work for scores anywhere between -10,000 and 10,000 and beyond, in plain `float64`.


# %% exercise="softmax" points=8
def softmax(scores):
    """Turn scores into weights that are positive and sum to 1.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Any finite numbers, however large.

    Returns
    -------
    ndarray, shape (n,)
        Weights in float64.

    References
    ----------
    Bridle (1990), "Probabilistic Interpretation of Feedforward Classification Network Outputs".

    Examples
    --------
    >>> np.round(softmax([0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865]), 4).tolist()
    [0.1385, 0.2379, 0.2333, 0.124, 0.1082, 0.1581]
    >>> np.round(softmax([927, 397, 148, 929]), 8).tolist()
    [0.11920292, 0.0, 0.0, 0.88079708]
    """
    ### BEGIN SOLUTION
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()
    ### END SOLUTION


# %% [markdown] hint="softmax"
# Write the formula down as it stands first. It passes for small scores. What does `np.exp(927)` give?

# %% [markdown] hint="softmax"
# The weights do not change when every score is shifted by the same amount. Which shift makes sure that no
# exponential is larger than 1?

# %% [markdown] hint="softmax"
# With the largest score subtracted, the largest exponent is 0. Everything else is the formula as it stands.

# %% [markdown]
# The scores 927 and 929 differ by two parts in a thousand, and yet their weights are 0.12 and 0.88: softmax sees the
# difference, 2, and $e^2$ is about 7.4. The other two annotations get weights so small that they hardly count.

# %% tags=["active-ipynb"]
# scores = dot_attention_score(dec_hidden_state, annotations)
# shares = {"by sum": normalize_by_sum(scores), "softmax": softmax(scores)}
#
# figure, axes = plt.subplots(1, 2, figsize=(7, 2.4), sharey=True, layout="constrained")
# for axis, (name, weights) in zip(axes, shares.items()):
#     sns.barplot(x=[1, 2, 3, 4], y=weights, ax=axis, color="mediumpurple")
#     axis.bar_label(axis.containers[0], fmt="%.2f")
#     axis.set(title=name, xlabel="time step", ylabel="weight", ylim=(0, 1))
# plt.show()

# %% [markdown]
# ## Applying the weights
#
# Now the weights do their work: each annotation is multiplied by its own weight. Annotations are columns, so it is
# column 1 that weight 1 scales. The shape stays `(h, t)`; columns with a weight near 0 fade out.


# %% exercise="apply_attention_scores" points=5
def apply_attention_scores(attention_weights, annotations):
    """Scale every annotation by its weight.

    Parameters
    ----------
    attention_weights : array_like, shape (t,)
        One weight for each time step.
    annotations : array_like, shape (h, t)
        One annotation in each column.

    Returns
    -------
    ndarray, shape (h, t)
        Column i is annotation i times weight i.

    Examples
    --------
    >>> annotations = np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
    >>> weights = softmax([927, 397, 148, 929])
    >>> for row in np.round(apply_attention_scores(weights, annotations), 4).tolist():
    ...     print(row)
    [0.3576, 0.0, 0.0, 3.5232]
    [1.4304, 0.0, 0.0, 2.6424]
    [5.3641, 0.0, 0.0, 39.9001]
    """
    ### BEGIN SOLUTION
    return np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)
    ### END SOLUTION


# %% [markdown] hint="apply_attention_scores"
# This is no matrix product: nothing is added up yet, and the result has as many columns as before.

# %% [markdown] hint="apply_attention_scores"
# NumPy lines shapes up from the right: what does `(t,)` times `(h, t)` do, and which axis do the weights run along?

# %% [markdown]
# ## The context vector
#
# What is left is to add the faded columns up, hidden unit by hidden unit. The result is the **context vector**: an
# average of the annotations in which those that fit count most.


# %% exercise="calculate_attention_vector" points=4
def calculate_attention_vector(applied_attention):
    """Add up weighted annotations over time.

    Parameters
    ----------
    applied_attention : array_like, shape (h, t)
        Annotations in columns, already scaled by their weights.

    Returns
    -------
    ndarray, shape (h,)
        The context vector.

    Examples
    --------
    >>> applied = [[0.3576, 0, 0, 3.5232], [1.4304, 0, 0, 2.6424], [5.3641, 0, 0, 39.9001]]
    >>> np.round(calculate_attention_vector(applied), 4).tolist()
    [3.8808, 4.0728, 45.2642]
    """
    ### BEGIN SOLUTION
    return np.asarray(applied_attention, dtype=float).sum(axis=1)
    ### END SOLUTION


# %% [markdown] hint="calculate_attention_vector"
# The result has one number for each hidden unit. Which axis of `(h, t)` has to go?

# %% [markdown] hint="calculate_attention_vector"
# `sum` takes the axis to add along. Should the weights, which already sum to 1, be divided by anything?

# %% [markdown]
# ## All of it
#
# Scores, weights, weighted sum: this is attention. Put the parts together in one function. It returns the weights
# as well, because they are what one looks at to see what the model looked at.


# %% exercise="attend" points=6
def attend(dec_hidden_state, annotations):
    """Let one decoder state attend to all annotations.

    Parameters
    ----------
    dec_hidden_state : array_like, shape (h,)
        What the decoder knows now: the query.
    annotations : array_like, shape (h, t)
        One annotation in each column.

    Returns
    -------
    context : ndarray, shape (h,)
        The context vector: the weighted sum of the annotations.
    weights : ndarray, shape (t,)
        What each annotation contributed, summing to 1.

    Examples
    --------
    >>> annotations = np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
    >>> context, weights = attend([5, 1, 20], annotations)
    >>> np.round(context, 4).tolist()
    [3.8808, 4.0728, 45.2642]
    >>> np.round(weights, 8).tolist()
    [0.11920292, 0.0, 0.0, 0.88079708]

    The words of "Your journey starts with one step" as three numbers each, with "journey" asking:

    >>> words = [[.43, .15, .89], [.55, .87, .66], [.57, .85, .64], [.22, .58, .33], [.77, .25, .10], [.05, .80, .55]]
    >>> context, weights = attend(words[1], np.transpose(words))
    >>> np.round(context, 4).tolist()
    [0.4419, 0.6515, 0.5683]
    """
    ### BEGIN SOLUTION
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights
    ### END SOLUTION


# %% [markdown] hint="attend"
# You have written every step already. In which order do the shapes fit: `(t,)`, `(t,)`, `(h, t)`, `(h,)`?

# %% [markdown] hint="attend"
# Score, normalise with softmax, apply, add up. Return two things: first the context, then the weights.

# %% tags=["active-ipynb"]
# context, weights = attend(dec_hidden_state, annotations)
# applied = apply_attention_scores(weights, annotations)
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(7, 2.6), width_ratios=[4.6, 1], layout="constrained")
# look = {"annot": True, "fmt": ".1f", "linewidths": 1, "cbar": False, "vmin": 0, "vmax": 60}
# sns.heatmap(applied, ax=left, cmap="Oranges", xticklabels=[1, 2, 3, 4], **look)
# sns.heatmap(context[:, None], ax=right, cmap="Blues", xticklabels=["now"], **look)
# left.set(title="applied attention", xlabel="time step", ylabel="hidden unit")
# right.set(title="context vector")
# plt.show()

# %% [markdown]
# ## What is still missing
#
# One decoder state asked one question. In a whole sentence *every* word wants to ask, and doing that one query at
# a time is slow and clumsy. The next chapter, `all_queries`, lets all of them ask at once. There the vectors turn
# from columns into rows: with many queries, keys and values, "a row is a token" is the one rule that keeps every
# shape readable.
