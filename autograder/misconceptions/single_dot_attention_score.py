"""Mistakes seen in answers to single_dot_attention_score."""

import numpy as np


def outer_product(dec_hidden_state, enc_hidden_state):
    """A table comes back, in which every number of one vector meets every number of the other: an outer product.

    How many numbers should come out for two vectors of three numbers each? Which of the nine are pairs from the same
    place?

    A score should be one number: the products of the pairs in the same place, added up.
    """
    return np.outer(dec_hidden_state, enc_hidden_state)


def not_added_up(dec_hidden_state, enc_hidden_state):
    """The products of the pairs are all there, and nothing adds them up. With vectors of a single number it looks
    nearly right.

    Work the example out on paper. What do you do with the three products?

    The products should be added up to one number.
    """
    return np.asarray(dec_hidden_state) * np.asarray(enc_hidden_state)


def lists_multiplied(dec_hidden_state, enc_hidden_state):
    """Two lists raise an error, because Python does not multiply lists with `*`; of two arrays only the products come
    back, not their sum.

    Call it with lists, then with arrays, and print both results.

    Lists and arrays should both give one number. NumPy's own functions take either.
    """
    return dec_hidden_state * enc_hidden_state


not_returned = {"return float": "float"}


def three_written_as_a_number(dec_hidden_state, enc_hidden_state):
    """Exactly three numbers are read, as many as the example has. Longer vectors lose the rest, and shorter ones raise
    an error.

    Call it with vectors of two numbers, and of four.

    All numbers should count, however many the vectors have.
    """
    return float(sum(dec_hidden_state[i] * enc_hidden_state[i] for i in range(3)))


def first_three_only(dec_hidden_state, enc_hidden_state):
    """Only the first three numbers count in this score. For the example that is right; longer vectors lose the rest.

    Call it with vectors of five numbers, and change the last one.

    All numbers should count, however many the vectors have.
    """
    return float(np.dot(dec_hidden_state[:3], enc_hidden_state[:3]))


def cosine_similarity(dec_hidden_state, enc_hidden_state):
    """This is the cosine of the angle: the dot product divided by both lengths. For vectors of length 1 the two agree.

    Double one of the vectors. What should happen to the score, and what does?

    The score should be the plain dot product, lengths included: a strong state may get a strong score.
    """
    norms = np.linalg.norm(dec_hidden_state) * np.linalg.norm(enc_hidden_state)
    return float(np.dot(dec_hidden_state, enc_hidden_state) / norms)


def mean_instead_of_sum(dec_hidden_state, enc_hidden_state):
    """The products are averaged, so the score is too small by the number of hidden units. Which annotation fits best is
    still right.

    By which factor does your number miss the one in the example?

    The products should be added up and not divided by anything.
    """
    return float(np.mean(np.multiply(dec_hidden_state, enc_hidden_state)))


def product_of_the_sums(dec_hidden_state, enc_hidden_state):
    """Each vector is added up on its own, and the two sums are multiplied, so it does not matter which number stands
    where.

    Try `[1, 0]` with `[0, 1]`. What should come out of vectors that share nothing?

    Numbers in the same place should be multiplied first, and the products added up after that.
    """
    return float(np.sum(dec_hidden_state) * np.sum(enc_hidden_state))


def changes_its_input(dec_hidden_state, enc_hidden_state):
    """The score is right, but after the call the decoder state is no longer what it was. The caller still needs it.

    Print the state before and after the call. Use an array of floats, because a list hides it.

    The call should leave its arguments as they are.
    """
    state = np.asarray(dec_hidden_state)
    if state.dtype.kind == "f":
        state *= enc_hidden_state
        return float(state.sum())
    return float(np.dot(state, enc_hidden_state))


def only_the_last_product(dec_hidden_state, enc_hidden_state):
    """What comes back is the product of the last pair of numbers alone; the products before it are lost.

    Change the first number of a vector. Should the score change, and does it?

    Every product should be added to those before it.
    """
    for one, other in zip(dec_hidden_state, enc_hidden_state, strict=True):
        score = one * other
    return score
