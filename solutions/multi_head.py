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
# # Many heads
#
# *Which word came just before, and which one before that? Can one row of weights answer both questions?*
#
# Attention gives each word one row of weights, and a row of weights gives *one* weighted sum. If half of the weight
# goes to one word and half to another, the result is an average, which does not tell you what came from where. So let
# the sentence attend to itself several times, each time with different projections, and keep the results apart. Each of
# these copies of attention is called a **head**.
#
# You build **multi-head attention** twice: first as a list of small heads, then with one large projection that is cut
# into heads, which all work at once.
#
# Predict first: `attn predict multi_head`.

# %%
import math

import torch
from torch import nn

# %% [markdown]
# ## One head is not enough
#
# How much does a second head help? A small model reads ten random digits, and at each position it has to name the two
# digits before it. It uses PyTorch's own attention, once with one head and once with two; both have the same number of
# weights.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
# from torch.nn import functional
#
# from given.drawing import SIGNED, STYLE
#
# plt.style.use(STYLE)
#
#
# def learn(num_heads, seed, steps=600):
#     """Train, and return the share of places at which both answers are right, every 50 steps."""
#     torch.manual_seed(seed)
#     digit, place = nn.Embedding(10, 32), nn.Embedding(10, 32)
#     attention, read = nn.MultiheadAttention(32, num_heads, batch_first=True), nn.Linear(32, 20)
#     optimizer = torch.optim.Adam(nn.ModuleList([digit, place, attention, read]).parameters(), lr=5e-3)
#     hidden, shares = ~torch.ones(10, 10, dtype=torch.bool).tril(), []  # PyTorch: True hides
#     for step in range(steps + 1):
#         digits = torch.randint(0, 10, (64, 10))
#         tokens = digit(digits)
#         placed = tokens + place(torch.arange(10))
#         output, _ = attention(placed, placed, tokens, attn_mask=hidden, need_weights=False)
#         scores = read(output)[:, 2:].unflatten(-1, (2, 10))
#         wanted = torch.stack([digits[:, 1:-1], digits[:, :-2]], dim=-1)
#         if step % 50 == 0:
#             shares.append(100 * (scores.argmax(dim=-1) == wanted).all(dim=-1).float().mean().item())
#         optimizer.zero_grad()
#         functional.cross_entropy(scores.flatten(0, 2), wanted.flatten()).backward()
#         optimizer.step()
#     return shares
#
#
# figure, axis = plt.subplots(figsize=(5.5, 3), layout="constrained")
# for num_heads, name in ((1, "one head"), (2, "two heads")):
#     for seed in range(2):
#         label = name if seed == 0 else None
#         sns.lineplot(x=range(0, 601, 50), y=learn(num_heads, seed), ax=axis, color=f"C{num_heads - 1}", label=label)
# axis.set(title="the word before, and the one before that", xlabel="step", ylabel="both right (%)", ylim=(0, 105))
# plt.show()

# %% [markdown]
# With one head the model gets both right at about a fifth of all positions, with two heads at all of them. (Each curve
# is one training run.) Does a language model need several heads? In `write` you will measure it.
#
# ## Several heads, side by side
#
# Take `SelfAttention` from `qkv`, and make $h$ of them. (From here on, $h$ is the number of heads.) Each has its own
# $W_q, W_k, W_v$. Keep the heads in an `nn.ModuleList`: PyTorch finds the parameters inside it, but not those inside a
# plain Python list. The outputs of the heads, `d_k` numbers per token and head, are concatenated, and one more trained
# matrix **mixes** them and brings the width back to `d_k`:
#
# $$\text{output} = [\,\text{head}_0, \dots, \text{head}_{h-1}\,] \; W_{\text{out}}$$
#
# $$\text{head}_i
# = \operatorname{softmax}\!\left(\frac{X W_q^{(i)} \, (X W_k^{(i)})^\top}{\sqrt{d_k}}\right) X W_v^{(i)}$$
#
# The scale is the root of the width of *one* head, because each score is a sum of `d_k` products, however many heads
# there are.
#
# The cell begins with a small class, `Head`. Complete it first: it is the `SelfAttention` that you wrote in `qkv`.


# %% exercise="ConcatMultiHeadAttention" points=12 minutes=25 bans="MultiheadAttention scaled_dot_product_attention"
class Head(nn.Module):
    """One head: scaled dot-product self-attention with projections `wq`, `wk`, `wv` of shape (d_in, d_k)."""

    def __init__(self, d_in, d_k):
        super().__init__()
        ### BEGIN SOLUTION
        # Divided by the root of the width, so that projected tokens are about as long as the tokens themselves.
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))
        ### END SOLUTION

    def forward(self, inp):
        """Return output (..., n, d_k) and weights (..., n, n) for tokens (..., n, d_in)."""
        ### BEGIN SOLUTION
        q, k, v = inp @ self.wq, inp @ self.wk, inp @ self.wv
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights
        ### END SOLUTION


class ConcatMultiHeadAttention(nn.Module):
    """Self-attention with several heads, whose outputs are concatenated and mixed.

    Parameters
    ----------
    d_in : int
        Width of the tokens.
    d_k : int
        Width of one head, and of the output.
    num_heads : int
        The number of heads.

    Attributes
    ----------
    heads : nn.ModuleList
        The heads, each with parameters `wq`, `wk` and `wv` of shape (d_in, d_k).
    out : nn.Parameter, shape (num_heads * d_k, d_k)
        Mixes the heads. The first d_k rows belong to the first head, and so on.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not allowed here: they are what you build.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2.

    Examples
    --------
    >>> layer = ConcatMultiHeadAttention(d_in=3, d_k=4, num_heads=2).double()
    >>> for name, weight in sorted(layer.named_parameters()):
    ...     print(name, tuple(weight.shape))
    heads.0.wk (3, 4)
    heads.0.wq (3, 4)
    heads.0.wv (3, 4)
    heads.1.wk (3, 4)
    heads.1.wq (3, 4)
    heads.1.wv (3, 4)
    out (8, 4)

    The sentence "one is one", with fixed numbers between -1 and 1 in all matrices. Its first word is also its last,
    so rows 0 and 2 are equal:

    >>> with torch.no_grad():
    ...     for shift, (name, weight) in enumerate(sorted(layer.named_parameters())):
    ...         _ = weight.copy_((torch.arange(weight.numel()) + shift).reshape(weight.shape) % 5 / 2 - 1)
    >>> one, is_ = [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]
    >>> output, weights = layer(torch.tensor([one, is_, one], dtype=torch.float64))
    >>> for head in torch.round(weights, decimals=4).tolist():
    ...     print(head)
    [[0.2119, 0.5761, 0.2119], [0.2273, 0.5453, 0.2273], [0.2119, 0.5761, 0.2119]]
    [[0.1821, 0.6357, 0.1821], [0.2741, 0.4519, 0.2741], [0.1821, 0.6357, 0.1821]]
    >>> for token in torch.round(output, decimals=4).tolist():
    ...     print(token)
    [1.3709, -1.4468, -1.1192, -0.4936]
    [1.4554, -1.0404, -0.813, -1.053]
    [1.3709, -1.4468, -1.1192, -0.4936]

    A batch of sentences, and gradients for all parameters:

    >>> output, weights = layer(torch.ones(5, 2, 3, dtype=torch.float64))
    >>> tuple(output.shape), tuple(weights.shape)
    ((5, 2, 4), (5, 2, 2, 2))
    >>> output.sum().backward()
    >>> all(weight.grad is not None for weight in layer.parameters())
    True
    """

    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        self.heads = nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))
        ### END SOLUTION

    def forward(self, inp):
        """Let every token attend to all tokens, once in each head.

        Parameters
        ----------
        inp : Tensor, shape (..., n, d_in)
            One token in each row.

        Returns
        -------
        output : Tensor, shape (..., n, d_k)
            The mixed outputs of the heads.
        weights : Tensor, shape (..., num_heads, n, n)
            The weights of each head, in the order of `heads`.
        """
        ### BEGIN SOLUTION
        results = [head(inp) for head in self.heads]
        side_by_side = torch.cat([output for output, _ in results], dim=-1)  # (..., n, num_heads * d_k)
        return side_by_side @ self.out, torch.stack([weights for _, weights in results], dim=-3)
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output first, then the weights of all heads in one tensor, the head axis just before queries and keys
# - any number of leading batch dimensions, or none
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - the names and shapes of the parameters, all registered and reached by gradients
#
# You may choose the initial values, as long as each gets a gradient from the start: with zeros in `wq`, none reaches
# `wk`, and with zeros in `out`, none reaches a head.

# %% [markdown] hint="ConcatMultiHeadAttention"
# Start with `Head` and test it: `Head(3, 4)(torch.randn(2, 5, 3))` should return tensors of the shapes `(2, 5, 4)` and
# `(2, 5, 5)`.

# %% [markdown] hint="ConcatMultiHeadAttention"
# Call each head on the same `inp` and collect two lists, outputs and weights. One list is joined along an existing
# axis, the other along a new axis. Which function of torch does which?

# %% [markdown] hint="ConcatMultiHeadAttention"
# `torch.cat` joins the outputs, `(..., n, d_k)`, along the last axis. `torch.stack` adds the head axis to the weights,
# `(..., n, n)`; counted from the end *of the result*, where is that axis?

# %% [markdown] after="ConcatMultiHeadAttention"
# Several small heads can look for several things, and one more matrix mixes what they find.

# %% [markdown]
# The initial values matter here, too. `torch.rand` draws only positive numbers; the picture shows what this does to the
# scores.

# %% tags=["active-ipynb"]
# generator = torch.Generator().manual_seed(1)
# sentence = torch.randn(8, 64, generator=generator)  # a random vector in place of each word
# starts = {
#     "torch.rand": lambda: torch.rand(64, 16, generator=generator),
#     "torch.randn / √64": lambda: torch.randn(64, 16, generator=generator) / math.sqrt(64),
# }
# look = {"cmap": SIGNED, "center": 0, "square": True, "xticklabels": False, "yticklabels": False}
#
# figure, axes = plt.subplots(2, 3, figsize=(7.5, 5), layout="constrained")
# for row, (name, start) in zip(axes, starts.items()):
#     for number, axis in enumerate(row):
#         scores = sentence @ start() @ (sentence @ start()).T / math.sqrt(16)
#         sns.heatmap(scores, ax=axis, **look)
#         axis.set(title=f"head {number}", xlabel="key", ylabel=f"{name}\nquery" if number == 0 else "")
# figure.suptitle("scores of three heads before any training")
# plt.show()

# %% [markdown]
# In the top row, all heads have nearly the same pattern: a projection with positive entries roughly adds up all the
# numbers of a word, and that sum dominates every head. In the bottom row, with entries of both signs, divided by the
# root of the width, the heads start out different.

# %% [markdown]
# ## All heads at once: splitting
#
# Many small products take longer than one large one. So project once, from `d` numbers per token to `d` numbers. In
# each token, *call* the first `d / h` numbers "head 0", the next `d / h` numbers "head 1", and so on. Each head still
# has its own projection, because $X \, [\,W_0, W_1\,] = [\,X W_0, X W_1\,]$.
#
# Each head is then a block of columns. But the heads need their own axis, in front of the tokens: `(n, d)` becomes
# `(h, n, d / h)`. That takes **two** steps:
#
# 1. *split* the last axis: `(n, d)` to `(n, h, d / h)`, and
# 2. *swap* two axes: `(n, h, d / h)` to `(h, n, d / h)`.
#
# `x.reshape(h, n, d // h)` gives the right shape in one step, but puts the numbers in the wrong places. `reshape` and
# its stricter sister `view` read the numbers as one long line, row after row, and cut that line into new rows. Here are
# three tokens of four numbers each, with one colour per token; the numbers show the order in memory.

# %% tags=["active-ipynb"]
# memory = torch.arange(12).reshape(3, 4)
# split = memory.reshape(3, 2, 2).transpose(0, 1)
# jumped = memory.reshape(2, 3, 2)
#
# figure, axes = plt.subplots(1, 5, figsize=(10, 2.6), width_ratios=[2, 1, 1, 1, 1], layout="constrained")
# panels = {
#     "tokens (3, 4)": memory,
#     "split, swap:\nhead 0": split[0],
#     "split, swap:\nhead 1": split[1],
#     "reshape only:\n“head 0”": jumped[0],
#     "reshape only:\n“head 1”": jumped[1],
# }
# colours = sns.color_palette("Blues", 3)
# look = {"vmin": 0, "vmax": 2, "annot_kws": {"color": "black"}, "cbar": False, "linewidths": 2, "square": True}
# for axis, (title, numbers) in zip(axes, panels.items()):
#     sns.heatmap(numbers // 4, ax=axis, cmap=colours, annot=numbers, xticklabels=False, **look)
#     axis.set(title=title)
#     axis.tick_params(axis="y", rotation=0, left=False)
# axes[0].set(ylabel="token")
# plt.show()

# %% [markdown]
# After split and swap, row 1 of each head is a part of token 1. After the shortcut, row 1 of "head 0" is the second
# half of token 0. There is no error, but the rows no longer match the tokens.
#
# <div data-figure="heads">The book has a figure to try here; in a notebook: %figure heads.</div>


# %% exercise="split_heads" points=8 minutes=15
def split_heads(x, num_heads):
    """Cut each token into equal parts, one for each head.

    Parameters
    ----------
    x : Tensor, shape (..., n, d)
        One token in each row.
    num_heads : int
        The number of heads, 1 or more.

    Returns
    -------
    Tensor, shape (..., num_heads, n, d // num_heads)
        Head i contains the i-th part of every token.

    Raises
    ------
    ValueError
        If `num_heads` does not divide d.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2.

    Examples
    --------
    >>> for head in split_heads(torch.arange(12.0).reshape(3, 4), 2).tolist():
    ...     print(head)
    [[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]]
    [[2.0, 3.0], [6.0, 7.0], [10.0, 11.0]]
    >>> tuple(split_heads(torch.ones(5, 2, 3, 8), 4).shape)
    (5, 2, 4, 3, 2)
    >>> try:
    ...     split_heads(torch.ones(3, 4), 3)
    ... except ValueError:
    ...     print("4 numbers cannot be shared among 3 heads")
    4 numbers cannot be shared among 3 heads
    """
    ### BEGIN SOLUTION
    d = x.shape[-1]
    if d % num_heads:
        raise ValueError(f"{num_heads} heads do not divide the width {d}")
    parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
    return parts.transpose(-3, -2)  # (..., h, n, d_h)
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the right numbers in the right places, for any number of heads that divides `d` and any leading batch dimensions, or
#   none
# - tensors that have been transposed, so that they are not contiguous in memory
# - gradients that reach `x`
# - a `ValueError` if a positive `num_heads` does not divide `d`, because some heads would be narrower than others

# %% [markdown] hint="split_heads"
# Take one step at a time and print the shape after each. After the first step the tokens are still in order:
# `(..., n, num_heads, d_h)`.

# %% [markdown] hint="split_heads"
# `x.shape[:-1]` is everything but the last axis, including leading batch dimensions, and a star in front unpacks it in
# a call to `reshape`. Which two axes, counted from the end, have to be swapped then?

# %% [markdown] hint="split_heads"
# For the error: `%` gives the remainder of a division. Check before you reshape.

# %% [markdown] after="split_heads"
# The head axis now works like a batch axis, so the rest of attention stays the same.

# %% [markdown]
# ## And back: merging
#
# After attention the results of all heads are one tensor, `(h, n, d_h)`, and the parts of each token have to be joined
# again. Merging undoes splitting, so take the steps in reverse: first **swap back**, then join the last two axes.
#
# You may meet this error: *view size is not compatible with input tensor's size and stride*. A swap moves nothing in
# memory; it only changes the **strides**, which say how far apart neighbours along each axis are. After the swap, the
# tensor is no longer **contiguous**: the numbers of one token are not next to each other in memory. `view` never
# copies, so it cannot join the last two axes. `reshape` copies the numbers first if it has to, and so does
# `.contiguous()`.


# %% exercise="merge_heads" points=6 minutes=10
def merge_heads(x):
    """Join the parts of each token again: the inverse of `split_heads`.

    Parameters
    ----------
    x : Tensor, shape (..., h, n, d_h)
        One part of every token in each head.

    Returns
    -------
    Tensor, shape (..., n, h * d_h)
        One token in each row, the part of the first head first.

    Examples
    --------
    >>> heads = torch.tensor([[[0.0, 1.0], [4.0, 5.0], [8.0, 9.0]], [[2.0, 3.0], [6.0, 7.0], [10.0, 11.0]]])
    >>> merge_heads(heads).tolist()
    [[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]]
    >>> merge_heads(torch.stack([heads, heads + 20])).tolist()[1]
    [[20.0, 21.0, 22.0, 23.0], [24.0, 25.0, 26.0, 27.0], [28.0, 29.0, 30.0, 31.0]]
    """
    ### BEGIN SOLUTION
    return x.transpose(-3, -2).flatten(start_dim=-2)  # (..., h, n, d_h) to (..., n, h, d_h) to (..., n, h * d_h)
    ### END SOLUTION


# %% [markdown]
# **What is graded:** the exact inverse of `split_heads`, for any sizes and any leading batch dimensions, or none;
# also for tensors that are not contiguous in memory; gradients that reach `x`.

# %% [markdown] hint="merge_heads"
# Go through your `split_heads` backwards. What was its last step, and what undoes a swap of two axes?

# %% [markdown] hint="merge_heads"
# After swapping back, the shape is `(..., n, h, d_h)`, and the last two axes should become one. `flatten` can start at
# an axis that you name.

# %% [markdown] after="merge_heads"
# Two functions that undo each other are easy to test: split, merge, compare.

# %% [markdown]
# ## Multi-head attention
#
# Multi-head attention consists of four linear layers, the two functions that you have just written, and the attention
# that you know. Each layer turns `d_model` numbers per token (so far called `d`) into `d_model` numbers:
#
# 1. **project** queries, keys and values, each with its own layer: `Wq`, `Wk`, `Wv`;
# 2. **split** each of the three into heads: `(..., h, n, d_h)`, with `d_h = d_model / h`;
# 3. **attend**: scores, mask, softmax, weighted sum. The head axis is one more batch dimension, so there is no loop;
# 4. **merge** the heads, and mix them with the fourth layer, `Wo`.
#
# The scale is $\sqrt{d_h}$, for the same reason as before. With $\sqrt{d_{\text{model}}}$ and eight heads, all scores
# would be too small by a factor of nearly three.

# %% tags=["active-ipynb"]
# from given.drawing import KEY, LIT, QUERY, VALUE, arrow, box, canvas, shapes
#
# axis = canvas(4.5, 5, "multi-head attention, two heads")
# for x, (name, colour) in zip((0, 2, 4), (("q", QUERY), ("k", KEY), ("v", VALUE))):
#     box(axis, x, 0, {"q": "queries", "k": "keys", "v": "values"}[name], colour)
#     box(axis, x, 1, f"W{name}")
#     arrow(axis, (x, 0), (x, 1))
#     for head, shift in enumerate((-0.45, 0.45)):
#         box(axis, x + shift, 2.1, f"{name}{head}", colour)
#         arrow(axis, (x, 1), (x + shift, 2.1))
#         arrow(axis, (x + shift, 2.1), (1 + 2 * head, 3.4), shrinkB=20)
# for head in (0, 1):
#     box(axis, 1 + 2 * head, 3.4, f"head {head}", LIT)
#     arrow(axis, (1 + 2 * head, 3.4), (2, 4.5))
# box(axis, 2, 4.5, "merge")
# box(axis, 2, 5.4, "Wo")
# arrow(axis, (2, 4.5), (2, 5.4))
# notes = {0: "(n, d_model)", 1: "project", 2.1: "split: (h, n, d_h)"}
# notes |= {3.4: "attend: (h, n, d_h)", 4.5: "(n, d_model)", 5.4: "mix"}
# for y, note in notes.items():
#     axis.text(4.9, y, note, va="center")
# axis.set(xlim=(-0.7, 7.4), ylim=(-0.4, 5.8))
# plt.show()

# %% [markdown]
# **How a mask lines up.** A mask broadcasts against weights of shape `(..., h, n_q, n_k)`, from the right as always. So
# `(n_q, n_k)`, such as a causal mask, applies to all heads and all sentences. A mask that differs from sentence to
# sentence **needs a head axis of length 1**: `(b, 1, n_q, n_k)`, or `(b, 1, 1, n_k)` for padding. Without it, the axis
# `b` of the mask meets the axis `h` of the weights. That raises an error; but if there happen to be as many heads as
# sentences, the code runs and gives wrong results.

# %% tags=["active-ipynb"]
# weights = ("b", "h", "n_q", "n_k")
# rows = {
#     "weights": weights,
#     "causal": ("n_q", "n_k"),
#     "padding": ("b", "1", "1", "n_k"),
#     "no head axis": ("b", "1", "n_k"),
# }
# told = {"causal": "for all b and h", "padding": "for all h and n_q", "no head axis": "b meets h"}
# axis = canvas(4.5, 1.9)
# shapes(axis, rows, told)
# plt.show()

# %% [markdown]
# **A row that may attend to nothing** has weights 0, in every head, and output 0 *before the output projection*. After
# it, the output of that row is the bias of `Wo`. Neither the output nor the gradients may contain NaN; one test checks
# only this.


# %% exercise="MultiHeadAttention" points=20 minutes=40 bans="MultiheadAttention scaled_dot_product_attention"
class MultiHeadAttention(nn.Module):
    """Attention with several heads, computed at the same time.

    Parameters
    ----------
    d_model : int
        Width of queries, keys, values and output.
    num_heads : int
        The number of heads that share that width, 1 or more.

    Attributes
    ----------
    Wq, Wk, Wv, Wo : nn.Linear
        From d_model to d_model, with bias: the projections of queries, keys and values, and of the merged heads.

    Raises
    ------
    ValueError
        If `num_heads` does not divide `d_model`.

    Notes
    -----
    `nn.MultiheadAttention` and `F.scaled_dot_product_attention` are not allowed here: they are what you build.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.2.

    Examples
    --------
    Here `Wq` and `Wv` change nothing, `Wk` halves its input, and `Wo` doubles its input and adds 1. So head 0 sees the
    first two numbers of each token, and head 1 the last two:

    >>> layer = MultiHeadAttention(d_model=4, num_heads=2).double()
    >>> with torch.no_grad():
    ...     for linear, factor, bias in ((layer.Wq, 1, 0), (layer.Wk, 0.5, 0), (layer.Wv, 1, 0), (layer.Wo, 2, 1)):
    ...         _ = linear.weight.copy_(factor * torch.eye(4)), linear.bias.fill_(bias)
    >>> queries = torch.tensor([[2.0, 0.0, 0.0, 1.0], [0.0, 3.0, 1.0, 0.0]], dtype=torch.float64)
    >>> keys = torch.tensor([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 2.0], [1.0, 1.0, 3.0, 0.0]], dtype=torch.float64)
    >>> values = torch.tensor([[3.0, 0.0, 1.0, 0.0], [0.0, 3.0, 0.0, 1.0], [0.0, 0.0, 2.0, 2.0]], dtype=torch.float64)
    >>> output, weights = layer(queries, keys, values)
    >>> for head in torch.round(weights, decimals=4).tolist():
    ...     print(head)
    [[0.4011, 0.1978, 0.4011], [0.1476, 0.4262, 0.4262]]
    [[0.3199, 0.4555, 0.2246], [0.2046, 0.2046, 0.5909]]
    >>> torch.round(output, decimals=4).tolist()
    [[3.4067, 2.1867, 2.5382, 2.8095], [1.8854, 3.5573, 3.7726, 3.7726]]

    The mask hides the last key from the first query, and every key from the second, whose output is the bias of `Wo`:

    >>> output, weights = layer(queries, keys, values, torch.tensor([[True, True, False], [False, False, False]]))
    >>> for head in torch.round(weights, decimals=4).tolist():
    ...     print(head)
    [[0.6698, 0.3302, 0.0], [0.0, 0.0, 0.0]]
    [[0.4125, 0.5875, 0.0], [0.0, 0.0, 0.0]]
    >>> torch.round(output, decimals=4).tolist()
    [[5.0186, 2.9814, 1.825, 2.175], [1.0, 1.0, 1.0, 1.0]]

    A batch of five, and gradients for all parameters:

    >>> output, weights = layer(queries.expand(5, 2, 4), keys.expand(5, 3, 4), values.expand(5, 3, 4))
    >>> tuple(output.shape), tuple(weights.shape)
    ((5, 2, 4), (5, 2, 2, 3))
    >>> output.square().sum().backward()
    >>> sum(weight.grad is not None for weight in layer.parameters())
    8
    >>> try:
    ...     MultiHeadAttention(d_model=4, num_heads=3)
    ... except ValueError:
    ...     print("4 numbers cannot be shared among 3 heads")
    4 numbers cannot be shared among 3 heads
    """

    def __init__(self, d_model, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d_model}")
        self.num_heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        ### END SOLUTION

    def forward(self, queries, keys, values, mask=None):
        """Attend in every head, and mix the results of the heads.

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
            One row for each query. If a query may attend to nothing, its row is the bias of `Wo`.
        weights : Tensor, shape (..., num_heads, n_q, n_k)
            Each row sums to 1, or is 0 where the query may attend to nothing.
        """
        ### BEGIN SOLUTION
        q = split_heads(self.Wq(queries), self.num_heads)  # (..., h, n_q, d_h)
        k = split_heads(self.Wk(keys), self.num_heads)  # (..., h, n_k, d_h)
        v = split_heads(self.Wv(values), self.num_heads)  # (..., h, n_k, d_h)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])  # (..., h, n_q, n_k)
        if mask is None:
            weights = torch.softmax(scores, dim=-1)
        else:
            # Finite, so that a row without any key stays free of NaN; its weights are set to 0 in the next line.
            hidden = torch.finfo(scores.dtype).min
            weights = torch.softmax(scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)
        return self.Wo(merge_heads(weights @ v)), weights
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - output first, then the weights of all heads
# - different numbers of queries and keys
# - any leading batch dimensions, or none, the same for queries, keys and values
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
# - masks as described, or none, and gradients that are not NaN where a query may attend to nothing
# - names and shapes of the parameters, and gradients for all of them
# - a `ValueError` if the module is created with a positive `num_heads` that does not divide `d_model`

# %% [markdown] hint="MultiHeadAttention"
# Write the shape after every line of `forward`, as a comment. With one head, this is the attention from `qkv` with a
# linear layer after it; does that case work?

# %% [markdown] hint="MultiHeadAttention"
# Project the whole width first, then split: three calls of a layer, three of `split_heads`. After that, the products
# and the softmax process all heads at once, if you count axes from the end. Which width is under the root?

# %% [markdown] hint="MultiHeadAttention"
# The mask comes between scores and softmax. `masked_fill(~mask, number)` fills where the mask is `False`. With a very
# large negative number, a row without any key gets wrong weights, but not NaN. What does the mask tell you about these
# weights?

# %% [markdown] hint="MultiHeadAttention"
# Here is `forward` as comments. Replace them line by line:
#
# ```python
# #   project each of the three, then split it      (..., h, n, d_h)
# #   scores, divided by the root of d_h            (..., h, n_q, n_k)
# #   if there is a mask: fill scores, softmax, hidden weights to 0
# #   otherwise: softmax
# #   mix the values                                (..., h, n_q, d_h)
# #   merge                                         (..., n_q, d_model)
# #   return Wo of that, and the weights
# ```

# %% [markdown] after="MultiHeadAttention"
# This is the attention layer of the Transformer, and it costs about as much as one wide head.

# %% [markdown]
# ## The same as PyTorch's
#
# PyTorch has its own `nn.MultiheadAttention`. The next cell copies the parameters of your module into it and compares
# the outputs, with a causal mask. (PyTorch's Boolean mask has the opposite meaning, `True` for "hide this".)

# %% tags=["active-ipynb"]
# def difference_from_torch(d_model, num_heads):
#     mine = MultiHeadAttention(d_model, num_heads)
#     theirs = nn.MultiheadAttention(d_model, num_heads, batch_first=True)
#     with torch.no_grad():
#         theirs.in_proj_weight.copy_(torch.cat([mine.Wq.weight, mine.Wk.weight, mine.Wv.weight]))
#         theirs.in_proj_bias.copy_(torch.cat([mine.Wq.bias, mine.Wk.bias, mine.Wv.bias]))
#         theirs.out_proj.weight.copy_(mine.Wo.weight)
#         theirs.out_proj.bias.copy_(mine.Wo.bias)
#
#     batch, causal = torch.randn(3, 8, d_model), torch.ones(8, 8, dtype=torch.bool).tril()
#     output, weights = mine(batch, batch, batch, causal)
#     expected, expected_weights = theirs(batch, batch, batch, attn_mask=~causal, average_attn_weights=False)
#     torch.testing.assert_close(output, expected)
#     torch.testing.assert_close(weights, expected_weights)
#     return (output - expected).abs().max().item()
#
#
# f"They agree; the largest difference is {difference_from_torch(16, 4):.1g}."

# %% [markdown]
# ## What you have made
#
# **The layer at the heart of "Attention Is All You Need", with the same results as PyTorch's own.** The model around it
# is called a **Transformer** (Vaswani et al., 2017): a stack of identical blocks. GPT-3 has 96 of them. In each block,
# the tokens first look at each other, and then each token passes separately through a small network. Only in the first
# of these steps does a token receive anything from another one. Both results are *added* to the token's vector, the
# **residual stream**, and a layer called a **norm** keeps its numbers on one scale. So each step adds something to the
# stream, and none replaces what is there. You build such a block in `write`.

# %% tags=["active-ipynb"]
# from given.drawing import LIT, NORM, arrow, box, canvas
#
# axis = canvas(4.5, 5, "one block of a Transformer, and what is around it")
# steps = {0: "embedding + position", 1.5: "attention", 2.5: "+, normalise"}
# steps |= {4: "feed-forward", 5: "+, normalise", 6.2: "logits, softmax"}
# colours = {1.5: LIT, 2.5: NORM, 5: NORM}
# for y, name in steps.items():
#     box(axis, 0, y, name, colours.get(y, "white"))
# for low, high in zip(list(steps), list(steps)[1:]):
#     arrow(axis, (0, low), (0, high))
# for low, high in ((0.75, 2.5), (3.25, 5)):
#     axis.plot([0, 1.3, 1.3], [low, low, high], color="grey", linewidth=1.5)
#     arrow(axis, (1.3, high), (0, high), shrinkA=0, shrinkB=42)
# notes = {1.5: "tokens look at each other", 4: "each token on its own", 5.6: "× 6, 12, ... 96 blocks", -0.7: "tokens"}
# for y, note in notes.items():
#     axis.text(1.5 if y > 0 else 0, y, note, va="center", ha="left" if y > 0 else "center", fontsize=9)
# axis.set(xlim=(-1.1, 3.6), ylim=(-0.9, 6.6))
# plt.show()

# %% [markdown]
# In an **encoder** every token may look at every other; such models, like the one in `pretrained`, read text. In a
# **decoder** a causal mask hides the future; such models write text. The first Transformer had **both**.
#
# If you shuffle the words of a sentence, multi-head attention without a mask returns the same rows, shuffled. "The
# teacher praised a student" and "A student praised the teacher" are the same to it. The next chapter, `positions`,
# tells it where a word is.

# %% [markdown]
# <details markdown>
# <summary>Sources</summary>
#
# [Vaswani et al. (2017)](https://arxiv.org/abs/1706.03762); [Brown et al. (2020)](https://arxiv.org/abs/2005.14165),
# for the 96 layers of GPT-3.
#
# </details>
#
# Find the bug: `attn debug MultiHeadAttention`. This group of chapters ends here; `attn predict learned-attention` asks
# three questions about it.

# %% [markdown] after="multi_head"
# You can now write multi-head attention and load trained parameters into it.
