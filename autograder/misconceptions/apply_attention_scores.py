"""Mistakes seen in answers to apply_attention_scores."""

weights_scale_rows = {
    "np.asarray(attention_weights, dtype=float)": "np.asarray(attention_weights, dtype=float)[:, None]"
}
"""The weights scale the rows here, which are hidden units: weight t belongs to column t.

NumPy lines the last axes up by itself; nothing has to be turned.
"""

matrix_product = {
    "np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        np.asarray(annotations, dtype=float) @ np.asarray(attention_weights, dtype=float)
    """
}
"""This is a matrix product, which adds the time steps up already: here each column is only scaled.

`*` multiplies element by element.
"""

not_returned = {"return np": "np"}

transposed_result = {
    "np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        (np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)).T
    """
}
"""The numbers are right, but rows and columns changed places: the result is `(h, t)` like the annotations."""

only_the_best = {
    "return np.asarray(attention_weights, dtype=float)": """
        weights = np.asarray(attention_weights, dtype=float)
        return weights * (np.arange(len(weights)) == weights.argmax())
    """
}
"""Only the annotation with the largest weight is kept: every annotation counts, each by its weight."""

integers_stay_integers = {
    "return np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        applied = np.zeros_like(annotations)
        applied[:] = np.asarray(annotations) * np.asarray(attention_weights)
        return applied
    """
}
"""For integer annotations the result is kept in an integer array and loses its fractions.

Make a float array first: `np.asarray(annotations, dtype=float)`.
"""

softmax_again = {"np.asarray(attention_weights, dtype=float)": "softmax(attention_weights)"}
"""Softmax is applied to the weights once more; they are weights already and sum to 1."""

changes_its_input = {
    "return np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        annotations = np.asarray(annotations)
        if annotations.dtype.kind != "f":
            annotations = annotations.astype(float)
        annotations *= np.asarray(attention_weights, dtype=float)
        return annotations
    """
}
"""The result is right, but `*=` overwrote the annotations that were handed in: work on a copy."""
