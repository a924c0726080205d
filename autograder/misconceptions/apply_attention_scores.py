"""Mistakes seen in answers to apply_attention_scores."""

import numpy as np

weights_scale_rows = {
    "np.asarray(attention_weights, dtype=float)": "np.asarray(attention_weights, dtype=float)[:, None]"
}
"""The weights scale rows, which are hidden units. Mostly that raises an error; where there are as many hidden units as
time steps, the numbers are wrong.

With weights `[1, 0, 0, 0]`, which numbers should be left?

Weight t should scale column t, the annotation of time step t.
"""

matrix_product = {
    "np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        np.asarray(annotations, dtype=float) @ np.asarray(attention_weights, dtype=float)
    """
}
"""The weighted annotations are added up already: one number for each hidden unit comes back. That is the context, one
step too early.

Compare the shape of your result with that of the annotations.

Each column should only be scaled; the shape stays `(h, t)`.
"""

not_returned = {"return np": "np"}

transposed_result = {
    "np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        (np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)).T
    """
}
"""The numbers are right, but rows and columns have changed places: the result is `(t, h)`.

Print the shapes of the annotations and of your result.

The result should have the shape of the annotations, `(h, t)`.
"""

only_the_best = {
    "return np.asarray(attention_weights, dtype=float)": """
        weights = np.asarray(attention_weights, dtype=float)
        return weights * (np.arange(len(weights)) == weights.argmax())
    """
}
"""The annotation with the largest weight is scaled, and all others become 0.

Give two annotations the weights 0.6 and 0.4. What should be left of the second?

Every annotation should count, each by its weight.
"""

integers_stay_integers = {
    "return np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        applied = np.zeros_like(annotations)
        applied[:] = np.asarray(annotations) * np.asarray(attention_weights)
        return applied
    """
}
"""Whole annotations give whole results: the fractions are cut off. With floats it is right.

Call it with integers, and print the `dtype` of the result.

The result should hold fractions, whatever type the annotations have.
"""

softmax_again = {"np.asarray(attention_weights, dtype=float)": "softmax(attention_weights)"}
"""The weights go through softmax once more, which makes them flatter. They still sum to 1, so it looks right.

Give one annotation the weight 1 and the others 0. What should be left of the others?

The weights should be used as they come.
"""

changes_its_input = {
    "return np.asarray(attention_weights, dtype=float) * np.asarray(annotations, dtype=float)": """
        annotations = np.asarray(annotations)
        if annotations.dtype.kind != "f":
            annotations = annotations.astype(float)
        annotations *= np.asarray(attention_weights, dtype=float)
        return annotations
    """
}
"""The result is right, but after the call the annotations are no longer what they were.

Print the annotations before and after the call. Use an array of floats, because a list hides it.

The call should leave its arguments as they are.
"""


def weights_paired_with_rows(attention_weights, annotations):
    """The weights are paired with the rows, one after the other, as `zip` does it: a row is a hidden unit. What has no
    partner is left out.

    Print what is paired with the second weight. Is it an annotation?

    Each weight should scale one column, the annotation of its time step.
    """
    return [weight * np.asarray(row, dtype=float) for weight, row in zip(attention_weights, annotations, strict=False)]
