"""Mistakes seen in answers to context_vectors."""

import numpy as np


def _arrays(*things):
    return [np.asarray(thing, dtype=float) for thing in things]


def element_by_element(attention_weights, values):
    """`*` multiplies element by element and adds nothing up: a matrix product is meant.

    `@` multiplies and adds.
    """
    weights, values = _arrays(attention_weights, values)
    return weights * values


def not_returned(attention_weights, values):
    """The context vectors may have been computed, but the function does not hand them back: it needs a `return`."""


def values_turned(attention_weights, values):
    """The values are turned here as the keys were, but this time the shapes fit as they are.

    `(n_q, n_k)` and `(n_k, d_v)` already give `(n_q, d_v)`.
    """
    weights, values = _arrays(attention_weights, values)
    return weights @ np.swapaxes(values, -1, -2)


def weights_turned(attention_weights, values):
    """The weights are turned here: row i holds the weights of query i, and makes row i of the result."""
    weights, values = _arrays(attention_weights, values)
    return np.swapaxes(weights, -1, -2) @ values


def factors_swapped(attention_weights, values):
    """The two factors changed places: weights come first, `weights @ values`."""
    weights, values = _arrays(attention_weights, values)
    return values @ weights


def all_axes_turned(attention_weights, values):
    """The result has all its axes turned round, the batch axis too: one context vector in each row is asked for."""
    weights, values = _arrays(attention_weights, values)
    return (weights @ values).T


def mean_instead_of_sum(attention_weights, values):
    """The result is divided by the number of keys, but the weights are shares already: add up only."""
    weights, values = _arrays(attention_weights, values)
    return weights @ values / values.shape[-2]


def weights_normalised_again(attention_weights, values):
    """The weights are divided by their sum once more: use them as they are, whatever they sum to."""
    weights, values = _arrays(attention_weights, values)
    return weights / weights.sum(axis=-1, keepdims=True) @ values


def softmax_again(attention_weights, values):
    """Softmax is applied to the weights once more; they are weights already."""
    weights, values = _arrays(attention_weights, values)
    exponentials = np.exp(weights - weights.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ values


def only_the_best(attention_weights, values):
    """Each query gets the value of its largest weight only: every value counts, each by its weight."""
    weights, values = _arrays(attention_weights, values)
    return np.take_along_axis(values, weights.argmax(axis=-1)[..., None], axis=-2)


def batches_mixed(attention_weights, values):
    """Every sentence of the batch is mixed with every other one: weights belong to the values of their own sentence.

    `np.dot` and `np.tensordot` pair all batch axes; `@` and `einsum` keep them.
    """
    return np.dot(*_arrays(attention_weights, values))
