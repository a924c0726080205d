"""Mistakes seen in answers to dot_attention_score."""

element_by_element = {
    "np.asarray(dec_hidden_state, dtype=float) @": "np.asarray(dec_hidden_state, dtype=float)[:, None] *"
}
not_returned = {"return np": "np"}

annotations_read_as_rows = {
    "np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        np.asarray(annotations, dtype=float) @ np.asarray(dec_hidden_state, dtype=float)
    """
}
"""Each row of the annotations is taken for a time step. With as many time steps as hidden units the numbers are wrong,
else it is an error.

The annotations have the shape `(h, t)`. How many numbers has one row, and how many a column?

Each column should be one time step: the state of `h` numbers meets a column of `h` numbers.
"""

reshaped_instead_of_transposed = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        annotations = np.asarray(annotations, dtype=float)
        return annotations.reshape(annotations.shape[::-1]) @ np.asarray(dec_hidden_state, dtype=float)
    """
}
"""The numbers are counted off anew in rows of another length, as `reshape` does. The shape fits, but numbers of
different time steps are mixed in each score.

Print `np.arange(6).reshape(2, 3)` and what your step makes of it. Where did the first column go?

Each score should use the numbers of one column, one time step, and no others.
"""

a_row_for_a_vector = {"np.asarray(dec_hidden_state, dtype=float)": "np.atleast_2d(dec_hidden_state)"}
"""The scores come back as a table with a single row: there is one axis too many. The numbers are right.

Print the shape of your result, and of each factor before the product.

The result should have the shape `(t,)`; a state of shape `(h,)` gives it as it is.
"""

four_written_as_a_number = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        columns = np.transpose(annotations)
        return np.array([np.dot(dec_hidden_state, columns[i]) for i in range(4)])
    """
}
"""There are always four scores, as many as in the example. Longer sentences lose words, and shorter ones raise an
error.

Call it with annotations of two columns, and of six.

There should be as many scores as there are columns.
"""

only_one_score = {
    "np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        float(np.sum(np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)))
    """
}
"""All scores are added up into one number, so nobody can tell any more which annotation fits.

How many annotations are there in the example, and how many scores came back?

Each annotation should have a score of its own.
"""

scaled_too_early = {
    "np.asarray(annotations, dtype=float)": "np.asarray(annotations, dtype=float) / np.sqrt(len(dec_hidden_state))"
}
"""The scores are divided by the square root of how many hidden units there are. Which annotation fits best is still
right.

Work out the first score of the example by hand.

Here the scores should be plain dot products. Scaling has its place at the end of the next chapter.
"""

softmax_too_early = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        scores = np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """
}
"""What comes back are weights already: they sum to 1. Their order is that of the scores.

Add up your result. Do scores sum to anything in particular?

Here the scores themselves should come back. Softmax is an exercise of its own, later on.
"""

changes_its_input = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        products = np.asarray(annotations)
        if products.dtype.kind != "f":
            products = products.astype(float)
        products *= np.asarray(dec_hidden_state, dtype=float)[:, None]
        return products.sum(axis=0)
    """
}
"""The scores are right, but after the call the annotations are no longer what they were. The caller still needs them.

Print the annotations before and after the call. Use an array of floats, because a list hides it.

The call should leave its arguments as they are.
"""
