"""Mistakes seen in answers to attention_scores."""

element_by_element = {"queries @ np.swapaxes(keys, -1, -2)": "queries * keys"}
not_returned = {"return queries": "queries"}

not_transposed = {"queries @ np.swapaxes(keys, -1, -2)": "queries @ keys"}
"""The keys are not turned: `queries @ keys` pairs the numbers of a query with whole keys.

For `(n_q, d) @ (d, n_k)` the last two axes of the keys have to change places.
"""

all_axes_turned = {"np.swapaxes(keys, -1, -2)": "keys.T"}
"""`.T` (or swapping the first axis with the last) moves the batch axis too: swap only the last two.

`np.swapaxes` takes the two axes by number; counted from the end they are the same with and without a batch.
"""

reshaped_instead_of_transposed = {
    "np.swapaxes(keys, -1, -2)": "keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])"
}

queries_and_keys_swapped = {"queries @ np.swapaxes(keys, -1, -2)": "keys @ np.swapaxes(queries, -1, -2)"}
"""Queries and keys changed places: row i belongs to query i, and each column to a key."""

scaled_too_early = {"np.swapaxes(keys, -1, -2)": "np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])"}
"""These scores are divided by the square root of the key size; plain dot products are asked for here.

Scaling comes at the end of the chapter.
"""

softmax_too_early = {
    "return queries @ np.swapaxes(keys, -1, -2)": """
        scores = queries @ np.swapaxes(keys, -1, -2)
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)
    """
}
"""These are weights already, not scores: softmax is an exercise of its own and comes next."""

queries_scored_against_themselves = {"swapaxes(keys": "swapaxes(queries"}
"""The queries are scored against themselves: the keys never come in."""

cosine_similarity = {
    "return": """
        queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
        keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
        return
    """
}
"""The vectors are brought to length 1 first, which gives the cosine of their angle, not the dot product.

Leave the lengths in: a strong key may get a strong score.
"""

batches_mixed = {"queries @ np.swapaxes(keys, -1, -2)": "np.dot(queries, np.swapaxes(keys, -1, -2))"}
"""Every sentence of the batch is scored against every other one: a query looks at the keys of its own sentence.

`np.dot` and `np.tensordot` pair all batch axes; `@` and `einsum` keep them.
"""

integers_stay_integers = {
    """
        queries, keys = np.asarray(queries, dtype=float), np.asarray(keys, dtype=float)
        return queries @ np.swapaxes(keys, -1, -2)
    """: """
        queries, keys = np.asarray(queries), np.asarray(keys)
        scores = np.zeros((*queries.shape[:-1], keys.shape[-2]), dtype=queries.dtype)
        scores[...] = queries @ np.swapaxes(keys, -1, -2)
        return scores
    """
}
"""For integer queries the scores are kept in an integer array and lose their fractions.

Make float arrays first: `np.asarray(queries, dtype=float)`.
"""
