"""Mistakes seen in answers to attention_scores."""

import numpy as np


def _arrays(*things):
    return [np.asarray(thing, dtype=float) for thing in things]


def element_by_element(queries, keys):
    """`*` multiplies element by element and adds nothing up: a matrix product is meant.

    `@` multiplies and adds.
    """
    queries, keys = _arrays(queries, keys)
    return queries * keys


def not_returned(queries, keys):
    """The scores may have been computed, but the function does not hand them back: it needs a `return`."""


def not_transposed(queries, keys):
    """The keys are not turned: `queries @ keys` pairs the numbers of a query with whole keys.

    For `(n_q, d) @ (d, n_k)` the last two axes of the keys have to change places.
    """
    queries, keys = _arrays(queries, keys)
    return queries @ keys


def all_axes_turned(queries, keys):
    """`.T` (or swapping the first axis with the last) moves the batch axis too: swap only the last two.

    `np.swapaxes` takes the two axes by number; counted from the end they are the same with and without a batch.
    """
    queries, keys = _arrays(queries, keys)
    return queries @ keys.T


def reshaped_instead_of_transposed(queries, keys):
    """`reshape` only counts the numbers off anew; turning rows into columns means to move axes, as a transpose does."""
    queries, keys = _arrays(queries, keys)
    return queries @ keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])


def queries_and_keys_swapped(queries, keys):
    """Queries and keys changed places: row i belongs to query i, and each column to a key."""
    queries, keys = _arrays(queries, keys)
    return keys @ np.swapaxes(queries, -1, -2)


def scaled_too_early(queries, keys):
    """These scores are divided by the square root of the key size; plain dot products are asked for here.

    Scaling comes at the end of the chapter.
    """
    queries, keys = _arrays(queries, keys)
    return queries @ np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])


def softmax_too_early(queries, keys):
    """These are weights already, not scores: softmax is an exercise of its own and comes next."""
    queries, keys = _arrays(queries, keys)
    scores = queries @ np.swapaxes(keys, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def queries_scored_against_themselves(queries, keys):
    """The queries are scored against themselves: the keys never come in."""
    queries, _ = _arrays(queries, keys)
    return queries @ np.swapaxes(queries, -1, -2)


def cosine_similarity(queries, keys):
    """The vectors are brought to length 1 first, which gives the cosine of their angle, not the dot product.

    Leave the lengths in: a strong key may get a strong score.
    """
    queries, keys = _arrays(queries, keys)
    queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
    keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
    return queries @ np.swapaxes(keys, -1, -2)


def batches_mixed(queries, keys):
    """Every sentence of the batch is scored against every other one: a query looks at the keys of its own sentence.

    `np.dot` and `np.tensordot` pair all batch axes; `@` and `einsum` keep them.
    """
    queries, keys = _arrays(queries, keys)
    return np.dot(queries, np.swapaxes(keys, -1, -2))


def integers_stay_integers(queries, keys):
    """For integer queries the scores are kept in an integer array and lose their fractions.

    Make float arrays first: `np.asarray(queries, dtype=float)`.
    """
    queries, keys = np.asarray(queries), np.asarray(keys)
    scores = np.zeros((*queries.shape[:-1], keys.shape[-2]), dtype=queries.dtype)
    scores[...] = queries @ np.swapaxes(keys, -1, -2)
    return scores
