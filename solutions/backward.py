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
# # Backward
#
# *You write `loss.backward()`, and every weight of a model gets its gradient: one line, for millions of numbers. How
# are they computed?*
#
# In this chapter you compute by hand what `backward` computes for attention: first for softmax, then for queries, keys
# and values. Your code needs only eight lines. You will see why these lines cost more than twice as much as the forward
# pass, and what has to be kept in memory. (Later chapters do not need this one. If derivatives are new to you, you may
# skip it.)
#
# Predict first: `attn predict backward`.

# %%
import math

import torch

# %% [markdown]
# What happens to the weights when *one* score grows? Here are four scores and their softmax weights. Then score 1 (the
# second one: they are counted from 0) grows by 1.

# %% tags=["active-ipynb"]
# import matplotlib.pyplot as plt
# import seaborn as sns
#
# from given.drawing import KEY, LIT, QUERY, SIGNED, STYLE, VALUE
#
# plt.style.use(STYLE)
#
# scores = torch.tensor([1.0, 0.5, -0.5, 0.0], dtype=torch.float64)
# push = torch.tensor([0.0, 1.0, 0.0, 0.0])
# before, after = torch.softmax(scores, dim=-1), torch.softmax(scores + push, dim=-1)
#
# figure, axes = plt.subplots(1, 2, figsize=(8, 2.8), layout="constrained")
# names = ["before"] * 4 + ["score 1 raised"] * 4
# both = {"x": [0, 1, 2, 3] * 2, "y": torch.cat([before, after]).numpy(), "hue": names}
# sns.barplot(**both, palette=["lightgrey", "C1"], ax=axes[0])
# axes[0].set(title="weights", xlabel="key")
# sns.barplot(x=[0, 1, 2, 3], y=(after - before).numpy(), color="C1", ax=axes[1])
# axes[1].axhline(0, color="black", linewidth=0.8)
# axes[1].set(title="difference", xlabel="key")
# plt.show()

# %% [markdown]
# Weight 1 rises, and *all* the others fall, in proportion to their size, because the sum has to stay 1. So each score
# affects every weight in its row, and the backward pass has to add up all those effects.
#
# ## Softmax, backward
#
# *What is a gradient?* The loss $L$ is one number, and every other number contributes to it. The **gradient** of a
# number says how fast $L$ changes as this number grows. You can measure it: move the number up a little and down a
# little, and divide the change in $L$ by the change in the number. That is a **finite difference**:
#
# $$\frac{\partial L}{\partial s_j} \approx \frac{L(s_j + \varepsilon) - L(s_j - \varepsilon)}{2 \varepsilon}$$
#
# It needs two runs of the whole model *for each number*. **Backpropagation** needs one pass for all numbers together.
# It goes from the loss back to the inputs. Each step receives how $L$ changes with its *output*, and computes from that
# how $L$ changes with its *input*.
#
# For softmax, the weights $w$ are the output and the scores $s$ the input. You are given `grad`, the numbers
# $g_i = \partial L / \partial w_i$. Score $j$ affects $L$ through every weight, so the effects of all these paths are
# added up (the **chain rule**):
#
# $$\begin{aligned}
# \frac{\partial L}{\partial s_j} &= \sum_i g_i \frac{\partial w_i}{\partial s_j} \\
# \frac{\partial w_i}{\partial s_j} &= \begin{cases} w_j\,(1 - w_j) & i = j \\ -\,w_i\,w_j & i \ne j \end{cases}
# \end{aligned}$$
#
# The two cases come from the quotient rule: with $w_i = e^{s_i} / Z$ and $Z = \sum_k e^{s_k}$, a change in $s_j$ always
# changes $Z$, but it changes the numerator only if $i = j$. The first case is the bar that rises in the picture, the
# second the bars that fall. For a row of $n$ weights these are $n \times n$ numbers, called the **Jacobian**. For four
# weights they look like this:

# %% tags=["active-ipynb"]
# jacobian = torch.diag(before) - torch.outer(before, before)
#
# figure, axis = plt.subplots(figsize=(4.4, 3.2), layout="constrained")
# sns.heatmap(jacobian, ax=axis, cmap=SIGNED, center=0, annot=True, fmt=".3f", linewidths=1, square=True)
# axis.set(title="how weight i changes with score j", xlabel="score j", ylabel="weight i")
# plt.show()

# %% [markdown]
# But you need not compute that table. Put both cases into the sum: every $i$ contributes $-g_i w_i w_j$, and $i = j$
# contributes $g_j w_j$ as well. So the sum shrinks to one line:
#
# $$\frac{\partial L}{\partial s_j} = w_j \left(g_j - \sum_i w_i \, g_i\right)$$
#
# So the gradient of a score is its weight times how far $g_j$ is *above or below* the row's weighted average. In each
# row the results add up to 0, as they must: if you raise all scores by the same amount, softmax does not change.
#
# A shorter formula is wrong: `weights * (1 - weights) * grad` uses only the diagonal of the Jacobian, as if the other
# weights did not fall. A model trained with it still learns *something*; only a numerical check shows the mistake.


# %% exercise="softmax_backward" points=8 minutes=20 bans="autograd"
def softmax_backward(weights, grad):
    """Return the gradient of the scores, given that of their softmax weights.

    Parameters
    ----------
    weights : Tensor, shape (..., n_q, n_k)
        What softmax returned; each row sums to 1.
    grad : Tensor, shape (..., n_q, n_k)
        How fast the loss changes with each weight.

    Returns
    -------
    Tensor, shape (..., n_q, n_k)
        How fast the loss changes with each score.

    Notes
    -----
    Neither `torch.autograd` nor anything that uses it is allowed here: it is what you build.

    References
    ----------
    Rumelhart, Hinton and Williams (1986), "Learning representations by back-propagating errors".

    Examples
    --------
    >>> weights = torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    >>> grad = torch.tensor([[1.0, 0.0, 0.0], [3.0, -1.0, 0.5]])
    >>> for row in softmax_backward(weights, grad).tolist():
    ...     print([round(number, 4) for number in row])
    [0.25, -0.15, -0.1]
    [0.24, -0.16, -0.08]

    The same gradient for all weights of a row has no effect, because they sum to 1 whatever the scores are:

    >>> bool(softmax_backward(weights, torch.full((2, 3), 7.0)).abs().max() < 1e-5)
    True
    """
    ### BEGIN SOLUTION
    average = (weights * grad).sum(dim=-1, keepdim=True)  # (..., n_q, 1)
    return weights * (grad - average)
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - each row separately, in tables of any size with any number of leading batch dimensions, or none
# - float32 and float64
# - weights that are exactly 0, as they are where a mask hides a key
#
# The result is compared with that of *autograd*, PyTorch's own backward pass, and with finite differences. So
# `torch.autograd` is not allowed here, and neither are `.backward()` and `torch.func`, which use it.

# %% [markdown] hint="softmax_backward"
# Work out the first row of the example on paper: weights 0.5, 0.3, 0.2 and gradients 1, 0, 0. What is the weighted
# average? What is left after you subtract it from each gradient?

# %% [markdown] hint="softmax_backward"
# The average is one number *for each row*. How can a sum along the last axis keep that axis, with length 1, so that you
# can subtract it from a whole row?

# %% [markdown] hint="softmax_backward"
# Three steps: multiply and sum with `keepdim=True`; subtract from `grad`; multiply by the weights.

# %% [markdown] after="softmax_backward"
# If softmax has chosen a single key, the gradient is nearly zero. The scale makes that rarer.

# %% [markdown]
# ## Attention, backward
#
# Apart from softmax, attention is two matrix products and a scale. The forward pass is
#
# $$S = \frac{Q K^\top}{\sqrt{d}} \quad W = \operatorname{softmax}(S) \quad O = W V$$
#
# Here are all the steps. The gradients, which travel back, are orange. The gradient of an array always has the same
# shape as the array, so the shapes alone rule out most wrong formulas.

# %% tags=["active-ipynb"]
# places = {"Q": (0, 2.2), "K": (0, 0.8), "S": (2, 1.5), "W": (4, 1.5), "V": (4.4, 0.2), "O": (6, 1.5), "L": (8, 1.5)}
# shapes = {"Q": "n_q × d", "K": "n_k × d", "V": "n_k × d_v", "S": "n_q × n_k", "W": "n_q × n_k", "O": "n_q × d_v"}
# steps = {"QS": "", "KS": "", "SW": "softmax", "WO": "product", "VO": "", "OL": "the rest"}
#
# colours = {"Q": QUERY, "K": KEY, "V": VALUE, "W": LIT}
#
# figure, axis = plt.subplots(figsize=(4.5, 3.2), layout="constrained")
# for name, (x, y) in places.items():
#     look = {"boxstyle": "circle", "facecolor": colours.get(name, "white")}
#     axis.text(x, y, name, ha="center", va="center", fontsize=13, bbox=look)
#     below = -0.5 if name == "O" else 0.36  # where arrows leave room
#     axis.text(x, y - below, shapes.get(name, "1 number"), ha="center", va="center", fontsize=9)
# for (start, end), label in steps.items():
#     (x, y), (x_end, y_end) = places[start], places[end]
#     for lift, colour, way in ((0.07, "grey", "-|>"), (-0.07, "C1", "<|-")):
#         arrow = {"arrowstyle": way, "color": colour, "shrinkA": 15, "shrinkB": 15, "linewidth": 1.5}
#         axis.annotate("", (x_end, y_end + lift), (x, y + lift), arrowprops=arrow)
#     axis.text((x + x_end) / 2, (y + y_end) / 2 + 0.22, label, ha="center", fontsize=9)
# axis.text(1.1, 2.2, "product", ha="left", fontsize=9)
# axis.set(xlim=(-0.6, 8.6), ylim=(-0.4, 2.5))
# axis.axis("off")
# plt.show()

# %% [markdown]
# One rule serves both products. In $C = A B$, the number $A_{ij}$ is multiplied by row $j$ of $B$, and the result is
# added to row $i$ of $C$. So the gradient of $A_{ij}$ is the dot product of row $i$ of $C$'s gradient with row $j$ of
# $B$. The same reasoning works for $B$:
#
# $$\nabla A = \nabla C \; B^\top \qquad\qquad \nabla B = A^\top \; \nabla C$$
#
# ($\nabla A$ is short for the table of $\partial L / \partial A_{ij}$.) You are given $\nabla O$, as `grad_output`.
# From there, work backwards: the second product gives $\nabla W$ and $\nabla V$, softmax gives $\nabla S$, and the
# first product gives $\nabla Q$ and $\nabla K$. The weights are not given: compute them again, in a way that is safe
# for large scores.
#
# **The scale** is easy to put in the wrong place. The forward pass divides by $\sqrt{d}$, so the gradient that comes
# back through this step is divided by $\sqrt{d}$ as well, once, before it reaches $Q$ and $K$. $V$ is not affected.


# %% exercise="attention_backward" points=16 minutes=40 bans="autograd"
def attention_backward(q, k, v, grad_output):
    """Return the gradients of queries, keys and values, given that of the output of scaled dot-product attention.

    Parameters
    ----------
    q : Tensor, shape (..., n_q, d)
        One query in each row.
    k : Tensor, shape (..., n_k, d)
        One key in each row.
    v : Tensor, shape (..., n_k, d_v)
        One value in each row: row i is the value of key i.
    grad_output : Tensor, shape (..., n_q, d_v)
        How fast the loss changes with each number of the output softmax(q kᵀ / sqrt(d)) v.

    Returns
    -------
    grad_q : Tensor, shape (..., n_q, d)
        How fast the loss changes with each number of the queries.
    grad_k : Tensor, shape (..., n_k, d)
        How fast the loss changes with each number of the keys.
    grad_v : Tensor, shape (..., n_k, d_v)
        How fast the loss changes with each number of the values.

    Notes
    -----
    Neither `torch.autograd` nor anything that uses it is allowed here: it is what you build.

    References
    ----------
    Vaswani et al. (2017), "Attention Is All You Need", section 3.2.1, forward. Dao et al. (2022),
    "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness", appendix B.2, backward.

    Examples
    --------
    >>> q = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    >>> k = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]])
    >>> v = torch.tensor([[1.0, 0.0, 2.0], [3.0, -1.0, 0.0], [0.0, 4.0, 1.0]])
    >>> grad_q, grad_k, grad_v = attention_backward(q, k, v, torch.tensor([[1.0, 0.0, 1.0], [-1.0, 2.0, 0.5]]))
    >>> for gradient in (grad_q, grad_k, grad_v):
    ...     print([[round(number, 3) for number in row] for row in gradient.tolist()])
    [[-0.112, 0.452], [0.84, -1.223]]
    [[0.228, 0.912], [0.112, -1.679], [-0.34, 0.767]]
    [[0.214, 0.373, 0.494], [-0.57, 1.536, 0.582], [0.356, 0.091, 0.424]]
    """
    ### BEGIN SOLUTION
    scale = 1 / math.sqrt(q.shape[-1])
    weights = torch.softmax(q @ k.transpose(-2, -1) * scale, dim=-1)  # (..., n_q, n_k)
    grad_v = weights.transpose(-2, -1) @ grad_output
    grad_weights = grad_output @ v.transpose(-2, -1)
    grad_products = softmax_backward(weights, grad_weights) * scale  # of q kᵀ, before it is scaled
    return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v
    ### END SOLUTION


# %% [markdown]
# **What is graded:**
# - all three gradients, for different or equal numbers of queries and keys, values wider or narrower than the keys, any
#   number of leading batch dimensions, the same for all, or none
# - float32 and float64
# - scaled scores between -1,000,000 and 1,000,000
#
# Your gradients are compared with autograd's and with finite differences. Autograd itself is not allowed.

# %% [markdown] hint="attention_backward"
# Start with the two lines of the forward pass that compute `weights`. Then apply the rule for products to
# `output = weights @ v`: it gives two gradients, one of which is already a result.

# %% [markdown] hint="attention_backward"
# `softmax_backward` turns the gradient of the weights into that of the scores. What does the division by the root of
# `d` do to it?

# %% [markdown] hint="attention_backward"
# Now apply the rule to the product of `q` and the *transposed* `k`. With `A = q` and `B = k.T`, what is `B` transposed?
# For the keys, check the shape: the result has `n_k` rows.

# %% [markdown] after="attention_backward"
# Now you know what autograd does here. FlashAttention recomputes the weights block by block, instead of storing them.

# %% [markdown]
# ## What you have made
#
# **The backward pass of attention, by hand, confirmed by two independent checks.** **Autograd** does the same
# calculation, so it should agree in nearly all digits. **Finite differences** use no formula for the gradient. With
# large steps, the curvature of the loss adds an error; with tiny ones, subtracting two nearly equal losses destroys the
# digits. In between they agree with your result to ten digits, which no wrong formula would.

# %% tags=["active-ipynb"]
# generator = torch.Generator().manual_seed(2)
# q, k, v, grad_output = (torch.randn(*shape, dtype=torch.float64, generator=generator) for shape in 4 * [(2, 3, 4)])
#
#
# def loss_of(q, k, v):
#     weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(4), dim=-1)
#     return (weights @ v * grad_output).sum()
#
#
# def by_trying(inputs, step):
#     found = [torch.zeros_like(numbers) for numbers in inputs]
#     for numbers, gradient in zip(inputs, found):
#         for place in range(numbers.numel()):
#             losses = []
#             for way in (step, -step):
#                 numbers.flatten()[place] += way  # a view: it is the input itself that is pushed
#                 losses.append(loss_of(*inputs))
#                 numbers.flatten()[place] -= way
#             gradient.flatten()[place] = (losses[0] - losses[1]) / (2 * step)
#     return found
#
#
# def largest_difference(some, others):
#     return max((one - other).abs().max().item() for one, other in zip(some, others))
#
#
# by_hand = attention_backward(q, k, v, grad_output)
# leaves = [numbers.clone().requires_grad_() for numbers in (q, k, v)]
# by_autograd = torch.autograd.grad(loss_of(*leaves), leaves)
# widths = [10.0**-exponent for exponent in range(1, 12)]
# errors = [largest_difference(by_hand, by_trying([q.clone(), k.clone(), v.clone()], step)) for step in widths]
#
# figure, axis = plt.subplots(figsize=(6, 3.2), layout="constrained")
# sns.lineplot(x=widths, y=errors, marker="o", ax=axis, label="from finite differences")
# autograd_line = max(largest_difference(by_hand, by_autograd), 1e-17)  # 0 has no place on this axis
# axis.axhline(autograd_line, color="C1", linestyle="--", label="from autograd")
# axis.set(title="how far off your gradients are", xlabel="step", ylabel="largest difference")
# axis.set(xscale="log", yscale="log")
# axis.legend(loc="center left", bbox_to_anchor=(0, 0.35))
# plt.show()

# %% [markdown]
# *Why does training a model cost so much more than using it?* The forward pass has two matrix products, for the scores
# and for the output, of about $2n^2d$ operations each. The backward pass has four such products (yours has five: it
# computes the scores again), so a training step costs about three times as much as a forward pass. Autograd also stores
# the weights until the backward pass. PyTorch's own `F.scaled_dot_product_attention` stores one number per row instead
# and recomputes the weights, block by block. Recomputing them is still faster, because moving numbers to and from
# memory takes longer than computing them. For one head with $d = 64$ and 2,048 words, 18 MB are stored for plain
# attention and 2 MB for PyTorch's own.

# %% [markdown]
# From now on, let autograd do this work. In the next chapter, `translate`, your attention learns inside a small
# translator.
#
# <details markdown>
# <summary>Sources</summary>
#
# Linnainmaa described backpropagation in 1970, and Werbos did so from 1974. [Rumelhart, Hinton and Williams
# (1986)](https://doi.org/10.1038/323533a0); [Dao et al. (2022)](https://arxiv.org/abs/2205.14135), appendix B.2.
#
# </details>
#
# Find the bug: `attn debug attention_backward`.

# %% [markdown] after="backward"
# You can now follow the gradient through attention by hand, and check it.
