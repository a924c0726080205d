"""Mistakes seen in answers to simple_self_attention."""

weights_first = {"context_vectors(weights, inputs), weights": "weights, context_vectors(weights, inputs)"}
weights_not_returned = {"context_vectors(weights, inputs), weights": "context_vectors(weights, inputs)"}
not_returned = {"return context": "context"}

context_of_the_scores = {
    "context_vectors(weights, inputs)": "context_vectors(weights, attention_scores(inputs, inputs))"
}
"""The weights are multiplied with the scores, not with the tokens.

It is easily said that the context is "weights times scores", but what gets mixed are the vectors themselves.
"""

context_of_raw_scores = {
    "context_vectors(weights, inputs)": "context_vectors(attention_scores(inputs, inputs), inputs)"
}
"""The tokens are mixed by the raw scores: mix them by the weights that softmax makes of the scores."""

scores_instead_of_weights = {"inputs), weights": "inputs), attention_scores(inputs, inputs)"}
one_sum_for_everything = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        weights = batched_softmax(scores.ravel()).reshape(scores.shape)
    """
}

over_the_queries = {"attention_scores(inputs, inputs)": "attention_scores(inputs, inputs), axis=-2"}
"""The columns of the weights sum to 1: each row should, for a row belongs to the token that asks."""

no_maximum_subtracted = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        exponentials = np.exp(attention_scores(inputs, inputs))
        weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    """
}
"""The softmax inside overflows for large scores: subtract the largest score of each row first.

Your own `batched_softmax` does that already.
"""

one_maximum_for_everything = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        exponentials = np.exp(scores - scores.max())
        weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    """
}

normalised_by_the_sum = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        weights = scores / scores.sum(axis=-1, keepdims=True)
    """
}
"""The scores are divided by their sum: the weights of attention come from softmax."""

argmax = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        best = attention_scores(inputs, inputs).argmax(axis=-1)
        weights = np.eye(np.shape(inputs)[-2])[best]
    """
}
"""All the attention of a token goes to the best match: softmax gives every token its share."""

scaled_too_early = {
    "attention_scores(inputs, inputs)": "attention_scores(inputs, inputs) / np.sqrt(np.shape(inputs)[-1])"
}
"""The scores are divided by the square root of the size; this exercise does not scale yet.

Scaling comes at the end of the chapter.
"""

all_axes_turned = {"attention_scores(inputs, inputs)": "np.asarray(inputs, dtype=float) @ np.transpose(inputs)"}

a_token_never_sees_itself = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        weights = batched_softmax(np.where(np.eye(scores.shape[-1], dtype=bool), -1e30, scores))
    """
}
"""Each token leaves itself out here: in self-attention it attends to itself as well."""

causal_already = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        weights = batched_softmax(np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf))
    """
}
"""No token sees those behind it: nothing is hidden here, masks come later in the chapter."""

tokens_added = {"context_vectors(weights, inputs)": "context_vectors(weights, inputs) + inputs"}
"""The tokens are added to what was mixed from them: the context is the mixture alone."""
