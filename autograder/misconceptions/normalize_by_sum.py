"""Mistakes seen in answers to normalize_by_sum."""

import numpy as np


def not_returned(scores):
    """The shares may have been computed, but the function does not hand them back: it needs a `return`."""


def divided_by_the_length(scores):
    """This divides by how many scores there are: divide by what they add up to."""
    return np.asarray(scores, dtype=float) / len(scores)


def divided_by_the_largest(scores):
    """This divides by the largest score, so the largest share is 1: divide by the sum of all scores."""
    return np.asarray(scores, dtype=float) / np.max(scores)


def divided_by_the_norm(scores):
    """This divides by the length of the vector (the root of the summed squares): divide by the plain sum."""
    return np.asarray(scores, dtype=float) / np.linalg.norm(scores)


def absolute_values(scores):
    """Signs are lost here: the text wants the plain sum, and shows what negative scores do to it.

    The way out comes with the next exercise.
    """
    scores = np.abs(np.asarray(scores, dtype=float))
    return scores / scores.sum()


def sum_of_absolute_values(scores):
    """The divisor is the sum of the absolute values, so the shares need not sum to 1: use the plain sum."""
    scores = np.asarray(scores, dtype=float)
    return scores / np.abs(scores).sum()


def softmax_already(scores):
    """This is softmax already: here the scores are divided by their sum as they are, without `exp`."""
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def integer_division(scores):
    """Integers stay integers here, so every share is cut down to 0: divide with `/`, in floating point."""
    scores = np.asarray(scores)
    return scores // scores.sum() if scores.dtype.kind in "iu" else scores / scores.sum()


def written_into_integers(scores):
    """`/=` writes into the array that is there, and an array of integers has no room for fractions.

    Write `scores / scores.sum()`, which makes a new array.
    """
    scores = np.array(scores)
    scores /= scores.sum()
    return scores


def changes_its_input(scores):
    """The shares are right, but `/=` overwrote the scores that were handed in: work on a copy."""
    scores = np.asarray(scores)
    if scores.dtype.kind != "f":
        scores = scores.astype(float)
    scores /= scores.sum()
    return scores
