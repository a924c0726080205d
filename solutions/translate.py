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
# # Translate
#
# *In the first chapter one decoder state looked at four annotations, and all the numbers were made up. Where do such
# numbers come from in a real model, and what is the context used for?*
#
# A real model learns them. You put your attention into a small **encoder and decoder**, which learn to translate one
# toy language into another: "one is one" becomes "1 la 1", and so on up to nine. Sentences that the model has never
# seen show whether it has learned anything.
#
# Predict first: `attn predict translate`.

# %%
import math

import torch
from torch import nn

# %% [markdown]
# This is the model (Bahdanau, Cho and Bengio, 2015; Luong, Pham and Manning, 2015), with one change that you will meet
# below:

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import KEY, LIT, QUERY, STYLE, VALUE, arrow, box, canvas
#
# plt.style.use(STYLE)
#
# axis = canvas(4.5, 4.4, "about to write the third word")
# for place, (word, before) in enumerate((("one", "start"), ("is", "1"), ("two", "la"))):
#     x = 1.15 * place
#     box(axis, x, 0, word, VALUE)
#     box(axis, x, 1, "annotation", KEY, fontsize=9)
#     box(axis, x, 2.6, "state", QUERY)
#     box(axis, x, 3.6, before)
#     arrow(axis, (x, 0), (x, 1))
#     arrow(axis, (x, 3.6), (x, 2.6))
#     arrow(axis, (2.3, 2.6), (x, 1), color="C0", linestyle="--", shrinkA=16)
#     look = {"linewidth": (0.8, 0.8, 4)[place], "connectionstyle": "arc3,rad=0.4"}
#     arrow(axis, (x, 0), (3.8, 0.9), color=LIT, **look)
#     if place:
#         arrow(axis, (x - 1.15, 1), (x, 1), shrinkA=26, shrinkB=26)
#         arrow(axis, (x - 1.15, 2.6), (x, 2.6), shrinkA=19, shrinkB=19)
# box(axis, 3.8, 0.9, "context", VALUE)
# box(axis, 3.8, 2.1, "joined")
# box(axis, 3.8, 3.1, "2")
# arrow(axis, (3.8, 0.9), (3.8, 2.1))
# arrow(axis, (2.3, 2.6), (3.8, 2.1), shrinkA=20, shrinkB=24)
# arrow(axis, (3.8, 2.1), (3.8, 3.1))
# axis.text(0.4, 2.1, "which annotation fits?", color="C0", ha="center")
# axis.text(-0.5, 4.1, "decoder", weight="bold")
# axis.text(-0.5, -0.75, "encoder", weight="bold")
# axis.set(xlim=(-0.6, 4.5), ylim=(-0.9, 4.3))
# plt.show()

# %% [markdown]
# The **encoder** reads the sentence word by word. After each word it writes a summary of all that it has read so far
# into a vector: the word's **annotation**. The **decoder** writes the translation word by word, and its **state** holds
# what it has written so far. The state is compared with all annotations (dashed). The better an annotation fits, the
# more its word counts in the context (orange, thicker for a larger weight). Context and state together give the next
# word.
#
# You write three things: what the decoder reads, how it looks back, and how the model learns and translates.
#
# ## What the decoder has read
#
# *During training, what does the decoder read?* At the beginning of training, its own words would be nonsense. So it is
# given the words that it *should* have written, all but the last. A **start word** comes before them:
#
# | about to write | 1 | la | 2 |
# | --- | --- | --- | --- |
# | reads | start | 1 | la |
#
# This is called teacher forcing. The shift is a single step, and easy to forget. Without it, the decoder reads the very
# word it is about to write, and learns to copy. The loss falls almost to 0. But at test time there is no correct word
# to copy, and the decoder fails.


# %% exercise="shift_right" points=4 minutes=10
def shift_right(targets, start):
    """Return what the decoder reads while it learns to write `targets`.

    Parameters
    ----------
    targets : Tensor of int, shape (..., n)
        Word numbers, one sentence in each row.
    start : int
        The number of the start word.

    Returns
    -------
    Tensor of int, shape (..., n)
        The start word, then all words but the last.

    Examples
    --------
    >>> shift_right(torch.tensor([[1, 0, 2], [5, 0, 4]]), start=9).tolist()
    [[9, 1, 0], [9, 5, 0]]
    >>> shift_right(torch.tensor([7, 8, 7, 6]), start=0).tolist()
    [0, 7, 8, 7]
    """
    ### BEGIN SOLUTION
    first = torch.full_like(targets[..., :1], start)
    return torch.cat([first, targets[..., :-1]], dim=-1)
    ### END SOLUTION


# %% [markdown]
# **What is graded:** whole numbers, for sentences of one word or more, with any number of leading batch dimensions, or
# none.

# %% [markdown] hint="shift_right"
# The result is as long as `targets`. If one word is added at the front, which one has to go?

# %% [markdown] hint="shift_right"
# `targets[..., :-1]` leaves out the last word of every sentence, whatever axes are in front. Now only a column of start
# words is missing: `torch.full_like` can make it from `targets[..., :1]`.

# %% [markdown] after="shift_right"
# Now no position sees its own answer. If a loss looks too good to be true, check the shift first.

# %% [markdown]
# ## Looking back
#
# *Which word of the sentence does the decoder need now?* Its state is the **query**, the annotations are the **keys**,
# and the weights are computed as usual, by softmax over scaled dot products. The **values** are the vectors of the
# source words themselves. (Bahdanau mixed the annotations. But the last annotation contains the whole sentence, so the
# decoder would not have to look anywhere else.)
#
# You wrote this **cross-attention** in `qkv`. Here the model computes the projections. Try it from memory.


# %% exercise="cross_attention" points=6 minutes=10 bans="MultiheadAttention scaled_dot_product_attention"
def cross_attention(queries, keys, values):
    """Let every word of one sentence look at all words of another.

    Parameters
    ----------
    queries : Tensor, shape (..., n_q, d)
        One decoder state in each row, projected.
    keys : Tensor, shape (..., n_k, d)
        One annotation in each row, projected.
    values : Tensor, shape (..., n_k, d_v)
        The value of each key.

    Returns
    -------
    context : Tensor, shape (..., n_q, d_v)
        The weighted sum of the values for each query.
    weights : Tensor, shape (..., n_q, n_k)
        Row i says how much each value counts in context i, and sums to 1.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not allowed here: they are what you build.

    References
    ----------
    Luong, Pham and Manning (2015), "Effective Approaches to Attention-based Neural Machine Translation"; scaled as in
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1.

    Examples
    --------
    >>> queries = torch.tensor([[2.0, 0.0], [0.0, 2.0]], dtype=torch.float64)
    >>> keys = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64)
    >>> context, weights = cross_attention(queries, keys, torch.tensor([[8.0], [0.0], [4.0]], dtype=torch.float64))
    >>> for row in weights.tolist():
    ...     print([round(weight, 4) for weight in row])
    [0.4458, 0.1084, 0.4458]
    [0.1084, 0.4458, 0.4458]
    >>> [round(number, 4) for number in context.flatten().tolist()]
    [5.3497, 2.6503]
    """
    ### BEGIN SOLUTION
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - context first, then weights
# - sentences of different lengths
# - values of a different width
# - any number of leading batch dimensions, or none
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - gradients that reach all three arguments

# %% [markdown] hint="cross_attention"
# Your `DotProductAttention` from the chapter `qkv` does this, with a mask.

# %% [markdown] hint="cross_attention"
# All scores are one matrix product, for which the last two axes of `keys` have to be swapped. Each row of scores
# belongs to a query, and softmax runs along it.

# %% [markdown] after="cross_attention"
# Every word being written looks at all the words that were read, and its row of weights shows where.

# %% [markdown]
# ## The encoder and the decoder
#
# This part is given. Encoder and decoder are each a GRU (Cho et al., 2014): a layer that updates a vector, its state,
# after each word that it reads. In `annotations, _ = encoder(words)`, both words and annotations have the shape
# `(b, n, d)`. Row $t$ of the annotations depends only on the words up to $t$.
#
# The last lines of `forward` join context and decoder state, one after the other, into one vector, written
# $[\text{context}_t ; \text{state}_t]$. From it two layers compute the scores of the next word:
#
# $$\begin{aligned}
# \text{joined}_t &= \tanh\left(W_{\text{join}} \, [\text{context}_t ; \text{state}_t]\right) \\
# \text{scores}_t &= W_{\text{out}} \, \text{joined}_t
# \end{aligned}$$
#
# The decoder starts from zeros, so everything that it learns about the sentence comes through your attention.


# %%
class EncoderDecoder(nn.Module):
    """A model that scores every word of a translation, given the words before it.

    Parameters
    ----------
    source_size, target_size : int
        The numbers of words in the two languages. Words are numbered from 0.
    d_model : int
        Width of all vectors.
    """

    def __init__(self, source_size, target_size, d_model=32):
        super().__init__()
        self.start = target_size  # the number of the start word: the next one after the words that can be written
        self.source_words = nn.Embedding(source_size, d_model)  # a vector for each word: one-hot vectors times a matrix
        self.target_words = nn.Embedding(target_size + 1, d_model)
        self.encoder = nn.GRU(d_model, d_model, batch_first=True)
        self.decoder = nn.GRU(d_model, d_model, batch_first=True)
        self.Wq = nn.Linear(d_model, d_model)
        self.Wk = nn.Linear(d_model, d_model)
        self.join = nn.Linear(2 * d_model, d_model)
        self.out = nn.Linear(d_model, target_size)

    def forward(self, sources, inputs):
        """Return scores (b, n_t, target_size) and weights (b, n_t, n_s) for sentences (b, n_s) and inputs (b, n_t).

        Row t scores the word that follows input t.
        """
        words = self.source_words(sources)  # (b, n_s, d_model)
        annotations, _ = self.encoder(words)  # (b, n_s, d_model)
        states, _ = self.decoder(self.target_words(inputs))  # (b, n_t, d_model)
        context, weights = self.attend(states, annotations, words)
        joined = torch.tanh(self.join(torch.cat([context, states], dim=-1)))  # (b, n_t, d_model)
        return self.out(joined), weights

    def attend(self, states, annotations, words):
        """Let the states attend to the annotations, with the words as values. This calls your `cross_attention`."""
        return cross_attention(self.Wq(states), self.Wk(annotations), words)


# %% [markdown]
# ## Learning, and translating
#
# *How does the model learn?* It repeats four steps:
#
# 1. Run the forward pass, with `shift_right(targets, self.start)` as input of the decoder.
# 2. Measure the **loss**: the cross-entropy, $-\log$ of the probability that the model gives to the correct word,
#    averaged over all words of all sentences. `nn.functional.cross_entropy` takes scores, also called **logits**, of
#    shape `(words, target_size)` and targets of shape `(words,)`. It has its own softmax, so do not give it
#    probabilities.
# 3. Run the backward pass.
# 4. Move every parameter a little against its gradient: $\theta \leftarrow \theta - \eta \, \nabla_\theta$, where
#    $\eta$ is the learning rate. This is **gradient descent**.
#
# PyTorch *adds* each gradient to what is already in `.grad`. So set the gradients to zero before each backward pass.
# And the update in step 4 must not be differentiated: it belongs under `torch.no_grad()`.
#
# *And how does it translate?* Now there are no correct words to read. The decoder reads the start word and writes the
# word with the highest score. Then it reads the start word and its own first word, writes the second, and so on. All
# sentences here have three words; a real decoder writes an end word when it is done.


# %% exercise="Translator" points=14 minutes=40 seconds=60
class Translator(EncoderDecoder):
    """An encoder and a decoder that learn from examples, and translate.

    It has the arguments and attributes of the `EncoderDecoder` above.

    Examples
    --------
    Two sentences, "0 2 0" and "1 2 1", in languages of three words. With all weights at 0, all words are equally
    likely, and the loss is -log(1/3) = 1.0986. If the model learns the first sentence alone, the loss falls:

    >>> sources, targets = torch.tensor([[0, 2, 0], [1, 2, 1]]), torch.tensor([[2, 0, 2], [1, 0, 1]])
    >>> model = Translator(3, 3, d_model=8).double()
    >>> for parameter in model.parameters():
    ...     _ = nn.init.zeros_(parameter)
    >>> [round(loss, 4) for loss in model.learn(sources[:1], targets[:1], range(3))]
    [1.0986, 0.9131, 0.8274]

    With random initial weights it learns both by heart:

    >>> _ = torch.manual_seed(0)
    >>> model = Translator(3, 3, d_model=8)
    >>> losses = model.learn(sources, targets, steps=range(150), learning_rate=0.5)
    >>> losses[0] > 0.8, losses[-1] < 0.1
    (True, True)
    >>> words, weights = model.translate(sources, length=3)
    >>> words.tolist(), tuple(weights.shape)
    ([[2, 0, 2], [1, 0, 1]], (2, 3, 3))
    """

    def learn(self, sources, targets, steps, learning_rate=1.0):
        """Learn from examples by gradient descent, with all of them in every step.

        Parameters
        ----------
        sources : Tensor of int, shape (b, n_s)
            Sentences.
        targets : Tensor of int, shape (b, n_t)
            Their translations.
        steps : iterable
            One step for each item, such as range(100). It may be wrapped in a progress bar.
        learning_rate : float
            The size of each step.

        Returns
        -------
        list of float
            The loss before each step.
        """
        ### BEGIN SOLUTION
        inputs, losses = shift_right(targets, self.start), []
        for _ in steps:
            scores, _ = self(sources, inputs)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), targets.flatten())
            self.zero_grad()
            loss.backward()
            with torch.no_grad():
                for parameter in self.parameters():
                    parameter -= learning_rate * parameter.grad
            losses.append(loss.item())
        return losses
        ### END SOLUTION

    def translate(self, sources, length):
        """Write translations word by word, each given the words written before it.

        Parameters
        ----------
        sources : Tensor of int, shape (b, n_s)
            Sentences.
        length : int
            The number of words to write.

        Returns
        -------
        words : Tensor of int, shape (b, length)
            The translations, without the start word.
        weights : Tensor, shape (b, length, n_s)
            Where the decoder looked when it wrote each word.
        """
        ### BEGIN SOLUTION
        words = torch.full((len(sources), 1), self.start)
        with torch.no_grad():
            for _ in range(length):
                scores, weights = self(sources, words)
                words = torch.cat([words, scores[:, -1:].argmax(dim=-1)], dim=-1)
        return words[:, 1:], weights
        ### END SOLUTION


# %% [markdown]
# **What is graded:** the losses of the first steps to five digits, and the words that a model with given weights
# writes. Finally your model is trained on sentences that you have not seen, and has to translate others, with weights
# that look at the right words. The model gets 60 steps at a learning rate of 1, which was enough for every random start
# that we tried.

# %% [markdown] hint="Translator"
# Start with `learn`. `self(sources, inputs)` gives scores of shape `(b, n_t, target_size)`. Compute one loss and look:
# before any learning it should be near the logarithm of the number of words.

# %% [markdown] hint="Translator"
# `cross_entropy` expects the words of all sentences in one row: `scores.flatten(0, 1)` and `targets.flatten()`. If the
# losses fall at first and then jump about, what happened to the gradients of the previous step? If a gradient is
# `None`, what could have cut its parameter off from the loss?

# %% [markdown] hint="Translator"
# In `translate`, start with a column of start words, `(b, 1)`, and append one column in each round. The next word is
# the one with the highest score at the last position, `scores[:, -1]`. In the last round, what shape do the weights
# have?

# %% [markdown] hint="Translator"
# Here are both methods as comments. Replace them line by line:
#
# ```python
# # learn
# #   for each step:
# #     scores of the model; loss against the targets, all words in one row
# #     clear the gradients; backward
# #     without gradients: move each parameter against its gradient
# #     record the loss as a number
# # translate
# #   words = a column of start words               (b, 1)
# #   without gradients, once for each word to write:
# #     append the best word of the last position
# #   return words without the start, and the weights of the last round
# ```

# %% [markdown] after="Translator"
# Nobody told the model which word belongs to which.

# %% [markdown]
# ## Nine sentences
#
# The number of a word is its position in a list. Train the model on nine sentences, for 100 steps:

# %% tags=["active-ipynb"]
# from given.corpora import CORPUS_A, CORPUS_B, EMBED_A, EMBED_B
# from given.progress import track
#
# SOURCE_WORDS, TARGET_WORDS = list(EMBED_A), list(EMBED_B)
#
#
# def numbers(sentences, words):
#     return torch.tensor([[words.index(word) for word in sentence.split()] for sentence in sentences])
#
#
# def text(words):
#     return [" ".join(TARGET_WORDS[word] for word in row) for row in words]
#
#
# def draw_losses(curves):
#     figure, axis = plt.subplots(figsize=(6, 2.8), layout="constrained")
#     for (name, losses), colour in zip(curves.items(), ("C1", "grey")):
#         sns.lineplot(x=range(len(losses)), y=losses, ax=axis, label=name, color=colour)
#     axis.set(yscale="log", xlabel="step", ylabel="loss", title="loss while learning")
#     plt.show()
#
#
# torch.manual_seed(1)
# torch.set_num_threads(1)  # small matrices: more threads would only wait for each other
# model = Translator(len(SOURCE_WORDS), len(TARGET_WORDS))
# sources, targets = numbers(CORPUS_A, SOURCE_WORDS), numbers(CORPUS_B, TARGET_WORDS)
# losses = model.learn(sources, targets, track(range(100), "nine sentences"))
# draw_losses({"nine sentences": losses})

# %% tags=["active-ipynb"]
# words, weights = model.translate(sources, 3)
# dict(zip(CORPUS_A, text(words)))

# %% [markdown]
# All nine are correct, after a few seconds. Before you celebrate, see where the model looked:

# %% tags=["active-ipynb"]
# def draw_maps(weights, panels):
#     figure, axes = plt.subplots(1, len(panels), figsize=(3.1 * len(panels) + 0.6, 3), layout="constrained")
#     for axis, (sentence, translation), matrix in zip(axes, panels, weights):
#         look = {"xticklabels": sentence.split(), "yticklabels": translation.split(), "annot": True, "fmt": ".2f"}
#         sns.heatmap(matrix, ax=axis, vmin=0, vmax=1, cmap="Oranges", square=True, cbar=axis is axes[-1], **look)
#         axis.set(title=f"“{sentence}”", xlabel="looks at", ylabel="writes" if axis is axes[0] else "")
#         axis.tick_params(axis="y", rotation=0)
#     plt.show()
#
#
# draw_maps(weights[:3], list(zip(CORPUS_A, text(words)))[:3])

# %% [markdown]
# These maps are not what you would draw. The first and last words are the same, so it does not matter which of them the
# decoder looks at. The model has never met a sentence in which order counts. It may have learned to translate, or it
# may have learned nine answers by heart. *How could anyone tell?*
#
# ## Has it understood, or memorised?
#
# Give the model more sentences and **hold some out**. The nine number words make 81 sentences: "one is two", "one is
# three" and so on. Train on 36 of them. In these, each number word occurs at the front of some sentences and at the
# back of others, but never twice in the same one. The other 45 are the test set, which includes "one is one" and the
# eight like it. For comparison, train the same model with a plain average of the words instead of attention.

# %% tags=["active-ipynb"]
# class Averaging(Translator):
#     """The same, with all scores at 0: every word gets the same weight, whatever the state asks for."""
#
#     def attend(self, states, annotations, words):
#         return cross_attention(self.Wq(states), 0 * self.Wk(annotations), words)
#
#
# def pair(first, last):
#     sentence = CORPUS_A[first].split()[0], "is", CORPUS_A[last].split()[0]
#     return " ".join(sentence), f"{first + 1} la {last + 1}"
#
#
# practice = [pair(first, (first + step) % 9) for step in (1, 2, 3, 4) for first in range(9)]
# held_back = [pair(first, (first + step) % 9) for step in (0, 5, 6, 7, 8) for first in range(9)]
# examples = [
#     (numbers([a for a, _ in pairs], SOURCE_WORDS), numbers([b for _, b in pairs], TARGET_WORDS))
#     for pairs in (practice, held_back)
# ]
#
# torch.manual_seed(1)
# models = {
#     "attention": Translator(len(SOURCE_WORDS), len(TARGET_WORDS)),
#     "average": Averaging(len(SOURCE_WORDS), len(TARGET_WORDS)),
# }
# curves = {name: model.learn(*examples[0], track(range(200), name)) for name, model in models.items()}
# draw_losses(curves)

# %% tags=["active-ipynb"]
# rows = []
# for name, model in models.items():
#     for which, (sources, targets) in zip(("practised", "held back"), examples):
#         words, _ = model.translate(sources, 3)
#         rows.append((name, which, 100 * (words == targets).all(dim=-1).float().mean().item()))
#
# names, parts, shares = zip(*rows)
# figure, axis = plt.subplots(figsize=(4.5, 3.4), layout="constrained")
# sns.barplot(x=names, y=shares, hue=parts, palette=["lightgrey", "C1"], ax=axis)
# for container in axis.containers:
#     axis.bar_label(container, fmt="%.0f%%")
# axis.set(ylim=(0, 145), ylabel="translated right (%)", title="36 sentences practised, 45 held back")
# axis.legend(loc="upper right")
# plt.show()

# %% [markdown]
# Both models get the whole training set right. Of the held-out sentences, the model with attention translates all, and
# the model with the average only a fifth. The second model has **overfitted**: "one is two" and "two is one" have the
# same average, so it had to learn its 36 sentences one by one. What it gets right is "one is one" and the eight like
# it, the only sentences in which order does not count. This is why you never judge a model on what it was trained on.
# Here are the maps of three held-out sentences:

# %% tags=["active-ipynb"]
# chosen = [0, 2, 9]
# sources, targets = examples[1]
# words, weights = models["attention"].translate(sources[chosen], 3)
# draw_maps(weights, [(held_back[place][0], written) for place, written in zip(chosen, text(words))])

# %% [markdown]
# To write the first word, the decoder looks at the first word of the sentence; to write the last, at the last. The
# middle row is spread out, which does no harm: "la" is correct wherever the decoder looks, so training never sharpened
# this row.

# %% [markdown]
# ## A word asks a picture
#
# *Can attention look at something other than words?* Cut a picture into square **patches**, project the pixels of each
# to a vector, and you have a sequence of vectors, as for a sentence. The vision transformer (Dosovitskiy and
# colleagues, 2021) reads pictures in this way. And with cross-attention a word can look into a picture.
#
# Here is a game. A picture shows nine digits. You name a digit: is it in the picture? The query comes from the word,
# the keys and values from the nine patches. In training, the model is told only whether yes or no was right, never
# *where* a digit is or what digits look like.

# %% tags=["active-ipynb"]
# import numpy as np
# from torch.nn import functional
#
# from given.digits import draw_digits
#
#
# def make_pictures(count, seed):
#     """Digits to look for, nine patches of 64 pixels for each, whether the digit is there, and the nine digits."""
#     rng = np.random.default_rng(seed)
#     kinds = rng.permuted(np.tile(np.arange(10), (count, 1)), axis=1)  # the first five are in the picture
#     digits = rng.permuted(np.concatenate([kinds[:, :5], rng.permuted(kinds[:, :5], axis=1)[:, :4]], axis=1), axis=1)
#     there = rng.random(count) < 0.5
#     asked = np.where(there, kinds[:, 0], kinds[:, 5])[:, None]
#     patches = torch.tensor(draw_digits(digits, seed)).flatten(-2)
#     return torch.tensor(asked), patches, torch.tensor(there).float(), torch.tensor(digits)
#
#
# class Finder(nn.Module):
#     def __init__(self, d=32):
#         super().__init__()
#         self.asks, self.expects = nn.Embedding(10, d), nn.Embedding(10, d)  # a query for each word, and what to find
#         self.Wk, self.Wv = nn.Linear(64, d), nn.Linear(64, d)
#
#     def forward(self, asked, patches):
#         context, weights = cross_attention(self.asks(asked), self.Wk(patches), self.Wv(patches))
#         return (context * self.expects(asked)).sum(dim=-1)[:, 0], weights[:, 0]  # above 0: yes
#
#
# def learn_to_find(asked, patches, there, seed):
#     torch.manual_seed(seed)
#     finder = Finder()
#     optimizer = torch.optim.Adam(finder.parameters(), lr=0.01)
#     for _ in range(300):
#         some = torch.randint(0, len(asked), (100,))
#         loss = functional.binary_cross_entropy_with_logits(finder(asked[some], patches[some])[0], there[some])
#         optimizer.zero_grad()
#         loss.backward()
#         optimizer.step()
#     return finder
#
#
# finder = learn_to_find(*make_pictures(600, 1)[:3], 0)
# asked, patches, there, digits = make_pictures(300, 2)  # pictures that it has never seen
# with torch.no_grad():
#     logits, weights = finder(asked, patches)
#
# figure, axes = plt.subplots(2, 4, figsize=(8.4, 4.4), layout="constrained")
# for (picture, map_), place in zip(axes.T, there.nonzero()[:4, 0].tolist()):
#     pixels = patches[place].reshape(3, 3, 8, 8).transpose(1, 2).reshape(24, 24)
#     picture.imshow(pixels, cmap="gray_r")
#     picture.set(title=f"is there a {asked[place].item()}?", xticks=[], yticks=[])
#     look = {"annot": True, "fmt": ".2f", "cmap": "Oranges", "vmin": 0, "vmax": 1, "cbar": False, "square": True}
#     sns.heatmap(weights[place].reshape(3, 3), ax=map_, xticklabels=False, yticklabels=False, **look)
#     map_.set_title("yes" if logits[place] > 0 else "no")
# plt.show()
#
# right = ((logits > 0) == (there > 0)).float().mean().item()
# largest = digits.gather(1, weights.argmax(dim=-1, keepdim=True))
# found = (largest == asked)[there > 0].float().mean().item()
# print(f"Right: {right:.0%}. Where the digit is there, the largest weight is on it: {found:.0%}.")

# %% [markdown]
# The model gets nearly all of the 300 new pictures right. And if the digit is there, its word looks at it: to answer
# yes or no, the model had to learn where to look. In ten training runs, 95 to 99 % of the answers were right. The
# largest weight was on the digit in 92 to 100 % of the pictures that contain it.
#
# In the same way, models look at a picture while they describe it, or at a sentence while they draw what it says.

# %% [markdown]
# ## What you have made
#
# **A translator that handles sentences it has never seen, because it learned where to look.** In the figure below, step
# through its training. See when the maps become sharp, and when "two is one", which it has never met, becomes correct.
# Then replace attention with the average: even at the end, the model cannot tell "two is one" from "one is two".
#
# <div data-figure="learning">The book has a figure to try here; in a notebook: %figure learning.</div>
#
# Modern translators have no GRUs (Vaswani et al., 2017): once words carry their positions, attention alone does the
# work of both GRUs. In the next chapter, `write`, you train the decoder half of such a model on one book, in two
# minutes.
#
# <details markdown>
# <summary>Sources</summary>
#
# [Bahdanau, Cho and Bengio (2015; arXiv 2014)](https://arxiv.org/abs/1409.0473); [Luong, Pham and Manning
# (2015)](https://arxiv.org/abs/1508.04025); [Cho et al. (2014)](https://arxiv.org/abs/1406.1078), for the GRU;
# [Williams and Zipser (1989)](https://doi.org/10.1162/neco.1989.1.2.270), for teacher forcing; [Dosovitskiy et al.
# (2021)](https://arxiv.org/abs/2010.11929).
#
# </details>
#
# Find the bug: `attn debug Translator`.

# %% [markdown] after="translate"
# You can now train an encoder and a decoder around your own attention, and read from its weights where it looked.
