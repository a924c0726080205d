"""Mistakes seen in answers to scaled_dot_product_attention."""

not_scaled = {" / np.sqrt(np.shape(key)[-1])": ""}
divided_by_the_size = {"np.sqrt(np.shape(key)[-1])": "np.shape(key)[-1]"}

scaled_by_the_value_size = {"np.shape(key)": "np.shape(value)"}
"""The scale comes from the width of the values, not of the keys. Where both are equally wide, nothing shows.

Make the values wider, and leave queries and keys alone. Should the weights change?

The scale should be the root of the width of the keys: it is their products that are added up.
"""

scaled_by_the_number_of_keys = {"[-1]": "[-2]"}
multiplied_by_the_root = {"/ np.sqrt": "* np.sqrt"}
size_written_as_a_number = {"np.sqrt(np.shape(key)[-1])": "2"}
scaled_after_softmax = {
    " / np.sqrt(np.shape(key)[-1])": "",
    "return context": "weights = weights / np.sqrt(np.shape(key)[-1])\nreturn context",
}
one_sum_for_everything = {
    """
        if mask is None:
            weights = batched_softmax(scores)
    """: """
        if mask is None:
            weights = batched_softmax(scores.ravel()).reshape(scores.shape)
    """,
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        batched_softmax(np.where(mask, scores, -np.inf).ravel()).reshape(scores.shape)
    """,
}
over_the_queries = {
    """
        if mask is None:
            weights = batched_softmax(scores)
    """: """
        if mask is None:
            weights = batched_softmax(scores, axis=-2)
    """,
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        batched_softmax(np.where(mask, scores, hidden), axis=-2)
    """,
}

no_maximum_subtracted = {
    """
        if mask is None:
            weights = batched_softmax(scores)
    """: """
        if mask is None:
            weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    """,
    "weights = np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        exponentials = np.exp(scores) * mask
        sums = exponentials.sum(axis=-1, keepdims=True)
        weights = exponentials / np.where(sums == 0, 1, sums)
    """,
}
"""The softmax inside overflows for large scores, and NaN comes back. For scores near 0 it is right.

Try scores near 1000. Does your own `batched_softmax` give the same weights?

Scores of any size should give weights; `batched_softmax` sees to it.
"""

one_maximum_for_everything = {
    "if mask is None:\n    weights = batched_softmax(scores)": """
        exponentials = np.exp(scores - scores.max())
        if mask is None:
            weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    """,
    "weights = np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        sums = (exponentials * mask).sum(axis=-1, keepdims=True)
        weights = exponentials * mask / np.where(sums == 0, 1, sums)
    """,
}
argmax = {
    """
        if mask is None:
            weights = batched_softmax(scores)
    """: """
        if mask is None:
            weights = np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
    """,
    "weights = np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        best = np.where(mask, scores, -np.inf).argmax(axis=-1)
        weights = np.where(mask, np.eye(scores.shape[-1])[best], 0.0)
    """,
}
all_axes_turned = {"attention_scores(query, key)": "np.asarray(query, dtype=float) @ np.transpose(key)"}
reshaped_instead_of_transposed = {
    "scores = attention_scores(query, key)": """
        query, key = np.asarray(query, dtype=float), np.asarray(key, dtype=float)
        scores = query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])
    """
}
queries_and_keys_swapped = {"attention_scores(query, key)": "attention_scores(key, query)"}
keys_mixed_instead_of_values = {"context_vectors(weights, value)": "context_vectors(weights, key)"}
tiny_number_for_a_large_one = {
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        batched_softmax(np.where(mask, scores, -1e-9))
    """
}
hidden_scores_set_to_zero = {
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": "batched_softmax(scores * mask)"
}
large_positive_fill = {
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        batched_softmax(np.where(mask, scores, 1e9))
    """
}
masked_after_softmax = {
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        np.where(mask, batched_softmax(scores), 0.0)
    """
}

mask_inverted = {
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        np.where(mask, 0.0, batched_softmax(np.where(mask, hidden, scores)))
    """
}
"""The mask works the wrong way round: what a query may attend to is hidden from it, and what it may not is not.

Hide one key, and look at its column of the weights.

`True` should mean that the query may attend to the key.
"""

mask_ignored = {"np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": "batched_softmax(scores)"}
nan_for_empty_rows = {
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        batched_softmax(np.where(mask, scores, -np.inf))
    """
}
equal_weights_for_empty_rows = {
    "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        batched_softmax(np.where(mask, scores, -1e9))
    """
}
asked_whether_the_mask_is_true = {"if mask is None:": "if not mask:"}
weights_first = {"context_vectors(weights, value), weights": "weights, context_vectors(weights, value)"}
weights_not_returned = {"context_vectors(weights, value), weights": "context_vectors(weights, value)"}
scores_instead_of_weights = {"value), weights": "value), scores"}
not_returned = {"return context": "context"}

no_maximum_and_nan_for_empty_rows = {
    """
        if mask is None:
            weights = batched_softmax(scores)
    """: """
        if mask is None:
            weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    """,
    "weights = np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": """
        exponentials = np.exp(np.where(mask, scores, -np.inf))
        weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    """,
}
"""Two things give NaN here: large scores overflow, and a query that may attend to nothing divides 0 by 0. For scores
near 0 all other rows are right.

Try scores near 1000; then hide every key from one query.

Scores of any size should give weights, and a query without any visible key should get zeros.
"""

output_scaled = {
    " / np.sqrt(np.shape(key)[-1])": "",
    "context_vectors(weights, value)": "context_vectors(weights, value) / np.sqrt(np.shape(key)[-1])",
}
"""The output is divided by the square root of the width, and the scores are not: the weights come out too sharp.

Mix three equal values. Should the output be as large as each of them?

The scores should be scaled, before softmax, and nothing after it.
"""

scores_in_float32 = {"attention_scores(query, key) / np": "np.float32(attention_scores(query, key)) / np"}
