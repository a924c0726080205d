"""Mistakes seen in answers to context_vectors."""

element_by_element = {"dtype=float) @": "dtype=float) *"}
not_returned = {"return np": "np"}

values_turned = {"np.asarray(values, dtype=float)": "np.swapaxes(np.asarray(values, dtype=float), -1, -2)"}
"""The values are turned here as the keys were, but this time the shapes fit as they are.

`(n_q, n_k)` and `(n_k, d_v)` already give `(n_q, d_v)`.
"""

weights_turned = {
    "np.asarray(attention_weights, dtype=float)": "np.swapaxes(np.asarray(attention_weights, dtype=float), -1, -2)"
}
"""The weights are turned here: row i holds the weights of query i, and makes row i of the result."""

factors_swapped = {
    "np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        np.asarray(values, dtype=float) @ np.asarray(attention_weights, dtype=float)
    """
}
"""The two factors changed places: weights come first, `weights @ values`."""

all_axes_turned = {
    "np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        (np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)).T
    """
}
"""The result has all its axes turned round, the batch axis too: one context vector in each row is asked for."""

mean_instead_of_sum = {"np.asarray(values, dtype=float)": "np.asarray(values, dtype=float) / np.shape(values)[-2]"}
"""The result is divided by the number of keys, but the weights are shares already: add up only."""

weights_normalised_again = {
    "return np.asarray(attention_weights, dtype=float)": """
        weights = np.asarray(attention_weights, dtype=float)
        return weights / weights.sum(axis=-1, keepdims=True)
    """
}
"""The weights are divided by their sum once more: use them as they are, whatever they sum to."""

softmax_again = {"np.asarray(attention_weights, dtype=float)": "batched_softmax(attention_weights)"}
"""Softmax is applied to the weights once more; they are weights already."""

only_the_best = {
    "return np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        best = np.argmax(attention_weights, axis=-1)[..., None]
        return np.take_along_axis(np.asarray(values, dtype=float), best, axis=-2)
    """
}
"""Each query gets the value of its largest weight only: every value counts, each by its weight."""

batches_mixed = {
    "np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        np.dot(np.asarray(attention_weights, dtype=float), np.asarray(values, dtype=float))
    """
}
"""Every sentence of the batch is mixed with every other one: weights belong to the values of their own sentence.

`np.dot` and `np.tensordot` pair all batch axes; `@` and `einsum` keep them.
"""
