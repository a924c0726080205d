"""How exact numbers have to be."""

import numpy as np

from autograder.judging.ask.reply import Reply

# What float64 leaves of accuracy at the least: float32 on the way, rounding and an epsilon leave less.
FLOAT64 = 1e-10
FLOAT64_SCALED = 1e-9  # the same behind scores that were scaled, where the root of the width is a whole number
ALL_DIGITS = 1e-13  # what a sum in float64 may be off


def keeps_small_weights(reply: Reply, expected: np.ndarray) -> None:
    """Weights are right to their own digits, and not only beside the largest of them."""

    def keep_their_digits(weights: np.ndarray) -> bool:
        sums = weights.sum(axis=-1)
        return bool(np.allclose(weights / expected, 1, atol=1e-6) and np.abs(sums - 1).max() < ALL_DIGITS)

    reply.equals(expected, rtol=FLOAT64).satisfies(keep_their_digits, "weights right to all digits, however small")
