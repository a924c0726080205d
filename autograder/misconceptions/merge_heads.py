"""Mistakes seen in answers to merge_heads."""

import torch


def reshaped_without_swapping_back(x):
    """`reshape` alone gives the right shape, but it reads head after head, so that rows mix up tokens.

    First bring the parts of a token next to each other. Which two axes have to change places?
    """
    *batch, h, n, d_h = x.shape
    return x.reshape(*batch, n, h * d_h)


def viewed_after_the_swap(x):
    """`view` cannot read in one line what a swap has noted down in another order: `reshape` copies where it has to."""
    *batch, h, n, d_h = x.shape
    return x.transpose(-3, -2).view(*batch, n, h * d_h)


def not_joined(x):
    """The axes are swapped back, but not joined: the heads' parts of a token should become one row."""
    return x.transpose(-3, -2)


def swapped_from_the_front(x):
    """`transpose(1, 2)` swaps heads and tokens only where there is exactly one batch axis: count from the end."""
    return x.transpose(1, 2).flatten(-2)


def one_batch_axis_expected(x):
    """The shape is unpacked into exactly four sizes, so that one sentence, or two batch axes, will not fit.

    A star takes whatever stands in front: `*batch, h, n, d_h = x.shape`.
    """
    b, h, n, d_h = x.shape
    return x.transpose(1, 2).reshape(b, n, h * d_h)


def first_axis_taken_for_the_heads(x):
    """The first axis is taken for the heads, which it is for one sentence only: with a batch it counts sentences."""
    return torch.cat(list(x), dim=-1)


def batch_axes_joined_too(x):
    """All axes in front of the tokens are joined into one: batch axes have to come out as they went in."""
    *_, h, n, d_h = x.shape
    return x.transpose(-3, -2).reshape(-1, n, h * d_h)


def interleaved(x):
    """The numbers of the heads alternate in a row: the whole part of the first head comes first, then the next."""
    return x.movedim(-3, -1).flatten(-2)


def heads_lined_up_as_tokens(x):
    """The heads come one after the other, as if they were more tokens: their parts belong side by side, in one row."""
    return x.flatten(-3, -2)


def heads_added_up(x):
    """The heads are added up, after which nobody can tell what came from which: put them side by side."""
    return x.sum(dim=-3)


def heads_averaged(x):
    """The heads are averaged, after which nobody can tell what came from which: put them side by side."""
    return x.mean(dim=-3)


def heads_in_reverse(x):
    """The heads stand in a row in the wrong order: the part of the first head comes first."""
    return x.flip(-3).transpose(-3, -2).flatten(-2)


def size_written_as_a_number(x):
    """A size is written into the code: work out the width of a row from the shape of what comes in."""
    return x.transpose(-3, -2).reshape(*x.shape[:-3], x.shape[-2], 4)


def graph_cut(x):
    """The numbers are right, but no gradient arrives: `.data` and `detach` cut the graph, so nothing can be trained."""
    return x.detach().transpose(-3, -2).flatten(-2)


def not_returned(x):
    """The rows may have been computed, but the function does not hand them back: it needs a `return`."""
