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
# # Positions
#
# *"The teacher praised a student." "A student praised the teacher." Who praised whom? Both sentences have the same
# words, so only their positions can tell. Where does position come into attention?*
#
# Nowhere, except through the causal mask. A score compares two vectors and does not know where they are; softmax and
# the weighted sum ignore the order of the keys. So without that mask, attention sees a bag of words. In this chapter
# you give each word its position. First you *add* a pattern of waves to the words, as the first Transformer did in
# 2017. Then you *rotate* queries and keys, as most language models do today.
#
# Predict first: `attn predict positions`.

# %%
import math

import torch

# %% [markdown]
# Here is what the word "praised" attends to in each sentence. Every word is a random vector:

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import LIT, SIGNED, STYLE
#
# plt.style.use(STYLE)
#
# generator = torch.Generator().manual_seed(4)
# sentences = ["the teacher praised a student".split(), "a student praised the teacher".split()]
# vectors = {word: 0.7 * torch.randn(16, generator=generator) for word in sentences[0]}
#
#
# def draw_praised(place, title):
#     figure, axes = plt.subplots(1, 2, figsize=(8, 2.6), sharey=True, layout="constrained")
#     for axis, tokens in zip(axes, sentences):
#         words = place(torch.stack([vectors[token] for token in tokens]))
#         weights = torch.softmax(words @ words.T / math.sqrt(16), dim=-1)[tokens.index("praised")]
#         sns.barplot(x=tokens, y=weights.numpy(), color=LIT, ax=axis)
#         for bar in axis.containers:
#             axis.bar_label(bar, fmt="%.3f", fontsize=9)
#         axis.set(xlabel="key", ylabel="weight")
#         axis.margins(y=0.15)
#     figure.suptitle(title)
#     plt.show()
#
#
# draw_praised(lambda words: words, "what “praised” attends to, without positions")

# %% [markdown]
# Each word gets the same weight in both sentences. So the weighted sum is the same too, and no later layer can find out
# who praised whom.
#
# ## A pattern for every position
#
# *What could we add to a word to say where it is?* The first idea is the number of its position. But this number grows
# without end, and at position 500 it drowns out the word. Divided by the length of the sentence it stays small, but
# then one step means a different amount in every sentence.
#
# A clock does better: its hands never grow, and yet two of them distinguish all 720 minutes of half a day. Vaswani and
# colleagues give each position a row of such hands. Each hand takes two columns: the sine and the cosine of its angle,
# the two coordinates of its tip. With $d$ columns there are $d / 2$ hands. The first turns by 1 radian (about 57°) at
# every step, and each following hand is slower by the same factor. For position $p$ and hand
# $i = 0, 1, \dots, d/2 - 1$:
#
# $$\begin{aligned}
# P_{p,\,2i} &= \sin\!\left(\frac{p}{10000^{2i/d}}\right) \\
# P_{p,\,2i+1} &= \cos\!\left(\frac{p}{10000^{2i/d}}\right)
# \end{aligned}$$
#
# Positions are counted from 0, where every sine is 0 and every cosine is 1. The sine and the cosine *of the same angle*
# are next to each other.


# %% exercise="sinusoidal_positions" points=6 minutes=20
def sinusoidal_positions(n, d):
    """Return the pattern of waves that is added to the words at the first n positions.

    Parameters
    ----------
    n : int
        The number of positions.
    d : int
        The width of a word, an even number.

    Returns
    -------
    Tensor, shape (n, d)
        Row p belongs to position p, counted from 0. Columns 2i and 2i + 1 are sine and cosine of p / 10000^(2i / d).

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.5.

    Examples
    --------
    >>> for row in sinusoidal_positions(3, 4).tolist():
    ...     print([round(number, 3) for number in row])
    [0.0, 1.0, 0.0, 1.0]
    [0.841, 0.54, 0.01, 1.0]
    [0.909, -0.416, 0.02, 1.0]
    >>> [round(number, 3) for number in sinusoidal_positions(31, 6)[30].tolist()]
    [-0.988, 0.154, 0.984, 0.177, 0.065, 0.998]
    """
    ### BEGIN SOLUTION
    speeds = 10000.0 ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)  # (d / 2,)
    angles = torch.arange(n, dtype=torch.float64)[:, None] * speeds  # (n, d / 2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the numbers in their columns, for any $n$ and any even $d$, including $n = 1$ and $d = 2$; float32
# accuracy is enough, in a table of a few hundred rows.

# %% [markdown] hint="sinusoidal_positions"
# How many different speeds are there for `d` columns? Put them into one row: for `d = 4`, the fast one is 1 and the
# slow one 0.01.

# %% [markdown] hint="sinusoidal_positions"
# You need an angle for every position and every hand: a column of positions, `(n, 1)`, times a row of speeds,
# `(d / 2,)`. The sines and cosines are two tables `(n, d / 2)`. Now interleave their columns.

# %% [markdown] hint="sinusoidal_positions"
# Either fill an empty table, in which `table[:, 0::2]` is every second column, or `torch.stack` the two tables along a
# new *last* axis. What does `(n, d / 2, 2)` look like when its last two axes are read as one?

# %% [markdown] after="sinusoidal_positions"
# Waves of many lengths give every position its own pattern, as the hands of a clock do for every minute.

# %% [markdown]
# The right panel compares three rows of the table with all rows: the three curves have the same shape, shifted. The dot
# product of two positions depends on nothing but their **distance**. The reason is what each hand contributes to it:
#
# $$\sin a \sin b + \cos a \cos b = \cos(a - b)$$

# %% tags=["active-ipynb"]
# table = sinusoidal_positions(60, 32)
# figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), layout="constrained")
# sns.heatmap(table, ax=axes[0], cmap=SIGNED, center=0, xticklabels=8, yticklabels=10)
# axes[0].set(title="positions", xlabel="column", ylabel="position")
# for position, style in ((10, "-"), (30, "--"), (50, ":")):
#     products = (table @ table[position]).numpy()
#     sns.lineplot(x=range(60), y=products, ax=axes[1], label=f"position {position}", linestyle=style)
# axes[1].legend(loc="lower center", ncol=3)
# axes[1].set(ylim=(0, 17), title="dot product with a position", xlabel="position", ylabel="")
# plt.show()

# %% [markdown]
# So the dot product tells *how far* apart two words are, not *which comes first*. But one step along the text turns
# every hand by a fixed angle, wherever it starts. The first hand turns from $(\sin 3, \cos 3) = (0.14, -0.99)$ at
# position 3 to $(\sin 4, \cos 4) = (-0.76, -0.65)$ at position 4. Such a turn is a multiplication by a matrix, the same
# one at every position. Queries and keys have learned matrices anyway, so a layer can learn "the word before me". This
# is why Vaswani and colleagues chose waves. With positions added, and still without training, the weights in the two
# sentences differ:

# %% tags=["active-ipynb"]
# draw_praised(lambda words: words + sinusoidal_positions(*words.shape).float(), "with sinusoidal positions")

# %% [markdown]
# ## Rotate instead of add
#
# *Does only the distance matter?* Not quite. Words $x$ and $y$ at positions $p$ and $r$ get the score
#
# $$\begin{aligned}
# (x + P_p) \cdot (y + P_r) = {} & x \cdot y \;+\; x \cdot P_r \\
# & {} + P_p \cdot y \;+\; P_p \cdot P_r
# \end{aligned}$$
#
# and only the last term depends on the distance alone. The two terms in the middle change when the whole sentence is
# shifted, for example by putting "Yesterday," in front.
#
# Su and colleagues got rid of those two terms by turning the words themselves *into* hands. Take the numbers of a query
# in pairs, as points in a plane. Rotate each point about the origin, by an angle that grows with the position. Do the
# same to the keys. If query and key both move on by ten positions, both are rotated further by the same angle, so their
# dot product stays the same. This method is called **rotary positions**, RoPE for short. The speeds are the same as
# above, except that 10000 is now a parameter, `base`. The pair in columns $2i$ and $2i + 1$, at position $p$, is
# rotated by $\theta = p / \text{base}^{2i/d}$:
#
# $$\begin{aligned}
# x'_{2i} &= x_{2i} \cos\theta - x_{2i+1} \sin\theta \\
# x'_{2i+1} &= x_{2i} \sin\theta + x_{2i+1} \cos\theta
# \end{aligned}$$
#
# Here is one pair of numbers from a query and one from a key, two positions apart, at the start of a text and later on:

# %% tags=["active-ipynb"]
# def turned(x, y, angle):
#     return x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
#
#
# figure, axes = plt.subplots(1, 3, figsize=(7.5, 3), sharey=True, layout="constrained")
# for axis, start in zip(axes, (0, 3, 5)):
#     for label, point, position, colour in (("query", (1.0, 0.2), start, "C0"), ("key", (0.7, 0.7), start + 2, "C2")):
#         tip = turned(*point, 0.5 * position)
#         axis.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 2})
#         axis.text(1.22 * tip[0], 1.22 * tip[1], f"{label}\nat {position}", color=colour, ha="center", va="center")
#     axis.add_patch(plt.Circle((0, 0), 1, fill=False, color="lightgrey"))
#     axis.set(title="at the start" if start == 0 else f"moved on by {start}", xlabel="column 2i", aspect="equal")
#     axis.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), xticks=(-1, 0, 1), yticks=(-1, 0, 1))
# axes[0].set(ylabel="column 2i + 1")
# plt.show()

# %% [markdown]
# Three details matter.
#
# **Pairs are neighbours**: columns 0 and 1, 2 and 3, and so on. Other code pairs column $i$ with column $i + d/2$.
# Weights trained with one pairing give nonsense with the other.
#
# **Positions are an argument.** A model that writes word by word rotates one query at a time, the hundredth at position
# 99.
#
# **Angles need many digits.** In float32, neighbouring numbers near 100,000 are 0.008 apart. So compute the angles in
# float64, take sine and cosine, and only then convert to the **dtype** (number type) of `x`.
#
# <div data-figure="rope">The book has a figure to try here; in a notebook: %figure rope.</div>


# %% exercise="rotate" points=12 minutes=25
def rotate(x, positions, base=10000.0):
    """Rotate each pair of neighbouring columns by an angle that grows with the position: rotary positions.

    Parameters
    ----------
    x : Tensor, shape (..., n, d)
        Queries or keys, one in each row; d is even.
    positions : Tensor of int, shape (n,)
        The position of each row, 0 or more.
    base : float
        The pair in columns 2i and 2i + 1 is rotated by position / base^(2i / d).

    Returns
    -------
    Tensor, shape (..., n, d)
        The same rows, rotated; in the dtype of `x`.

    References
    ----------
    Su et al. (2021), "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.

    Examples
    --------
    >>> x = torch.tensor([[1.0, 0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0], [1.0, 2.0, 3.0, 4.0]], dtype=torch.float64)
    >>> for row in rotate(x, torch.tensor([0, 1, 5])).tolist():
    ...     print([round(number, 3) for number in row])
    [1.0, 0.0, 1.0, 0.0]
    [0.54, 0.841, 1.0, 0.01]
    [2.202, -0.392, 2.796, 4.145]

    Rows 0 and 2, as query and key, keep their score if both move on by 100,000 positions:

    >>> for positions in ([0, 1, 5], [100_000, 100_001, 100_005]):
    ...     turned = rotate(x, torch.tensor(positions))
    ...     print(round((turned[0] @ turned[2]).item(), 6))
    4.997845
    4.997845
    """
    ### BEGIN SOLUTION
    d = x.shape[-1]
    speeds = base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)  # (d / 2,)
    angles = positions[:, None] * speeds  # (n, d / 2), in float64: in float32 far positions lose their digits
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., n, d / 2)
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the numbers, with neighbours paired, for any even $d$, any whole positions in any order, any `base`, and any number
#   of leading batch dimensions, or none
# - the dtype of `x`, float32 or float64
# - tensors that are not contiguous in memory
# - rows that keep their length (norm)
# - scores that stay the same when all positions are shifted
# - gradients that reach `x`
#
# In float64 the result must be correct to eight digits, even at position 100,000.

# %% [markdown] hint="rotate"
# You have made these angles before, for positions 0 to n - 1: a column of positions times a row of speeds. Which two
# lines change now that positions and base are arguments?

# %% [markdown] hint="rotate"
# `x[..., 0::2]` and `x[..., 1::2]` are the first and second numbers of all pairs, each `(..., n, d / 2)`: exactly as
# wide as your angles. The two formulas are one line each.

# %% [markdown] hint="rotate"
# Interleave the columns of the two tables `(..., n, d / 2)`. This is the last step of `sinusoidal_positions`, but with
# leading batch dimensions: count axes from the end.

# %% [markdown] after="rotate"
# A rotated key never changes again, so the cache in the next chapter can keep it.

# %% [markdown]
# Now compare the two methods. In the left panel, one query and one key, three positions apart, move through a text.
# With positions added, their score wobbles; with rotation, it stays the same. In the right panel, every position has
# the same query and the same key. Each diagonal, which is one **offset**, has one colour. Three positions before and
# three after have different colours: rotary positions also tell which comes first.

# %% tags=["active-ipynb"]
# query, key = torch.randn(2, 1, 32, dtype=torch.float64, generator=generator)
# table = sinusoidal_positions(100, 32)
# added = [((query + table[p]) @ (key + table[p + 3]).T).item() for p in range(90)]
# both = [rotate(word.expand(100, 32), torch.arange(100)) for word in (query, key)]
#
# figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), width_ratios=[3, 2], layout="constrained")
# sns.lineplot(x=range(90), y=added, ax=axes[0], label="positions added")
# sns.lineplot(x=range(90), y=(both[0] @ both[1].T).diagonal(3)[:90].numpy(), ax=axes[0], label="rotated")
# axes[0].set(title="a query, and a key three positions on", xlabel="position of the query", ylabel="score")
# sns.heatmap((both[0] @ both[1].T)[:24, :24], ax=axes[1], cmap=SIGNED, center=0, square=True)
# axes[1].set_xticks([0.5, 10.5, 20.5], labels=[0, 10, 20], rotation=0)
# axes[1].set_yticks([0.5, 10.5, 20.5], labels=[0, 10, 20])
# axes[1].set(title="scores, rotated", xlabel="position of the key", ylabel="position of the query")
# plt.show()

# %% [markdown]
# ## Who praised whom, answered
#
# *Does any of this help?* Ask a small model. There are ten people in its world. It reads sentences like "the teacher
# praised the student" and has to say who did the praising. Its answer is computed from the output of its only attention
# layer at the word "praised". Up to two filler words may come first ("so so the teacher ..."). Fifteen of the 45 pairs
# of people are held out for the test. Ten models of each kind are trained: without positions, with your
# `sinusoidal_positions` added, and with your `rotate`.

# %% tags=["active-ipynb"]
# from torch import nn
#
# SO, THE, PRAISED = 10, 11, 12  # words 0 to 9 are people
#
#
# class Reader(nn.Module):
#     def __init__(self, kind):
#         super().__init__()
#         self.kind, self.words, self.person = kind, nn.Embedding(13, 32), nn.Linear(32, 10)
#         self.wq, self.wk, self.wv = (nn.Linear(32, 32, bias=False) for _ in range(3))
#
#     def forward(self, sentences):
#         n, x = sentences.shape[-1], self.words(sentences)
#         if self.kind == "added":
#             x = x + sinusoidal_positions(n, 32).float()
#         q, k, v = self.wq(x), self.wk(x), self.wv(x)
#         if self.kind == "rotated":
#             q, k = (rotate(part, torch.arange(n)) for part in (q, k))
#         weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(32), dim=-1)
#         return self.person((weights @ v)[sentences == PRAISED])  # one row for each sentence
#
#
# def sentences_of(pairs, in_front):
#     rows = [[SO] * in_front + [THE, a, PRAISED, THE, b] + [SO] * max(0, 3 - in_front) for a, b in pairs]
#     return torch.tensor(rows), torch.tensor([a for a, _ in pairs])
#
#
# torch.set_num_threads(1)  # small matrices: threads would only wait for each other
# pairs = [(a, b) for a in range(10) for b in range(a)]
# order = torch.randperm(45, generator=generator).tolist()
# held_back, practised = (
#     [pair for i in chosen for pair in (pairs[i], pairs[i][::-1])] for chosen in (order[:15], order[15:])
# )
# practice = [torch.cat(parts) for parts in zip(*(sentences_of(practised, in_front) for in_front in (0, 1, 2)))]
# fronts = {"0 to 2": (0, 1, 2), "3": (3,), "6": (6,), "12": (12,), "30": (30,)}
# names, parts, right = [], [], []
# for kind in ("without", "added", "rotated"):
#     for seed in range(10):
#         torch.manual_seed(seed)
#         model = Reader(kind)
#         optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
#         for _ in range(120):
#             loss = nn.functional.cross_entropy(model(practice[0]), practice[1])
#             optimizer.zero_grad()
#             loss.backward()
#             optimizer.step()
#         for name, in_front in fronts.items():
#             exam, answers = (torch.cat(both) for both in zip(*(sentences_of(held_back, n) for n in in_front)))
#             names.append(kind)
#             parts.append(name)
#             right.append(100 * (model(exam).argmax(dim=-1) == answers).float().mean().item())
#
# figure, axis = plt.subplots(figsize=(6.5, 3.6), layout="constrained")
# look = {"x": parts, "y": right, "hue": names, "palette": ["grey", "C0", "C1"], "ax": axis}
# sns.stripplot(**look, dodge=True, alpha=0.7, legend=False)
# sns.pointplot(**look, dodge=0.5, errorbar=None, markers="_", markersize=18, linestyle="none")
# axis.set(title="who praised? pairs that were held back", xlabel="words in front (practised: 0 to 2)")
# axis.set(ylabel="right (%)", ylim=(-5, 130))
# axis.legend(loc="upper right", ncol=3)
# plt.show()

# %% [markdown]
# Each dot is one training run. Without positions the model gives the same answer for both orders, so at best half of
# its answers are right. With positions of either kind it learns the rule and applies it to pairs that it has never met.
# The other columns shift the sentence further than in training, by 3, 6, 12 and 30 words. With positions *added*, the
# means are about 75, 34, 69 and 2 %: new positions are a matter of luck. With *rotation* the means are 96, 96, 91 and
# 84 %, because this model has learned offsets.
#
# **Two other ways.** *Learned positions* are a table with one trained vector for each position. The table of the model
# in `pretrained` has 512 rows, so position 511 is its last. *ALiBi* (Press, Smith and Lewis, 2022) subtracts from each
# score the distance times a fixed slope, so distant words count less.
#
# **How rotary positions are stretched.** A model trained on texts of 4,000 tokens meets new angles in longer ones.
# Three remedies are in use. The first raises the `base`, so that the slow hands turn even more slowly: Llama 3 has
# 500,000 where Llama 2 had 10,000. The second divides all positions so that the long text fits into the old range, and
# needs a little more training (*position interpolation*, Chen and colleagues, 2023). The third, *YaRN* (Peng and
# colleagues, 2023), squeezes only the slow hands, not the fast ones, which distinguish neighbours. Some models, such as
# SmolLM3 (2025), leave rotation out in every fourth layer.

# %% [markdown]
# ## What you have made
#
# **Attention that knows the order of its words.** In the picture above, the model with rotation is still mostly right
# at positions that it never met in training.
#
# But twice as many words take four times the work, and a model that writes computes the same keys again for every new
# word. The next chapter, `efficient`, reduces both.
#
# <details markdown>
# <summary>Sources</summary>
#
# [Vaswani et al. (2017)](https://arxiv.org/abs/1706.03762); [Su et al. (2021)](https://arxiv.org/abs/2104.09864);
# [Press, Smith and Lewis (2022)](https://arxiv.org/abs/2108.12409); [Chen et al.
# (2023)](https://arxiv.org/abs/2306.15595); [Peng et al. (2023)](https://arxiv.org/abs/2309.00071).
#
# </details>
#
# Find the bug: `attn debug rotate`.

# %% [markdown] after="positions"
# You can now tell attention where words are, by adding waves or by rotating vectors.
