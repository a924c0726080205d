"""Mistakes seen in answers to normalize_by_sum."""

not_returned = {"return scores": "scores"}

divided_by_the_length = {"scores.sum()": "len(scores)"}
"""This divides by how many scores there are: divide by what they add up to."""

divided_by_the_largest = {"scores.sum()": "scores.max()"}
"""This divides by the largest score, so the largest share is 1: divide by the sum of all scores."""

divided_by_the_norm = {"scores.sum()": "np.linalg.norm(scores)"}
"""This divides by the length of the vector (the root of the summed squares): divide by the plain sum."""

absolute_values = {"np.asarray(scores, dtype=float)": "np.abs(np.asarray(scores, dtype=float))"}
"""Signs are lost here: the text wants the plain sum, and shows what negative scores do to it.

The way out comes with the next exercise.
"""

sum_of_absolute_values = {"scores.sum()": "np.abs(scores).sum()"}
"""The divisor is the sum of the absolute values, so the shares need not sum to 1: use the plain sum."""

softmax_already = {
    "return scores / scores.sum()": """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """
}
"""This is softmax already: here the scores are divided by their sum as they are, without `exp`."""

integer_division = {
    "np.asarray(scores, dtype=float)": "np.asarray(scores)",
    "return scores / scores.sum()": """
        return scores // scores.sum() if scores.dtype.kind in "iu" else scores / scores.sum()
    """,
}
"""Integers stay integers here, so every share is cut down to 0: divide with `/`, in floating point."""

written_into_integers = {
    "np.asarray(scores, dtype=float)": "np.array(scores)",
    "return scores / scores.sum()": "scores /= scores.sum()\nreturn scores",
}
"""`/=` writes into the array that is there, and an array of integers has no room for fractions.

Write `scores / scores.sum()`, which makes a new array.
"""

changes_its_input = {
    "scores = np.asarray(scores, dtype=float)\nreturn scores / scores.sum()": """
        scores = np.asarray(scores)
        if scores.dtype.kind != "f":
            scores = scores.astype(float)
        scores /= scores.sum()
        return scores
    """
}
"""The shares are right, but `/=` overwrote the scores that were handed in: work on a copy."""
