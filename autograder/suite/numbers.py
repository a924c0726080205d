"""What NumPy exercises return, also where whole numbers come in."""

from autograder.judging.ask.reply import Reply
from autograder.judging.values.compare import as_array

_WHOLE = "An array of whole numbers cuts off the fraction of whatever is written into it later."


def holds_floats(reply: Reply, result: object) -> None:
    """A result of a call, or one of several, is an array of floats."""
    if as_array(result).dtype.kind != "f":
        reply.fails("returned whole numbers, expected float64", reason=_WHOLE)
