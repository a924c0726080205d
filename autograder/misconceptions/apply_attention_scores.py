"""Mistakes seen in answers to apply_attention_scores."""

import numpy as np


def weights_scale_rows(attention_weights, annotations):
    """The weights scale the rows here, which are hidden units: weight t belongs to column t.

    NumPy lines the last axes up by itself; nothing has to be turned.
    """
    return np.asarray(attention_weights)[:, None] * np.asarray(annotations)


def matrix_product(attention_weights, annotations):
    """This is a matrix product, which adds the time steps up already: here each column is only scaled.

    `*` multiplies element by element.
    """
    return np.asarray(annotations, dtype=float) @ np.asarray(attention_weights, dtype=float)


def not_returned(attention_weights, annotations):
    """The scaled annotations may have been computed, but the function does not hand them back: it needs a `return`."""


def transposed_result(attention_weights, annotations):
    """The numbers are right, but rows and columns changed places: the result is `(h, t)` like the annotations."""
    return np.asarray(annotations, dtype=float).T * np.asarray(attention_weights, dtype=float)[:, None]


def only_the_best(attention_weights, annotations):
    """Only the annotation with the largest weight is kept: every annotation counts, each by its weight."""
    weights = np.asarray(attention_weights, dtype=float)
    return np.asarray(annotations, dtype=float) * (np.arange(len(weights)) == weights.argmax()) * weights


def integers_stay_integers(attention_weights, annotations):
    """For integer annotations the result is kept in an integer array and loses its fractions.

    Make a float array first: `np.asarray(annotations, dtype=float)`.
    """
    annotations = np.asarray(annotations)
    applied = np.zeros_like(annotations)
    applied[:] = annotations * np.asarray(attention_weights)
    return applied


def softmax_again(attention_weights, annotations):
    """Softmax is applied to the weights once more; they are weights already and sum to 1."""
    exponentials = np.exp(np.asarray(attention_weights, dtype=float))
    return np.asarray(annotations, dtype=float) * exponentials / exponentials.sum()


def changes_its_input(attention_weights, annotations):
    """The result is right, but `*=` overwrote the annotations that were handed in: work on a copy."""
    annotations = np.asarray(annotations)
    if annotations.dtype.kind != "f":
        annotations = annotations.astype(float)
    annotations *= np.asarray(attention_weights, dtype=float)
    return annotations
