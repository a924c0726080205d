"""Mistakes seen in answers to attend."""

import numpy as np


def _scores(dec_hidden_state, annotations):
    return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)


def _softmax(scores):
    exponentials = np.exp(scores - np.max(scores))
    return exponentials / exponentials.sum()


def weights_first(dec_hidden_state, annotations):
    """The two results are in the wrong order: first the context, then the weights."""
    weights = _softmax(_scores(dec_hidden_state, annotations))
    return weights, np.asarray(annotations, dtype=float) @ weights


def weights_not_returned(dec_hidden_state, annotations):
    """Only the context comes back: return the weights as well, as `context, weights`."""
    return np.asarray(annotations, dtype=float) @ _softmax(_scores(dec_hidden_state, annotations))


def not_returned(dec_hidden_state, annotations):
    """Context and weights may have been computed, but the function does not hand them back: it needs a `return`."""


def no_maximum_subtracted(dec_hidden_state, annotations):
    """The softmax inside overflows for the scores of the example: subtract the largest score first.

    Your own `softmax` of this chapter does that already.
    """
    exponentials = np.exp(_scores(dec_hidden_state, annotations))
    weights = exponentials / exponentials.sum()
    return np.asarray(annotations, dtype=float) @ weights, weights


def normalised_by_the_sum(dec_hidden_state, annotations):
    """The scores are divided by their sum: the weights of attention come from softmax."""
    scores = _scores(dec_hidden_state, annotations)
    weights = scores / scores.sum()
    return np.asarray(annotations, dtype=float) @ weights, weights


def argmax(dec_hidden_state, annotations):
    """All the attention goes to the best annotation: softmax gives every one its share."""
    scores = _scores(dec_hidden_state, annotations)
    weights = (np.arange(len(scores)) == scores.argmax()).astype(float)
    return np.asarray(annotations, dtype=float) @ weights, weights


def scores_instead_of_weights(dec_hidden_state, annotations):
    """The second result holds the raw scores: return the weights that softmax made of them."""
    scores = _scores(dec_hidden_state, annotations)
    return np.asarray(annotations, dtype=float) @ _softmax(scores), scores


def context_of_the_raw_scores(dec_hidden_state, annotations):
    """The annotations are mixed by the raw scores: mix them by the weights."""
    scores = _scores(dec_hidden_state, annotations)
    return np.asarray(annotations, dtype=float) @ scores, _softmax(scores)


def context_of_the_scores(dec_hidden_state, annotations):
    """The weights are multiplied with the scores, not with the annotations.

    It is easily said that the context is "weights times scores", but what gets mixed are the vectors themselves.
    """
    scores = _scores(dec_hidden_state, annotations)
    weights = _softmax(scores)
    return float(weights @ scores), weights


def not_summed(dec_hidden_state, annotations):
    """The first result still has a column for each time step: add them up to get the context."""
    weights = _softmax(_scores(dec_hidden_state, annotations))
    return np.asarray(annotations, dtype=float) * weights, weights


def mean_instead_of_sum(dec_hidden_state, annotations):
    """The context is divided by the number of time steps, but the weights already sum to 1: add up only."""
    weights = _softmax(_scores(dec_hidden_state, annotations))
    return (np.asarray(annotations, dtype=float) * weights).mean(axis=1), weights


def summed_over_hidden_units(dec_hidden_state, annotations):
    """The hidden units are added up here, one number a time step is left: add up the time steps."""
    weights = _softmax(_scores(dec_hidden_state, annotations))
    return (np.asarray(annotations, dtype=float) * weights).sum(axis=0), weights


def scaled_too_early(dec_hidden_state, annotations):
    """The scores are divided by the square root of the size before softmax; this chapter does not scale.

    Scaling has its place: it comes at the end of the next chapter.
    """
    scores = _scores(dec_hidden_state, annotations) / np.sqrt(len(dec_hidden_state))
    weights = _softmax(scores)
    return np.asarray(annotations, dtype=float) @ weights, weights


def changes_its_input(dec_hidden_state, annotations):
    """The results are right, but `*=` overwrote the annotations that were handed in: the next word needs them too."""
    annotations = np.asarray(annotations)
    if annotations.dtype.kind != "f":
        annotations = annotations.astype(float)
    weights = _softmax(_scores(dec_hidden_state, annotations))
    annotations *= weights
    return annotations.sum(axis=1), weights


def context_is_the_best_annotation(dec_hidden_state, annotations):
    """The weights are right, but the context is the best annotation alone: every one counts, by its weight."""
    annotations = np.asarray(annotations, dtype=float)
    scores = _scores(dec_hidden_state, annotations)
    return annotations[:, scores.argmax()], _softmax(scores)
