"""Mistakes seen in answers to softmax."""

import numpy as np


def _exponentials(scores):
    scores = np.asarray(scores, dtype=float)
    return np.exp(scores - scores.max())


def no_maximum_subtracted(scores):
    """`np.exp` overflows for large scores, and infinity divided by infinity is NaN.

    Subtract the largest score from all of them first: the result does not change, because only differences count.
    """
    exponentials = np.exp(np.asarray(scores, dtype=float))
    return exponentials / exponentials.sum()


def float128(scores):
    """A wider number type only moves the overflow further out, and `float128` is missing on Windows and on Arm Macs.

    float64 is enough once the largest score is subtracted.
    """
    exponentials = np.exp(np.asarray(scores, dtype=np.longdouble))
    return (exponentials / exponentials.sum()).astype(float)


def no_exponential(scores):
    """The scores are divided by their sum without the exponential: negative scores give negative weights.

    Exponentiate first, then divide.
    """
    scores = np.asarray(scores, dtype=float)
    return scores / scores.sum()


def argmax(scores):
    """All the weight goes to the largest score: softmax is a soft average, not a choice."""
    scores = np.asarray(scores, dtype=float)
    return (np.arange(len(scores)) == scores.argmax()).astype(float)


def not_returned(scores):
    """The weights may have been computed, but the function does not hand them back: it needs a `return`."""


def not_divided_by_the_sum(scores):
    """These are the exponentials; they still have to be divided by their sum, or they are no shares."""
    return _exponentials(scores)


def exponentials_alone(scores):
    """This is `np.exp` of every score; the division by the sum of them all is still missing.

    Write the formula down as it stands first; scores near 927 come after that.
    """
    return np.exp(np.asarray(scores, dtype=float))


def shifted_above_only(scores):
    """The largest score is subtracted above the fraction line but not below it, so the weights do not sum to 1.

    Shift the scores first, in a line of its own; then use the shifted ones in both places.
    """
    return _exponentials(scores) / np.exp(np.asarray(scores, dtype=float)).sum()


def divided_by_the_largest(scores):
    """The exponentials are divided by the largest one, not by their sum, so the weights do not sum to 1."""
    exponentials = np.exp(np.asarray(scores, dtype=float))
    return exponentials / exponentials.max()


def minimum_subtracted(scores):
    """The smallest score is subtracted here, which leaves the large ones large: subtract the largest."""
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.min())
    return exponentials / exponentials.sum()


def mean_subtracted(scores):
    """The mean is subtracted here; scores far above it still overflow: subtract the largest."""
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.mean())
    return exponentials / exponentials.sum()


def divided_by_the_maximum_first(scores):
    """Dividing the scores by the largest keeps the exponentials small, but it changes the weights.

    Subtracting keeps the differences, and the differences are all that counts.
    """
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores / scores.max())
    return exponentials / exponentials.sum()


def clipped(scores):
    """Clipping large scores avoids the overflow, but scores that were different become equal.

    Subtract the largest score instead: nothing gets lost.
    """
    exponentials = np.exp(np.clip(np.asarray(scores, dtype=float), -500, 500))
    return exponentials / exponentials.sum()


def logarithm_of_softmax(scores):
    """This is the logarithm of the weights: take `exp` of it, or leave the `log` away."""
    exponentials = _exponentials(scores)
    return np.log(exponentials / exponentials.sum())


def sign_turned_round(scores):
    """The sign is turned round: the smallest score gets the largest weight."""
    return no_maximum_subtracted(-np.asarray(scores, dtype=float))


def two_for_e(scores):
    """The base is 2 here: softmax raises e to the scores, with `np.exp`."""
    scores = np.asarray(scores, dtype=float)
    powers = np.exp2(scores - scores.max())
    return powers / powers.sum()


def integers_stay_integers(scores):
    """For integer scores the result is kept in an integer array, and every weight is cut down to 0 or 1.

    Make a float array first: `np.asarray(scores, dtype=float)`.
    """
    scores = np.asarray(scores)
    weights = np.zeros_like(scores)
    exponentials = _exponentials(scores)
    weights[:] = exponentials / exponentials.sum()
    return weights


def changes_its_input(scores):
    """The weights are right, but `-=` overwrote the scores that were handed in: work on a copy."""
    scores = np.asarray(scores)
    if scores.dtype.kind != "f":
        scores = scores.astype(float)
    scores -= scores.max()
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum()


def largest_absolute_value_subtracted(scores):
    """What is subtracted is the largest number without its sign: negative scores only get smaller, down to 0 / 0.

    Subtract the largest score as it stands.
    """
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - np.abs(scores).max())
    return exponentials / exponentials.sum()
