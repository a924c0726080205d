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
# *She sat on the **bank** of the river. She took her money to the **bank**. One word, one list of numbers, two
# meanings. How can a model tell which one is meant?*
#
# The words around it give the answer: "river" points to one meaning, "money" to the other. A language model stores each
# word as a **vector**, a list of numbers of fixed length, and "bank" starts with the same vector in both sentences.
# Then the word *asks* the others, *which of you matters to me?*, and mixes their answers into its own numbers. That is
# **attention**, and in this course you build it, one step at a time, up to a model that tells stories.
#
# The idea came from machine translation. In the first systems built from neural networks alone, one network, the
# **encoder**, read the sentence word by word. After each word it had a **hidden state**: a vector that held what it
# knew at that moment. A second network, the **decoder**, wrote the translation from the *last* state alone. That one
# vector was a bottleneck: translations got worse as sentences got longer. The upper picture shows this design at work
# on "one is two". The translation will be "1 la 2", in a toy language that you will meet again.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
#
# from given.drawing import KEY, LIT, QUERY, STYLE, VALUE, arrow, box, canvas, shades
#
# plt.style.use(STYLE)
#
# for axis, old in zip(canvas(4.5, 4.8, rows=2), (True, False)):
#     states = {"one": 0, "is": 1.1, "two": 2.2}
#     for place, (word, x) in enumerate(states.items()):
#         box(axis, x, 0, word)
#         box(axis, x, 1, "state", "white" if old and place < 2 else KEY)
#         arrow(axis, (x, 0), (x, 1))
#         if place:
#             arrow(axis, (x - 1.1, 1), (x, 1), shrinkA=19, shrinkB=19)
#         if not old:
#             look = {"linewidth": (4, 0.8, 0.8)[place], "connectionstyle": "arc3,rad=-0.3"}
#             arrow(axis, (x, 1), (4, 1), color=LIT, **look)
#     for x, word in ((4, "1"), (5.1, "...")):
#         box(axis, x, 1, "state", QUERY if word == "1" else "white")
#         box(axis, x, 2, word)
#         arrow(axis, (x, 1), (x, 2))
#     arrow(axis, (4, 1), (5.1, 1), shrinkA=19, shrinkB=19)
#     if old:
#         arrow(axis, (2.2, 1), (4, 1), color=LIT, linewidth=4, shrinkA=19, shrinkB=19)
#         axis.text(3.1, 0.55, "the bottleneck", ha="center")
#     axis.text(1.1, -0.75, "encoder", ha="center", weight="bold")
#     axis.text(4.55, 0, "decoder", ha="center", va="center", weight="bold")
#     title = "the old way: one list for everything" if old else "attention: look back at all of them"
#     axis.set(title=title, xlim=(-0.5, 5.6), ylim=(-0.9, 2.4))
# plt.show()

# %% [markdown]
# In 2014, Bahdanau, Cho and Bengio removed the bottleneck (lower picture). The encoder keeps *all* of its states, one
# for each word: the **annotations**. Before it writes a word, the decoder computes how well each annotation fits what
# it needs now, and takes a weighted sum of all annotations. Three terms are used throughout the course:
#
# - The **query** is the vector that asks: here the decoder's state.
# - The **keys** are the vectors that are asked: here the annotations. Comparing the query with a key gives a number,
#   the key's **score**.
# - The **values** are the vectors that are mixed: here the annotations again.
#
# Here is one of the 72 **attention heads** of a small trained model (`multi_head` explains heads). The model has no
# decoder: the words of a sentence ask each other. A thicker line means a larger weight.

# %% tags=["active-ipynb"]
# from given.drawing import lines
#
# # The rows "she" and "it" of layer 3, head 1, in all-MiniLM-L6-v2, as the chapter `pretrained` computes them.
# sentence = "[CLS] The student read the book because she liked it [SEP]".split()
# trained = {
#     "she": [0.516, 0.038, 0.421, 0.002, 0.002, 0.001, 0.002, 0.001, 0.012, 0.000, 0.005],
#     "it": [0.252, 0.000, 0.000, 0.001, 0.033, 0.646, 0.003, 0.000, 0.001, 0.016, 0.047],
# }
# axes = canvas(6.4, 3.8, columns=2)
# for axis, (word, weights) in zip(axes, trained.items()):
#     lines(axis, sentence, weights, sentence.index(word))
#     axis.set(title=f"“{word}” asks")
# plt.show()

# %% [markdown]
# Among the words, "she" looks most at "student" and "it" at "book", and nobody wrote a rule for that. (A head often
# puts weight that it does not need on the markers `[CLS]` and `[SEP]` around the sentence.) At the end of the course
# this model runs on the attention that *you* wrote.
#
# You begin with the smallest case, one query, in seven small functions. Before you write code, guess what it will
# return: `attn predict one_query` (in a notebook `%predict`) asks you. Each chapter has such questions.

# %%
import numpy as np

# %% [markdown]
# Here are the numbers for this chapter: one decoder state and four annotations, **all made up**. Each entry of a hidden
# state is a **hidden unit**. A state has `h` of them, here three. There are `t` annotations, here four, one for each
# **time step**. The annotations are the *columns* of an `(h, t)` array.

# %% tags=["active-ipynb"]
# import seaborn as sns
#
# dec_hidden_state = np.array([5, 1, 20])
# annotations = np.transpose([[3, 12, 45], [59, 2, 5], [1, 43, 5], [4, 3, 45.3]])
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(4.5, 2.3), width_ratios=[1, 4.6], layout="constrained")
# look = {"annot": True, "fmt": "g", "linewidths": 1, "cbar": False, "vmin": 0, "vmax": 60}
# sns.heatmap(dec_hidden_state[:, None], ax=left, cmap=shades(QUERY), xticklabels=["now"], **look)
# sns.heatmap(annotations, ax=right, cmap=shades(KEY), xticklabels=[1, 2, 3, 4], **look)
# left.set(title="decoder state", ylabel="hidden unit")
# right.set(title="annotations", xlabel="time step")
# plt.show()

# %% [markdown]
# ## A score for one annotation
#
# How well does an annotation fit the decoder's state? The simplest good measure is their **dot product**: multiply the
# two vectors number by number, and add up the products. For our state and the first annotation it is
#
# $$\begin{aligned}
# 5 \cdot 3 + 1 \cdot 12 + 20 \cdot 45 &= 15 + 12 + 900 \\
# &= 927
# \end{aligned}$$
#
# Each hidden unit has one number in each of the two vectors. It raises the score if these numbers have the same sign,
# and lowers it if the signs differ. Of two annotations pointing the same way, the longer one scores higher (if the
# score is positive), even though it does not fit better.
#
# Now write this as a function. In its description, `array_like` means a list, a tuple or an array. The **house rules**
# below the function hold for all exercises.
#
# <div data-figure="dot-product">The book has a figure to try here; in a notebook: %figure dot-product.</div>


# %% exercise="single_dot_attention_score" points=4 minutes=5
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
        The score, a single number.

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


# %% [markdown]
# > **House rules** for this exercise and all later ones:
# >
# > - Your code is tested on the examples and on other inputs of every size that the exercise allows.
# > - Results must be correct to five digits, unless the text says otherwise.
# > - If an argument is `array_like`, it may be a list, a tuple or an array. Its numbers may be whole numbers; if all of
# >   them are, your result may consist of whole numbers too.
# > - Do not change the arrays you are given, and return a new array from each call.
# > - You may import NumPy, anything from the standard library, PyTorch from the chapter `qkv` on, and Matplotlib and
# >   seaborn for pictures. Other packages may be missing where your code is checked.

# %% [markdown] hint="single_dot_attention_score"
# NumPy has a function for "multiply element by element, then add up". Its name is in the name of the exercise.

# %% [markdown] after="single_dot_attention_score"
# One number now says how well two vectors fit each other. Most attention in this course begins with this number.

# %% [markdown]
# ## A score for every annotation
#
# For four annotations you need four dot products. The decoder state is a row and each annotation is a column. A
# **matrix product** computes the dot products of a row with every column at once.


# %% exercise="dot_attention_score" points=4 minutes=5
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
# `@` pairs the last axis of the left side with the first axis of a matrix on the right. Is anything left to transpose?

# %% [markdown] after="dot_attention_score"
# One matrix product has scored all annotations at once.

# %% [markdown]
# Here is the product as boxes. Each score is where the state's row meets an annotation's column.

# %% tags=["active-ipynb"]
# from given.drawing import product
#
# axis = canvas(4.5, 3.3)
# scores = dot_attention_score(dec_hidden_state, annotations)
# product(axis, dec_hidden_state, annotations, scores, 0, 0, ("state", "annotations", "scores"), size=12)
# plt.show()

# %% [markdown]
# ## From scores to weights: a first try
#
# To mix the annotations by their scores 927, 397, 148 and 929, we need **weights**: shares that add up to 1. The
# obvious way is to divide each score by the sum of all scores. Write this first, and then see what is wrong with it.


# %% exercise="normalize_by_sum" points=4 minutes=3
def normalize_by_sum(scores):
    """Divide each score by the sum of the scores.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Their sum is not 0.

    Returns
    -------
    ndarray, shape (n,)
        Numbers that sum to 1. Some are negative if the scores have different signs.

    Examples
    --------
    Six scores, none of them negative:

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
# `np.asarray(scores, dtype=float)` leaves a `float64` array alone, and turns a list or an array of integers into one.
# Its `.sum()` is the divisor.

# %% [markdown] after="normalize_by_sum"
# The numbers sum to 1. But are they always shares? What would you get for `[2, -1, -2]`, and for `[1, -1]`?

# %% [markdown]
# The scores `[2, -1, -2]` sum to -1, so the best one gets the share -2. The scores `[1, -1]` sum to 0, and you would
# divide by 0. Dot products are often negative, so you need a function that turns *any* number into a positive one and
# preserves the order: the **exponential function**.
#
# ## Softmax
#
# $$w_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# Here $x_1, x_2, \dots$ are the scores and $w_1, w_2, \dots$ their weights. For the scores 2, -1 and -2 the
# exponentials are 7.389, 0.368 and 0.135. Their sum is 7.892, so the weights are 0.936, 0.047 and 0.017. Every weight
# is positive (a tiny one may round to 0), they sum to 1, and a larger score gets a larger weight. Only the
# *differences* of the scores count: adding 100 to all of them multiplies numerator and denominator by the same
# $e^{100}$.
#
# That matters here. Two of our scores are near 927, and $e^{927}$ is larger than any `float64`, NumPy's usual kind of
# number. The result would be infinity divided by infinity. But shifting all scores by the same amount changes nothing,
# so shift them until none is too large.
#
# Your softmax has to work for scores between -1,000,000 and 1,000,000. Compute in `float64`, as accurately as it
# allows. So do not add a small constant to the sum, and do not round.
#
# <div data-figure="softmax">The book has a figure to try here; in a notebook: %figure softmax.</div>


# %% exercise="softmax" points=8 minutes=15
def softmax(scores):
    """Turn scores into weights that are positive and sum to 1.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Any numbers between -1,000,000 and 1,000,000.

    Returns
    -------
    ndarray, shape (n,)
        Weights in float64; a tiny one may round to 0.

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
# First write the formula as it is. It works for small scores. What does `np.exp(927)` return?

# %% [markdown] hint="softmax"
# The weights do not change when every score is shifted by the same amount. Which shift guarantees that no exponential
# is larger than 1?

# %% [markdown] hint="softmax"
# With the largest score subtracted, the largest exponent is 0. The rest is the formula, unchanged.

# %% [markdown] after="softmax"
# Only differences between scores count, so you may subtract the largest, and nothing overflows. You will meet this
# subtraction wherever there is a softmax.

# %% [markdown]
# The scores 927 and 929 differ by only 0.2 %, and yet their weights are 0.12 and 0.88. Softmax uses only the
# difference, 2, and $e^2$ is about 7.4, so one weight is 7.4 times the other.

# %% tags=["active-ipynb"]
# scores = dot_attention_score(dec_hidden_state, annotations)
# shares = {"by sum": normalize_by_sum(scores), "softmax": softmax(scores)}
#
# figure, axes = plt.subplots(1, 2, figsize=(7, 2.4), sharey=True, layout="constrained")
# for axis, (name, weights) in zip(axes, shares.items()):
#     sns.barplot(x=[1, 2, 3, 4], y=weights, ax=axis, color=LIT)
#     axis.bar_label(axis.containers[0], fmt="%.2f")
#     axis.set(title=name, xlabel="time step", ylabel="weight", ylim=(0, 1))
# plt.show()

# %% [markdown]
# ## Applying the weights
#
# Now each annotation is multiplied by its own weight. Annotations are columns, so weight 1 scales column 1, weight 2
# scales column 2, and so on. The shape stays `(h, t)`; columns with a weight near 0 fade out.


# %% exercise="apply_attention_scores" points=5 minutes=5
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
# This is not a matrix product: nothing is added up yet, and the result has as many columns as before.

# %% [markdown] hint="apply_attention_scores"
# NumPy lines shapes up from the right. What does `(t,)` times `(h, t)` do, and along which axis do the weights run?

# %% [markdown] after="apply_attention_scores"
# NumPy repeats the row of weights for every hidden unit (*broadcasting*), so each weight multiplies a whole column.

# %% [markdown]
# ## The context vector
#
# Now add up the scaled columns, hidden unit by hidden unit. The result is the **context vector**: a weighted sum of the
# annotations, in which the best-fitting ones count most. The decoder reads it together with its own state, and then
# chooses the next word.


# %% exercise="calculate_attention_vector" points=4 minutes=3
def calculate_attention_vector(applied_attention):
    """Add up the weighted annotations over all time steps.

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
# `sum` takes the axis to add along. The weights already sum to 1, so is there anything left to divide by?

# %% [markdown] after="calculate_attention_vector"
# The decoder gets a new context for each word that it writes, so no single vector has to hold the whole sentence.

# %% [markdown]
# Where does the context lie? Take three annotations of two numbers each: three arrows in a plane. With equal weights
# the context (the dot) is the plain average. As the differences between the scores grow, the context moves towards the
# best-fitting arrow. It never leaves the triangle formed by the three tips, because attention can only mix the
# annotations.

# %% tags=["active-ipynb"]
# from given.drawing import mixture
#
# values, scores = np.array([[3.0, 1.0], [-1.0, 3.0], [-2.0, -2.0]]), np.array([2.0, 1.0, -1.0])  # a value in each row
# axes = canvas(6.6, 2.7, columns=3)
# for axis, times in zip(axes, (0, 1, 6)):
#     weights = softmax(times * scores)
#     context = calculate_attention_vector(apply_attention_scores(weights, values.T))
#     mixture(axis, values, weights, context)
#     axis.set(title=("equal scores", "scores 2, 1, -1", "6 times as large")[(0, 1, 6).index(times)])
# plt.show()

# %% [markdown]
# ## All of it
#
# Scores, weights, weighted sum: this is attention. Put the parts together in one function. This function returns the
# weights as well, because they show where the model was looking. The last example comes from the next chapter: in a
# sentence of six words, the second word, "journey", asks all six.


# %% exercise="attend" points=6 minutes=5
def attend(dec_hidden_state, annotations):
    """Let one decoder state attend to all annotations.

    Their scores are between -1,000,000 and 1,000,000, and the weights are computed in float64.

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
        The weight of each annotation; they sum to 1.

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
# You have already written every step. Which function returns which of these shapes: `(t,)`, `(t,)`, `(h, t)`, `(h,)`?

# %% [markdown] hint="attend"
# Score, normalise with softmax, apply, add up. Return two things: first the context, then the weights.

# %% [markdown] after="attend"
# Score, softmax, mix: today's language models still use these three steps.

# %% [markdown]
# ## What you have made
#
# **A query that looks at everything and takes most from what fits best.** Here are the four annotations, each scaled by
# its weight, and their sum, the context:

# %% tags=["active-ipynb"]
# context, weights = attend(dec_hidden_state, annotations)
# applied = apply_attention_scores(weights, annotations)
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(4.5, 2.3), width_ratios=[4.6, 1], layout="constrained")
# look = {"annot": True, "fmt": ".1f", "linewidths": 1, "cbar": False, "vmin": 0, "vmax": 60}
# sns.heatmap(applied, ax=left, cmap=shades(VALUE), xticklabels=[1, 2, 3, 4], **look)
# sns.heatmap(context[:, None], ax=right, cmap=shades(VALUE), xticklabels=["now"], **look)
# left.set(title="applied attention", xlabel="time step", ylabel="hidden unit")
# right.set(title="context vector")
# plt.show()

# %% [markdown]
# In a language model, *every* word of a sentence asks, and answering one query at a time is slow and clumsy. In the
# next chapter, `all_queries`, all words ask at once.
#
# <details markdown>
# <summary>Sources</summary>
#
# [Sutskever, Vinyals and Le (2014)](https://arxiv.org/abs/1409.3215), for translation without attention; [Cho et al.
# (2014)](https://arxiv.org/abs/1409.1259), for how it fails; [Bahdanau, Cho and Bengio (2015; arXiv
# 2014)](https://arxiv.org/abs/1409.0473), for attention; [Luong, Pham and Manning
# (2015)](https://arxiv.org/abs/1508.04025), for the dot product. The numbers and the names of most functions are those
# of Udacity's notebook [Attention
# Basics](https://github.com/udacity/deep-learning-v2-pytorch/blob/master/attention/Attention_Basics.ipynb).
#
# </details>
#
# Find the bug: `attn debug attend` gives you a version of `attend` that looks right but is wrong.

# %% [markdown] after="one_query"
# You can now take one query through attention by hand and in code.
