"""How a wrong array of another shape is related to the expected one."""

import numpy as np

from autograder.judging.relations.comparing import Weak, places, same

A_FEW = 4  # rows that are told by their numbers


def axes_of_one(got, expected, given):
    if same(got.squeeze(), expected.squeeze()):
        more = "too many" if got.ndim > expected.ndim else "too few"
        how = "its axes out of order" if got.ndim == expected.ndim else f"an axis of length 1 {more}"
        yield f"{{it}} has the expected numbers, and {how}"


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
    if got.ndim == expected.ndim - 1 and expected.ndim and expected.shape[0] > 1 and same(got, expected[0]):
        yield "{it} is the first part of what was expected"
    if got.ndim == expected.ndim - 1 and expected.ndim and expected.shape[0] > 1 and same(got, expected[-1]):
        yield "{it} is the last part of what was expected"
    if got.ndim != expected.ndim or not expected.ndim:
        return
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
    """
    names = {size: name for name, size in letters.items()}
    if (
        got.ndim != expected.ndim
        or len(names) < len(letters)
        or [letters.get(name) for name in wanted] != [*expected.shape[expected.ndim - len(wanted) :]]
    ):
        return ""
    first = expected.ndim - len(wanted)
    axes = [axis for axis in range(got.ndim) if got.shape[axis] != expected.shape[axis]]
    if not axes or axes[0] < first or any(got.shape[axis] not in names for axis in axes):
        return ""
    told = [f"axis {axis} is as long as {names[got.shape[axis]]}, not {wanted[axis - first]}" for axis in axes]
    return f"Of {name}, {' and '.join(told)}."
