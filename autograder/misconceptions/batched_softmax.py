"""Mistakes seen in answers to batched_softmax."""

one_sum_for_everything = {
    "x.max(axis=axis, keepdims=True)": "x.max()",
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum()",
}
"""There is one sum for the whole array, whatever `axis` says: everything together sums to 1. For a single row and
`axis=-1` it is right.

Add up each row of your result, then all of it.

Each slice along `axis` should sum to 1 on its own.
"""

one_sum_and_no_maximum = {
    "x - x.max(axis=axis, keepdims=True)": "x",
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum()",
}
"""There is one sum for the whole array, whatever `axis` says, and large scores overflow.

Add up each row of your result. Then try scores near 1000.

Along `axis` each slice should have its own sum, and its own largest score that is subtracted first.
"""

over_the_queries = {"exponentials = np": "axis = 0\nexponentials = np"}
"""The weights are normalised over the first axis, whatever `axis` says. With `axis=0` that is right.

With the default, which sums should be 1: those of the rows or those of the columns?

Weights should sum to 1 along the axis that `axis` names, by default the last.
"""

over_the_last_but_one_axis = {"exponentials = np": "axis = -2 if x.ndim > 1 else -1\nexponentials = np"}
"""The columns sum to 1, whatever `axis` says. With `axis=-2` that is right.

With the default, which sums should be 1: those of the rows or those of the columns?

Weights should sum to 1 along the axis that `axis` names, by default the last.
"""

always_the_last_axis = {"exponentials = np": "axis = -1\nexponentials = np"}
"""The last axis is normalised, whatever `axis` says. With the default that is right.

Call it with `axis=0` on a table, and add up the columns.

Both the maximum and the sum should follow `axis`.
"""

mean_subtracted = {"x.max(": "x.mean("}
"""The mean is subtracted before `exp`, so scores far above it still overflow. Where the scores lie close together, it
is right.

Try the row `[0, 0, 3000]`. How far above the mean is the largest?

The largest score of each row should be subtracted, so that no exponent is above 0.
"""

zero_taken_for_no_axis = {"exponentials = np": "axis = axis or -1\nexponentials = np"}
"""With `axis=0` the last axis is normalised: 0 is taken for no axis at all, as `axis or -1` takes it. Every other axis
is right.

Call it with `axis=0` on a table, and add up the columns. What is `0 or -1`?

Axis 0 should be normalised like any other. Whether an argument was left out is asked with `is None`.
"""

always_axis_one = {"exponentials = np": "axis = 1\nexponentials = np"}
"""Axis 1 is normalised, whatever `axis` says. In a table that is the last axis; in a batch it is not.

Call it with an array of shape (2, 3, 4), and add up along the last axis.

Weights should sum to 1 along the axis that `axis` names, by default the last.
"""

no_maximum_subtracted = {"x - x.max(axis=axis, keepdims=True)": "x"}
"""The exponentials of large scores overflow, and infinity divided by infinity is NaN. For scores near 0 the weights are
right.

Try a row of scores near 1000.

The largest score of each row should be subtracted first. The weights stay the same.
"""

one_maximum_for_everything = {"x.max(axis=axis, keepdims=True)": "x.max()"}
"""One maximum is subtracted from the whole array. In rows far below it all exponentials become 0, and 0 / 0 is NaN.
With rows of like size it is right.

Try two rows of scores that are 2000 apart.

Each row should lose its own largest score, taken along `axis`.
"""

float128 = {
    "dtype=float": "dtype=np.longdouble",
    "x - x.max(axis=axis, keepdims=True)": "x",
    "exponentials / exponentials.sum(axis=axis, keepdims=True)": """
        (exponentials / exponentials.sum(axis=axis, keepdims=True)).astype(float)
    """,
}
"""A wider type of number only moves the overflow further out: `exp(20000)` is too large for it, too, and `exp(-20000)`
is 0. On Windows and on Arm Macs NumPy has no `float128` at all.

Try a row with the scores 20000 and 19999.

Scores of any size should give weights, and `float64` should be enough for them: subtracting the largest score of each
row sees to it.
"""

no_exponential = {
    """
        exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=axis, keepdims=True)
    """: "return x / x.sum(axis=axis, keepdims=True)"
}

argmax = {
    """
        exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=axis, keepdims=True)
    """: """
        weights = np.zeros_like(x)
        np.put_along_axis(weights, x.argmax(axis=axis, keepdims=True), 1.0, axis=axis)
        return weights
    """
}
"""All the weight of a row goes to its largest score. Where that is far above the rest, softmax gives nearly the same.

Try the row `[1, 1.1]`. Should the first get nothing?

Every score should get a share, the larger ones more.
"""

not_returned = {"return exponentials": "exponentials"}

the_axis_is_lost = {
    "x.max(axis=axis, keepdims=True)": "x.max(axis=axis)",
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum(axis=axis)",
}
"""A maximum or a sum comes without its axis, and NumPy lines it up with the wrong one: an error, or wrong numbers, as
in a square table. With `axis=0` it is right.

Print the shape of `np.ones((2, 3)).sum(axis=-1)`, with `keepdims=True` and without.

The sum of row i should divide row i.
"""

not_divided_by_the_sum = {" / exponentials.sum(axis=axis, keepdims=True)": ""}
"""These are the exponentials of the shifted scores: the largest of each row is 1. Their proportions are right, but they
are no shares.

Add up each row of your result.

Each exponential should be divided by the sum of its own row.
"""

sign_turned_round = {"x = np.asarray": "x = -np.asarray"}
"""The smallest score of a row gets the largest weight. The rows sum to 1, which looks right.

Try the row `[0, 5]`: which of the two should get more?

Weights should grow with the scores.
"""

changes_its_input = {
    "x = np.asarray(x, dtype=float)\nexponentials = np.exp(x - x.max(axis=axis, keepdims=True))": """
        x = np.asarray(x)
        if x.dtype.kind != "f":
            x = x.astype(float)
        x -= x.max(axis=axis, keepdims=True)
        exponentials = np.exp(x)
    """
}
"""The weights are right, but after the call the scores are no longer what they were.

Print the scores before and after the call. Use an array of floats, because a list hides it.

The call should leave its arguments as they are.
"""

largest_absolute_value_subtracted = {"x.max(": "np.abs(x).max("}
"""In a row where all scores lie below 0, nothing is subtracted, or a number above the largest of them. Far below it all
exponentials become 0, and 0 / 0 is NaN.

Try the row `[-1000, -999]`.

The largest score of each row should be subtracted as it stands, sign included.
"""

logarithm_of_softmax = {
    "return exponentials / exponentials.sum(axis=axis, keepdims=True)": """
        return x - x.max(axis=axis, keepdims=True) - np.log(exponentials.sum(axis=axis, keepdims=True))
    """
}
minimum_subtracted = {"x.max(": "x.min("}

sum_along_the_last_axis = {"exponentials.sum(axis=axis": "exponentials.sum(axis=-1"}
"""The sum runs along the last axis, whatever `axis` says; the maximum follows it. With the default that is right.

Call it with `axis=0` on a table, and add up the columns.

Maximum and sum should be taken along the same axis, the one that `axis` names.
"""

scores_in_float32 = {"dtype=float": "dtype=np.float32"}
