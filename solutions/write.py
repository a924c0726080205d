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
# # Write
#
# *You may know the book that begins `Alice was`. What comes next? A language model answers this question over and over.
# Here you assemble what you have built, and train it until it writes.*
#
# Five short parts are missing: the **block** with your attention in it, the **loss**, the **training step**, the
# **sampler**, and a whole **training** run. Then you switch off one part at a time, to see what each contributes.
#
# Predict first: `attn predict write`.

# %%
import math

import torch
from torch import nn
from torch.nn import functional

# %% [markdown]
# This is the whole model. Its tokens are characters. A table gives each token its vector, and two blocks follow. A
# final norm and a linear layer turn each vector into one score per possible next character.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import LIT, NORM, STYLE, arrow, box, canvas
#
# plt.style.use(STYLE)
#
# axis = canvas(6.4, 4.6, "a language model, and one of its blocks")
# parts = {0: ("tokens", "white"), 0.9: ("embedding", "white"), 1.9: ("block", LIT), 2.8: ("block", LIT)}
# parts |= {3.7: ("norm", NORM), 4.6: ("logits", "white")}
# for y, (name, colour) in parts.items():
#     box(axis, 0, y, name, colour)
# for low, high in zip(list(parts), list(parts)[1:]):
#     arrow(axis, (0, low), (0, high))
# inside = {0: ("x", "white"), 0.9: ("norm1", NORM), 1.7: ("attention", LIT), 2.4: ("+", "white")}
# inside |= {3.2: ("norm2", NORM), 4.0: ("up, GELU, down", "white"), 4.7: ("+", "white")}
# for y, (name, colour) in inside.items():
#     box(axis, 3.2, y, name, colour)
# for low, high in zip(list(inside), list(inside)[1:]):
#     arrow(axis, (3.2, low), (3.2, high))
# for low, high in ((0.4, 2.4), (2.75, 4.7)):
#     axis.plot([3.2, 4.9, 4.9], [low, low, high], color="grey", linewidth=1.5)
#     arrow(axis, (4.9, high), (3.2, high), shrinkA=0)
# axis.plot([0.62, 2.3], [2.1, 4.9], color="grey", linestyle=":")
# axis.plot([0.62, 2.3], [1.7, -0.2], color="grey", linestyle=":")
# axis.set(xlim=(-0.9, 5.2), ylim=(-0.5, 5.1))
# plt.show()

# %% [markdown]
# ## A block
#
# *What does attention need around it, so that blocks can be stacked?* It needs a small network after it, and each of
# the two needs a residual connection and a norm.
#
# **A way around.** The output of attention is *added* to `x`. So each token keeps what it has, and attention only has
# to supply what is missing. Then a small network, `down(gelu(up(x)))`, processes each token separately; in the middle
# it is four times as wide. Its output is added as well. Such an addition is a **residual connection** (He et al.,
# 2016). **GELU** is a function with a smooth bend: far below 0 its value is close to 0, and far above 0 it is close to
# the input.
#
# **A norm in front.** With each addition the numbers in `x` tend to grow. So attention and the network each read a
# *normalised copy* of `x`, with mean 0 and variance 1 (**layer normalisation**). `x` itself is passed on unchanged:
#
# $$\begin{aligned}
# x &\leftarrow x + W_o \, \text{attention}(\text{norm}_1(x)) \\
# x &\leftarrow x + W_\text{down} \, \text{gelu}(W_\text{up} \, \text{norm}_2(x))
# \end{aligned}$$
#
# The first Transformer normalised *after* the sum (**post-norm**). GPT-2 moved the norm to the front (**pre-norm**).
# Both orders run without an error.
#
# Inside is the multi-head attention that you know, with two additions. Write the block without them first. Queries and
# keys are **rotated**, head by head, at the positions `start`, `start + 1`, and so on. And if there is a **cache**,
# call `cache.append(k, v)` once, with the rotated keys and the values. It returns all keys and values so far, and the
# queries attend to those. The cache does not know the positions of the new tokens, so `start` says how many tokens came
# before.
#
# The cell also has a `rotate` to fill in: copy yours from `positions`.


# %% exercise="TransformerBlock" points=16 minutes=40 bans="MultiheadAttention scaled_dot_product_attention"
def rotate(x, positions, base=10000.0):
    """Return `x` (..., n, d) with pairs of neighbouring columns rotated by position: copy yours from `positions`."""
    ### BEGIN SOLUTION
    d = x.shape[-1]
    speeds = base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)  # (d / 2,)
    angles = positions[:, None] * speeds  # (n, d / 2)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., n, d / 2)
    return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
    ### END SOLUTION


class TransformerBlock(nn.Module):
    """Attention and a small network: each reads a normalised copy of the tokens, and adds its output to them.

    Parameters
    ----------
    d_model : int
        Width of the tokens.
    num_heads : int
        The number of heads. It divides d_model, and d_model / num_heads, the width of a head, is even.

    Attributes
    ----------
    norm1, norm2 : nn.LayerNorm
        Over the d_model numbers of a token: before attention, and before the network.
    Wq, Wk, Wv, Wo : nn.Linear
        From d_model to d_model, with bias: the projections of attention.
    up, down : nn.Linear
        From d_model to 4 * d_model and back, with bias: the network.

    Notes
    -----
    `nn.MultiheadAttention`, `F.scaled_dot_product_attention` and torch's Transformer layers are not allowed here: they
    are what you build.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.
    Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.3, for the norms in front.
    Su et al. (2021), "RoFormer: Enhanced Transformer with Rotary Position Embedding".

    Examples
    --------
    >>> block = TransformerBlock(d_model=4, num_heads=2).double()
    >>> for name, weight in sorted(block.named_parameters()):
    ...     if "weight" in name:
    ...         print(name, tuple(weight.shape))
    Wk.weight (4, 4)
    Wo.weight (4, 4)
    Wq.weight (4, 4)
    Wv.weight (4, 4)
    down.weight (4, 16)
    norm1.weight (4,)
    norm2.weight (4,)
    up.weight (16, 4)

    Here the projections change nothing, the network adds 0.5 to every number, and the mask is causal:

    >>> with torch.no_grad():
    ...     for linear in (block.Wq, block.Wk, block.Wv, block.Wo):
    ...         _ = linear.weight.copy_(torch.eye(4)), linear.bias.zero_()
    ...     _ = block.down.weight.zero_(), block.down.bias.fill_(0.5)
    >>> x = torch.tensor([[2.0, 0.0, 0.0, 1.0], [0.0, 3.0, 1.0, 0.0], [1.0, 1.0, 5.0, 4.0]], dtype=torch.float64)
    >>> causal = torch.tensor([[True, False, False], [True, True, False], [True, True, True]])
    >>> output, weights = block(x, causal)
    >>> for head in torch.round(weights, decimals=4).tolist():
    ...     print(head)
    [[1.0, 0.0, 0.0], [0.0119, 0.9881, 0.0], [0.5722, 0.0186, 0.4092]]
    [[1.0, 0.0, 0.0], [0.268, 0.732, 0.0], [0.3452, 0.0597, 0.5952]]
    >>> for token in torch.round(output, decimals=4).tolist():
    ...     print(token)
    [4.0075, -0.4045, -0.4045, 1.8015]
    [-0.2888, 5.1027, 1.2576, -0.0169]
    [1.9464, 0.6116, 5.9379, 4.9721]

    Read one by one with a cache, the same tokens give the same output:

    >>> class Cache:
    ...     def __init__(self):
    ...         self.keys, self.values = [], []
    ...     def append(self, k, v):
    ...         self.keys.append(k)
    ...         self.values.append(v)
    ...         return torch.cat(self.keys, dim=-2), torch.cat(self.values, dim=-2)
    >>> cache = Cache()
    >>> pieces = [block(x[p : p + 1], cache=cache, start=p)[0] for p in range(3)]
    >>> torch.allclose(torch.cat(pieces), output), tuple(cache.keys[0].shape)
    (True, (2, 1, 2))
    """

    def __init__(self, d_model, num_heads):
        super().__init__()
        ### BEGIN SOLUTION
        self.num_heads = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))
        self.up, self.down = nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)
        ### END SOLUTION

    def forward(self, x, mask=None, cache=None, start=0):
        """Let the tokens attend to each other and to those in the cache, then transform each token.

        Parameters
        ----------
        x : Tensor, shape (..., n, d_model)
            One token in each row.
        mask : Tensor of bool, broadcastable to (..., num_heads, n, n_k), optional
            True where the token may attend to the key. Without a mask it may attend to every key.
        cache : object, optional
            ``cache.append(k, v)`` takes keys and values (..., num_heads, n, d_h) and returns all that it holds now.
        start : int
            The position of the first token.

        Returns
        -------
        x : Tensor, shape (..., n, d_model)
        weights : Tensor, shape (..., num_heads, n, n_k)
            n_k is n without a cache, and the number of all keys with one. Each row sums to 1.
        """
        ### BEGIN SOLUTION
        normed = self.norm1(x)
        projected = self.Wq(normed), self.Wk(normed), self.Wv(normed)
        q, k, v = (part.unflatten(-1, (self.num_heads, -1)).transpose(-3, -2) for part in projected)  # (..., h, n, d_h)
        positions = torch.arange(start, start + x.shape[-2])
        q, k = rotate(q, positions), rotate(k, positions)
        if cache is not None:
            k, v = cache.append(k, v)  # (..., h, n_k, d_h)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., h, n, n_k)
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        x = x + self.Wo((weights @ v).transpose(-3, -2).flatten(-2))
        return x + self.down(functional.gelu(self.up(self.norm2(x)))), weights
        ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the tokens first, then the weights of all heads
# - names and shapes of the parameters, and gradients for all of them
# - any leading batch dimensions, or none
# - no mask, or masks that broadcast to `(..., num_heads, n, n_k)` and leave every token at least one key
# - any `start`
# - with a cache (which may be empty): the output, and what each call appends (the rotated keys and the unrotated
#   values, once)
# - scaled scores between -1,000,000 and 1,000,000
# - float32 and float64
#
# Use the exact GELU, which `functional.gelu` computes by default.

# %% [markdown] hint="TransformerBlock"
# Start without cache, rotation or mask: the two formulas, one line each. What goes into attention, and what is its
# output added to?

# %% [markdown] hint="TransformerBlock"
# Queries, keys and values are computed from `norm1(x)`; the result is added to `x` itself. For the second line, `x` is
# the sum that you have just computed.

# %% [markdown] hint="TransformerBlock"
# First split into heads, `(..., h, n, d_h)`. Then rotate `q` and `k` at `torch.arange(start, start + n)`. Then append
# to the cache: `k, v = cache.append(k, v)`. A key keeps its rotation in the cache, so it must not be rotated again.

# %% [markdown] hint="TransformerBlock"
# Here is the whole method as comments. Replace them line by line:
#
# ```python
# #   normed = the norm in front of attention
# #   q, k, v of normed, split into heads           (..., h, n, d_h)
# #   q and k rotated at start, start + 1, ...
# #   if there is a cache: append k and v, and continue with all of them
# #   scores, mask, softmax                         (..., h, n, n_k)
# #   x = x + Wo of the merged heads                (..., n, d_model)
# #   return x + the network of the second norm of x; and the weights
# ```

# %% [markdown] after="TransformerBlock"
# Each part reads a normalised copy and adds what it found, so blocks can be stacked without losing what was there.

# %% [markdown]
# ## How good was the guess?
#
# *Who gives the model the right answers?* The text itself does. At position $p$ the model has seen the characters up to
# $p$, and has to guess the one at $p + 1$. So a text of $n$ characters gives $n - 1$ guesses in one pass, and the
# causal mask makes sure that no guess looks ahead.
#
# The loss is the **cross-entropy**: $-\log$ of the probability that the model gave to the character that actually came
# next, averaged over all guesses. Our text, which you will meet below, has 67 different characters: a model that knows
# nothing gets $\log 67 = 4.2$. (The exponential of the loss is called **perplexity**.)
#
# Two mistakes raise no error. **No shift**: each guess is compared with the token that the model has just read, so it
# learns to copy. **Padding counted**: shorter texts in a batch are padded, and a model soon predicts padding after
# padding. That makes the average look good and teaches nothing. A guess counts only if its *target* is a real token:
# after the last real token of a text, there is nothing to guess.


# %% exercise="next_token_loss" points=8 minutes=15
def next_token_loss(logits, tokens, mask=None):
    """Return the average loss of guessing each next token.

    Parameters
    ----------
    logits : Tensor, shape (b, n, c)
        At each position, a score for each of the c possible next tokens.
    tokens : Tensor of int, shape (b, n)
        The texts; n is at least 2. Padding may be any token.
    mask : Tensor of bool, shape (b, n), optional
        True for real tokens, False for padding. Without a mask all are real.

    Returns
    -------
    Tensor, shape ()
        The mean cross-entropy of the logits at p against the token at p + 1, over the real targets; 0 if there are
        none.

    Examples
    --------
    If three tokens are equally likely, the loss is log(3) = 1.0986:

    >>> tokens = torch.tensor([[0, 1, 2, 1]])
    >>> round(next_token_loss(torch.zeros(1, 4, 3), tokens).item(), 4)
    1.0986

    These logits are sure that 1 comes next. They are right two times out of three, and a wrong guess costs 10:

    >>> sure = torch.tensor([0.0, 10.0, 0.0]).expand(1, 4, 3)
    >>> round(next_token_loss(sure, tokens).item(), 2)
    3.33

    If the last two tokens are padding, one guess is left, and it is right:

    >>> round(next_token_loss(sure, tokens, torch.tensor([[True, True, False, False]])).item(), 2)
    0.0
    """
    ### BEGIN SOLUTION
    guesses, targets = logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten()
    losses = functional.cross_entropy(guesses, targets, reduction="none")  # (b * (n - 1),)
    if mask is None:
        return losses.mean()
    real = mask[:, 1:].flatten()
    return losses[real].sum() / real.sum().clamp(min=1)
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the loss, with and without a mask, for any sizes
# - 0 where no target is real
# - logits between -1,000,000 and 1,000,000
# - float32 and float64
# - gradients that reach the logits, and none where a target is padding

# %% [markdown] hint="next_token_loss"
# Write down a text of four tokens, and below each token what has to be guessed there. Which row of the logits is not
# needed, and which token?

# %% [markdown] hint="next_token_loss"
# Compare `logits[:, :-1]` with `tokens[:, 1:]`. `functional.cross_entropy` takes logits `(guesses, c)` and targets
# `(guesses,)`, so flatten the first two axes of each.

# %% [markdown] hint="next_token_loss"
# With `reduction="none"` you get a loss for each guess. Keep those whose target is real, `mask[:, 1:]`, add them up,
# and divide by how many there are, or by 1 if there are none.

# %% [markdown] after="next_token_loss"
# Each token of a text is the right answer for the one before it, so nobody has to label anything.

# %% [markdown]
# ## One step
#
# *What happens in one step of training?* Six things happen, in this order:
#
# 1. Put the model into **training mode**. Some layers, such as dropout (which sets randomly chosen numbers to 0),
#    behave differently in this mode.
# 2. **Clear the old gradients.** `backward` adds to whatever is in `.grad` already.
# 3. Run the forward pass, with all n tokens at once, and compute the loss.
# 4. Run the backward pass.
# 5. **Clip.** Now and then a batch gives a gradient far longer than usual, and one step along it could undo a hundred
#    others. So take *all gradients together*, as one long vector. If its length exceeds `max_norm`, multiply every
#    gradient by the one factor that brings it down to `max_norm`.
# 6. Let the optimizer take its step.


# %% exercise="train_step" points=8 minutes=15
def train_step(model, optimizer, tokens, max_norm=1.0):
    """Run one training step.

    Parameters
    ----------
    model : nn.Module
        ``model(tokens)`` gives logits (b, n, c). It is called once, with all n tokens.
    optimizer : torch.optim.Optimizer
        It holds all parameters of the model that are trained.
    tokens : Tensor of int, shape (b, n)
        A batch of texts without padding.
    max_norm : float
        The length to which all gradients together are clipped.

    Returns
    -------
    float
        The `next_token_loss` of the batch, before the step.

    Examples
    --------
    This model is a table: row t holds the logits of what follows token t. In the batch, 0 and 1 alternate.

    >>> model = nn.Embedding(2, 2)
    >>> _ = nn.init.zeros_(model.weight)
    >>> optimizer, tokens = torch.optim.SGD(model.parameters(), lr=2.0), torch.tensor([[0, 1, 0, 1, 0]])
    >>> for _ in range(3):
    ...     print(round(train_step(model, optimizer, tokens), 4))
    0.6931
    0.3133
    0.1946

    So far no gradient was longer than 0.5, so nothing was clipped. Now it is, and the length of the whole step, over
    all parameters together, is 2 * 0.01:

    >>> before = model.weight.detach().clone()
    >>> _ = train_step(model, optimizer, tokens, max_norm=0.01)
    >>> round((model.weight - before).norm().item(), 4)
    0.02
    """
    ### BEGIN SOLUTION
    model.train()
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the loss before the step, as a float
# - the weights after it, whatever the optimizer, with gradients longer or shorter than `max_norm`, and with old ones
#   left in `.grad`
# - a model that was in evaluation mode
#
# You may leave the model in either mode.

# %% [markdown] hint="train_step"
# Each of the six things above is one line of code. Which two could you leave out of the very first step without
# noticing?

# %% [markdown] hint="train_step"
# Four of them are `model.train()`, `optimizer.zero_grad()`, `loss.backward()` and `optimizer.step()`. Clip with
# `nn.utils.clip_grad_norm_(parameters, max_norm)`. `loss.item()` turns a tensor into a number.

# %% [markdown] after="train_step"
# Clear, forward, backward, clip, step: nearly every network today is trained in such a loop.

# %% [markdown]
# ## One character
#
# *The model gives 67 scores. Which character does it write?* If it always takes the one with the largest score, it soon
# repeats the same words again and again. So it **draws**: softmax turns the logits into probabilities, and each
# character is drawn with its probability. Two knobs make the choice safer or bolder.
#
# **Temperature** divides the logits before softmax. Below 1, likely characters become likelier still; above 1, the
# probabilities move closer together. Near 0 only the likeliest character is left, so a temperature of exactly 0 means:
# take the largest logit.
#
# **Top-k** (Fan, Lewis and Dauphin, 2018) keeps the k largest logits and drops the others *before* softmax. Many
# unlikely characters add up to a considerable probability, and one of them is enough to spoil a word.
#
# Most interfaces to language models offer a temperature, and usually **top-p** (Holtzman et al., 2020). Top-p keeps
# only the likeliest tokens, just enough of them to reach a total probability of p. Where the model is sure, that is one
# token; elsewhere it may be hundreds.

# %% tags=["active-ipynb"]
# logits, letters = torch.tensor([3.0, 2.2, 1.5, 0.4, -0.5, -1.0]), ["e", "a", "o", "i", "u", "y"]
# cut = logits.masked_fill(logits < 1.5, -math.inf)
# panels = {"temperature 0.5": logits / 0.5, "temperature 1": logits, "temperature 2": logits / 2, "top 3": cut}
# figure, axes = plt.subplots(1, 4, figsize=(10, 2.6), sharey=True, layout="constrained")
# for axis, (title, scores) in zip(axes, panels.items()):
#     sns.barplot(x=letters, y=torch.softmax(scores, dim=-1).numpy(), ax=axis, color="C1")
#     axis.set(title=title, xlabel="next character", ylim=(0, 1))
# axes[0].set(ylabel="probability")
# plt.show()


# %% exercise="sample" points=8 minutes=15
def sample(logits, temperature=1.0, top_k=None, generator=None):
    """Draw a token for each row of logits.

    Parameters
    ----------
    logits : Tensor, shape (..., c)
        One row of scores for each draw. Leave them unchanged.
    temperature : float
        What the logits are divided by, 0 or more. 0 gives the token with the largest logit.
    top_k : int, optional
        How many of the largest logits count, from 1 to c. Without it, all of them count.
    generator : torch.Generator, optional
        The generator to draw with. Without it, use torch's own, which `torch.manual_seed` seeds.

    Returns
    -------
    Tensor of int64, shape (...)
        One token for each row.

    Raises
    ------
    ValueError
        If the temperature is negative, or top_k is not between 1 and c.

    References
    ----------
    Fan, Lewis and Dauphin (2018), "Hierarchical Neural Story Generation", for top-k.

    Examples
    --------
    >>> logits = torch.tensor([[0.0, 2.0, 1.0], [3.0, 0.0, 0.0]])
    >>> sample(logits, temperature=0).tolist(), sample(logits, top_k=1).tolist()
    ([1, 0], [1, 0])

    Ten thousand draws from one row, whose softmax is 0.0900, 0.6652 and 0.2447:

    >>> rows, generator = logits[0].expand(10_000, 3), torch.Generator().manual_seed(0)
    >>> shares = sample(rows, generator=generator).bincount(minlength=3) / 10_000
    >>> bool((shares - torch.tensor([0.09, 0.6652, 0.2447])).abs().max() < 0.03)
    True
    >>> (sample(rows, temperature=0.5, top_k=2, generator=generator).bincount(minlength=3) > 0).tolist()
    [False, True, True]
    """
    ### BEGIN SOLUTION
    c = logits.shape[-1]
    if temperature < 0:
        raise ValueError(f"the temperature is {temperature}, and cannot be less than 0")
    if top_k is not None and not 1 <= top_k <= c:
        raise ValueError(f"top_k is {top_k}, and has to be within 1 and {c}")
    if temperature == 0:
        return logits.argmax(dim=-1)
    if top_k is not None:
        smallest = logits.topk(top_k, dim=-1).values[..., -1:]  # of those that count
        logits = logits.masked_fill(logits < smallest, -math.inf)
    chances = torch.softmax(logits / temperature, dim=-1)
    drawn = torch.multinomial(chances.reshape(-1, c), 1, generator=generator)  # one in each row
    return drawn.reshape(logits.shape[:-1])
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - how often each token is drawn, whichever way you draw
# - logits between -1,000,000 and 1,000,000
# - any number of leading axes, or none
# - that the same seed gives the same tokens, that the next draw gives different ones, and that torch's own generator is
#   not used if another is given
# - temperature 0
# - both errors, at temperature 0 too
# - logits that stay unchanged
# - a result in int64
#
# Which of several equal logits are kept, if there is room for only some of them, is not graded.

# %% [markdown] hint="sample"
# First write it for one row, without top-k: divide, softmax, draw. `torch.multinomial(chances, 1, generator=generator)`
# draws one number. Which shape does it return for one row, and which for two?

# %% [markdown] hint="sample"
# `torch.multinomial` accepts at most one leading axis. So merge all of them into one, `chances.reshape(-1, c)`, draw,
# and give the result the shape `logits.shape[:-1]`.

# %% [markdown] hint="sample"
# `logits.topk(k).values[..., -1:]` is the smallest logit that still counts. Fill all smaller ones with `-math.inf`
# (`masked_fill` makes a new tensor) *before* softmax. Check for the two errors first, then for temperature 0.

# %% [markdown] after="sample"
# Divide by the temperature, cut, softmax, draw: nothing else happens between the logits and the next character.

# %% [markdown]
# ## From the first step to the last
#
# *How large should a step be?* The usual recipe for large models has three parts:
#
# - **AdamW** (Loshchilov and Hutter, 2019) instead of plain gradient descent. It divides each gradient by a running
#   average of its size, so that weights with small gradients learn as fast as the others. It also pulls every weight a
#   little towards 0 (*weight decay*).
# - **Warm-up**: the learning rate rises from nearly 0, because at first those running averages contain only a few
#   gradients and are unreliable.
# - **Decay**: after that the rate falls, so that the last steps no longer overshoot.
#
# With a peak of $r$, $w$ steps of warm-up and $s$ steps in all, the rate of step $t$, counted from 0, is
#
# $$r \cdot \min\left( \frac{t + 1}{w}, \; \frac{s - t}{s - w} \right)$$


# %% exercise="train" points=8 minutes=20 seconds=60
def train(model, batches, steps, peak=3e-3, warmup=50, max_norm=1.0):
    """Train a model with AdamW, a warm-up and a linear decay of the learning rate.

    Parameters
    ----------
    model : nn.Module
        ``model(tokens)`` gives logits (b, n, c).
    batches : iterable of Tensor of int64, shape (b, n)
        Each step takes the next batch. Take no more than `steps` of them: the iterable may be endless.
    steps : int
        The number of steps.
    peak : float
        The highest learning rate.
    warmup : int
        The number of steps in which the rate rises to the peak.
    max_norm : float
        The length to which all gradients together are clipped in each step.

    Returns
    -------
    list of float
        The loss of each step, as `train_step` returns it.

    Raises
    ------
    ValueError
        If not 1 <= warmup < steps. Then leave the model and the batches unchanged.

    Notes
    -----
    The optimizer is `torch.optim.AdamW` over all parameters of the model, with its defaults except for the rate.

    References
    ----------
    Loshchilov and Hutter (2019), "Decoupled Weight Decay Regularization".

    Examples
    --------
    The table of `train_step` learns from the same batch in every step:

    >>> model = nn.Embedding(2, 2)
    >>> _ = nn.init.zeros_(model.weight)
    >>> batch = torch.tensor([[0, 1, 0, 1, 0]])
    >>> losses = train(model, [batch] * 9, steps=6, peak=0.1, warmup=2)
    >>> [round(loss, 4) for loss in losses]
    [0.6931, 0.6444, 0.5545, 0.4749, 0.4219, 0.3896]
    >>> train(model, [batch] * 9, steps=2, warmup=2)
    Traceback (most recent call last):
    ...
    ValueError: warmup is 2, and has to be at least 1 and less than steps, which is 2
    """
    ### BEGIN SOLUTION
    if not 1 <= warmup < steps:
        raise ValueError(f"warmup is {warmup}, and has to be at least 1 and less than steps, which is {steps}")
    optimizer, losses = torch.optim.AdamW(model.parameters()), []
    # The range comes first: when it ends, no extra batch has been taken.
    for step, tokens in zip(range(steps), batches, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = peak * min((step + 1) / warmup, (steps - step) / (steps - warmup))
        losses.append(train_step(model, optimizer, tokens, max_norm))
    return losses
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - the losses, as floats
# - the weights after the last step, for several peaks, lengths of the warm-up and limits of the gradients
# - batches from a list, an iterator or a generator, and how many of them are taken
# - the error, which must leave model and batches unchanged

# %% [markdown] hint="train"
# Make one optimizer for all steps. `optimizer.param_groups[0]["lr"]` is its rate: set it before each step.

# %% [markdown] hint="train"
# `zip(range(steps), batches)` pairs each step with a batch. In the other order, `zip(batches, range(steps))`, one more
# batch is taken before `zip` notices that the steps are over.

# %% [markdown] hint="train"
# In each step, compute `rate = peak * min((step + 1) / warmup, (steps - step) / (steps - warmup))`, set it in the
# optimizer, then `losses.append(train_step(model, optimizer, tokens, max_norm))`.

# %% [markdown] after="train"
# Nearly every large model is trained like this, with a warm-up and a decay.

# %% [markdown]
# ## Putting it together
#
# The rest is given: the model of the first picture, in which each character sees itself and the 63 before it, and
# `continue_text`, which lets it write with your `KeyValueCache` from `efficient`.


# %%
class LanguageModel(nn.Module):
    """A language model for c kinds of tokens: from tokens (b, n) to logits (b, n, c) of the next ones."""

    def __init__(self, c, d_model=96, num_heads=4, num_blocks=2, window=64):
        super().__init__()
        self.window, self.embedding = window, nn.Embedding(c, d_model)
        self.blocks = nn.ModuleList(TransformerBlock(d_model, num_heads) for _ in range(num_blocks))
        self.norm, self.logits = nn.LayerNorm(d_model), nn.Linear(d_model, c)

    def forward(self, tokens, caches=None, start=0):
        """Return the logits (b, n, c). With caches, one for each block, `tokens` are those after the first `start`."""
        positions = torch.arange(start + tokens.shape[-1])
        back = positions[start:, None] - positions  # (n, start + n), how far each key lies behind
        mask, x = (back >= 0) & (back < self.window), self.embedding(tokens)
        for block, cache in zip(self.blocks, caches or [None] * len(self.blocks), strict=True):
            x, _ = block(x, mask, cache, start)
        return self.logits(self.norm(x))


@torch.no_grad()
def continue_text(model, tokens, count, make_cache=None, seed=0, temperature=0.7, top_k=None):
    """Return the tokens (n,) and `count` new ones, each drawn by what the model expects after all tokens before it.

    The caches only save work.
    """
    model.eval()
    generator, start = torch.Generator().manual_seed(seed), 0
    caches = [make_cache() for _ in model.blocks] if make_cache else None
    for _ in range(count):
        logits = model(tokens[None, start:], caches, start)
        start = len(tokens) if caches else 0
        tokens = torch.cat([tokens, sample(logits[:, -1], temperature, top_k, generator)])
    return tokens


# %% [markdown]
# ## Learning
#
# *Can it write like Lewis Carroll?* The text is *Alice's Adventures in Wonderland*, 142,000 characters. The model
# learns from the first nine tenths. The last tenth is **held out**: it shows how well the model does on text that it
# has never seen.
#
# A loop in `given/training.py` calls your `train_step` 1,200 times, on twelve pieces of 96 characters each. (It watches
# the clock, which your `train` does not.) The training takes one to two minutes. On a slow computer it stops earlier;
# run the cell again to continue the training.

# %% tags=["active-ipynb"]
# from given import ALICE
# from given.training import Text, Training, held_back_loss, learn
# from given.yours import yours
#
# KeyValueCache = yours("efficient", "KeyValueCache")  # from efficient.py or efficient.ipynb, in this folder
#
#
# def write(model, tokens, count):
#     return continue_text(model, tokens, count, KeyValueCache)
#
#
# torch.set_num_threads(1)  # small matrices: more threads would only wait for each other
# training = Training(ALICE, LanguageModel, train_step, next_token_loss, write, prompt="Alice was ").run()
# of_letters, of_pairs = training.text.counted()
#
# figure, axis = plt.subplots(figsize=(6.4, 3), layout="constrained")
# means = torch.tensor(training.losses).unfold(0, 20, 20).mean(dim=-1)
# sns.lineplot(x=range(20, 20 * len(means) + 1, 20), y=means.numpy(), ax=axis, label="on what it learns from")
# steps, losses = zip(*training.held_back)
# sns.lineplot(x=steps, y=losses, ax=axis, label="on the tenth held back", marker="o")
# axis.axhline(of_letters, color="grey", linestyle=":", label="letters counted")
# axis.axhline(of_pairs, color="grey", linestyle="--", label="pairs of letters counted")
# axis.set(title="loss for each character", xlabel="step", ylim=(0, None))
# axis.legend()
# plt.show()

# %% [markdown]
# The grey lines are for comparison. Counting how often each character occurs gives a loss of about 3.2; counting
# *pairs* gives 2.4. The model is below both after a few hundred steps. Then its two curves, for the training text and
# for the held-out text, part. That is **overfitting**: the model still improves on its training text, but by learning
# it by heart, which does not help elsewhere.
#
# This is what it wrote:

# %% tags=["active-ipynb"]
# import textwrap
#
# for step, written in training.samples:
#     lines = [line for row in written.splitlines() for line in textwrap.wrap(row, 40) or [""]]
#     print(f"[after {step:,} steps]", *lines[:6], "", sep="\n")

# %% [markdown]
# At first it writes noise; then frequent letters, with spaces where spaces belong; then things that look like words;
# finally real words, commas, closed quotation marks, now and then half a sentence. The text means nothing: two minutes,
# 140,000 characters and 240,000 weights are not much. But nobody told the model what a word is, and you wrote its
# block, loss, training step and sampler.
#
# ## Switch off what you built
#
# *What does each part contribute?* Take one out, train again for 200 steps, and measure the loss on the held-out tenth.
# Each row changes one thing:
#
# - **no attention**: a window of 1, so that each character sees only itself;
# - **no `rotate`**: queries and keys as they are;
# - **window of 4**: itself and the three before it;
# - **one head** instead of four;
# - **shared key heads**: all heads have the first one's keys and values.

# %% tags=["active-ipynb"]
# from torch.nn.utils import parametrize
#
#
# class Shared(nn.Module):
#     """In place of a weight or a bias: the rows of the first head, once for each head."""
#
#     def __init__(self, num_heads):
#         super().__init__()
#         self.num_heads = num_heads
#
#     def forward(self, rows):
#         return torch.cat([rows[: len(rows) // self.num_heads]] * self.num_heads)
#
#
# def with_shared_keys(model):
#     for block in model.blocks:
#         for linear in (block.Wk, block.Wv):
#             for name in ("weight", "bias"):
#                 parametrize.register_parametrization(linear, name, Shared(block.num_heads), unsafe=True)
#     return model
#
#
# def loss_of(name, **sizes):
#     torch.manual_seed(0)
#     model = LanguageModel(len(text.characters), **sizes)
#     learn(with_shared_keys(model) if name == "shared key heads" else model, text, train_step, 200, name)
#     return held_back_loss(model, text, next_token_loss)
#
#
# text = training.text
# sizes = {"all of it": {}, "no attention": {"window": 1}, "window of 4": {"window": 4}, "one head": {"num_heads": 1}}
# rows = {"letters counted": of_letters, "pairs of letters counted": of_pairs}
# rows |= {name: loss_of(name, **changed) for name, changed in (*sizes.items(), ("shared key heads", {}))}
# kept, rotate = rotate, lambda x, positions, base=10000.0: x
# rows["no rotate"] = loss_of("no rotate")
# rotate = kept
#
# figure, axis = plt.subplots(figsize=(6, 3.4), layout="constrained")
# rows = dict(sorted(rows.items(), key=lambda row: -row[1]))
# sns.barplot(x=list(rows.values()), y=list(rows), ax=axis, color="C1")
# axis.bar_label(axis.containers[0], fmt="%.2f", padding=3)
# axis.set(title="loss on the tenth held back, after 200 steps", xlabel="loss for each character", xlim=(0, 3.6))
# plt.show()

# %% [markdown]
# Look at **no attention** and **pairs of letters counted**. Without attention the model sees one character, so it
# cannot do better than a table of letter pairs. *A Transformer without attention is a table of letter pairs.*
#
# **Without `rotate`** the model sees a bag of 64 letters. After 200 steps, it hardly does better than with the last
# letter alone. With a **window of 4** it knows the last few letters in order, which is most of what spelling needs.
# After so few steps this model even beats the full one (*all of it*), because choosing among four keys is easier to
# learn than choosing among 64.
#
# Do heads help? Only a little: **one head** costs 0.03 here and 0.06 after 1,200 steps, perhaps because guessing the
# next letter seldom needs two facts at once. **Shared key heads** cost next to nothing.
#
# A single training run proves nothing. Here are the means of ten runs with 200 steps and of three with 1,200, each from
# a different seed. No run was further than 0.05 from its mean:
#
# | | 200 steps | 1,200 steps |
# | --- | --- | --- |
# | no attention | 2.43 | 2.40 |
# | no `rotate` | 2.38 | 2.17 |
# | one head | 2.06 | 1.56 |
# | shared key heads | 2.05 | 1.50 |
# | all of it | 2.03 | 1.50 |
# | window of 4 | 1.85 | 1.49 |
#
# ## Break it
#
# *Which part of the recipe can you leave out?* Guess before you look. Each curve is one training run of 200 steps with
# your `train`, and shows the mean of the last 20 losses:

# %% jupyter={"source_hidden": true} tags=["active-ipynb"]
# import itertools
#
# recipes = {
#     "the recipe": {},
#     "no clipping": {"max_norm": 1e9},
#     "no warm-up": {"warmup": 1},
#     "ten times the rate": {"peak": 3e-2},
#     "ten times the rate, no warm-up": {"peak": 3e-2, "warmup": 1},
# }
# figure, axis = plt.subplots(figsize=(3.7, 3.2), layout="constrained")
# for name, changed in recipes.items():
#     torch.manual_seed(0)
#     losses = train(LanguageModel(len(text.characters)), (text.batch() for _ in itertools.count()), 200, **changed)
#     means = torch.tensor(losses).unfold(0, 20, 1).mean(dim=-1)
#     sns.lineplot(x=range(20, 201), y=means.numpy(), ax=axis, label=f"{name}: {means[-1]:.2f}")
# axis.set(title="loss for each character", xlabel="step", ylim=(1.8, 3.6))
# plt.show()

# %% [markdown]
# Only one of them fails: ten times the rate without warm-up ends no better than counting pairs of letters. Any single
# change does little harm, because the other parts protect the training. Here *no warm-up* is even slightly better: at
# this rate and size nothing goes wrong. Warm-up is insurance: compare the two curves with ten times the rate.
#
# Deeper models are less forgiving. Put the norms of six blocks after the sums, as in 2017, and train with three times
# the rate and no warm-up. In steps 76 to 100 the loss is 3.12: the model has learned how frequent each character is,
# and nothing else. Pre-norm reaches 2.19. At the rate of the recipe both learn equally well. So post-norm needs more
# care, above all a warm-up (Xiong et al., 2020), and most models since GPT-2 use pre-norm.
#
# ## Your own text
#
# *What would you like your model to sound like?* Take any plain text in UTF-8 with at least 5,000 characters,
# preferably 100,000: letters, a diary, recipes, songs. Put the file next to this chapter and write its name instead of
# `None`:

# %% tags=["active-ipynb"]
# MY_TEXT = None  # such as "letters.txt"
#
# if MY_TEXT:
#     mine = Training(MY_TEXT, LanguageModel, train_step, next_token_loss, write).run()
#     print(mine.samples[-1][1])

# %% [markdown]
# In a terminal, `python -m given.training letters.txt` does the same.
#
# ## What you have made
#
# **A language model around your own attention, which learns from any text and writes more of it.** Choose a beginning,
# go back in the training, and turn your two knobs:
#
# <div data-figure="next-letter">The book has a figure to try here; in a notebook: %figure next-letter.</div>
#
# In the middle of "Mock Turtle" the model is sure, and neither knob changes much. At the beginning of a word, a high
# temperature lets in letters that no word begins with. A small k cuts those off.
#
# Large models differ in three ways: their tokens are pieces of words; they have a thousand to a million times as many
# weights; and after this training comes another, on questions with good answers.
#
# Your model spells well and says nothing. Is it too small? In `stories`, a model only twice as large tells stories that
# make sense.
#
# <details markdown>
# <summary>Sources</summary>
#
# [He et al. (2016)](https://arxiv.org/abs/1512.03385); [Hendrycks and Gimpel (2016)](https://arxiv.org/abs/1606.08415);
# [Radford et al.
# (2019)](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf); [Xiong
# et al. (2020)](https://arxiv.org/abs/2002.04745); [Fan, Lewis and Dauphin (2018)](https://arxiv.org/abs/1805.04833);
# [Holtzman et al. (2020)](https://arxiv.org/abs/1904.09751); [Loshchilov and Hutter
# (2019)](https://arxiv.org/abs/1711.05101).
#
# </details>
#
# Find the bug: `attn debug TransformerBlock`.

# %% [markdown] after="write"
# You can now build a language model around your own attention, train it on any text, and let it write.
