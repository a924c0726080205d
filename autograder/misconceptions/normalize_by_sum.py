"""Mistakes seen in answers to normalize_by_sum."""

not_returned = {"return scores": "scores"}

divided_by_the_length = {"scores.sum()": "len(scores)"}
"""The scores are divided by how many there are. Where they happen to add up to that, it looks right.

Add up your result. What do shares sum to?

Each score should be divided by the sum of all of them, so that the shares sum to 1.
"""

divided_by_the_largest = {"scores.sum()": "scores.max()"}
"""The scores are divided by the largest, which becomes 1. Their proportions are right, but they are no shares.

Add up your result. What do shares sum to?

Each score should be divided by the sum of all of them, so that the shares sum to 1.
"""

divided_by_the_norm = {"scores.sum()": "np.linalg.norm(scores)"}
"""The scores are divided by the length of the vector, the root of the sum of their squares: now the squares sum to 1,
not the scores.

Add up your result, then add up its squares.

Each score should be divided by the plain sum, so that the shares sum to 1.
"""

absolute_values = {"np.asarray(scores, dtype=float)": "np.abs(np.asarray(scores, dtype=float))"}
"""The signs are lost: the shares are those of the scores without their minus. With scores above 0 nothing shows.

Try `[2, -1, -2]`, the scores in the text. What does the text want to show with them?

The scores should be divided as they are, signs included. The way out comes with the next exercise.
"""

sum_of_absolute_values = {"scores.sum()": "np.abs(scores).sum()"}
"""The divisor is the sum of the scores without their signs, so with negative scores the shares do not sum to 1. With
scores above 0 nothing shows.

Try `[2, -1, -2]`, and add up your result.

Each score should be divided by the plain sum.
"""

something_added_to_the_sum = {"scores.sum()": "(scores.sum() + 1e-8)"}
"""Something small is added to the sum, as if against a division by 0. Where the scores are small themselves it counts,
and the shares no longer sum to 1.

Call it with `[1e-7, 3e-7]`, and add up your result.

Each score should be divided by the sum alone: it is never 0 here.
"""

softmax_already = {
    "return scores / scores.sum()": """
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """
}
"""This is softmax already: exponentials are divided by their sum. Its shares sum to 1 as well, which looks right.

Work out the example by hand: which share should 3 have of 3 and 1?

Here the scores themselves should be divided by their sum, without an exponential.
"""

integer_division = {
    "np.asarray(scores, dtype=float)": "np.asarray(scores)",
    "return scores / scores.sum()": """
        return scores // scores.sum() if scores.dtype.kind in "iu" else scores / scores.sum()
    """,
}
"""Whole scores give whole shares, nearly all of them 0: the fractions are lost. With floats it is right.

Call it with `[1, 3]` and with `[1.0, 3.0]`.

Shares should be fractions, whatever type the scores have.
"""

divided_to_whole_numbers = {"scores / scores.sum()": "scores // scores.sum()"}

written_into_integers = {
    "np.asarray(scores, dtype=float)": "np.array(scores)",
    "return scores / scores.sum()": "scores /= scores.sum()\nreturn scores",
}
"""An array of integers raises an error, as `/=` does: it writes the fractions into the array that is there. With floats
it works.

Call it with `np.array([1, 3])` and with `np.array([1.0, 3.0])`.

The shares should be a new array of floats.
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
"""The shares are right, but after the call the scores are no longer what they were.

Print the scores before and after the call. Use an array of floats, because a list hides it.

The call should leave its arguments as they are.
"""
