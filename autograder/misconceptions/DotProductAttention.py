"""Mistakes seen in answers to DotProductAttention."""

import math

import torch
from torch import nn


def _soft(scores):
    return torch.softmax(scores, dim=-1)


def _hidden(scores, mask, fill=-math.inf):
    return scores if mask is None else scores.masked_fill(~mask, fill)


def _stable(scores, mask, soft=_soft):
    """Softmax with a mask, and 0 for rows that may attend to nothing."""
    if mask is None:
        return soft(scores)
    return soft(_hidden(scores, mask, torch.finfo(scores.dtype).min)).masked_fill(~mask, 0.0)


def _turned(keys):
    return keys.transpose(-2, -1)


def _attention(queries, keys, values, mask, scale=None, weigh=_stable, turn=_turned):
    """Attention in which one step, turning, scaling or weighing, can be done wrong."""
    scores = queries @ turn(keys) / (math.sqrt(keys.shape[-1]) if scale is None else scale)
    weights = weigh(scores, mask)
    return weights @ values, weights


class _Module(nn.Module):
    """A module whose `forward` is a function of queries, keys, values and mask."""

    def __init__(self, attend=_attention, **wrong):
        super().__init__()
        self.attend, self.wrong = attend, wrong

    def forward(self, queries, keys, values, mask=None):
        return self.attend(queries, keys, values, mask, **self.wrong)


def not_scaled():
    """The scores are not scaled: divide them by the square root of the width of the keys before softmax."""
    return _Module(scale=1.0)


def divided_by_the_size():
    """The scores are divided by the width of the keys itself: divide by its square root."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask, k.shape[-1]))


def scaled_by_the_width_of_the_values():
    """The scores are scaled by the width of the values: it is the width of the keys that makes dot products large."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask, math.sqrt(v.shape[-1])))


def scaled_by_the_number_of_keys():
    """The scores are scaled by the number of keys: it is their width, the last axis, that makes dot products large."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask, math.sqrt(k.shape[-2])))


def multiplied_by_the_root():
    """The scores are multiplied by the square root, which makes them larger still: divide."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask, 1 / math.sqrt(k.shape[-1])))


def size_written_as_a_number():
    """The width of the example is written into the code: read it from the shape of the keys."""
    return _Module(scale=math.sqrt(2))


def scaled_after_softmax():
    """The weights are scaled, not the scores, so that no row sums to 1: scale first, then softmax."""

    def attend(queries, keys, values, mask):
        weights = _attention(queries, keys, values, mask, 1.0)[1] / math.sqrt(keys.shape[-1])
        return weights @ values, weights

    return _Module(attend)


def over_the_queries():
    """Softmax runs over the queries, so that columns sum to 1: each row should.

    `dim` is the axis along which weights sum to 1. Which axis of the scores are the keys?
    """
    return _Module(weigh=lambda scores, mask: _stable(scores, mask, lambda x: torch.softmax(x, dim=-2)))


def along_an_axis_counted_from_the_front():
    """Softmax runs along axis 1, which are the keys of one sentence, but the queries of a batch: count from the end."""
    return _Module(weigh=lambda scores, mask: _stable(scores, mask, lambda x: torch.softmax(x, dim=1)))


def no_maximum_subtracted():
    """`exp` overflows for large scores: use `torch.softmax`, or subtract the largest score of each row first."""
    return _Module(weigh=lambda scores, mask: _stable(scores, mask, lambda x: x.exp() / x.exp().sum(-1, keepdim=True)))


def one_maximum_for_everything():
    """One maximum is subtracted everywhere, and rows far below it end in 0/0: take each row's own."""

    def soft(scores):
        exponentials = (scores - scores.max()).exp()
        return exponentials / exponentials.sum(dim=-1, keepdim=True)

    return _Module(weigh=lambda scores, mask: _stable(scores, mask, soft))


def argmax():
    """All the attention of a query goes to the best key: softmax gives every key its share."""

    def soft(scores):
        return nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)

    return _Module(weigh=lambda scores, mask: _stable(scores, mask, soft))


def first_and_last_axis_swapped():
    """`transpose(0, -1)` swaps the axis of the sentences with that of the features: swap the last two axes.

    On one sentence the two are the same. Count the axes from the end.
    """
    return _Module(turn=lambda keys: keys.transpose(0, -1))


def matrices_only():
    """`.t()` turns one matrix and refuses a batch: swap the last two axes, whatever stands in front of them."""
    return _Module(turn=lambda keys: keys.t())


def batches_only():
    """Axes 1 and 2 are swapped, which needs exactly one batch axis: count them from the end."""
    return _Module(turn=lambda keys: keys.transpose(1, 2))


def reshaped_instead_of_transposed():
    """`view` and `reshape` only count the numbers off anew; turning rows into columns means to move axes."""
    return _Module(turn=lambda keys: keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2]))


def queries_and_keys_swapped():
    """Queries and keys changed places: rows of the weights belong to queries."""
    return _Module(lambda q, k, v, mask: _attention(k, q, v, mask))


def keys_mixed_instead_of_values():
    """The keys are mixed by the weights: what a query gets to see are the values."""
    return _Module(lambda q, k, v, mask: _attention(q, k, k, mask))


def tiny_number_for_a_large_one():
    """Hidden scores are set to -1e-9, which is nearly 0, and exp(0) is 1: use a large negative number, such as -1e9."""
    return _Module(weigh=lambda scores, mask: _soft(_hidden(scores, mask, -1e-9)))


def hidden_scores_set_to_zero():
    """Hidden scores are set to 0, but exp(0) is 1, so that hidden keys still count.

    The score has to be so low that nothing is left of its exponential.
    """
    return _Module(weigh=lambda scores, mask: _soft(_hidden(scores, mask, 0.0)))


def fill_not_low_enough():
    """Hidden scores are set to a number that other scores go below: only a very low one is the lowest of all.

    Scores may be of any size. Which number lies below all of them?
    """
    return _Module(weigh=lambda scores, mask: _stable_fill(scores, mask, -100.0))


def _stable_fill(scores, mask, fill):
    weights = _soft(_hidden(scores, mask, fill))
    return weights if mask is None else weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def large_positive_fill():
    """Hidden scores are set to a large *positive* number, so that all attention goes to them: its sign is missing."""
    return _Module(weigh=lambda scores, mask: _soft(_hidden(scores, mask, 1e9)))


def mask_added():
    """The mask is added to the scores, as 1 or 0: `True` has to leave a score as it is, and `False` to hide it."""
    return _Module(weigh=lambda scores, mask: _soft(scores if mask is None else scores + mask))


def masked_after_softmax():
    """The mask is applied to the weights, so that rows sum to less than 1: hide the scores, before softmax."""
    return _Module(weigh=lambda scores, mask: _soft(scores) * (1 if mask is None else mask))


def mask_inverted():
    """The mask is read the wrong way round: `True` means that the query may attend to the key.

    `masked_fill` fills where its condition is `True`.
    """
    return _Module(weigh=lambda scores, mask: _stable(scores, None if mask is None else ~mask))


def mask_ignored():
    """The mask changes nothing: hidden keys have to be hidden before softmax."""
    return _Module(weigh=lambda scores, mask: _soft(scores))


def mask_turned():
    """The mask is transposed, or stretched along the wrong axis: its last axis are the keys, as in the weights."""
    return _Module(weigh=lambda scores, mask: _stable(scores, None if mask is None else mask.transpose(-2, -1)))


def one_mask_for_all_queries():
    """The first row of the mask is used for every query: each row belongs to one query."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask if mask is None else mask[..., :1, :]))


def nan_for_empty_rows():
    """A row that may attend to nothing becomes NaN, and spoils everything it meets: give it the weights 0.

    Minus infinity in every place leaves softmax nothing to divide. Where do you know which weights have to be 0?
    """
    return _Module(weigh=lambda scores, mask: _soft(_hidden(scores, mask)))


def equal_weights_for_empty_rows():
    """A row that may attend to nothing gets equal weights for keys that are all hidden from it: they should be 0.

    A large negative number avoids the NaN, but softmax still shares 1 out. Who can take it back?
    """
    return _Module(weigh=lambda scores, mask: _soft(_hidden(scores, mask, -1e9)))


def output_made_too_early():
    """The weights of a row that may attend to nothing are set to 0, but its output was computed before: mix later."""

    def attend(queries, keys, values, mask):
        output, weights = _attention(queries, keys, values, mask, weigh=lambda s, m: _soft(_hidden(s, m, -1e9)))
        return output, weights if mask is None else weights.masked_fill(~mask, 0.0)

    return _Module(attend)


def asked_whether_the_mask_is_true():
    """`if mask:` asks whether a tensor of many values is true, which nobody can say: ask `if mask is not None`."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask if mask else None))


def mask_required():
    """The mask is used even where none is given, and `None` cannot hide anything: ask `if mask is not None` first."""
    return _Module(weigh=lambda scores, mask: _soft(scores.masked_fill(mask == 0, -math.inf)))


def cut_from_the_graph():
    """`detach`, `.data` or `no_grad` cuts the output off from queries, keys and values: what made them cannot learn.

    The numbers are right. What do they no longer remember?
    """
    return _Module(lambda q, k, v, mask: [part.detach() for part in _attention(q, k, v, mask)])


def weights_cut_from_the_graph():
    """The attention weights are detached before they mix the values, so that queries and keys could never learn."""
    return _Module(weigh=lambda scores, mask: _stable(scores, mask).detach())


def a_learned_temperature():
    """The module has a parameter of its own, and should have none: all that can be learned lies in front of it."""
    module = _Module(scale=None)
    module.temperature = nn.Parameter(torch.ones(()))
    return module


def weights_first():
    """The two results are in the wrong order: first the output, then the weights."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask)[::-1])


def weights_not_returned():
    """Only the output comes back: return the weights as well, as `attn_output, attn_matrix`."""
    return _Module(lambda q, k, v, mask: _attention(q, k, v, mask)[0])


def scores_instead_of_weights():
    """The second result holds the scores: return the weights that softmax made of them."""

    def attend(queries, keys, values, mask):
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
        return _attention(queries, keys, values, mask)[0], scores

    return _Module(attend)


def not_returned():
    """Output and weights may have been computed, but `forward` does not hand them back: it needs a `return`."""
    return _Module(lambda q, k, v, mask: None)


def one_sum_for_everything():
    """One sum runs over the whole table of weights: every row has a sum of its own, which is 1."""

    def soft(scores):
        return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)

    return _Module(weigh=lambda scores, mask: _stable(scores, mask, soft))


def no_maximum_and_nan_for_empty_rows():
    """`exp` overflows for large scores, and 0 is divided by 0 where a query may attend to nothing.

    Use `torch.softmax`, or subtract the largest score of each row. Then think about rows of which nothing is left.
    """

    def weigh(scores, mask):
        exponentials = _hidden(scores, mask).exp()
        return exponentials / exponentials.sum(-1, keepdim=True)

    return _Module(weigh=weigh)


def divided_by_the_sum():
    """The scores are divided by their sum without the exponential, and some weights are negative: use softmax."""

    def weigh(scores, mask):
        shares = scores if mask is None else scores * mask
        return shares / shares.sum(-1, keepdim=True)

    return _Module(weigh=weigh)
