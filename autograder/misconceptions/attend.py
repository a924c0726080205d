"""Mistakes seen in answers to attend."""

weights_first = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations)), weights": """
        weights, calculate_attention_vector(apply_attention_scores(weights, annotations))
    """
}
weights_not_returned = {"annotations)), weights": "annotations))"}
not_returned = {"return calculate": "calculate"}

no_maximum_subtracted = {
    "weights = softmax(dot_attention_score(dec_hidden_state, annotations))": """
        exponentials = np.exp(dot_attention_score(dec_hidden_state, annotations))
        weights = exponentials / exponentials.sum()
    """
}
"""The softmax inside overflows for the scores of the example: subtract the largest score first.

Your own `softmax` of this chapter does that already.
"""

normalised_by_the_sum = {"softmax(": "normalize_by_sum("}
"""The scores are divided by their sum: the weights of attention come from softmax."""

argmax = {
    "weights = softmax(dot_attention_score(dec_hidden_state, annotations))": """
        scores = dot_attention_score(dec_hidden_state, annotations)
        weights = (np.arange(len(scores)) == scores.argmax()).astype(float)
    """
}
"""All the attention goes to the best annotation: softmax gives every one its share."""

scores_instead_of_weights = {
    "annotations)), weights": "annotations)), dot_attention_score(dec_hidden_state, annotations)"
}

context_of_the_raw_scores = {
    "weights = softmax(dot_attention_score(dec_hidden_state, annotations))": """
        scores = dot_attention_score(dec_hidden_state, annotations)
        weights = softmax(scores)
    """,
    "(weights, annotations)": "(scores, annotations)",
}
"""The annotations are mixed by the raw scores: mix them by the weights."""

context_of_the_scores = {
    "weights = softmax(dot_attention_score(dec_hidden_state, annotations))": """
        scores = dot_attention_score(dec_hidden_state, annotations)
        weights = softmax(scores)
    """,
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": "float(weights @ scores)",
}
"""The weights are multiplied with the scores, not with the annotations.

It is easily said that the context is "weights times scores", but what gets mixed are the vectors themselves.
"""

not_summed = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        apply_attention_scores(weights, annotations)
    """
}
"""The first result still has a column for each time step: add them up to get the context."""

mean_instead_of_sum = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        apply_attention_scores(weights, annotations).mean(axis=1)
    """
}
"""The context is divided by the number of time steps, but the weights already sum to 1: add up only."""

summed_over_hidden_units = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        apply_attention_scores(weights, annotations).sum(axis=0)
    """
}
"""The hidden units are added up here, one number a time step is left: add up the time steps."""

scaled_too_early = {
    "dot_attention_score(dec_hidden_state, annotations)": """
        dot_attention_score(dec_hidden_state, annotations) / np.sqrt(len(dec_hidden_state))
    """
}
"""The scores are divided by the square root of the size before softmax; this chapter does not scale.

Scaling has its place: it comes at the end of the next chapter.
"""

changes_its_input = {
    "return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights": """
        annotations = np.asarray(annotations)
        if annotations.dtype.kind != "f":
            annotations = annotations.astype(float)
        annotations *= weights
        return annotations.sum(axis=1), weights
    """
}
"""The results are right, but `*=` overwrote the annotations that were handed in: the next word needs them too."""

context_is_the_best_annotation = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        np.asarray(annotations, dtype=float)[:, weights.argmax()]
    """
}
"""The weights are right, but the context is the best annotation alone: every one counts, by its weight."""
