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
"""The softmax inside overflows for scores as large as those of the example, and NaN comes back. For scores near 0 it is
right.

Print the exponentials of the scores. Does your own `softmax` of this chapter give the same weights?

Scores of any size should give weights; `softmax` of this chapter sees to it.
"""

normalised_by_the_sum = {"softmax(": "normalize_by_sum("}
"""The weights are the scores divided by their sum. They sum to 1, which looks right, but they are not those of softmax.

Print your weights beside `softmax` of the scores.

The weights of attention should be the softmax of the scores.
"""

argmax = {
    "weights = softmax(dot_attention_score(dec_hidden_state, annotations))": """
        scores = dot_attention_score(dec_hidden_state, annotations)
        weights = (np.arange(len(scores)) == scores.argmax()).astype(float)
    """
}
"""All the attention goes to the best annotation. With scores as far apart as 397 and 927, softmax does nearly the same.

Try annotations whose scores are almost equal.

Every annotation should get its share, as softmax gives it.
"""

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
"""The weights are right, but the annotations are mixed by the raw scores, so the context is no average of them: in the
example it is far too large.

Can an average be larger than everything it averages? Is your context?

The annotations should be mixed by the weights.
"""

context_of_the_scores = {
    "weights = softmax(dot_attention_score(dec_hidden_state, annotations))": """
        scores = dot_attention_score(dec_hidden_state, annotations)
        weights = softmax(scores)
    """,
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": "float(weights @ scores)",
}
"""The weights are multiplied by the scores, and a single number comes back. It is easily said that the context is
"weights times scores".

How many numbers has the context in the example? What has that many numbers to be mixed?

The weights should mix the annotations, so that the context has one number for each hidden unit.
"""

not_summed = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        apply_attention_scores(weights, annotations)
    """
}
"""The first result still has a column for each time step: weighted annotations, not yet their sum.

Compare the shape of your first result with that of the example.

The columns should be added up to one context vector.
"""

mean_instead_of_sum = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        apply_attention_scores(weights, annotations).mean(axis=1)
    """
}
"""The context is divided by the number of time steps, so it is too small. Its direction is right.

Mix three equal annotations. Should the context be as large as each of them?

The weighted annotations should be added up only: the weights already sum to 1.
"""

summed_over_hidden_units = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        apply_attention_scores(weights, annotations).sum(axis=0)
    """
}
"""The hidden units are added up, and one number for each time step is left. With as many time steps as hidden units the
shape looks right.

How long should the context be, and how long is yours?

The time steps should be added up, so that one number for each hidden unit is left.
"""

scaled_too_early = {
    "dot_attention_score(dec_hidden_state, annotations)": """
        dot_attention_score(dec_hidden_state, annotations) / np.sqrt(len(dec_hidden_state))
    """
}
"""The scores are divided by the square root of how many hidden units there are, so the weights come out too flat.

Print your weights beside those of the example.

This chapter should not scale. Scaling has its place at the end of the next.
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
"""The results are right, but after the call the annotations are no longer what they were. The next word needs them,
too.

Print the annotations before and after the call. Use an array of floats, because a list hides it.

The call should leave its arguments as they are.
"""

context_is_the_best_annotation = {
    "calculate_attention_vector(apply_attention_scores(weights, annotations))": """
        np.asarray(annotations, dtype=float)[:, weights.argmax()]
    """
}
"""The weights are right, but the context is the annotation with the largest weight, alone. Where one weight is nearly
1, it looks right.

Take two annotations with the weights 0.6 and 0.4. Where between them should the context lie?

Every annotation should count in the context, each by its weight.
"""

scores_in_float32 = {
    "weights = softmax(dot_attention_score(dec_hidden_state, annotations))": """
        scores = dot_attention_score(dec_hidden_state, annotations)
        weights = softmax(scores.astype(np.float32))
    """
}
