"""Required accuracy of numbers."""

import numpy as np

from autograder.judging.ask.reply import Reply

# The least accuracy of float64: float32 on the way, rounding or an epsilon leave less.
FLOAT64 = 1e-10
FLOAT64_SCALED = 1e-9  # after scaling of scores, if the square root of the dimension is an integer
ALL_DIGITS = 1e-13  # error of a sum in float64


def keeps_small_weights(reply: Reply, expected: np.ndarray) -> None:
    """Require weights that are accurate to their own digits, not only relative to the largest."""

    def keep_their_digits(weights: np.ndarray) -> bool:
        sums = weights.sum(axis=-1)
        return bool(np.allclose(weights / expected, 1, atol=1e-6) and np.abs(sums - 1).max() < ALL_DIGITS)

    reply.equals(expected, rtol=FLOAT64).satisfies(keep_their_digits, "weights correct to all digits, however small")
