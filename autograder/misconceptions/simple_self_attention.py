"""Mistakes seen in answers to simple_self_attention."""

import numpy as np


def _scores(inputs):
    return inputs @ np.swapaxes(inputs, -1, -2)


def _softmax(x, axis=-1):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _attend(inputs, weights):
    return weights @ inputs, weights


def weights_first(inputs):
    """The two results are in the wrong order: first the context, then the weights."""
    inputs = np.asarray(inputs, dtype=float)
    return _attend(inputs, _softmax(_scores(inputs)))[::-1]


def weights_not_returned(inputs):
    """Only the context comes back: return the weights as well, as `context, weights`."""
    inputs = np.asarray(inputs, dtype=float)
    return _softmax(_scores(inputs)) @ inputs


def not_returned(inputs):
    """Context and weights may have been computed, but the function does not hand them back: it needs a `return`."""


def context_of_the_scores(inputs):
    """The weights are multiplied with the scores, not with the tokens.

    It is easily said that the context is "weights times scores", but what gets mixed are the vectors themselves.
    """
    inputs = np.asarray(inputs, dtype=float)
    weights = _softmax(_scores(inputs))
    return weights @ _scores(inputs), weights


def context_of_raw_scores(inputs):
    """The tokens are mixed by the raw scores: mix them by the weights that softmax makes of the scores."""
    inputs = np.asarray(inputs, dtype=float)
    return _scores(inputs) @ inputs, _softmax(_scores(inputs))


def scores_instead_of_weights(inputs):
    """The second result holds the raw scores: return the weights that softmax made of them."""
    inputs = np.asarray(inputs, dtype=float)
    return _softmax(_scores(inputs)) @ inputs, _scores(inputs)


def one_sum_for_everything(inputs):
    """One softmax runs over the whole matrix: each token needs weights of its own that sum to 1."""
    inputs = np.asarray(inputs, dtype=float)
    return _attend(inputs, _softmax(_scores(inputs), None))


def over_the_queries(inputs):
    """The columns of the weights sum to 1: each row should, for a row belongs to the token that asks."""
    inputs = np.asarray(inputs, dtype=float)
    return _attend(inputs, _softmax(_scores(inputs), -2))


def no_maximum_subtracted(inputs):
    """The softmax inside overflows for large scores: subtract the largest score of each row first.

    Your own `batched_softmax` does that already.
    """
    inputs = np.asarray(inputs, dtype=float)
    exponentials = np.exp(_scores(inputs))
    return _attend(inputs, exponentials / exponentials.sum(axis=-1, keepdims=True))


def one_maximum_for_everything(inputs):
    """One maximum is subtracted from the whole matrix, and rows far below it end in 0/0: take each row's own."""
    inputs = np.asarray(inputs, dtype=float)
    scores = _scores(inputs)
    exponentials = np.exp(scores - scores.max())
    return _attend(inputs, exponentials / exponentials.sum(axis=-1, keepdims=True))


def normalised_by_the_sum(inputs):
    """The scores are divided by their sum: the weights of attention come from softmax."""
    inputs = np.asarray(inputs, dtype=float)
    scores = _scores(inputs)
    return _attend(inputs, scores / scores.sum(axis=-1, keepdims=True))


def argmax(inputs):
    """All the attention of a token goes to the best match: softmax gives every token its share."""
    inputs = np.asarray(inputs, dtype=float)
    best = _scores(inputs).argmax(axis=-1)[..., None]
    return _attend(inputs, (np.arange(inputs.shape[-2]) == best).astype(float))


def scaled_too_early(inputs):
    """The scores are divided by the square root of the size; this exercise does not scale yet.

    Scaling comes at the end of the chapter.
    """
    inputs = np.asarray(inputs, dtype=float)
    return _attend(inputs, _softmax(_scores(inputs) / np.sqrt(inputs.shape[-1])))


def all_axes_turned(inputs):
    """`.T` turns all axes round, the batch axis too: swap only the last two."""
    inputs = np.asarray(inputs, dtype=float)
    return _attend(inputs, _softmax(inputs @ inputs.T))


def a_token_never_sees_itself(inputs):
    """Each token leaves itself out here: in self-attention it attends to itself as well."""
    inputs = np.asarray(inputs, dtype=float)
    scores = _scores(inputs)
    return _attend(inputs, _softmax(np.where(np.eye(scores.shape[-1], dtype=bool), -1e30, scores)))


def causal_already(inputs):
    """No token sees those behind it: nothing is hidden here, masks come later in the chapter."""
    inputs = np.asarray(inputs, dtype=float)
    scores = inputs @ np.swapaxes(inputs, -1, -2)
    scores = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ inputs, weights


def tokens_added(inputs):
    """The tokens are added to what was mixed from them: the context is the mixture alone."""
    inputs = np.asarray(inputs, dtype=float)
    scores = inputs @ np.swapaxes(inputs, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ inputs + inputs, weights
