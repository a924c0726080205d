"""How exact numbers have to be, and what NumPy exercises return where whole numbers come in."""

import numpy as np

from autograder.judging.ask.reply import Reply
from autograder.judging.values.compare import as_array

# What float64 leaves of accuracy at the least: float32 on the way, rounding and an epsilon leave less.
FLOAT64 = 1e-10
FLOAT64_SCALED = 1e-9  # the same behind scores that were scaled, where the root of the width is a whole number
ALL_DIGITS = 1e-13  # what a sum in float64 may be off

_WHOLE = "An array of whole numbers cuts off the fraction of whatever is written into it later."


def holds_floats(reply: Reply, result: object) -> None:
    """A result of a call, or one of several, is an array of floats."""
    if as_array(result).dtype.kind != "f":
        reply.fails("returned whole numbers, expected float64", reason=_WHOLE)


def keeps_small_weights(reply: Reply, expected: np.ndarray) -> None:
    """Weights are right to their own digits, and not only beside the largest of them."""

    def keep_their_digits(weights: np.ndarray) -> bool:
        sums = weights.sum(axis=-1)
        return bool(np.allclose(weights / expected, 1, atol=1e-6) and np.abs(sums - 1).max() < ALL_DIGITS)

    reply.equals(expected, rtol=FLOAT64).satisfies(keep_their_digits, "weights right to all digits, however small")
