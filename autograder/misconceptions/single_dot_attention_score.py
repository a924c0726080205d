"""Mistakes seen in answers to single_dot_attention_score."""

import numpy as np


def outer_product(dec_hidden_state, enc_hidden_state):
    """This is the outer product, every number times every other one: a score is one number.

    Multiply only the pairs that stand in the same place, and add up.
    """
    return np.outer(dec_hidden_state, enc_hidden_state)


def not_added_up(dec_hidden_state, enc_hidden_state):
    """The products are all there, but nothing adds them up: `*` multiplies element by element and stops.

    A dot product multiplies and adds.
    """
    return np.asarray(dec_hidden_state) * np.asarray(enc_hidden_state)


def lists_multiplied(dec_hidden_state, enc_hidden_state):
    """Two lists cannot be multiplied with `*`, and of two arrays nothing adds the products up.

    NumPy's own functions take lists as well as arrays.
    """
    return dec_hidden_state * enc_hidden_state


not_returned = {"return float": "float"}


def three_written_as_a_number(dec_hidden_state, enc_hidden_state):
    """The size 3 of the example is written into the code; other vectors have another size.

    Read the size from the vectors, or use an operation that needs none.
    """
    return float(sum(dec_hidden_state[i] * enc_hidden_state[i] for i in range(3)))


def first_three_only(dec_hidden_state, enc_hidden_state):
    """Only the first three numbers count in this score; longer vectors lose the rest.

    The size 3 comes from the example: read it from the vectors.
    """
    return float(np.dot(dec_hidden_state[:3], enc_hidden_state[:3]))


def cosine_similarity(dec_hidden_state, enc_hidden_state):
    """This divides by the lengths of the vectors, which is the cosine of their angle, not the dot product.

    Leave the lengths in: a strong state may give a strong score.
    """
    norms = np.linalg.norm(dec_hidden_state) * np.linalg.norm(enc_hidden_state)
    return float(np.dot(dec_hidden_state, enc_hidden_state) / norms)


def mean_instead_of_sum(dec_hidden_state, enc_hidden_state):
    """The products are averaged here: a dot product adds them up and does not divide by their number."""
    return float(np.mean(np.multiply(dec_hidden_state, enc_hidden_state)))


def product_of_the_sums(dec_hidden_state, enc_hidden_state):
    """Each vector is added up before the two sums are multiplied: multiply in pairs first, then add up."""
    return float(np.sum(dec_hidden_state) * np.sum(enc_hidden_state))


def changes_its_input(dec_hidden_state, enc_hidden_state):
    """The score is right, but `*=` overwrote the decoder state that was handed in: the caller still needs it.

    Put the products into an array of their own.
    """
    state = np.asarray(dec_hidden_state)
    if state.dtype.kind == "f":
        state *= enc_hidden_state
        return float(state.sum())
    return float(np.dot(state, enc_hidden_state))
