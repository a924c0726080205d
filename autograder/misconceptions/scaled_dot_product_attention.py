"""Mistakes seen in answers to scaled_dot_product_attention."""

import numpy as np


def _softmax(x, axis=-1):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _stable(scores, mask):
    """Softmax with a mask, and 0 for rows that may attend to nothing."""
    if mask is None:
        return _softmax(scores)
    return np.where(mask, _softmax(np.where(mask, scores, np.finfo(float).min)), 0.0)


def _attention(query, key, value, mask, scale=None, weigh=_stable):
    """Attention in which one step, scaling or weighing, can be done wrong."""
    query, key, value = (np.asarray(part, dtype=float) for part in (query, key, value))
    scores = query @ np.swapaxes(key, -1, -2) / (np.sqrt(key.shape[-1]) if scale is None else scale)
    weights = weigh(scores, mask)
    return weights @ value, weights


def not_scaled(query, key, value, mask=None):
    """The scores are not scaled: divide them by the square root of the key size before softmax."""
    return _attention(query, key, value, mask, 1.0)


def divided_by_the_size(query, key, value, mask=None):
    """The scores are divided by the key size itself: divide by its square root."""
    return _attention(query, key, value, mask, float(np.shape(key)[-1]))


def scaled_by_the_value_size(query, key, value, mask=None):
    """The scores are scaled by the width of the values: it is the width of the keys that makes dot products large."""
    return _attention(query, key, value, mask, np.sqrt(np.shape(value)[-1]))


def scaled_by_the_number_of_keys(query, key, value, mask=None):
    """The scores are scaled by the number of keys: it is their width, the last axis, that makes dot products large."""
    return _attention(query, key, value, mask, np.sqrt(np.shape(key)[-2]))


def multiplied_by_the_root(query, key, value, mask=None):
    """The scores are multiplied by the square root, which makes them larger still: divide."""
    return _attention(query, key, value, mask, 1 / np.sqrt(np.shape(key)[-1]))


def size_written_as_a_number(query, key, value, mask=None):
    """The key size is written into the code: read it from the shape of the keys."""
    return _attention(query, key, value, mask, 2.0)


def scaled_after_softmax(query, key, value, mask=None):
    """The weights are scaled, not the scores, so that no row sums to 1: scale first, then softmax."""
    size = np.sqrt(np.shape(key)[-1])
    return _attention(query, key, value, mask, 1.0, lambda scores, mask: _stable(scores, mask) / size)


def one_sum_for_everything(query, key, value, mask=None):
    """One softmax runs over the whole array: each query needs weights of its own that sum to 1."""

    def weigh(scores, mask):
        return _softmax(scores if mask is None else np.where(mask, scores, -np.inf), None)

    return _attention(query, key, value, mask, None, weigh)


def over_the_queries(query, key, value, mask=None):
    """Softmax runs over the queries, so that columns sum to 1: each row should."""

    def weigh(scores, mask):
        return _softmax(scores if mask is None else np.where(mask, scores, -1e300), -2)

    return _attention(query, key, value, mask, None, weigh)


def no_maximum_subtracted(query, key, value, mask=None):
    """The softmax inside overflows for large scores: subtract the largest score of each row first.

    Your own `batched_softmax` does that already.
    """

    def weigh(scores, mask):
        exponentials = np.exp(scores) * (1.0 if mask is None else mask)
        sums = exponentials.sum(axis=-1, keepdims=True)
        return exponentials / np.where(sums == 0, 1.0 if mask is not None else 0.0, sums)

    return _attention(query, key, value, mask, None, weigh)


def one_maximum_for_everything(query, key, value, mask=None):
    """One maximum is subtracted from the whole array, and rows far below it end in 0/0: take each row's own."""

    def weigh(scores, mask):
        exponentials = np.exp(scores - scores.max()) * (1.0 if mask is None else mask)
        sums = exponentials.sum(axis=-1, keepdims=True)
        return exponentials / np.where(sums == 0, 1.0 if mask is not None else 0.0, sums)

    return _attention(query, key, value, mask, None, weigh)


def argmax(query, key, value, mask=None):
    """All the attention of a query goes to the best key: softmax gives every key its share."""

    def weigh(scores, mask):
        scores = scores if mask is None else np.where(mask, scores, -np.inf)
        weights = (np.arange(scores.shape[-1]) == scores.argmax(axis=-1)[..., None]).astype(float)
        return weights if mask is None else weights * mask

    return _attention(query, key, value, mask, None, weigh)


def all_axes_turned(query, key, value, mask=None):
    """`.T` turns all axes round, the batch axis too: swap only the last two."""
    query, key, value = (np.asarray(part, dtype=float) for part in (query, key, value))
    weights = _stable(query @ key.T / np.sqrt(key.shape[-1]), mask)
    return weights @ value, weights


def reshaped_instead_of_transposed(query, key, value, mask=None):
    """`reshape` only counts the numbers off anew; turning rows into columns means to move axes, as a transpose does."""
    query, key, value = (np.asarray(part, dtype=float) for part in (query, key, value))
    turned = key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])
    weights = _stable(query @ turned / np.sqrt(key.shape[-1]), mask)
    return weights @ value, weights


def queries_and_keys_swapped(query, key, value, mask=None):
    """Queries and keys changed places: rows of the weights belong to queries."""
    return _attention(key, query, value, mask)


def keys_mixed_instead_of_values(query, key, value, mask=None):
    """The keys are mixed by the weights: what a query gets to see are the values."""
    return _attention(query, key, key, mask)


def tiny_number_for_a_large_one(query, key, value, mask=None):
    """Hidden scores are set to -1e-9, which is nearly 0, and exp(0) is 1: use a large negative number, such as -1e9."""

    def weigh(scores, mask):
        return _softmax(scores if mask is None else np.where(mask, scores, -1e-9))

    return _attention(query, key, value, mask, None, weigh)


def hidden_scores_set_to_zero(query, key, value, mask=None):
    """Multiplying by the mask sets hidden scores to 0, but exp(0) is 1, so that hidden keys still count.

    The score has to be so low that nothing is left of its exponential.
    """
    return _attention(
        query, key, value, mask, None, lambda scores, mask: _softmax(scores * (1 if mask is None else mask))
    )


def large_positive_fill(query, key, value, mask=None):
    """Hidden scores are set to a large *positive* number, so that all attention goes to them: its sign is missing."""

    def weigh(scores, mask):
        return _softmax(scores if mask is None else np.where(mask, scores, 1e9))

    return _attention(query, key, value, mask, None, weigh)


def masked_after_softmax(query, key, value, mask=None):
    """The mask is applied to the weights, so that rows sum to less than 1: hide the scores, before softmax."""
    return _attention(
        query, key, value, mask, None, lambda scores, mask: _softmax(scores) * (1 if mask is None else mask)
    )


def mask_inverted(query, key, value, mask=None):
    """The mask is read the wrong way round: `True` means that the query may attend to the key."""
    return _attention(query, key, value, None if mask is None else ~np.asarray(mask))


def mask_ignored(query, key, value, mask=None):
    """The mask changes nothing: hidden keys have to be hidden before softmax."""
    return _attention(query, key, value, None)


def nan_for_empty_rows(query, key, value, mask=None):
    """A row that may attend to nothing becomes NaN, and spoils everything it meets: give it the weights 0.

    Minus infinity in every place leaves softmax nothing to divide. Where do you know which weights have to be 0?
    """

    def weigh(scores, mask):
        return _softmax(scores if mask is None else np.where(mask, scores, -np.inf))

    return _attention(query, key, value, mask, None, weigh)


def equal_weights_for_empty_rows(query, key, value, mask=None):
    """A row that may attend to nothing gets equal weights for keys that are all hidden from it: they should be 0.

    A large negative number avoids the NaN, but softmax still shares 1 out. Who can take it back?
    """

    def weigh(scores, mask):
        return _softmax(scores if mask is None else np.where(mask, scores, -1e9))

    return _attention(query, key, value, mask, None, weigh)


def asked_whether_the_mask_is_true(query, key, value, mask=None):
    """`if mask:` asks whether an array of many values is true, which nobody can say: ask `if mask is not None`."""
    return _attention(query, key, value, mask if mask else None)


def weights_first(query, key, value, mask=None):
    """The two results are in the wrong order: first the output, then the weights."""
    return _attention(query, key, value, mask)[::-1]


def weights_not_returned(query, key, value, mask=None):
    """Only the output comes back: return the weights as well, as `output, weights`."""
    return _attention(query, key, value, mask)[0]


def scores_instead_of_weights(query, key, value, mask=None):
    """The second result holds the scores: return the weights that softmax made of them."""
    scores = np.asarray(query, dtype=float) @ np.swapaxes(np.asarray(key, dtype=float), -1, -2)
    return _attention(query, key, value, mask)[0], scores / np.sqrt(np.shape(key)[-1])


def not_returned(query, key, value, mask=None):
    """Output and weights may have been computed, but the function does not hand them back: it needs a `return`."""


def no_maximum_and_nan_for_empty_rows(query, key, value, mask=None):
    """The softmax inside overflows for large scores, and divides 0 by 0 where a query may attend to nothing.

    Subtract the largest score of each row first. Then think about rows of which nothing is left.
    """

    def weigh(scores, mask):
        exponentials = np.exp(scores if mask is None else np.where(mask, scores, -np.inf))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)

    return _attention(query, key, value, mask, None, weigh)


def output_scaled(query, key, value, mask=None):
    """The output is divided by the square root, and the scores are not: scale the scores, before softmax."""
    output, weights = _attention(query, key, value, mask, 1.0)
    return output / np.sqrt(np.shape(key)[-1]), weights
