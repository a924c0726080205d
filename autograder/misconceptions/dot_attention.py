"""Mistakes seen in answers to dot_attention."""

import math

import torch


def _soft(scores):
    return torch.softmax(scores, dim=-1)


def _turned(k):
    return k.transpose(-2, -1)


def _attention(inp, wq, wk, wv, scale=None, weigh=_soft, turn=_turned):
    """Attention in which one step, turning, scaling or weighing, can be done wrong."""
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = weigh(q @ turn(k) / (math.sqrt(k.shape[-1]) if scale is None else scale))
    return weights @ v, weights


def not_scaled(inp, wq, wk, wv):
    """The scores are not scaled: divide them by the square root of the width of queries and keys, before softmax."""
    return _attention(inp, wq, wk, wv, 1.0)


def divided_by_the_size(inp, wq, wk, wv):
    """The scores are divided by the width of the keys itself: divide by its square root."""
    return _attention(inp, wq, wk, wv, wk.shape[-1])


def scaled_by_the_width_of_the_tokens(inp, wq, wk, wv):
    """The scores are scaled by the width of `inp`: it is the width of queries and keys that makes them large.

    Over how many numbers does each dot product add up?
    """
    return _attention(inp, wq, wk, wv, math.sqrt(inp.shape[-1]))


def scaled_by_the_number_of_tokens(inp, wq, wk, wv):
    """The scores are scaled by the number of tokens: it is the width of queries and keys that counts."""
    return _attention(inp, wq, wk, wv, math.sqrt(inp.shape[-2]))


def multiplied_by_the_root(inp, wq, wk, wv):
    """The scores are multiplied by the square root, which makes them larger still: divide."""
    return _attention(inp, wq, wk, wv, 1 / math.sqrt(wk.shape[-1]))


def size_written_as_a_number(inp, wq, wk, wv):
    """The width of the example is written into the code: read it from the shape of the keys."""
    return _attention(inp, wq, wk, wv, math.sqrt(2))


def scaled_after_softmax(inp, wq, wk, wv):
    """The weights are scaled, not the scores, so that no row sums to 1: scale first, then softmax."""
    return _attention(inp, wq, wk, wv, 1.0, lambda scores: _soft(scores) / math.sqrt(wk.shape[-1]))


def one_sum_for_everything(inp, wq, wk, wv):
    """One softmax runs over a whole array: each query needs weights of its own that sum to 1."""
    return _attention(inp, wq, wk, wv, weigh=lambda scores: _soft(scores.flatten()).reshape(scores.shape))


def over_the_queries(inp, wq, wk, wv):
    """Softmax runs over the queries, so that columns sum to 1: each row should.

    `dim` is the axis along which weights sum to 1. Which axis of the scores are the keys?
    """
    return _attention(inp, wq, wk, wv, weigh=lambda scores: torch.softmax(scores, dim=-2))


def along_an_axis_counted_from_the_front(inp, wq, wk, wv):
    """Softmax runs along axis 1, which are the keys of one sentence, but the queries of a batch: count from the end."""
    return _attention(inp, wq, wk, wv, weigh=lambda scores: torch.softmax(scores, dim=1))


def over_the_sentences(inp, wq, wk, wv):
    """Softmax runs along axis 0, which are the queries of one sentence and the sentences of a batch: take the last."""
    return _attention(inp, wq, wk, wv, weigh=lambda scores: torch.softmax(scores, dim=0))


def no_maximum_subtracted(inp, wq, wk, wv):
    """`exp` overflows for large scores: use `torch.softmax`, or subtract the largest score of each row first."""
    return _attention(inp, wq, wk, wv, weigh=lambda scores: scores.exp() / scores.exp().sum(dim=-1, keepdim=True))


def one_maximum_for_everything(inp, wq, wk, wv):
    """One maximum is subtracted everywhere, and rows far below it end in 0/0: take each row's own."""

    def weigh(scores):
        exponentials = (scores - scores.max()).exp()
        return exponentials / exponentials.sum(dim=-1, keepdim=True)

    return _attention(inp, wq, wk, wv, weigh=weigh)


def divided_by_the_sum(inp, wq, wk, wv):
    """The scores are divided by their sum as they are, which gives negative weights: softmax takes `exp` first."""
    return _attention(inp, wq, wk, wv, weigh=lambda scores: scores / scores.sum(dim=-1, keepdim=True))


def argmax(inp, wq, wk, wv):
    """All the attention of a query goes to the best key: softmax gives every key its share."""

    def weigh(scores):
        return torch.nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)

    return _attention(inp, wq, wk, wv, weigh=weigh)


def first_and_last_axis_swapped(inp, wq, wk, wv):
    """`transpose(0, -1)` swaps the axis of the sentences with that of the features: swap the last two axes.

    On one sentence the two are the same. Count the axes from the end.
    """
    return _attention(inp, wq, wk, wv, turn=lambda k: k.transpose(0, -1))


def first_two_axes_swapped(inp, wq, wk, wv):
    """`transpose(0, 1)` or `.t()` turns one sentence, a matrix, but no batch: swap the last two axes, from the end."""
    return _attention(inp, wq, wk, wv, turn=lambda k: k.transpose(0, 1))


def matrices_only(inp, wq, wk, wv):
    """`.t()` turns one matrix and refuses a batch: swap the last two axes, whatever stands in front of them."""
    return _attention(inp, wq, wk, wv, turn=lambda k: k.t())


def batches_only(inp, wq, wk, wv):
    """Axes 1 and 2 are swapped, which needs exactly one batch axis: count them from the end."""
    return _attention(inp, wq, wk, wv, turn=lambda k: k.transpose(1, 2))


def reshaped_instead_of_transposed(inp, wq, wk, wv):
    """`view` and `reshape` only count the numbers off anew; turning rows into columns means to move axes."""
    return _attention(inp, wq, wk, wv, turn=lambda k: k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]))


def queries_and_keys_swapped(inp, wq, wk, wv):
    """Queries and keys changed places: row i of the weights belongs to query i."""
    return _attention(inp, wk, wq, wv)


def keys_mixed_instead_of_values(inp, wq, wk, wv):
    """The keys are mixed by the weights: what a token passes on is its value."""
    return _attention(inp, wq, wk, wk)


def tokens_mixed_instead_of_values(inp, wq, wk, wv):
    """The tokens themselves are mixed by the weights: mix their values, which `wv` makes."""
    weights = _attention(inp, wq, wk, wv)[1]
    return weights @ inp, weights


def tokens_compared_as_they_are(inp, wq, wk, wv):
    """The tokens are compared as they are: make queries and keys of them first."""
    weights = _soft(inp @ inp.transpose(-2, -1) / math.sqrt(wk.shape[-1]))
    return weights @ (inp @ wv), weights


def one_projection_for_queries_and_keys(inp, wq, wk, wv):
    """Queries and keys are made by the same matrix, so that scores are the same both ways: each has its own."""
    return _attention(inp, wq, wq, wv)


def values_mixed_by_columns(inp, wq, wk, wv):
    """The values are mixed by the columns of the weights: row i holds what output i takes from each token."""
    weights = _attention(inp, wq, wk, wv)[1]
    return weights.transpose(-2, -1) @ (inp @ wv), weights


def no_token_looks_ahead(inp, wq, wk, wv):
    """Later tokens are hidden from earlier ones: here every token attends to all of them."""

    def weigh(scores):
        return _soft(scores.masked_fill(~torch.ones(scores.shape[-2:], dtype=torch.bool).tril(), -math.inf))

    return _attention(inp, wq, wk, wv, weigh=weigh)


def tokens_added(inp, wq, wk, wv):
    """The values are added to the output once more, as a residual connection would: return the mixture alone."""
    output, weights = _attention(inp, wq, wk, wv)
    return output + inp @ wv, weights


def cut_from_the_graph(inp, wq, wk, wv):
    """`detach`, `.data` or `no_grad` cuts the output off from the weights, so that nothing could learn.

    The numbers are right. What do they no longer remember?
    """
    with torch.no_grad():
        return _attention(inp, wq, wk, wv)


def weights_cut_from_the_graph(inp, wq, wk, wv):
    """The attention weights are detached before they mix the values, so that queries and keys could never learn."""
    return _attention(inp, wq, wk, wv, weigh=lambda scores: _soft(scores).detach())


def weights_first(inp, wq, wk, wv):
    """The two results are in the wrong order: first the output, then the weights."""
    return _attention(inp, wq, wk, wv)[::-1]


def weights_not_returned(inp, wq, wk, wv):
    """Only the output comes back: return the weights as well, as `output, weights`."""
    return _attention(inp, wq, wk, wv)[0]


def scores_instead_of_weights(inp, wq, wk, wv):
    """The second result holds the scores: return the weights that softmax made of them."""
    scores = _attention(inp, wq, wk, wv, weigh=lambda scores: scores)[1]
    return _attention(inp, wq, wk, wv)[0], scores


def not_returned(inp, wq, wk, wv):
    """Output and weights may have been computed, but the function does not hand them back: it needs a `return`."""
