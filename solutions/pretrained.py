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
# # Your attention in a real model
#
# *"She is having a meal with a soda." Which sentence in this course has a similar meaning? You see at once that it is
# "I drink coke, but eat steak", although the two have no word in common. How could a program find out?*
#
# You trained your own model on one book. Here is one that others trained on a billion pairs of sentences:
# **all-MiniLM-L6-v2**, which people use every day to search texts. Will it run on *your* attention? You replace its
# attention with yours. Then you search by meaning, and look at what 72 trained heads have learned.
#
# Predict first: `attn predict pretrained`.

# %%
import math

import torch
from torch import nn

# %% [markdown]
# This is how far you get by counting the words that two sentences share:

# %% tags=["active-ipynb"]
# import textwrap
#
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import STYLE
#
# plt.style.use(STYLE)
#
# sentences = [
#     "The teacher praised a student because she improved",
#     "A student asked the teacher to help her improving",
#     "Your journey starts with one step",
#     "I drink coke, but eat steak",
#     "one is one",
# ]
# questions = ["She is having a meal with a soda", "A pupil got better with one lesson", "Every trip has its beginning"]
#
#
# def draw_table(numbers, title, fmt):
#     figure, axis = plt.subplots(figsize=(4.5, 4), layout="constrained")
#     labels = {"xticklabels": [textwrap.fill(question, 13) for question in questions]}
#     labels["yticklabels"] = [textwrap.fill(sentence, 18) for sentence in sentences]
#     sns.heatmap(numbers, ax=axis, cmap="Oranges", vmin=0, linewidths=1, annot=True, fmt=fmt, cbar=False, **labels)
#     axis.set(title=title)
#     axis.tick_params(labelsize=9, rotation=0)
#     plt.show()
#
#
# words = [set(sentence.lower().replace(",", "").split()) for sentence in sentences + questions]
# shared = [[len(mine & theirs) for theirs in words[len(sentences) :]] for mine in words[: len(sentences)]]
# draw_table(shared, "words in common", "d")

# %% [markdown]
# Two of the three search texts (the columns) match a wrong sentence, because of words such as "she" and "with"; the
# third matches none. A **sentence encoder** does better: sentences with similar meanings get vectors that point in
# similar directions.
#
# ## What is in the model
#
# all-MiniLM-L6-v2 has 23 million trained numbers. A sentence goes through four steps:
#
# 1. The **tokenizer** cuts it into known pieces, mostly words, and puts the token `[CLS]` at the beginning and `[SEP]`
#    at the end. In a batch, `[PAD]` tokens (**padding**) bring shorter sentences to the length of the longest.
# 2. Each token gets a vector of 384 numbers from a table, and the vector of its position is added.
# 3. Six **layers** follow. In each, the tokens first look at each other, in a self-attention with 12 heads. Then each
#    token passes separately through two linear layers, the **feed-forward** part.
# 4. The mean of all tokens' vectors, without padding, is the vector of the sentence.
#
# All of it is given, in `given/encoder.py`, except the attention in step 3.
#
# ## A block with the norm last
#
# Unlike your block in `write`, this one has no rotation, no causal mask and no cache. And the norm comes *last*,
# applied to the sum, as in the first Transformer:
#
# $$\text{output} = \operatorname{norm}\big(x + \operatorname{attention}(x, x, x)\big)$$
#
# To avoid a division by 0, a tiny `eps` is added to the variance. The default in torch is 1e-5. This model was trained
# with **1e-12**, and a model has to be run as it was trained.

# %% tags=["active-ipynb"]
# from given.drawing import LIT, NORM, arrow, box, canvas, lines
#
# axis = canvas(4.5, 3.4, "one SelfAttentionBlock")
# parts = {0: ("x", "white"), 1.2: ("attention", LIT), 2.2: ("+", "white"), 3.2: ("norm", NORM)}
# for y, (name, colour) in parts.items():
#     box(axis, 0, y, name, colour)
# for low, high in ((0, 1.2), (1.2, 2.2), (2.2, 3.2)):
#     arrow(axis, (0, low), (0, high))
# axis.plot([0, 1.3, 1.3], [0.6, 0.6, 2.2], color="grey", linewidth=1.5)
# arrow(axis, (1.3, 2.2), (0, 2.2), shrinkA=0)
# notes = {0: "(b, n, d_model)", 1.2: "what the tokens find", 2.2: "x + found", 3.2: "(b, n, d_model)"}
# for y, note in notes.items():
#     axis.text(1.6, y, note, va="center")
# axis.set(xlim=(-1.2, 4.2), ylim=(-0.4, 3.6))
# plt.show()

# %% [markdown]
# **Padding.** The encoder tells you which tokens are real: `is_word`, of shape `(b, n)`, is `False` for padding. No
# token may attend *to* padding, so padding is hidden as a key. As a query it may ask anything, because nobody reads the
# answer. The weights of the heads have shape `(b, h, n_q, n_k)`. Which of these axes belong to `is_word`?
#
# The cell begins with `MultiHeadAttention`: copy yours from `multi_head`.


# %% exercise="SelfAttentionBlock" points=16 minutes=25 bans="MultiheadAttention scaled_dot_product_attention"
class MultiHeadAttention(nn.Module):
    """Multi-head attention; `Wq`, `Wk`, `Wv`, `Wo` are nn.Linear(d_model, d_model) with bias."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        ### END SOLUTION

    def forward(self, queries, keys, values, mask=None):
        """Return output (..., n_q, d_model) and weights (..., num_heads, n_q, n_k); `mask` is True for visible keys."""
        ### BEGIN SOLUTION
        q, k, v = (
            # (..., n, d_model) to (..., n, h, d_h) to (..., h, n, d_h)
            projected.reshape(*projected.shape[:-1], self.num_heads, -1).transpose(-3, -2)
            for projected in (self.Wq(queries), self.Wk(keys), self.Wv(values))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])  # (..., h, n_q, n_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        return self.Wo((weights @ v).transpose(-3, -2).flatten(start_dim=-2)), weights
        ### END SOLUTION


class SelfAttentionBlock(nn.Module):
    """Self-attention as in a layer of the encoder: its output is added to the tokens, and the sum is normalised.

    Parameters
    ----------
    d_model : int
        Width of the tokens.
    num_heads : int
        The number of heads; it divides d_model.

    Attributes
    ----------
    attention : MultiHeadAttention
        With `Wq`, `Wk`, `Wv` and `Wo`, each nn.Linear(d_model, d_model) with bias.
    norm : nn.LayerNorm
        Over the d_model numbers of each token, with an eps of 1e-12.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not allowed here: they are what you replace.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.1.
    Devlin et al. (2019), "BERT: Pre-training of Deep Bidirectional Transformers".
    Ba, Kiros and Hinton (2016), "Layer Normalization".

    Examples
    --------
    >>> block = SelfAttentionBlock(d_model=4, num_heads=2).double()
    >>> for name, weight in sorted(block.named_parameters()):
    ...     print(name, tuple(weight.shape))
    attention.Wk.bias (4,)
    attention.Wk.weight (4, 4)
    attention.Wo.bias (4,)
    attention.Wo.weight (4, 4)
    attention.Wq.bias (4,)
    attention.Wq.weight (4, 4)
    attention.Wv.bias (4,)
    attention.Wv.weight (4, 4)
    norm.bias (4,)
    norm.weight (4,)

    `Wo` doubles its input, the other projections change nothing, and the third token is padding:

    >>> with torch.no_grad():
    ...     for name, factor in {"Wq": 1, "Wk": 1, "Wv": 1, "Wo": 2}.items():
    ...         linear = getattr(block.attention, name)
    ...         _ = linear.weight.copy_(factor * torch.eye(4)), linear.bias.zero_()
    >>> x = torch.tensor([[2.0, 0.0, 0.0, 1.0], [0.0, 3.0, 1.0, 0.0], [1.0, 1.0, 5.0, 4.0]], dtype=torch.float64)
    >>> output, weights = block(x, torch.tensor([True, True, False]))
    >>> for head in torch.round(weights, decimals=4).tolist():
    ...     print(head)
    [[0.9442, 0.0558, 0.0], [0.0017, 0.9983, 0.0], [0.3302, 0.6698, 0.0]]
    [[0.6698, 0.3302, 0.0], [0.3302, 0.6698, 0.0], [0.3302, 0.6698, 0.0]]
    >>> for token in torch.round(output, decimals=4).tolist():
    ...     print(token)
    [1.6209, -0.9002, -0.7493, 0.0285]
    [-0.8401, 1.6819, -0.1852, -0.6566]
    [-1.5625, 0.2993, 1.211, 0.0522]

    A batch of two sentences, and gradients for all weights:

    >>> output, weights = block(torch.stack([x, x + 1]), torch.tensor([[True, True, False], [True, True, True]]))
    >>> tuple(output.shape), tuple(weights.shape)
    ((2, 3, 4), (2, 2, 3, 3))
    >>> output.square().sum().backward()
    >>> sum(weight.grad is not None for weight in block.parameters())
    10
    >>> bool(SelfAttentionBlock(d_model=4, num_heads=2).norm.eps == 1e-12)
    True
    """

    def __init__(self, d_model, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=1e-12)
        ### END SOLUTION

    def forward(self, x, is_word):
        """Let the tokens of each sentence attend to its words, and add what they find.

        Parameters
        ----------
        x : Tensor, shape (..., n, d_model)
            One token in each row.
        is_word : Tensor of bool, shape (..., n)
            False for padding, to which no token may attend.

        Returns
        -------
        output : Tensor, shape (..., n, d_model)
            One row for each token, including padding.
        weights : Tensor, shape (..., num_heads, n, n)
            Each row sums to 1.
        """
        ### BEGIN SOLUTION
        found, weights = self.attention(x, x, x, is_word[..., None, None, :])  # the same for all heads and queries
        return self.norm(x + found), weights
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output first, then the weights of all heads
# - names and shapes of the parameters
# - any leading batch dimensions, or none
# - rows of weights that sum to 1, even the rows of padding
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - `eps`
# - gradients for all weights
#
# Every sentence has at least one word.

# %% [markdown] hint="SelfAttentionBlock"
# First get `MultiHeadAttention` right without a mask. `forward` of the block is then two lines: one attends, one adds
# and normalises.

# %% [markdown] hint="SelfAttentionBlock"
# The last axis of the weights belongs to the keys. A mask that hides the same keys from all heads and all queries has
# shape `(b, 1, 1, n)`. Where does `is_word` need two axes of length 1? `None` in an index makes one.

# %% [markdown] hint="SelfAttentionBlock"
# Make `norm` an `nn.LayerNorm(d_model, eps=1e-12)`, and apply it to the *sum* of the tokens and the output of
# attention.

# %% [markdown] after="SelfAttentionBlock"
# BERT and its descendants are stacks of such blocks, with a small network after each.

# %% [markdown]
# ## The same weights under other names
#
# *How do trained weights get into your block?* They come as a **checkpoint**: a file with one large dictionary that
# maps the name of each tensor to its numbers. For layer 0, each name on the left of this table has the prefix
# `encoder.layer.0.attention.` in the file. Each row stands for two tensors, `.weight` and `.bias`.
#
# | in the checkpoint | in your block |
# | --- | --- |
# | `self.query` | `attention.Wq` |
# | `self.key` | `attention.Wk` |
# | `self.value` | `attention.Wv` |
# | `output.dense` | `attention.Wo` |
# | `output.LayerNorm` | `norm` |
#
# **Most mistakes raise no error** here. All four matrices are square, so a transposed one fits. Query and key have the
# same shape. The feed-forward part has a norm with a similar name, `encoder.layer.0.output.LayerNorm`. And a test for
# names that *begin* with `encoder.layer.1` also accepts `encoder.layer.10`.


# %% exercise="block_state" points=6 minutes=15
def block_state(checkpoint, layer):
    """Return the weights of one layer's attention, under the names that a `SelfAttentionBlock` gives them.

    Parameters
    ----------
    checkpoint : dict of str to Tensor
        All weights of the encoder, under their names in the file.
    layer : int
        The number of the layer, counted from 0.

    Returns
    -------
    dict of str to Tensor
        The state of the block, ready for `load_state_dict`: the ten names of the table.

    Examples
    --------
    A checkpoint of twelve layers, in which each tensor is the number of its layer, and a name to leave out:

    >>> checkpoint = {}
    >>> for layer in range(12):
    ...     for part in ("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm"):
    ...         for end in ("weight", "bias"):
    ...             checkpoint[f"encoder.layer.{layer}.attention.{part}.{end}"] = torch.tensor(float(layer))
    >>> checkpoint["encoder.layer.1.output.LayerNorm.weight"] = torch.tensor(-1.0)
    >>> for name, weight in sorted(block_state(checkpoint, 1).items()):
    ...     print(name, weight.item())
    attention.Wk.bias 1.0
    attention.Wk.weight 1.0
    attention.Wo.bias 1.0
    attention.Wo.weight 1.0
    attention.Wq.bias 1.0
    attention.Wq.weight 1.0
    attention.Wv.bias 1.0
    attention.Wv.weight 1.0
    norm.bias 1.0
    norm.weight 1.0

    The query's matrix goes to `Wq` unchanged:

    >>> checkpoint["encoder.layer.11.attention.self.query.weight"] = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> block_state(checkpoint, 11)["attention.Wq.weight"].tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    ### BEGIN SOLUTION
    names = {
        "attention.Wq": "self.query",
        "attention.Wk": "self.key",
        "attention.Wv": "self.value",
        "attention.Wo": "output.dense",
        "norm": "output.LayerNorm",
    }
    return {
        f"{mine}.{part}": checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]
        for mine, theirs in names.items()
        for part in ("weight", "bias")
    }
    ### END SOLUTION


# %% [markdown]
# **What is graded:** a dictionary with exactly ten names: each of the five in the right column, once with `.weight` and
# once with `.bias`. Each has the unchanged tensor of the chosen layer, counted from 0; the checkpoint stays unchanged.

# %% [markdown] hint="block_state"
# Which part of a checkpoint's name changes from layer to layer, which from row to row of the table, and which within a
# row? The rest is the same in all ten.

# %% [markdown] hint="block_state"
# Write the table down as a dictionary with five entries, `"attention.Wq": "self.query"` and so on. Loop over the
# entries and, inside, over `"weight"` and `"bias"`; build each full name with an f-string and look it up.

# %% [markdown] after="block_state"
# Matching shapes prove nothing: the outputs have to agree with those of the original.

# %% [markdown]
# ## The model does not notice
#
# *Where do the weights come from?* They take 90 MB, so they do not come with the course. If the next cell does not find
# them, it says how to get them.

# %% tags=["active-ipynb"]
# from given.encoder import HEADS, LAYERS, WIDTH, SentenceEncoder, load_minilm
#
# checkpoint, tokenizer = load_minilm()
#
# blocks = [SelfAttentionBlock(WIDTH, HEADS) for _ in range(LAYERS)]
# for layer, block in enumerate(blocks):
#     block.load_state_dict(block_state(checkpoint, layer))
# encoder = SentenceEncoder(blocks, checkpoint, tokenizer)
#
# vectors = encoder.encode(sentences)
# in_all = sum(weight.numel() for weight in checkpoint.values()) / 1e6
# in_blocks = sum(weight.numel() for weight in encoder.blocks.parameters()) / 1e6
# f"{in_all:.1f} million numbers, {in_blocks:.1f} million of them in your blocks; {vectors.shape[-1]} for a sentence"

# %% [markdown]
# Half of the numbers are in the table of words, and the feed-forward parts have twice as many as the attention. Now the
# test. Here is the same encoder with torch's own attention and the same weights. If the two disagree by more than
# 0.0001 anywhere, the cell fails.

# %% tags=["active-ipynb"]
# class TorchBlock(nn.Module):
#     """A `SelfAttentionBlock` around `nn.MultiheadAttention`, which keeps three projections in one tall matrix."""
#
#     def __init__(self, state):
#         super().__init__()
#         self.attention = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
#         self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
#         ours = {"norm.weight": state["norm.weight"], "norm.bias": state["norm.bias"]}
#         for part in ("weight", "bias"):
#             tall = torch.cat([state[f"attention.{name}.{part}"] for name in ("Wq", "Wk", "Wv")])
#             ours[f"attention.in_proj_{part}"] = tall
#             ours[f"attention.out_proj.{part}"] = state[f"attention.Wo.{part}"]
#         self.load_state_dict(ours)
#
#     def forward(self, x, is_word):
#         found, weights = self.attention(x, x, x, key_padding_mask=~is_word, average_attn_weights=False)
#         return self.norm(x + found), weights
#
#
# torch_blocks = [TorchBlock(block_state(checkpoint, layer)) for layer in range(LAYERS)]
# theirs = SentenceEncoder(torch_blocks, checkpoint, tokenizer).encode(sentences)
# torch.testing.assert_close(vectors, theirs, rtol=0, atol=1e-4)
# f"They agree; the largest difference is {(vectors - theirs).abs().max():.1g}."

# %% [markdown]
# The attention that you wrote now runs a real model.
#
# ## Searching by meaning
#
# *Which sentence is nearest?* Compare the **directions** of the vectors, with the cosine of the angle between them.
#
# $$\cos(q, s) = \frac{q \cdot s}{\lVert q \rVert \; \lVert s \rVert}$$
#
# With a plain dot product, long vectors would have an unfair advantage. Then sort. Return the indices of the sentences,
# most similar first, not the rank of each sentence. With cosines 0.1, 0.9, 0.5 the order is 1, 2, 0; the ranks would be
# 2, 0, 1.


# %% exercise="rank_by_similarity" points=6 minutes=10
def rank_by_similarity(query, sentences):
    """Sort sentences by how similar their direction is to that of a query.

    Parameters
    ----------
    query : Tensor, shape (d,)
        The vector of the search text.
    sentences : Tensor, shape (n, d)
        One sentence in each row.

    Returns
    -------
    order : Tensor of int, shape (n,)
        Indices of the sentences, most similar first.
    similarities : Tensor, shape (n,)
        Their cosines, from the largest to the smallest.

    Examples
    --------
    One vector at a wide angle, a short one in nearly the same direction, a long one in between, and an opposite one:

    >>> sentences = torch.tensor([[4.0, -3.0], [0.5, 0.5], [0.0, 9.0], [-8.0, -6.0]], dtype=torch.float64)
    >>> order, similarities = rank_by_similarity(torch.tensor([4.0, 3.0], dtype=torch.float64), sentences)
    >>> order.tolist()
    [1, 2, 0, 3]
    >>> [round(cosine, 4) for cosine in similarities.tolist()]
    [0.9899, 0.6, 0.28, -1.0]
    """
    ### BEGIN SOLUTION
    cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())
    order = cosines.argsort(descending=True)
    return order, cosines[order]
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the order first, then the cosines *in that order*, for vectors of any length other than 0, and any
# positive number of sentences. No two cosines are equal.

# %% [markdown] hint="rank_by_similarity"
# Multiply one sentence by ten. Does it move up your list? What must each dot product be divided by, and along which
# axis does `norm` have to run to give one length per row?

# %% [markdown] hint="rank_by_similarity"
# `sentences @ query` gives all dot products at once. `argsort` gives the indices of the entries from the smallest to
# the largest, or with `descending=True` the other way round. Indexing the cosines with that order sorts them, too.

# %% [markdown] after="rank_by_similarity"
# Semantic search engines work like this, only with more sentences.

# %% [markdown]
# Now search for the three texts from the beginning:

# %% tags=["active-ipynb"]
# draw_table((vectors @ encoder.encode(questions).T).numpy(), "cosine of the encoder's vectors", ".2f")
#
#
# def search(question):
#     order, similarities = rank_by_similarity(encoder.encode([question])[0], vectors)
#     return [f"{similarity:5.2f}  {sentences[number]}" for number, similarity in zip(order, similarities)]
#
#
# {question: search(question) for question in questions}

# %% [markdown]
# For the meal and the trip, the search finds the right sentences. For the pupil, the sentence about asking for help
# (0.65) comes before the one about praise (0.59). A person might have chosen the latter. Now try `search` with your own
# texts.
#
# ## What the heads look at
#
# Six layers of 12 heads have read "The teacher praised a student because she improved". Rows are queries, columns are
# keys, from `[CLS]` at the left to `[SEP]` at the right.

# %% tags=["active-ipynb"]
# (tokens,), ids, is_word = encoder.tokenize(sentences[:1])
# with torch.no_grad():
#     _, attention = encoder(ids, is_word)
# attention = torch.cat(attention)  # (6, 12, 10, 10)
#
# figure, axes = plt.subplots(LAYERS, HEADS, figsize=(11, 6), layout="constrained")
# for layer, row in enumerate(axes):
#     for head, axis in enumerate(row):
#         axis.imshow(attention[layer, head], cmap="Oranges", vmin=0, vmax=1)
#         axis.set(xticks=[], yticks=[])
#         if layer == 0:
#             axis.set_title(f"head {head}", fontsize=9)
#     row[0].set_ylabel(f"layer {layer}", fontsize=9)
# plt.show()

# %% [markdown]
# In most of the small pictures the leftmost column is dark: in layers 2 to 4, five out of six heads put more than half
# of their weight on `[CLS]`. So `[CLS]` is an attention sink, as described in `efficient`. Three heads seem to have a
# recognisable job:

# %% tags=["active-ipynb"]
# figure, axes = plt.subplots(1, 3, figsize=(11, 4.4), sharey=True, layout="constrained")
# look = {"cmap": "Oranges", "vmin": 0, "vmax": 1, "linewidths": 1, "square": True}
# for axis, (layer, head) in zip(axes, [(0, 2), (1, 8), (1, 3)]):
#     labels = {"xticklabels": tokens, "yticklabels": tokens}
#     sns.heatmap(attention[layer, head], ax=axis, cbar=axis is axes[2], **labels, **look)
#     axis.set(title=f"layer {layer}, head {head}", xlabel="key")
#     axis.tick_params(axis="x", rotation=90)
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# *Layer 0, head 2* looks at the word before. *Layer 1, head 8* looks at the word after, or at `[CLS]`. In *layer 1,
# head 3*, "she" gives more than half of its weight to "teacher", although "she" is more likely the student. One
# sentence proves nothing, and weights show what was mixed, not why the model gave its result (Jain and Wallace, 2019).

# %% [markdown]
# These two rows are where the course began:

# %% tags=["active-ipynb"]
# from given.drawing import canvas, lines
#
# (read,), ids, is_word = encoder.tokenize(["The student read the book because she liked it"])
# with torch.no_grad():
#     _, found = encoder(ids, is_word)
# axes = canvas(6.6, 3.8, columns=2)
# for axis, word in zip(axes, ("she", "it")):
#     place = read.index(word)
#     lines(axis, read, found[3][0, 1, place].tolist(), place)
#     axis.set(title=f"layer 3, head 1: “{word}” asks")
# plt.show()

# %% [markdown]
# Here are all 72 heads, with six sentences. Four of these form two pairs that differ in one word, which decides what
# "it" is:
#
# <div data-figure="attention-map" data-example="trained">The book has a figure to try here; in a notebook: %figure
# attention-map trained.</div>
#
# In *layer 3, head 1*, "it" gives "animal" 0.65 of its weight if the animal is too *tired*. If "it" is too *wide*, it
# must be the street: the weight of "animal" drops to 0.30, while that of "street" rises to 0.16. Has the head
# understood? Look at the other pair. If "it" is too *big*, it is the trophy; if too *small*, the suitcase. But "trophy"
# gets 0.58 and 0.61: hardly a change, and in the wrong direction. This head finds *candidates*, things that "it" could
# be. Such **minimal pairs** are a good way to test what a head does.
#
# ## Switch a head off
#
# *Do heads with a recognisable job matter more than others?* Set the output of each head to 0 in turn, and see how far
# the vectors of the sentences move, measured as 1 minus the cosine of before and after. Then do the same with whole
# layers.

# %% tags=["active-ipynb"]
# every = sentences + questions
# before = encoder.encode(every)
#
#
# def moved_without(layer, heads):
#     """How far the vectors move, 1 minus the cosine on average, when these heads of a layer are switched off."""
#     weight = blocks[layer].attention.Wo.weight.data
#     kept = weight.clone()
#     for head in heads:
#         weight[:, 32 * head : 32 * (head + 1)] = 0
#     moved = 1 - (encoder.encode(every) * before).sum(dim=-1).mean().item()
#     weight.copy_(kept)
#     return moved
#
#
# one_off = [[moved_without(layer, [head]) for head in range(HEADS)] for layer in range(LAYERS)]
# all_off = [[moved_without(layer, range(HEADS))] for layer in range(LAYERS)]
#
# figure, (left, right) = plt.subplots(1, 2, figsize=(4.5, 2.8), width_ratios=[12, 1.4], layout="constrained")
# look = {"cmap": "Oranges", "vmin": 0, "linewidths": 1, "annot_kws": {"size": 9}, "annot": True, "cbar": False}
# sns.heatmap(1000 * torch.tensor(one_off), ax=left, fmt=".0f", **look)
# sns.heatmap(1000 * torch.tensor(all_off), ax=right, fmt=".0f", xticklabels=["all"], yticklabels=False, **look)
# left.set(title="moved by so many thousandths", xlabel="the head that is off", ylabel="layer")
# plt.show()

# %% [markdown]
# Hardly anything happens. The heads for the word before and for "she" each move the vectors by 0.002, and no head
# outside the last layer moves them by more than 0.006. Even a whole layer moves them by no more than about 0.03, except
# for the last, whose output goes straight into the result. One explanation is that many heads do similar things, and
# that the residual stream carries the token past all of them (Michel, Levy and Neubig, 2019).
#
# And who praised whom? The cosine of "the teacher praised the student" and "the student praised the teacher" is 0.99.
# The model *has* positions. But it was trained to give sentences on the same topic similar vectors, and for that the
# order hardly counts. A model learns what its training rewards, not everything that its parts make possible.

# %% [markdown]
# ## Optional: a model small enough to take apart
#
# *Do the heads do nothing, then?* Take a model with so few heads that you can study each of them: two layers of your
# attention with one head each, and nothing around them. It reads a list of random words that repeats,
# `d a f c d a f c d`, and has to predict the next word. Every list is new, so there is nothing to learn by heart. The
# model has to look back: where was this word before, and which one came after it?

# %% tags=["active-ipynb"]
# from given.progress import track
#
#
# class Copier(nn.Module):
#     """Layers of your attention, and nothing but them; each adds what it found to the words."""
#
#     def __init__(self, layers, heads, words=20, length=30, d_model=48):
#         super().__init__()
#         self.words, self.places = nn.Embedding(words, d_model), nn.Embedding(length, d_model)
#         self.layers = nn.ModuleList(MultiHeadAttention(d_model, heads) for _ in range(layers))
#         self.out = nn.Linear(d_model, words)
#
#     def forward(self, lists):
#         n = lists.shape[-1]
#         x, places, weights = self.words(lists), self.places(torch.arange(n)), []
#         past = torch.ones(n, n, dtype=torch.bool).tril()
#         for attention in self.layers:
#             found, each = attention(x + places, x + places, x, past)  # places are asked for, but never passed on
#             x = x + found
#             weights.append(each)
#         return self.out(x), weights
#
#
# def make_lists(count, period=None):
#     """Lists of different words, each repeated up to 30 words; and after how many it begins again."""
#     periods = torch.randint(6, 15, (count, 1)) if period is None else torch.full((count, 1), period)
#     words = torch.rand(count, 20).argsort(dim=-1)
#     return words.gather(1, torch.arange(30) % periods), periods
#
#
# def learn_to_copy(layers, heads, steps=300):
#     torch.manual_seed(0)
#     model = Copier(layers, heads)
#     optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
#     for _ in track(range(steps), "learning to copy"):
#         lists, periods = make_lists(32)
#         logits, _ = model(lists[:, :-1])
#         again = torch.arange(29) >= periods  # where the word has stood before
#         loss = nn.functional.cross_entropy(logits[again], lists[:, 1:][again])
#         optimizer.zero_grad()
#         loss.backward()
#         optimizer.step()
#     return model
#
#
# small, large, flat = learn_to_copy(2, 1), learn_to_copy(2, 4), learn_to_copy(1, 1)
#
# lists, _ = make_lists(1, period=6)
# letters = [chr(97 + word) for word in lists[0, :16]]
# with torch.no_grad():
#     _, weights = small(lists[:, :16])
# figure, axes = plt.subplots(1, 2, figsize=(7.2, 3.7), sharey=True, layout="constrained")
# look = {"cmap": "Oranges", "vmin": 0, "vmax": 1, "square": True, "linewidths": 0.5, "cbar": False}
# for layer, axis in enumerate(axes):
#     sns.heatmap(weights[layer][0, 0], ax=axis, xticklabels=letters, yticklabels=letters, **look)
#     axis.set(title=f"the head of layer {layer}", xlabel="key")
#     axis.tick_params(axis="y", rotation=0)
# axes[0].set(ylabel="query")
# plt.show()

# %% [markdown]
# In *layer 0* every word looks at the one before it. In *layer 1* the second `b` looks at the word that came after the
# first `b`, which is the word to predict. How does it find that word? Layer 0 has marked each word with the one before
# it, and layer 1 looks for the mark "after `b`". Such a head is an **induction head** (Elhage et al., 2021). Language
# models have them, too, and in this way can learn from what they have just read: **in-context learning** (Olsson et
# al., 2022). Now switch the two heads off.

# %% tags=["active-ipynb"]
# def share_right(model, off=()):
#     """How many next words of new lists it gets right, in %, with some heads off: pairs of layer and head."""
#     torch.manual_seed(1)
#     lists, periods = make_lists(200)
#     kept = [attention.Wo.weight.detach().clone() for attention in model.layers]
#     with torch.no_grad():
#         for layer, head in off:
#             model.layers[layer].Wo.weight.unflatten(-1, (model.layers[layer].num_heads, -1))[:, head] = 0
#         guesses = model(lists[:, :-1])[0].argmax(dim=-1)
#         for attention, weight in zip(model.layers, kept):
#             attention.Wo.weight.copy_(weight)
#     return 100 * (guesses == lists[:, 1:])[torch.arange(29) >= periods].double().mean().item()
#
#
# shares = {
#     "2 heads": share_right(small),
#     "2 heads, layer 0 off": share_right(small, [(0, 0)]),
#     "2 heads, layer 1 off": share_right(small, [(1, 0)]),
#     "8 heads": share_right(large),
#     "8 heads, any one off": min(share_right(large, [(layer, head)]) for layer in range(2) for head in range(4)),
#     "8 heads, layer 0 off": share_right(large, [(0, head) for head in range(4)]),
#     "one layer": share_right(flat),
# }
# _, axis = plt.subplots(figsize=(5.4, 3.2), layout="constrained")
# bars = axis.barh(list(shares), list(shares.values()), color=LIT)
# axis.bar_label(bars, fmt="%.0f %%", padding=3)
# axis.invert_yaxis()
# axis.set(title="next words right", xlim=(0, 115), xticks=[])
# axis.spines[["top", "right", "bottom"]].set_visible(False)
# plt.show()

# %% [markdown]
# If either of its two heads is switched off, the small model fails, and a model with one layer never learns the task.
# But in a model with four heads per layer, switching off any one of them hardly matters. So if switching off a head
# changes nothing, either the head is idle or others do the same job.

# %% [markdown]
# ## The whole machine
#
# You began with one query and four annotations. **This is what you have made.** Every box links to your own function:
#
# <div data-machine>In the book, a drawing of the whole machine is here.</div>
#
# The machine writes like Lewis Carroll (`TransformerBlock`, `train_step`, `sample`), tells stories (`LlamaBlock`) and
# finds sentences by meaning (`SelfAttentionBlock`). Five things to read next:
#
# - Karpathy, [Let's reproduce GPT-2](https://github.com/karpathy/build-nanogpt): training at scale, step by step.
# - Raschka, [Build a Large Language Model (From Scratch)](https://github.com/rasbt/LLMs-from-scratch): fine-tuning and
#   instructions.
# - Elhage et al. (2021), [A Mathematical Framework for Transformer
#   Circuits](https://transformer-circuits.pub/2021/framework/index.html): what heads do together.
# - Grattafiori et al. (2024), [The Llama 3 Herd of Models](https://arxiv.org/abs/2407.21783): a large model in the
#   open.
# - Dao et al. (2022), [FlashAttention](https://arxiv.org/abs/2205.14135): attention and the hardware.
#
# Now change a part of the machine, and measure what happens.
#
# <details markdown>
# <summary>Sources</summary>
#
# [Wang et al. (2020)](https://arxiv.org/abs/2002.10957); [Reimers and Gurevych
# (2019)](https://arxiv.org/abs/1908.10084); [Michel, Levy and Neubig (2019)](https://arxiv.org/abs/1905.10650); [Jain
# and Wallace (2019)](https://arxiv.org/abs/1902.10186); [Olsson et al. (2022)](https://arxiv.org/abs/2209.11895).
#
# </details>
#
# Find the bug: `attn debug rank_by_similarity`. This group of chapters ends here; `attn predict modern-attention` asks
# three questions about it.

# %% [markdown] after="pretrained"
# You can now run a trained model on the attention that you wrote, look into its heads, and search by meaning.
