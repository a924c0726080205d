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
# # Words as vectors, attention as a picture
#
# *"I drink coke, but eat steak." You see at once that coke goes with drink and steak with eat. How could a function
# that only adds and multiplies see it?*
#
# It needs numbers for each word, chosen so that words that belong together have a large dot product. Here you get such
# numbers from a real model, look them up for any sentence, and draw which word looks at which. A word's vector is
# called its **embedding**.
#
# Predict first: `attn predict embeddings`.

# %%
import re

import numpy as np

# %% [markdown]
# The simplest embedding gives every word a 1 in its own column and 0 everywhere else. It is called **one-hot**. Here
# are the words of two toy languages, in which "one is one" is translated as "1 la 1":

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.corpora import EMBED_A, EMBED_B
# from given.drawing import SIGNED, STYLE
#
# plt.style.use(STYLE)
#
# figure, axes = plt.subplots(1, 2, figsize=(7, 3), layout="constrained")
# for axis, name, embed in zip(axes, ["first language", "second language"], [EMBED_A, EMBED_B]):
#     look = {"cmap": SIGNED, "center": 0, "linewidths": 1, "cbar": False, "xticklabels": False}
#     sns.heatmap(list(embed.values()), ax=axis, yticklabels=list(embed), **look)
#     axis.tick_params(axis="y", rotation=0)
#     axis.set(title=name, xlabel="one column per number", ylabel="one row per word")
# plt.show()

# %% [markdown]
# ## Numbers with a meaning
#
# One-hot vectors have a flaw: the dot product of any two different words is 0. "Coke" is as far from "drink" as from
# "steak". Better numbers come from a real model, *all-MiniLM-L6-v2*, which will run on your own attention in
# `pretrained`. Its table has a row of 384 numbers for each of 30,522 words and pieces of words. The course ships 800 of
# these rows, reduced to 64 numbers each in a way that changes dot products as little as possible.
#
# To compare the directions of two vectors, divide their dot product by both lengths. This is the **cosine**. It is 1 if
# two vectors point the same way and 0 if they are at right angles.

# %% tags=["active-ipynb"]
# from given.words import load_words
#
# table = load_words()  # 800 words, each with its vector
# names, vectors = list(table), np.array(list(table.values()))
#
#
# def nearest(vector, names, vectors, count):
#     cosines = vectors @ vector / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(vector))
#     return [names[i] for i in cosines.argsort()[::-1][:count]]
#
#
# def list_words(axis, title, lines):
#     for row, (first, others) in enumerate(lines.items()):
#         axis.text(0, -row, f"{first}:", weight="bold", va="center")
#         axis.text(0, -row - 0.4, "   " + ", ".join(others), va="center")
#     axis.set(title=title, ylim=(-len(lines), 0.5))
#     axis.axis("off")
#
#
# topics = ["drink", "beer coke", "eat", "steak butter", "friday monday", "river sea", "student teacher school"]
# shown = " ".join(topics).split()
# some = np.array([table[word] / np.linalg.norm(table[word]) for word in shown])
# across, down, _ = np.linalg.svd(some - some.mean(axis=0))
# flat = dict(zip(shown, across[:, :2] * down[:2]))  # the two directions in which these words differ most
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 4), width_ratios=[1.5, 1], layout="constrained")
# for topic in topics:
#     left.scatter(*np.transpose([flat[word] for word in topic.split()]), s=40)
#     for word in topic.split():
#         left.annotate(f"  {word}", flat[word], va="top" if topic.endswith(f" {word}") else "bottom")
# left.set(title="a map of some words", xticks=[], yticks=[])
# left.margins(x=0.2)
# words = ["coke", "steak", "monday", "doctor", "river"]
# list_words(right, "nearest by direction", {word: nearest(table[word], names, vectors, 5)[1:] for word in words})
# plt.show()

# %% [markdown]
# That answers the opening question. The cosine of *coke* is 0.43 with *drink* and 0.18 with *eat*; that of *steak* is
# 0.43 with *eat* and 0.17 with *drink*. (Trust the numbers more than the map, which shows only two of 64 directions.)
#
# The *difference* of two vectors has a meaning, too. Which word is to "woman" as "king" is to "man"? Start at "king",
# subtract "man", add "woman", and see which words are nearest:

# %% tags=["active-ipynb"]
# puzzles = ["king man woman", "paris france germany", "hospital doctor teacher", "stronger strong tall"]
# answers = {}
# for puzzle in puzzles:
#     first, minus, plus = puzzle.split()
#     found = nearest(table[first] - table[minus] + table[plus], names, vectors, 5)
#     answers[f"{first} - {minus} + {plus}"] = [word for word in found if word not in puzzle.split()][:2]
#
# figure, axis = plt.subplots(figsize=(4, 3.2), layout="constrained")
# list_words(axis, "nearest, without the three words themselves", answers)
# plt.show()

# %% [markdown]
# The first word of each answer is right.
#
# The vectors have different **lengths**, from 0.52 to 1.19. So a dot product measures more than similarity: "eats" has
# a larger dot product with "eat" (0.89) than with itself (0.80), only because "eat" is longer. Attention uses the plain
# dot product, so a long key gets more weight than its direction alone would give it.

# %% [markdown]
# ## How can embeddings be learned?
#
# *"You shall know a word by the company it keeps"*, wrote the linguist J. R. Firth in 1957. So, for every pair of words
# in the prose of this course, count how often they are at most four words apart. Divide each count by the count that
# you would expect by chance, and take the logarithm (or 0 if the logarithm is negative). Each word now has a row with
# one number for every other word. One step of linear algebra reduces each row to 20 numbers. The next cell does all
# this; you have nothing to write:

# %% tags=["active-ipynb"]
# from collections import Counter
#
# from given import PROSE
#
# text = re.sub(r"[^\w\s]", "", PROSE.read_text(encoding="utf-8").lower()).split()
# vocabulary = [word for word, count in Counter(text).most_common() if count >= 8]
# number = {word: i for i, word in enumerate(vocabulary)}
#
# together = np.zeros((len(vocabulary), len(vocabulary)))
# for apart in range(1, 5):
#     for first, second in zip(text, text[apart:]):
#         if first in number and second in number:
#             together[number[first], number[second]] += 1
#             together[number[second], number[first]] += 1
#
# by_chance = np.outer(together.sum(axis=0), together.sum(axis=1)) / together.sum()
# more_than_chance = np.log(np.maximum(together / by_chance, 1))  # 0 where it is no more than chance
# directions, sizes, _ = np.linalg.svd(more_than_chance)
# learned = directions[:, :20] * np.sqrt(sizes[:20])  # one row per word
#
# shown = "query key queries keys values encoder decoder state annotations word sentence scores weights softmax row"
# some = np.array([learned[number[word]] / np.linalg.norm(learned[number[word]]) for word in shown.split()])
# across, down, _ = np.linalg.svd(some - some.mean(axis=0))
# flat = across[:, :2] * down[:2]  # the two directions in which these words differ most
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(8.4, 4), width_ratios=[1.5, 1], layout="constrained")
# left.scatter(*flat.T, s=40, color="grey", alpha=0.6)
# for word, (x, y) in zip(shown.split(), flat):
#     covered = (np.abs(flat[:, 1] - y) < 0.06) & (flat[:, 0] > x) & (flat[:, 0] < x + 0.2)  # by a label on the right
#     left.annotate(f"  {word}  ", (x, y), va="center", ha="right" if covered.any() else "left")
# left.set(title="a map of some words of this course", xticks=[], yticks=[])
# left.margins(x=0.25)
# words = ["query", "keys", "decoder", "softmax", "sentence"]
# list_words(right, "nearest by direction", {w: nearest(learned[number[w]], vocabulary, learned, 5)[1:] for w in words})
# plt.show()

# %% [markdown]
# No rule says that queries belong with keys; it follows from the counts. Today's models start from random numbers and
# adjust them while they learn to predict words. So they, too, learn from the company that each word keeps.

# %% [markdown]
# ## From a sentence to words
#
# *What is a word?* For `sentence.split()`, it is whatever is between two spaces. But then the third word of "I drink
# coke, but eat steak" is `coke,` with its comma, and no table of embeddings has such a word. So remove punctuation
# first.
#
# Punctuation, here, is every character that is neither a **word character** (a letter or a digit of any script, or the
# underscore) nor **white space**. (**Regular expressions**, in Python's module `re`, have a sign for each of these
# two.) Delete it without a replacement: "don't" becomes "dont". Keep capital letters.


# %% exercise="tokenize" points=4 minutes=10
def tokenize(sentence):
    """Split a sentence into words without punctuation.

    Parameters
    ----------
    sentence : str

    Returns
    -------
    list of str
        The words in order, spelt as in the sentence. None of them is an empty string.

    Examples
    --------
    >>> tokenize("I drink coke, but eat steak.")
    ['I', 'drink', 'coke', 'but', 'eat', 'steak']
    >>> tokenize("«Don't  stop!», said Zoë - at 10:30.")
    ['Dont', 'stop', 'said', 'Zoë', 'at', '1030']
    """
    ### BEGIN SOLUTION
    return re.sub(r"[^\w\s]", "", sentence).split()
    ### END SOLUTION


# %% [markdown]
# **What is graded:** this rule, for letters of any script, any punctuation and any white space (several spaces, tabs,
# line ends); also an empty sentence, which has no words.

# %% [markdown] hint="tokenize"
# There are two steps: delete the punctuation, then split. Which of them has to come first, so that a dash between two
# spaces leaves no empty word?

# %% [markdown] hint="tokenize"
# A list of punctuation marks is never complete: think of « and ¿. In Python's regular expressions, `\w` is a word
# character and `\s` is white space. How do you write "any character except these"?

# %% [markdown] hint="tokenize"
# `[^ab]` is any character except a and b. What does `re.sub(pattern, replacement, text)` do if the replacement is
# empty?

# %% [markdown] after="tokenize"
# A model reads tokens, never the text itself, so whatever the tokenizer drops is lost for good.

# %% [markdown]
# ## From words to rows
#
# *How does a list of words become an array?* Word $i$ gives row $i$, so `n` words with embeddings of `d` numbers make
# an `(n, d)` array. A word that occurs twice has two rows.
#
# The toy languages have no punctuation, so split at white space. Every word should have an embedding. If a word has
# none, something is wrong, and your function should stop and say *which* word it is. Python's dictionaries do that by
# themselves, with a `KeyError`.


# %% exercise="sentence_embed" points=4 minutes=5
def sentence_embed(sentence, embed_dict):
    """Stack the embeddings of a sentence's words.

    Parameters
    ----------
    sentence : str
        At least one word; words are separated by white space and nothing else.
    embed_dict : dict of str to array_like, shape (d,)
        An embedding for every word.

    Returns
    -------
    ndarray, shape (n, d)
        Row i is the embedding of word i.

    Raises
    ------
    KeyError
        If a word has no embedding. The message names the word.

    Examples
    --------
    >>> embed = {"is": [1, 0, 0], "one": [0, 1, 0], "two": [0, 0, 1]}
    >>> np.round(sentence_embed("one is one", embed), 4).tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    >>> sentence_embed("one is ten", embed)
    Traceback (most recent call last):
    KeyError: 'ten'
    """
    ### BEGIN SOLUTION
    return np.array([embed_dict[word] for word in sentence.split()], dtype=float)
    ### END SOLUTION


# %% [markdown]
# **What is graded:** dictionaries whose vectors are lists, tuples or arrays of any width, including vectors of whole
# numbers; sentences of one or more words; and the error.

# %% [markdown] hint="sentence_embed"
# First make a list with one embedding for each word. `embed_dict.get(word)` returns `None` for a missing word; which
# other way of looking up a word raises an error?

# %% [markdown] hint="sentence_embed"
# A list of `n` lists with `d` numbers each is nearly what you need. What turns it into an array, and which option makes
# the numbers floats even if all of them are integers?

# %% [markdown] after="sentence_embed"
# A sentence has become an array with a row for each word, which is what attention takes.

# %% [markdown]
# ## Rows for a vocabulary
#
# *(This section is about looking up words. Attention itself does not need it, so you may skip it.)* A large table, such
# as GloVe (see the appendix), has two million words, and you need only the rows of your own words, your **vocabulary**.
# Does the table contain "The" or "the"? Many tables hold lower-case words only; in others, "Apple" and "apple" have
# different vectors. So look up **the exact word first, then the word in lower case.**
#
# If the table has neither form, the word gets a **row of zeros**, so that row $i$ still belongs to word $i$.


# %% exercise="get_glove_embeddings" points=6 minutes=10
def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    """Look up the vectors of a vocabulary.

    Parameters
    ----------
    vocab : list of str
        The words, in upper or lower case.
    glove_embeddings : dict of str to array_like, shape (embed_dim,)
        The table.
    embed_dim : int
        The width of a vector.

    Returns
    -------
    ndarray, shape (len(vocab), embed_dim)
        Row i is the vector of word i: of the exact word, or else of the word in lower case, or else zeros. The dtype is
        float32.

    Examples
    --------
    >>> table = {"apple": [1, 2], "Apple": [3, 4], "the": [5, 6]}
    >>> rows = get_glove_embeddings(["The", "Apple", "apple", "Zoë"], table, 2)
    >>> rows.dtype, np.round(rows.astype(float), 4).tolist()
    (dtype('float32'), [[5.0, 6.0], [3.0, 4.0], [1.0, 2.0], [0.0, 0.0]])
    """
    ### BEGIN SOLUTION
    rows = np.zeros((len(vocab), embed_dim), dtype=np.float32)
    for i, word in enumerate(vocab):
        rows[i] = glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))
    return rows
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the order of the two lookups, the zeros and the shape, even for an empty vocabulary; the vectors
# of the table may be lists, tuples or arrays. float64 and float32 are both fine.

# %% [markdown] hint="get_glove_embeddings"
# Start with an array of zeros of the right shape and number type (dtype). Then unknown words are already done: which
# rows are left to fill?

# %% [markdown] hint="get_glove_embeddings"
# For each word ask two questions in order: is the word in the table as it is? If not, is `word.lower()` in the table?

# %% [markdown] after="get_glove_embeddings"
# Each word of the vocabulary now has a row. An embedding layer is no more than such a table.

# %% [markdown]
# ## Words and rows that stay together
#
# *When is a row of zeros a bad idea?* A key of zeros scores 0 against every query, and if the other scores are
# negative, 0 is the *best* score. So it can be better to leave out an unknown word. But then leave it out
# **everywhere**. If the labels of a picture come from splitting the sentence again, every label after the unknown word
# is off by one row. So build the array and the list of its words in the same loop, and return both.
#
# The array gets a leading batch dimension of length 1, because attention takes batches.


# %% exercise="embed_sentence" points=8 minutes=15
def embed_sentence(sentence, embeddings):
    """Embed a sentence as a batch of one, leaving out unknown words.

    Parameters
    ----------
    sentence : str
        It may contain punctuation and capitals.
    embeddings : dict of str to array_like, shape (d,)
        The table. It contains at least one word.

    Returns
    -------
    vectors : ndarray, shape (1, n, d)
        One row for each known word: the vector of the exact word, or else of the word in lower case.
    words : list of str, length n
        The known words, spelt as in the sentence. `words[i]` belongs to `vectors[0, i]`.

    Examples
    --------
    >>> table = {"i": [1, 2], "eat": [3, 4], "Apple": [5, 6], "apple": [7, 8]}
    >>> vectors, words = embed_sentence("I eat, gladly, Apple!", table)
    >>> list(words)
    ['I', 'eat', 'Apple']
    >>> np.round(vectors, 4).tolist()
    [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]]
    >>> np.shape(embed_sentence("Hm?", table)[0])
    (1, 0, 2)
    """
    ### BEGIN SOLUTION
    words = [word for word in tokenize(sentence) if word in embeddings or word.lower() in embeddings]
    rows = [embeddings.get(word, embeddings.get(word.lower())) for word in words]
    width = len(next(iter(embeddings.values())))
    return np.array(rows, dtype=float).reshape(1, len(words), width), words
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the sentence is split into words as in `tokenize`; each word is looked up as it is, then in lower
# case; unknown words are left out of both results. The list keeps the spelling of the sentence ("The" stays "The", even
# if only "the" is in the table), but not its punctuation. If no word is known, the array has the shape `(1, 0, d)`.
# float64 and float32 are both fine.

# %% [markdown] hint="embed_sentence"
# Go through the words of `tokenize(sentence)` with two empty lists. When do you add to both of them, and when to
# neither?

# %% [markdown] hint="embed_sentence"
# Look each word up in two steps: as it is, then in lower case. If you compare a vector with `None`, write `is None`.

# %% [markdown] hint="embed_sentence"
# `np.array` turns the list of rows into `(n, d)`, but an empty list into `(0,)`. You know all three numbers of the
# shape that `reshape` needs, the third from any vector in the table.

# %% [markdown] after="embed_sentence"
# Row 3 need not be word 3 of the text, so keep the list of words together with the array.

# %% [markdown]
# ## Attention as a picture
#
# *Which word looks at which?* The weights tell you, but nobody wants to read a matrix of numbers. A **heat map** can be
# read at a glance: it has one small square for each pair, darker for a larger weight. You saw one at the end of
# `all_queries`, for the six words of the journey. Now write a function that draws such a map for any sentence.
#
# A picture can mislead. Many plotting functions leave out labels if there are too many, and in a square matrix it is
# easy to confuse queries and keys. The list below the function says what your picture has to show.

# %%
import matplotlib.pyplot as plt
import seaborn as sns


# %% exercise="plot_attention" points=10 minutes=20 shows="query key"
def plot_attention(query_tokens, key_tokens, attn_matrix, ax=None):
    """Draw attention weights as a heat map, with a row for each query and a column for each key.

    Parameters
    ----------
    query_tokens : list of str, length n_q
    key_tokens : list of str, length n_k
    attn_matrix : array_like, shape (n_q, n_k)
        Row i holds the weights of query i.
    ax : matplotlib.axes.Axes, optional
        Where to draw. Without it, use the current Axes or a new one.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes with the heat map. It has one labelled tick at the centre of each row and column, a colour bar, axis
        labels and a title.

    Examples
    --------
    >>> _, ax = plt.subplots()
    >>> drawn = plot_attention(["one", "is", "one"], ["1", "la"], [[0.9, 0.1], [0.2, 0.8], [0.9, 0.1]], ax=ax)
    >>> drawn is ax
    True
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['1', 'la']
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['one', 'is', 'one']
    >>> "" in (ax.get_title(), ax.get_xlabel(), ax.get_ylabel())
    False
    >>> len(ax.figure.axes)  # the heat map and its colour bar
    2
    >>> plt.close(ax.figure)
    """
    ### BEGIN SOLUTION
    if ax is None:
        _, ax = plt.subplots()
    labels = {"xticklabels": list(key_tokens), "yticklabels": list(query_tokens)}
    sns.heatmap(np.asarray(attn_matrix), ax=ax, cmap="Oranges", vmin=0, cbar_kws={"label": "weight"}, **labels)
    ax.tick_params(axis="x", rotation=90)
    ax.tick_params(axis="y", rotation=0)
    ax.set(title="attention", xlabel="keys", ylabel="queries")
    return ax
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - The drawn numbers are those of the matrix, row i for query i. Every row and column is visible, and different weights
#   have different colours.
# - *Every* token has one tick with its label, at the centre of its row or column. That includes repeated tokens, and
#   there may be many.
# - Query tokens are on the y axis, key tokens on the x axis.
# - There is a colour bar, a label on each axis and a title, in words of your choice.
# - If `ax` is given, draw there; if not, use a new one or the current one, as you like. In both cases you return the
#   Matplotlib Axes that you draw on.
# - Do not close or clear any figure. You may call `plt.show()`, but need not.
#
# *How* you draw is up to you, and so are colours, sizes, rotation, and whether the first query is at the top or at the
# bottom.

# %% [markdown] hint="plot_attention"
# Read about the parameters of `seaborn.heatmap`: where to draw, what the tick labels are, whether there is a colour
# bar. With `ax=None` it draws on the current axes; `plt.subplots()` creates new ones.

# %% [markdown] hint="plot_attention"
# By default (`"auto"`), seaborn leaves out labels that would overlap. What happens if you pass lists of tokens for the
# ticks? Which of the two lists belongs to x?

# %% [markdown] hint="plot_attention"
# If you draw with `imshow` or `matshow`, set the ticks yourself: row i is centred at i there, and at i + 0.5 in
# seaborn's heat map and `pcolormesh`. `ax.set_xticks(positions, labels)` sets both. What do you return?

# %% [markdown] after="plot_attention"
# Read a map of weights row by row: each row shows what one query looks at.

# %% [markdown]
# ## What the words look at
#
# Now use all of this, with scaled dot-product attention on the real vectors. These have lengths of about 1, so after
# division by $\sqrt{64} = 8$ all scores would be small and all weights nearly equal. So we make every vector four times
# as long:

# %% tags=["active-ipynb"]
# def attention_weights(queries, keys):
#     scores = queries @ np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])
#     exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
#     return exponentials / exponentials.sum(axis=-1, keepdims=True)
#
#
# longer = {word: 4 * vector for word, vector in table.items()}
# figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
# for axis, sentence in zip(axes, ["I drink coke, but eat steak", "Your journey starts with one step"]):
#     rows, words = embed_sentence(sentence, longer)
#     plot_attention(words, words, attention_weights(rows, rows)[0], ax=axis)
#     axis.set_title(sentence)
# plt.show()

# %% [markdown]
# The diagonal is dark: a word's vector nearly always has its largest dot product with itself (true of 789 of our 800
# words). Apart from itself, *coke* looks most at *drink*, and *steak* at *eat*. Attention here only reveals what is
# already in the table.
#
# Queries and keys need not come from the same sentence:

# %% tags=["active-ipynb"]
# import textwrap
#
# pairs = [
#     ("The teacher praised a student because she improved", "A student asked the teacher to help her improving"),
#     ("one is one", "1 la 1"),
# ]
# figure, axes = plt.subplots(1, 2, figsize=(9, 4), width_ratios=[1.7, 1], layout="constrained")
# for axis, (query_sentence, key_sentence) in zip(axes, pairs):
#     queries, query_words = embed_sentence(query_sentence, longer)
#     keys, key_words = embed_sentence(key_sentence, longer)
#     plot_attention(query_words, key_words, attention_weights(queries, keys)[0], ax=axis)
#     axis.set(title="", xlabel=f"keys: {key_sentence}", ylabel=textwrap.fill(f"queries: {query_sentence}", 36))
# plt.show()

# %% [markdown]
# ## Two pictures that mislead
#
# Both pictures repeat mistakes of a published notebook. In *one softmax over everything*, all the weights together sum
# to 1. The map looks plausible; only the row sums on its right and the numbers next to the colour bar reveal the
# mistake.
#
# In *labels out of step*, one word, "fizzy", is unknown: the matrix has no row for it, but the labels include it. Now
# *fizzy* seems to look at *drink* and *eat* at *but*, and "steak" has no label at all.

# %% tags=["active-ipynb"]
# def careless_softmax(x, axis=0):
#     return np.exp(x) / np.sum(np.exp(x))
#
#
# rows, words = embed_sentence("I drink fizzy coke, but eat steak", longer)
# careless = careless_softmax(rows[0] @ rows[0].T / np.sqrt(rows.shape[-1]), axis=-1)
# careless_words = tokenize("I drink fizzy coke, but eat steak")[: len(words)]
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
# plot_attention(words, words, careless, ax=left).set_title("one softmax over everything")
# for row, total in enumerate(careless.sum(axis=1)):
#     left.text(len(words) + 0.1, row + 0.5, f"{total:.2f}", va="center", fontsize=9)
# plot_attention(careless_words, careless_words, attention_weights(rows, rows)[0], ax=right)
# right.set_title("labels out of step")
# plt.show()

# %% [markdown]
# ## One word, two meanings
#
# *She sat on the bank of the river. She took her money to the bank.* The course began with these two sentences. The
# table has one row for "bank", so at first the word has the same vector in both. Take longer forms of them and a third
# sentence, about a loan. Let each sentence attend to itself, now with vectors three times as long as those in the
# table, and compare the context vectors of "bank":

# %% tags=["active-ipynb"]
# sentences = {
#     "by the river": "She sat on the bank of the river and watched the water",
#     "with money": "She took her money to the bank and opened an account",
#     "with a loan": "The loan from the bank was paid back with interest",
# }
# banks = []
# for sentence in sentences.values():
#     rows, words = embed_sentence(sentence, {word: 3 * vector for word, vector in table.items()})
#     context = attention_weights(rows, rows)[0] @ rows[0]
#     banks.append(context[words.index("bank")] / np.linalg.norm(context[words.index("bank")]))
#
# cosines = np.array(banks) @ np.transpose(banks)
# figure, axis = plt.subplots(figsize=(4.6, 3.2), layout="constrained")
# look = {"cmap": "Greys", "vmin": 0.6, "vmax": 1, "annot": True, "fmt": ".2f", "square": True, "cbar": False}
# sns.heatmap(cosines, ax=axis, xticklabels=list(sentences), yticklabels=list(sentences), **look)
# axis.tick_params(axis="y", rotation=0)
# axis.set(title='cosines of "bank" after attention')
# plt.show()

# %% [markdown]
# Before, all of these cosines were 1. Now the two sentences about money are closer to each other (0.91) than either is
# to the one about the river (0.83 and 0.82). That is what attention is for: the table has one vector per word, and
# attention adapts it to the sentence. The whole model, with six layers of trained attention, separates the meanings
# better. The cosine is 0.87 for the two sentences about money, and 0.76 for the first of them and the one about the
# river.

# %% [markdown]
# ## What you have made
#
# **A way from any sentence to vectors, and from attention to a picture that does not mislead.** The cosines of "bank"
# above show what it is good for: in two sentences, the same word has become two different vectors.
#
# In these maps the diagonal is darkest, because the query and the key of a word are the same vector. But a word may
# have to look for something unlike itself. In the next chapter, `qkv`, each vector is multiplied by three matrices,
# which can be **learned**.

# %% [markdown]
# ## Appendix: reading a file of vectors
#
# *(This section is about reading files. You may skip it, because nothing else needs your answer.)* **GloVe** is a table
# of embeddings learned from billions of words. It is a text file with one word per line:
#
# ```
# the 0.418 0.24968 -0.41242 ... of 0.70853 0.57088 -0.4716 ...
# ```
#
# In the largest GloVe file some tokens **contain spaces**, such as `. . .`. Only the end of a line is certain: *the
# last `d` fields are the vector*, and the rest is the word. The first line, whose word has no space, tells you `d`.
#
# `split()` without an argument and `strip()` are traps: they also remove unusual white space, such as the no-break
# space, of which some tokens consist. Fields are separated by the plain space `" "` and by nothing else.


# %% exercise="load_glove_embeddings" points=10 minutes=25 bans="given"
def load_glove_embeddings(glove_file):
    """Read a file of word vectors in GloVe's format.

    Parameters
    ----------
    glove_file : str or os.PathLike
        A text file in UTF-8. Each line is a word and d numbers, separated by single spaces; d is the same in all
        lines. The word of the first line contains no space.

    Returns
    -------
    dict of str to ndarray, shape (d,)
        The vector of each word, as float32.

    Raises
    ------
    ValueError
        If a line has fewer than d + 1 fields, or one of its last d fields is not a number. The message contains the
        number of the line, counted from 1.

    Notes ----- The loaders of the package `given` are not allowed here, because they do the same.

    References
    ----------
    Pennington, Socher and Manning (2014), "GloVe: Global Vectors for Word Representation".

    Examples
    --------
    >>> import os, tempfile
    >>> def load(text):
    ...     with tempfile.TemporaryDirectory() as folder:
    ...         path = os.path.join(folder, "glove.txt")
    ...         with open(path, "w", encoding="utf-8") as file:
    ...             _ = file.write(text)
    ...         return load_glove_embeddings(path)
    >>> embeddings = load("the 0.5 -1.25\\n. . . 0.25 2\\ncafé 1e-1 0\\n")
    >>> for word, vector in embeddings.items():
    ...     print(repr(word), vector.dtype, np.round(vector.astype(float), 4).tolist())
    'the' float32 [0.5, -1.25]
    '. . .' float32 [0.25, 2.0]
    'café' float32 [0.1, 0.0]
    >>> try:
    ...     _ = load("the 0.5 -1.25\\nof 0.7 0.1\\nand 0.25\\n")
    ... except ValueError as error:
    ...     print("3" in str(error))
    True
    """
    ### BEGIN SOLUTION
    embeddings, width = {}, 0
    with open(glove_file, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            width = width or line.count(" ")
            word, *values = line.rstrip("\n").rsplit(" ", width)
            try:
                vector = np.array(values, dtype=np.float32)
            except ValueError as error:
                raise ValueError(f"line {number} of {glove_file}: {error}") from None
            if not 0 < width == len(vector):
                raise ValueError(f"line {number} of {glove_file} does not hold a word and {width} numbers")
            embeddings[word] = vector
    return embeddings
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the vectors (float64 and float32 are both fine)
# - tokens that contain spaces or unusual white space
# - the encoding, which is UTF-8 whatever your system's default is
# - a path given as a string or as a `pathlib.Path`
# - the error
#
# No word occurs in two lines.

# %% [markdown] hint="load_glove_embeddings"
# First write the function for a file whose words contain no spaces. Then take the line `. . . 0.25 2`. Where does the
# word end, if you read from the left? And from the right?

# %% [markdown] hint="load_glove_embeddings"
# Count the fields of the first line to learn `d`. For every line, the last `d` fields are the vector. `str.rsplit`
# splits from the right, at most as often as you say. `np.array(fields, dtype=np.float32)` reads numbers from strings.

# %% [markdown] hint="load_glove_embeddings"
# Last, the error. `enumerate(file, start=1)` counts the lines. NumPy raises a `ValueError` for a field that is not a
# number, but it does not know the line. Catch it and raise one that does.

# %% [markdown] after="load_glove_embeddings"
# A broken line is hard to find unless the error message names it.

# %% [markdown]
# The real files are large downloads (`docs/given.md` explains how to get one). The course ships a small, invented one
# in the same format: `load_glove_embeddings(SMALL_GLOVE)`, after `from given import SMALL_GLOVE`.

# %% [markdown]
# <details markdown>
# <summary>Sources</summary>
#
# Firth (1957), "A synopsis of linguistic theory"; [Mikolov et al. (2013)](https://arxiv.org/abs/1310.4546);
# [Pennington, Socher and Manning (2014)](https://nlp.stanford.edu/projects/glove/); Levy and Goldberg (2014), "Neural
# Word Embedding as Implicit Matrix Factorization", for counting and dividing; [Wang et al.
# (2020)](https://arxiv.org/abs/2002.10957).
#
# </details>
#
# Find the bug: `attn debug plot_attention`. This group of chapters ends here; `attn predict words-and-pictures` asks
# three questions about it.

# %% [markdown] after="embeddings"
# You can now get from a sentence to vectors and from attention to a picture of it.
