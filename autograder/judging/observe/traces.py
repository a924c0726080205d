"""What is true of a wrong array and says little of its cause: it is said where nothing better is known."""

import numpy as np

from autograder.judging.observe import values
from autograder.judging.observe.comparing import Alone, Vague, are_one, is_telling
from autograder.judging.observe.places import right_along, where_right
from autograder.judging.values.same import same

CLEAR = 0.01  # of the range of what was expected: so far apart are numbers that are plainly not equal
SHORT = 1024  # what times that is whole is a short fraction, which float32 holds as well
FEW = 3  # different numbers that are none
MANY = 500_000  # pairs of numbers: more would take too long


def not_hidden(got, expected, given):
    """Numbers where a mask is False, and 0 was expected."""
    for name, mask in given.items():
        if mask.dtype != bool or got.dtype == bool or mask.ndim > expected.ndim or not mask.ndim:
            continue
        try:
            hidden = ~np.broadcast_to(mask, expected.shape)
        except ValueError:
            continue
        if hidden.any() and not (expected[hidden].any() or same(got[hidden], expected[hidden])):
            yield f"{{it}} is not 0 everywhere where {name} is False"


def no_numbers(got, expected, given):
    """NaN, where numbers were expected."""
    where = np.isnan(got)
    if not where.any() or np.isnan(expected).any():
        return
    if where.all():
        yield "{it} is not a number (nan) throughout"
    else:
        yield "{it} has whole rows of nan" if where.all(-1).any() else "some of {it} is nan"


def only_in_part(got, expected, given):
    """One row or column that is right: no number of the rest is, but for what is 0 anyhow, and it is no constant."""
    right = where_right(got, expected)
    for axis, place, _, whole in right_along(right):
        for at, words in ((0, "first"), (-1, "last")):
            mine = np.take(expected, at, axis)
            if whole.sum() > 1 or not whole[at] or (mine.size > 1 and (mine == mine.flat[0]).all()):
                continue
            rest, others = (np.delete(array, at, axis) for array in (right, expected))
            if not (rest & (others != 0)).any():
                yield f"only the {words} {place} of {{it}} is right{' throughout' * bool(rest.any())}"


def ties(got, expected, given):
    """Two columns that are the same, or two weights of a row, where the expected ones differ; no whole numbers."""
    if bool in (got.dtype, expected.dtype) or not got.ndim or got.size * got.shape[-1] > MANY or not is_telling(got):
        return
    found, wanted = (array.reshape(-1, array.shape[-1]).astype(float) for array in (got, expected))
    equal, no_whole = found[:, :, None] == found[:, None], found[:, :, None] % 1 != 0
    differ = np.abs(wanted[:, :, None] - wanted[:, None]) > CLEAR * np.ptp(wanted)
    columns = np.argwhere(equal.all(0) & (no_whole & differ).any(0))
    if len(found) > 1 and len(columns):
        yield f"columns {columns[0][0]} and {columns[0][1]} of {{it}} are equal, and the expected ones differ"
    elif are_one(expected.sum(-1)) and (equal & no_whole & differ).any():
        yield f"some numbers {'in a row ' * (got.ndim > 1)}of {{it}} are equal, and the expected ones differ"


def of_fewer_digits(got, expected, given):
    """A dtype that may be all that is wrong, where sums or scores are large."""
    if clause := values.of_fewer_digits(got, given):
        yield Alone(clause)
    elif _are_of_float32(got) and not _are_of_float32(expected):
        yield "{it} is of dtype float64 and holds numbers of float32: something has fewer digits on the way"


def _are_of_float32(array):
    """Whether numbers of dtype float64 have no more digits than float32 holds, and some need that many."""
    if array.dtype != np.float64 or not np.isfinite(array).all():
        return False
    return len(np.unique(array[array * SHORT % 1 != 0])) >= FEW and (array == array.astype(np.float32)).all()


def out_of_bounds(got, expected, given):
    """Numbers beyond all that are expected, which lie between round numbers."""
    if bool in (got.dtype, expected.dtype) or not np.isfinite(got).all():
        return
    for least in (0, -1):
        if least <= expected.min() and expected.max() <= 1:
            beyond = got[(got < least) | (got > 1)]
            if beyond.size:
                far = beyond[np.argmax(np.abs(beyond))]
                words = f"all expected numbers lie between {least} and 1"
                yield Vague(f"{{it}} holds {far:.4g}, and {words}", words)
            return
