"""Mistakes seen in answers to simple_self_attention."""

weights_first = {"context_vectors(weights, inputs), weights": "weights, context_vectors(weights, inputs)"}
weights_not_returned = {"context_vectors(weights, inputs), weights": "context_vectors(weights, inputs)"}
not_returned = {"return context": "context"}

context_of_the_scores = {
    "context_vectors(weights, inputs)": "context_vectors(weights, attention_scores(inputs, inputs))"
}
"""The weights are multiplied by the scores, and the tokens are not mixed at all. It is easily said that the context is
"weights times scores".

How wide is a token, and how wide is your context?

The weights should mix the tokens themselves.
"""

context_of_raw_scores = {
    "context_vectors(weights, inputs)": "context_vectors(attention_scores(inputs, inputs), inputs)"
}
"""The tokens are mixed by the raw scores, so no context is an average: those of the example are far too large. The
weights are right.

Can an average be larger than everything it averages? Is your context?

The tokens should be mixed by the weights.
"""

scores_instead_of_weights = {"inputs), weights": "inputs), attention_scores(inputs, inputs)"}
one_sum_for_everything = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        weights = batched_softmax(scores.ravel()).reshape(scores.shape)
    """
}

over_the_queries = {"attention_scores(inputs, inputs)": "attention_scores(inputs, inputs), axis=-2"}
"""The columns of the weights sum to 1, and the rows do not.

Add up the rows of your weights, then the columns. Which sums should be 1?

Each row belongs to the token that asks, and should sum to 1.
"""

no_maximum_subtracted = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        exponentials = np.exp(attention_scores(inputs, inputs))
        weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    """
}
"""The softmax inside overflows for large scores, and NaN comes back. For scores near 0 it is right.

Try tokens with numbers near 100. Does your own `batched_softmax` give the same weights?

Scores of any size should give weights; `batched_softmax` sees to it.
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
"""The weights are the scores divided by their sum. They sum to 1, which looks right, but they are not those of softmax.

Try tokens whose dot product is negative, and look at the weights.

The weights of attention should be the softmax of the scores.
"""

argmax = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        best = attention_scores(inputs, inputs).argmax(axis=-1)
        weights = np.eye(np.shape(inputs)[-2])[best]
    """
}
"""All the attention of a token goes to its best match, and none to the others.

Try two tokens that are almost equal. What should their weights be?

Every token should get its share, as softmax gives it.
"""

scaled_too_early = {
    "attention_scores(inputs, inputs)": "attention_scores(inputs, inputs) / np.sqrt(np.shape(inputs)[-1])"
}
"""The scores are divided by the square root of the width, so the weights come out too flat.

Print your weights beside those of the example.

This exercise should not scale yet. Scaling comes at the end of the chapter.
"""

all_axes_turned = {"attention_scores(inputs, inputs)": "np.asarray(inputs, dtype=float) @ np.transpose(inputs)"}

a_token_never_sees_itself = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        weights = batched_softmax(np.where(np.eye(scores.shape[-1], dtype=bool), -1e30, scores))
    """
}
"""Each token leaves itself out: the diagonal of the weights is 0.

Look at the diagonal in the example.

In self-attention a token should attend to itself as well.
"""

causal_already = {
    "weights = batched_softmax(attention_scores(inputs, inputs))": """
        scores = attention_scores(inputs, inputs)
        weights = batched_softmax(np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf))
    """
}
"""No token sees those after it: the weights above the diagonal are 0.

Look at the first row in the example. How many tokens does it see?

Every token should see every token here. Masks come later in the chapter.
"""

tokens_added = {"context_vectors(weights, inputs)": "context_vectors(weights, inputs) + inputs"}
"""The context has the token added to what was mixed. The weights are right.

Try one token alone. What is the only thing that it can mix?

The context should be the mixture alone.
"""

scores_in_float32 = {"attention_scores(inputs, inputs)": "np.float32(attention_scores(inputs, inputs))"}
