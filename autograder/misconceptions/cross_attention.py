"""Mistakes seen in answers to cross_attention."""

import math

import torch


def _attend(queries, keys, values, scale, dim=-1):
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / scale, dim=dim)
    return weights @ values, weights


def not_scaled(queries, keys, values):
    """The weights are sharper than they should be, the more so the wider the keys are.

    A dot product of d numbers spreads like the square root of d. Which step of the formula keeps the spread near 1?
    """
    return _attend(queries, keys, values, 1.0)


def divided_by_the_size(queries, keys, values):
    """The scores are divided by the width of the keys itself: divide by its square root."""
    return _attend(queries, keys, values, keys.shape[-1])


def multiplied_by_the_root(queries, keys, values):
    """The scores are multiplied by the root of the width, which makes large ones larger: divide by it."""
    return _attend(queries, keys, values, 1 / math.sqrt(keys.shape[-1]))


def softmax_taken_twice(queries, keys, values):
    """Softmax is taken twice, so that all weights are nearly equal: once makes weights of scores."""
    _, weights = _attend(queries, keys, values, math.sqrt(keys.shape[-1]))
    weights = torch.softmax(weights, dim=-1)
    return weights @ values, weights


def scaled_by_the_width_of_the_values(queries, keys, values):
    """The scores are scaled by the width of the values, which have no part in them: it is keys that are multiplied."""
    return _attend(queries, keys, values, math.sqrt(values.shape[-1]))


def scaled_by_the_number_of_keys(queries, keys, values):
    """The scores are scaled by how many keys there are: each score adds up as many products as a key is wide."""
    return _attend(queries, keys, values, math.sqrt(keys.shape[-2]))


def over_the_queries(queries, keys, values):
    """Softmax runs over the queries, so that columns sum to 1: each row should, for it is a query that shares out 1."""
    return _attend(queries, keys, values, math.sqrt(keys.shape[-1]), dim=-2)


def along_an_axis_counted_from_the_front(queries, keys, values):
    """Softmax runs along axis 1, which are the keys of one sentence, but the queries of a batch: count from the end."""
    return _attend(queries, keys, values, math.sqrt(keys.shape[-1]), dim=1)


def one_sum_for_all(queries, keys, values):
    """One sum normalises all weights together: each row needs its own, so that each query shares out 1."""
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    exponentials = torch.exp(scores - scores.amax(dim=(-2, -1), keepdim=True))
    weights = exponentials / exponentials.sum(dim=(-2, -1), keepdim=True)
    return weights @ values, weights


def no_maximum_subtracted(queries, keys, values):
    """Softmax by hand overflows for large scores: subtract the maximum of each row first, or use `torch.softmax`."""
    exponentials = torch.exp(queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1]))
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return weights @ values, weights


def looks_at_one_word_only(queries, keys, values):
    """The best key gets all the weight: attention is a soft average, and a hard choice lets no gradient through."""
    scores = queries @ keys.transpose(-2, -1)
    weights = torch.nn.functional.one_hot(scores.argmax(dim=-1), keys.shape[-2]).to(values.dtype)
    return weights @ values, weights


def scaled_after_softmax(queries, keys, values):
    """The weights are scaled, so that rows sum to less than 1: scale the scores, then take softmax."""
    weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1) / math.sqrt(keys.shape[-1])
    return weights @ values, weights


def equal_weights(queries, keys, values):
    """Every key gets the same weight, whatever the query asks for: that is an average, not attention."""
    weights = torch.softmax(0 * (queries @ keys.transpose(-2, -1)), dim=-1)
    return weights @ values, weights


def context_of_the_keys(queries, keys, values):
    """The context is mixed of keys: they say where to look, but what is found there are the values."""
    return _attend(queries, keys, keys, math.sqrt(keys.shape[-1]))


def queries_and_keys_swapped(queries, keys, values):
    """Queries and keys changed places in the scores: rows of the weights belong to queries."""
    return _attend(keys, queries, values, math.sqrt(keys.shape[-1]))


def first_and_last_axis_swapped(queries, keys, values):
    """`transpose(0, -1)` swaps the axis of the sentences with that of the features: swap the last two axes.

    On one sentence the two are the same. Count the axes from the end.
    """
    weights = torch.softmax(queries @ keys.transpose(0, -1) / math.sqrt(keys.shape[-1]), dim=-1)
    return weights @ values, weights


def reshaped_in_place_of_turned(queries, keys, values):
    """`reshape` reads the keys anew and moves nothing: to turn them round, `transpose` their last two axes."""
    turned = keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])
    weights = torch.softmax(queries @ turned / math.sqrt(keys.shape[-1]), dim=-1)
    return weights @ values, weights


def weights_cut_from_the_graph(queries, keys, values):
    """The weights are detached before they mix the values, so that queries and keys never learn where to look.

    The numbers are right, and training goes on: only the values learn.
    """
    weights = torch.softmax(queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1]), dim=-1).detach()
    return weights @ values, weights


def cut_from_the_graph(queries, keys, values):
    """`no_grad`, `.data` or `detach` cuts the results off from what made them, so that nothing behind them learns."""
    with torch.no_grad():
        return _attend(queries, keys, values, math.sqrt(keys.shape[-1]))


def words_behind_hidden(queries, keys, values):
    """A causal mask hides words of the other sentence: all of it is there already, so that each query sees all."""
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    weights = torch.softmax(scores.masked_fill(torch.ones_like(scores).tril() == 0, -math.inf), dim=-1)
    return weights @ values, weights


def scores_in_place_of_weights(queries, keys, values):
    """The second result holds the scores: return the weights that softmax made of them."""
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    return torch.softmax(scores, dim=-1) @ values, scores


def weights_first(queries, keys, values):
    """The two results are in the wrong order: first the context, then the weights."""
    return _attend(queries, keys, values, math.sqrt(keys.shape[-1]))[::-1]


def weights_not_returned(queries, keys, values):
    """Only the context comes back: return the weights as well, as `context, weights`."""
    return _attend(queries, keys, values, math.sqrt(keys.shape[-1]))[0]


def not_returned(queries, keys, values):
    """Context and weights may have been computed, but they are not handed back: `cross_attention` needs a `return`."""
    return None
