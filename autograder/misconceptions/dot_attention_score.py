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
"""Annotations are read as rows here, but they stand in the columns: `(h, t)` has one column for each time step.

This fails unless there are as many time steps as hidden units, and then the numbers are wrong.
"""

reshaped_instead_of_transposed = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        annotations = np.asarray(annotations, dtype=float)
        return annotations.reshape(annotations.shape[::-1]) @ np.asarray(dec_hidden_state, dtype=float)
    """
}
"""`reshape` only counts the numbers off anew, it does not turn columns into rows: that is what `.T` does."""

a_row_for_a_vector = {"np.asarray(dec_hidden_state, dtype=float)": "np.atleast_2d(dec_hidden_state)"}
"""The decoder state became a matrix of one row, and so the result has an axis too many.

A one-dimensional state needs no transposing: `(h,) @ (h, t)` gives `(t,)`.
"""

four_written_as_a_number = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        columns = np.transpose(annotations)
        return np.array([np.dot(dec_hidden_state, columns[i]) for i in range(4)])
    """
}
"""Four time steps are written into the code, as many as the example has; read them from `annotations.shape`."""

only_one_score = {
    "np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        float(np.sum(np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)))
    """
}
"""All scores were added into one number: each annotation keeps a score of its own."""

scaled_too_early = {
    "np.asarray(annotations, dtype=float)": "np.asarray(annotations, dtype=float) / np.sqrt(len(dec_hidden_state))"
}
"""These scores are divided by the square root of the size; plain dot products are asked for here.

Scaling has its place: it comes at the end of the next chapter.
"""

softmax_too_early = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        scores = np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)
        exponentials = np.exp(scores - scores.max())
        return exponentials / exponentials.sum()
    """
}
"""These are weights already, not scores: softmax is an exercise of its own and comes later."""

changes_its_input = {
    "return np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)": """
        products = np.asarray(annotations)
        if products.dtype.kind != "f":
            products = products.astype(float)
        products *= np.asarray(dec_hidden_state, dtype=float)[:, None]
        return products.sum(axis=0)
    """
}
"""The scores are right, but `*=` overwrote the annotations that were handed in: the caller still needs them."""
