"""How a wrong array of another shape is related to the expected one."""

import itertools

import numpy as np

from autograder.judging.observe.comparing import Varying, Weak, places
from autograder.judging.values.same import same

A_FEW = 4  # rows that are told by their numbers
MANY = 100  # rows that are looked at, to find a result that is one of them


def axes_of_one(got, expected, given):
    if same(got.squeeze(), expected.squeeze()):
        extra = got.ndim - expected.ndim
        how = f"{some_axes_of_one(extra)} too {'many' if extra > 0 else 'few'}" if extra else "its axes out of order"
        has = f"{{it}} has the expected {'entries' if expected.dtype == bool else 'numbers'}, and"
        yield Varying(f"{has} {how}", f"{has} axes of length 1 {'too many' * (extra > 0)}")


def some_axes_of_one(count):
    """So many of them, of either sign, in words."""
    return f"{'an axis' if abs(count) == 1 else f'{abs(count)} axes'} of length 1"


def turned(got, expected, given):
    if got.ndim == expected.ndim > 1 and same(got, expected.swapaxes(-2, -1)):
        yield "{it} is what was expected, transposed"
    elif got.size == expected.size and same(got.ravel(), expected.ravel()):
        yield "{it} has the expected numbers in the right order, in another shape"
    elif got.size == expected.size and got.dtype != bool and same(np.sort(got.ravel()), np.sort(expected.ravel())):
        yield "{it} has the expected numbers, in another shape and order"


def reduced(got, expected, given):
    if bool in (got.dtype, expected.dtype):
        return
    for many, few, clause in (
        (expected, got, "{{it}} is what was expected with its axis {axis} {how}"),
        (got, expected, "{{it}} with its axis {axis} {how} is what was expected"),
    ):
        for axis in range(-many.ndim, 0):
            for how, value in (("added up", many.sum), ("averaged", many.mean), ("reduced to its largest", many.max)):
                if many.shape[axis] > 1 and (same(few, value(axis)) or same(few, value(axis, keepdims=True))):
                    told = clause.format(axis=axis, how=how)
                    yield Weak(told) if "largest" in how else told


def a_part(got, expected, given):
    if got.ndim == expected.ndim - 1:
        yield from _one_of_many(got, expected)
    if got.ndim != expected.ndim or not expected.ndim:
        return
    corner = tuple(map(slice, got.shape))
    is_smaller = [less < more for less, more in zip(got.shape, expected.shape, strict=True)]
    if sum(is_smaller) > 1 and same(got, expected[corner]):
        size = " by ".join(map(str, got.shape))
        yield Varying(f"{{it}} is only the beginning of what was expected along each axis, {size}", "a corner")
    for at, words in enumerate(("first, third, fifth and so on", "second, fourth, sixth and so on")):
        if expected.shape[-1] > 3 and same(got, expected[..., at::2]):
            yield f"{{it}} holds every second column of what was expected: the {words}"
    for axis in range(-got.ndim, 0):
        more, less = (got, expected) if got.shape[axis] > expected.shape[axis] else (expected, got)
        extra = more.shape[axis] - less.shape[axis]
        if not extra or not less.shape[axis]:
            continue
        things = places(got.ndim, axis)[extra > 1]
        for where, part in (("end", np.arange(less.shape[axis])), ("beginning", np.arange(extra, more.shape[axis]))):
            if same(np.take(more, part, axis), less):
                word = "too many" if more is got else "too few"
                yield f"{{it}} is right but for {extra} {things} {word} at the {where}"


def _one_of_many(got, expected):
    """One row, one column or one entry of a batch, where all of them were expected."""
    for axis in range(-expected.ndim, 0):
        last = expected.shape[axis] - 1
        for at, part in enumerate(np.moveaxis(expected, axis, 0)[:MANY]):
            if last and same(got, part):
                thing, _, of_axis = places(expected.ndim, axis)[0].partition(" ")
                which = {0: f"the first {thing}", last: f"the last {thing}"}.get(at, f"{thing} {at}")
                counted = " (counted from 0)" if 0 < at < last else ""
                yield f"{{it}} is only {f'{which} {of_axis}'.rstrip()}{counted} of what was expected"


def rows_between(got, expected, given):
    """All expected rows in order, and others among them; or some of them only."""
    if got.ndim != expected.ndim or got.ndim < 1 or got.shape[1:] != expected.shape[1:] or 0 in expected.shape[1:]:
        return
    more, less = (got, expected) if len(got) > len(expected) else (expected, got)
    rest, others = list(range(len(more))), []
    for row in less:
        while rest and not same(more[rest[0]], row):
            others.append(rest.pop(0))
        if not rest:
            return
        rest.pop(0)
    others += rest
    if len(more) == len(less) or not len(less):
        return
    thing = places(got.ndim, -got.ndim)[len(others) > 1]
    told = f"{', '.join(map(str, others[:A_FEW]))}{' and so on' if len(others) > A_FEW else ''}, counted from 0"
    if more is got:
        zeros = ", all 0" if not more[others].any() else ""
        yield f"{{it}} holds what was expected and {len(others)} {thing} more: {told}{zeros}"
    else:
        yield f"{{it}} is what was expected without the {thing} {told}"


def longer_or_shorter(got, expected, given):
    """How many rows there are too many, or too few, and which of the others are wrong."""
    if got.ndim != expected.ndim or got.ndim < 1 or got.shape[1:] != expected.shape[1:]:
        return
    both = min(len(got), len(expected))
    right = [same(one, other) for one, other in zip(got, expected, strict=False)]
    extra = len(got) - len(expected)
    if extra and both > 1 and any(right):
        things = places(got.ndim, -got.ndim)
        count = f"{abs(extra)} {things[abs(extra) > 1]} too {'many' if extra > 0 else 'few'}"
        numbers = ", ".join(str(at) for at, is_right in enumerate(right) if is_right)
        yield Weak(f"{{it}} has {count}; of the others those that are right are {numbers}, counted from 0")


def in_letters(got, expected, letters, wanted, name):
    """Where a result has another shape: which lengths it has, as the exercise calls them.

    Parameters
    ----------
    got, expected : ndarray
    letters : dict of str to int
        Name of an axis in the text of the exercise -> its length here.
    wanted : list of str
        Names of the last axes of the expected result.
    name : str
        What the result is called.

    Returns
    -------
    list of (int, str)
        The number of axes, and a sentence; more than one where axes of several names are equally long.
    """
    first = expected.ndim - len(wanted)
    if got.ndim != expected.ndim or [letters.get(name) for name in wanted] != [*expected.shape[first:]]:
        return []
    axes = [axis for axis in range(got.ndim) if got.shape[axis] != expected.shape[axis]]
    if not axes or axes[0] < first:
        return []
    told = [
        [
            f"axis {axis} is as long as {letter}, not {wanted[axis - first]}"
            for letter, size in letters.items()
            if size == got.shape[axis]
        ]
        for axis in axes
    ]
    return [(got.ndim, f"Of {name}, {' and '.join(each)}.") for each in itertools.product(*told)]
