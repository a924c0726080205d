"""Mistakes seen in answers to context_vectors."""

element_by_element = {"dtype=float) @": "dtype=float) *"}
not_returned = {"return np": "np"}

values_turned = {"np.asarray(values, dtype=float)": "np.swapaxes(np.asarray(values, dtype=float), -1, -2)"}
"""Rows and columns of the values have changed places, as those of the keys did before. That raises an error, except
where there are as many keys as numbers in a value.

Write the shapes side by side: `(n_q, n_k)` and `(n_k, d_v)`. Do they fit?

The values should go into the product as they are.
"""

weights_turned = {
    "np.asarray(attention_weights, dtype=float)": "np.swapaxes(np.asarray(attention_weights, dtype=float), -1, -2)"
}
"""Rows and columns of the weights have changed places. With as many queries as keys every shape fits.

Give query 0 the weights `[1, 0, 0]`. Which value should it get, and which does it?

Row i holds the weights of query i and should make row i of the result.
"""

factors_swapped = {
    "np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        np.asarray(values, dtype=float) @ np.asarray(attention_weights, dtype=float)
    """
}
"""The values stand on the left of the product. That raises an error, except where values have as many numbers as there
are queries, and then the result is wrong.

Write the shapes side by side: which two axes should meet?

The weights should stand on the left: each of their rows makes one row of the result.
"""

all_axes_turned = {
    "np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        (np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)).T
    """
}
"""All axes of the result come in the opposite order, the batch axis too.

Print the shape of your result for 2 queries and values of width 3.

There should be one context vector in each row, `(..., n_q, d_v)`.
"""

mean_instead_of_sum = {"np.asarray(values, dtype=float)": "np.asarray(values, dtype=float) / np.shape(values)[-2]"}
"""The result is divided by the number of keys, so every context is too small. Its direction is right.

Mix three equal values. Should the context be as large as each of them?

The weighted values should be added up only: weights are shares already.
"""

weights_normalised_again = {
    "return np.asarray(attention_weights, dtype=float)": """
        weights = np.asarray(attention_weights, dtype=float)
        return weights / weights.sum(axis=-1, keepdims=True)
    """
}
"""The weights are divided by their sum once more. For rows that sum to 1 nothing changes.

Try a row of weights that is all 0, as a query gets that may look at nothing.

The weights should be used as they come, whatever they sum to.
"""

softmax_again = {"np.asarray(attention_weights, dtype=float)": "batched_softmax(attention_weights)"}
"""The weights go through softmax once more, which makes them flatter. The rows still sum to 1, so it looks right.

Give one value the weight 1 and the others 0. What should be left of the others?

The weights should be used as they come.
"""

only_the_best = {
    "return np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        best = np.argmax(attention_weights, axis=-1)[..., None]
        return np.take_along_axis(np.asarray(values, dtype=float), best, axis=-2)
    """
}
"""Each query gets the value of its largest weight, alone. Where one weight is nearly 1, it looks right.

Try the weights 0.6 and 0.4. Where between the two values should the context lie?

Every value should count, each by its weight.
"""

batches_mixed = {
    "np.asarray(attention_weights, dtype=float) @ np.asarray(values, dtype=float)": """
        np.dot(np.asarray(attention_weights, dtype=float), np.asarray(values, dtype=float))
    """
}
"""Every sentence of the batch is mixed with every other one, as `np.dot` does it: there are too many axes. Without a
batch it is right.

Print the shape of your result for a batch of 2.

Weights should mix the values of their own sentence only.
"""
