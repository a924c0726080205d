"""Mistakes seen in answers to batched_softmax."""

one_sum_for_everything = {
    "x.max(axis=axis, keepdims=True)": "x.max()",
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum()",
}
"""The axis is ignored: there is one sum for the whole array, so that everything together sums to 1.

Normalise each query's scores on their own.
"""

one_sum_and_no_maximum = {
    "x - x.max(axis=axis, keepdims=True)": "x",
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum()",
}
"""The axis is ignored, and nothing is subtracted: one sum for the whole array, and overflow for large scores.

Both the maximum and the sum belong to one row.
"""

over_the_queries = {"exponentials = np": "axis = 0\nexponentials = np"}
"""The weights are normalised over the first axis whatever `axis` says: with the default, each row sums to 1."""

over_the_last_but_one_axis = {"exponentials = np": "axis = -2 if x.ndim > 1 else -1\nexponentials = np"}
"""The columns sum to 1 here, whatever `axis` says: with the default, each row sums to 1."""

always_the_last_axis = {"exponentials = np": "axis = -1\nexponentials = np"}
"""The last axis is normalised whatever `axis` says: hand it on to the maximum and to the sum."""

always_axis_one = {"exponentials = np": "axis = 1\nexponentials = np"}
"""Axis 1 is normalised whatever `axis` says: in a batch that is not the last one."""

no_maximum_subtracted = {"x - x.max(axis=axis, keepdims=True)": "x"}
"""`np.exp` overflows for large scores, and infinity divided by infinity is NaN.

Subtract the largest score of each row first: the result does not change.
"""

one_maximum_for_everything = {"x.max(axis=axis, keepdims=True)": "x.max()"}
"""One maximum is subtracted from the whole array: rows far below it have nothing left but zeros, and 0/0 is NaN.

Take the maximum of each row, along `axis`.
"""

float128 = {
    "dtype=float": "dtype=np.longdouble",
    "x - x.max(axis=axis, keepdims=True)": "x",
    "exponentials / exponentials.sum(axis=axis, keepdims=True)": """
        (exponentials / exponentials.sum(axis=axis, keepdims=True)).astype(float)
    """,
}
"""A wider number type only moves the overflow further out, and `float128` is missing on Windows and on Arm Macs.

float64 is enough once the largest score of each row is subtracted.
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
"""All the weight of a row goes to its largest score: softmax is a soft average, not a choice."""

not_returned = {"return exponentials": "exponentials"}

the_axis_is_lost = {
    "x.max(axis=axis, keepdims=True)": "x.max(axis=axis)",
    "exponentials.sum(axis=axis, keepdims=True)": "exponentials.sum(axis=axis)",
}
"""Maximum and sum lose their axis, so that NumPy lines them up with the wrong one.

`keepdims=True` keeps the axis, with length 1.
"""

not_divided_by_the_sum = {" / exponentials.sum(axis=axis, keepdims=True)": ""}
"""These are the exponentials; they still have to be divided by the sum of their row, or they are no shares."""

sign_turned_round = {"x = np.asarray": "x = -np.asarray"}
"""The sign is turned round: the smallest score gets the largest weight."""

changes_its_input = {
    "x = np.asarray(x, dtype=float)\nexponentials = np.exp(x - x.max(axis=axis, keepdims=True))": """
        x = np.asarray(x)
        if x.dtype.kind != "f":
            x = x.astype(float)
        x -= x.max(axis=axis, keepdims=True)
        exponentials = np.exp(x)
    """
}
"""The weights are right, but `-=` overwrote the scores that were handed in: work on a copy."""

largest_absolute_value_subtracted = {"x.max(": "np.abs(x).max("}
"""What is subtracted is the largest number without its sign: negative rows only get smaller, down to 0 / 0.

Subtract the largest score as it stands.
"""

logarithm_of_softmax = {
    "return exponentials / exponentials.sum(axis=axis, keepdims=True)": """
        return x - x.max(axis=axis, keepdims=True) - np.log(exponentials.sum(axis=axis, keepdims=True))
    """
}
minimum_subtracted = {"x.max(": "x.min("}

sum_along_the_last_axis = {"exponentials.sum(axis=axis": "exponentials.sum(axis=-1"}
"""The sum always runs along the last axis, only the maximum heeds `axis`: both belong to one and the same slice."""
