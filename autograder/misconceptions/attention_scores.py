"""Mistakes seen in answers to attention_scores."""

element_by_element = {"queries @ np.swapaxes(keys, -1, -2)": "queries * keys"}
not_returned = {"return queries": "queries"}

not_transposed = {"queries @ np.swapaxes(keys, -1, -2)": "queries @ keys"}
"""The keys go into the product as they are. That raises an error, except where there are as many keys as numbers in
each, and then the scores are wrong.

Write the shapes side by side: `(n_q, d)` and `(n_k, d)`. Which axis should disappear?

The last two axes of the keys should change places first, so that `(n_q, d) @ (d, n_k)` gives `(n_q, n_k)`.
"""

all_axes_turned = {"np.swapaxes(keys, -1, -2)": "keys.T"}
"""More than the last two axes of the keys change places: the batch axis moves, too. Without a batch it is right.

Print the shape of the keys before and after, with a batch of 2.

Only the last two axes should change places, with and without a batch.
"""

reshaped_instead_of_transposed = {
    "np.swapaxes(keys, -1, -2)": "keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])"
}

queries_and_keys_swapped = {"queries @ np.swapaxes(keys, -1, -2)": "keys @ np.swapaxes(queries, -1, -2)"}
"""Each row belongs to a key, each column to a query. With as many queries as keys the shape is right.

Call it with 2 queries and 5 keys. Which shape should come out?

Row i should belong to query i, and each column to a key.
"""

scaled_too_early = {"np.swapaxes(keys, -1, -2)": "np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[-1])"}
"""The scores are divided by the square root of the width of the keys. Their order is right.

Work out one score of the example by hand.

Here the scores should be plain dot products. Scaling comes at the end of the chapter.
"""

softmax_too_early = {
    "return queries @ np.swapaxes(keys, -1, -2)": """
        scores = queries @ np.swapaxes(keys, -1, -2)
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)
    """
}
"""What comes back are weights already: each row sums to 1.

Add up a row of your result. Do scores sum to anything in particular?

Here the scores themselves should come back. Softmax is the next exercise.
"""

queries_scored_against_themselves = {"swapaxes(keys": "swapaxes(queries"}
"""The queries are scored against themselves, and the keys change nothing. In self-attention, where both are the same,
it looks right.

Call it with keys that differ from the queries, then double them.

Each query should meet every key.
"""

cosine_similarity = {
    "return": """
        queries = queries / np.linalg.norm(queries, axis=-1, keepdims=True)
        keys = keys / np.linalg.norm(keys, axis=-1, keepdims=True)
        return
    """
}
"""These are the cosines of the angles: each dot product is divided by both lengths. For vectors of length 1 the two
agree.

Double one of the keys. What should happen to its column, and what does?

The scores should be plain dot products, lengths included: a long key may get a large score.
"""

batches_mixed = {"queries @ np.swapaxes(keys, -1, -2)": "np.dot(queries, np.swapaxes(keys, -1, -2))"}
"""Every sentence of the batch is scored against every other one, as `np.dot` does it: there are too many axes. Without
a batch it is right.

Print the shape of your result for a batch of 2.

A query should meet the keys of its own sentence only.
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
"""For integer queries the scores are whole numbers, and fractions are cut off. With floats it is right.

Call it with integer queries and keys that have fractions.

Scores should be floats, whatever type the queries have.
"""
