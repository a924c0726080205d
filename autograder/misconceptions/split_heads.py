"""Mistakes seen in answers to split_heads."""

import torch


def _checked(x, num_heads):
    """The width of one head."""
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return x.shape[-1] // num_heads


def _split(x, num_heads):
    """The right first step: (..., n, num_heads, d_h)."""
    return x.reshape(*x.shape[:-1], num_heads, _checked(x, num_heads))


def reshaped_without_swapping(x, num_heads):
    """`reshape` alone gives the right shape, but it reads the numbers in order: heads get parts of the wrong tokens.

    Split the last axis first. What is then still in the wrong place?
    """
    return x.reshape(*x.shape[:-2], num_heads, x.shape[-2], _checked(x, num_heads))


def not_swapped(x, num_heads):
    """The last axis is split, but the head axis still stands behind the tokens: it belongs in front of them."""
    return _split(x, num_heads)


def wrong_axes_swapped(x, num_heads):
    """The last two axes changed places, heads and their numbers: it is heads and tokens that have to."""
    return _split(x, num_heads).transpose(-2, -1)


def swapped_from_the_front(x, num_heads):
    """`transpose(0, 1)` is right for one sentence only: with a batch, axis 0 counts sentences. Count from the end."""
    return _split(x, num_heads).transpose(0, 1)


def one_batch_axis_expected(x, num_heads):
    """The shape is unpacked into exactly three sizes, so that one sentence, or two batch axes, will not fit.

    A star takes whatever stands in front: `*batch, n, d = x.shape`.
    """
    b, n, _ = x.shape
    return x.reshape(b, n, num_heads, _checked(x, num_heads)).transpose(1, 2)


def interleaved(x, num_heads):
    """Numbers are dealt out to the heads in turn, like cards: each head should get one block of neighbours."""
    return x.reshape(*x.shape[:-1], _checked(x, num_heads), num_heads).movedim(-1, -3)


def cut_into_parts_of_that_size(x, num_heads):
    """The number of heads is taken for the width of one, as `torch.split` does: `num_heads` says how many parts.

    Test it where the two differ, such as 2 heads and 6 numbers.
    """
    _checked(x, num_heads)
    return torch.stack(x.split(num_heads, dim=-1), dim=-3)


def stacked_in_front_of_the_batch(x, num_heads):
    """The heads are stacked in front of everything, the batch too: their axis stands just before the tokens."""
    _checked(x, num_heads)
    return torch.stack(x.chunk(num_heads, dim=-1), dim=0)


def whole_tokens_for_every_head(x, num_heads):
    """Every head gets whole tokens: the numbers of a token are to be shared among the heads, each a part."""
    _checked(x, num_heads)
    return torch.stack([x] * num_heads, dim=-3)


def tokens_shared_instead_of_numbers(x, num_heads):
    """The tokens are shared among the heads: every head should see every token, but only some of its numbers."""
    _checked(x, num_heads)
    return torch.stack(x.chunk(num_heads, dim=-2), dim=-3)


def size_written_as_a_number(x, num_heads):
    """The width of a head is written into the code: work it out from the width of the tokens."""
    _checked(x, num_heads)
    return x.reshape(*x.shape[:-1], num_heads, 2).transpose(-3, -2)


def not_checked(x, num_heads):
    """Nobody asks whether the heads divide the width, and what happens then is torch's error, not a `ValueError`."""
    return x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads).transpose(-3, -2)


def rest_dropped(x, num_heads):
    """Where the heads do not divide the width, the numbers left over are dropped silently: raise a `ValueError`."""
    d_h = x.shape[-1] // num_heads
    return torch.stack([x[..., i * d_h : (i + 1) * d_h] for i in range(num_heads)], dim=-3)


def uneven_parts(x, num_heads):
    """Where the heads do not divide the width, the parts come out uneven, and torch cannot stack them: ask first."""
    return torch.stack(x.tensor_split(num_heads, dim=-1), dim=-3)


def asserted(x, num_heads):
    """An `assert` raises an AssertionError, and none at all under `python -O`: raise a `ValueError`."""
    assert x.shape[-1] % num_heads == 0, "not divisible"
    return _split(x, num_heads).transpose(-3, -2)


def graph_cut(x, num_heads):
    """The numbers are right, but no gradient arrives: `.data` and `detach` cut the graph, so nothing can be trained."""
    return _split(x.detach(), num_heads).transpose(-3, -2)


def not_returned(x, num_heads):
    """The heads may have been computed, but the function does not hand them back: it needs a `return`."""
    _checked(x, num_heads)
