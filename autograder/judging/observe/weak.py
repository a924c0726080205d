"""What is true of a wrong array and says little of its cause: it is said where nothing better is known."""

import numpy as np

from autograder.judging.observe.clause import Clause, Clauses, Example, Pair, is_telling, rule
from autograder.judging.observe.places import right_along, where_right
from autograder.judging.values.same import same

APART = 0.01  # of the range of what was expected: so far apart are numbers that are plainly not equal
MAX_PAIRS = 500_000  # of numbers: more would take too long

_TABLE = [[1, 2, 3], [4, 5, 6]]
_EQUAL, _WEIGHTS = [[0.4, 0.4, 0.2], [0.3, 0.3, 0.4]], [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]


@rule(
    Example(np.tri(3) + 1, np.tri(3), "{it} is not 0 everywhere where mask is False", {"mask": np.tri(3, dtype=bool)})
)
def not_hidden(pair: Pair) -> Clauses:
    """Numbers where a mask is False, and 0 was expected."""
    for name, mask in pair.arguments.items():
        if mask.dtype != bool or not 0 < mask.ndim <= pair.expected.ndim:
            continue
        try:
            hidden = ~np.broadcast_to(mask, pair.expected.shape)
        except ValueError:
            continue
        wanted = pair.expected[hidden]
        if hidden.any() and not (wanted.any() or same(pair.got[hidden], wanted)):
            yield Clause(f"{{it}} is not 0 everywhere where {name} is False")


@rule(
    Example(np.full((2, 3), np.nan), _TABLE, "{it} is not a number (nan) throughout"),
    Example([[1, 2, 3], [np.nan] * 3], _TABLE, "{it} has whole rows of nan"),
    Example([[np.nan, 2, 3], [4, 5, 6]], _TABLE, "some of {it} is nan"),
)
def no_numbers(pair: Pair) -> Clauses:
    where = np.isnan(pair.got)
    if not where.any() or np.isnan(pair.expected).any():
        return
    rows = "{it} has whole rows of nan" if where.ndim and where.all(-1).any() else "some of {it} is nan"
    yield Clause("{it} is not a number (nan) throughout" if where.all() else rows)


@rule(
    Example([[1, 2, 3], [5, 6, 7]], _TABLE, "only the first row of {it} is right"),
    Example([[1, 2, 3], [0, 6, 7]], [[1, 2, 3], [0, 5, 6]], "only the first row of {it} is right throughout"),
    of_booleans=True,
)
def only_in_part(pair: Pair) -> Clauses:
    """One row or column that is right: no number of the rest is, but for what is 0 anyhow, and it is no constant."""
    right = where_right(pair)
    for axis, (thing, _), whole in right_along(right):
        for at, words in ((0, "first"), (-1, "last")):
            mine = np.take(pair.expected, at, axis)
            if whole.sum() > 1 or not whole[at] or (mine.size > 1 and (mine == mine.flat[0]).all()):
                continue
            rest, others = (np.delete(array, at, axis) for array in (right, pair.expected))
            if not (rest & (others != 0)).any():
                yield Clause(f"only the {words} {thing} of {{it}} is right{' throughout' * bool(rest.any())}")


@rule(
    Example(_EQUAL, _WEIGHTS, "columns 0 and 1 of {it} are equal, and the expected ones differ"),
)
def ties(pair: Pair) -> Clauses:
    """Two columns that are the same where the expected ones differ; no whole numbers."""
    got, expected = pair.got, pair.expected
    if not got.ndim or got.size * got.shape[-1] > MAX_PAIRS or not is_telling(got):
        return
    rows, wanted = (array.reshape(-1, array.shape[-1]).astype(float) for array in (got, expected))
    equal, no_whole = rows[:, :, None] == rows[:, None], rows[:, :, None] % 1 != 0
    differ = np.abs(wanted[:, :, None] - wanted[:, None]) > APART * np.ptp(wanted)
    columns = np.argwhere(equal.all(0) & (no_whole & differ).any(0))
    if len(rows) > 1 and len(columns):
        yield Clause(f"columns {columns[0][0]} and {columns[0][1]} of {{it}} are equal, and the expected ones differ")
