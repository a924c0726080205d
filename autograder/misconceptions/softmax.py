"""Mistakes seen in answers to softmax."""

no_maximum_subtracted = {" - scores.max()": ""}
"""`np.exp` overflows for large scores, and infinity divided by infinity is NaN.

Subtract the largest score from all of them first: the result does not change, because only differences count.
"""

float128 = {
    "dtype=float": "dtype=np.longdouble",
    " - scores.max()": "",
    "exponentials / exponentials.sum()": "(exponentials / exponentials.sum()).astype(float)",
}
"""A wider number type only moves the overflow further out, and `float128` is missing on Windows and on Arm Macs.

float64 is enough once the largest score is subtracted.
"""

no_exponential = {
    """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """: "return scores / scores.sum()"
}

argmax = {
    """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """: "return (np.arange(len(scores)) == scores.argmax()).astype(float)"
}
"""All the weight goes to the largest score: softmax is a soft average, not a choice."""

not_returned = {"return exponentials": "exponentials"}

not_divided_by_the_sum = {" / exponentials.sum()": ""}
"""These are the exponentials; they still have to be divided by their sum, or they are no shares."""

exponentials_alone = {
    """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """: "return np.exp(scores)"
}
"""This is `np.exp` of every score; the division by the sum of them all is still missing.

Write the formula down as it stands first; scores near 927 come after that.
"""

shifted_above_only = {"exponentials.sum()": "np.exp(scores).sum()"}
"""The largest score is subtracted above the fraction line but not below it, so the weights do not sum to 1.

Shift the scores first, in a line of its own; then use the shifted ones in both places.
"""

divided_by_the_largest = {" - scores.max()": "", "exponentials.sum()": "exponentials.max()"}
"""The exponentials are divided by the largest one, not by their sum, so the weights do not sum to 1."""

minimum_subtracted = {"scores.max()": "scores.min()"}

mean_subtracted = {"scores.max()": "scores.mean()"}
"""The mean is subtracted here; scores far above it still overflow: subtract the largest."""

divided_by_the_maximum_first = {"scores - scores.max()": "scores / scores.max()"}
"""Dividing the scores by the largest keeps the exponentials small, but it changes the weights.

Subtracting keeps the differences, and the differences are all that counts.
"""

clipped = {"scores - scores.max()": "np.clip(scores, -500, 500)"}
"""Clipping large scores avoids the overflow, but scores that were different become equal.

Subtract the largest score instead: nothing gets lost.
"""

logarithm_of_softmax = {"exponentials / exponentials.sum()": "np.log(exponentials / exponentials.sum())"}

sign_turned_round = {"np.exp(scores - scores.max())": "np.exp(-scores)"}
"""The sign is turned round: the smallest score gets the largest weight."""

two_for_e = {"np.exp(": "np.exp2("}
"""The base is 2 here: softmax raises e to the scores, with `np.exp`."""

integers_stay_integers = {
    "scores = np.asarray(scores, dtype=float)": "scores = np.asarray(scores)",
    "return exponentials / exponentials.sum()": """
        weights = np.zeros_like(scores)
        weights[:] = exponentials / exponentials.sum()
        return weights
    """,
}
"""For integer scores the result is kept in an integer array, and every weight is cut down to 0 or 1.

Make a float array first: `np.asarray(scores, dtype=float)`.
"""

changes_its_input = {
    "scores = np.asarray(scores, dtype=float)\nexponentials = np.exp(scores - scores.max())": """
        scores = np.asarray(scores)
        if scores.dtype.kind != "f":
            scores = scores.astype(float)
        scores -= scores.max()
        exponentials = np.exp(scores)
    """
}
"""The weights are right, but `-=` overwrote the scores that were handed in: work on a copy."""

largest_absolute_value_subtracted = {"scores.max()": "np.abs(scores).max()"}
"""What is subtracted is the largest number without its sign: negative scores only get smaller, down to 0 / 0.

Subtract the largest score as it stands.
"""
