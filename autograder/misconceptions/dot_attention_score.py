"""Mistakes seen in answers to dot_attention_score."""

import numpy as np


def element_by_element(dec_hidden_state, annotations):
    """`*` multiplies element by element and adds nothing up: a matrix product is meant.

    `@` multiplies and adds.
    """
    return np.asarray(dec_hidden_state)[:, None] * np.asarray(annotations)


def not_returned(dec_hidden_state, annotations):
    """The scores may have been computed, but the function does not hand them back: it needs a `return`."""


def annotations_read_as_rows(dec_hidden_state, annotations):
    """Annotations are read as rows here, but they stand in the columns: `(h, t)` has one column for each time step.

    This fails unless there are as many time steps as hidden units, and then the numbers are wrong.
    """
    return np.asarray(annotations, dtype=float) @ np.asarray(dec_hidden_state, dtype=float)


def reshaped_instead_of_transposed(dec_hidden_state, annotations):
    """`reshape` only counts the numbers off anew, it does not turn columns into rows: that is what `.T` does."""
    annotations = np.asarray(annotations, dtype=float)
    return annotations.reshape(annotations.shape[::-1]) @ np.asarray(dec_hidden_state, dtype=float)


def a_row_for_a_vector(dec_hidden_state, annotations):
    """The decoder state became a matrix of one row, and so the result has an axis too many.

    A one-dimensional state needs no transposing: `(h,) @ (h, t)` gives `(t,)`.
    """
    return np.atleast_2d(dec_hidden_state) @ np.asarray(annotations, dtype=float)


def four_written_as_a_number(dec_hidden_state, annotations):
    """Four time steps are written into the code, as many as the example has; read them from `annotations.shape`."""
    columns = np.transpose(annotations)
    return np.array([np.dot(dec_hidden_state, columns[i]) for i in range(4)])


def only_one_score(dec_hidden_state, annotations):
    """All scores were added into one number: each annotation keeps a score of its own."""
    return float(np.sum(np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)))


def scaled_too_early(dec_hidden_state, annotations):
    """These scores are divided by the square root of the size; plain dot products are asked for here.

    Scaling has its place: it comes at the end of the next chapter.
    """
    state = np.asarray(dec_hidden_state, dtype=float)
    return state @ np.asarray(annotations, dtype=float) / np.sqrt(len(state))


def softmax_too_early(dec_hidden_state, annotations):
    """These are weights already, not scores: softmax is an exercise of its own and comes later."""
    scores = np.asarray(dec_hidden_state, dtype=float) @ np.asarray(annotations, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def changes_its_input(dec_hidden_state, annotations):
    """The scores are right, but `*=` overwrote the annotations that were handed in: the caller still needs them."""
    products = np.asarray(annotations)
    if products.dtype.kind != "f":
        products = products.astype(float)
    products *= np.asarray(dec_hidden_state, dtype=float)[:, None]
    return products.sum(axis=0)
