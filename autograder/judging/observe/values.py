"""How the numbers of a wrong array are related to the expected ones, to the arguments and to each other.

A relation is a function of what came back, what was expected and the arguments by name. It yields clauses in which
``{it}`` stands for the result. Each is true wherever it is yielded; `numbers` asks whether it is a coincidence.
"""

import numpy as np

from autograder.judging.observe.comparing import RTOL, Alone, Plain, Varying, Weak, are_one, is_telling, softmax
from autograder.judging.values.same import same

HALF = 2e-3  # what half precision leaves after a few steps


def one_number(got, expected, given):
    if got.size > 1 and (got == got.flat[0]).all() and not (expected == expected.flat[0]).all():
        clause = f"{{it}} is {_plain(got.flat[0])} everywhere"
        if not got.any() and expected.dtype != bool and (expected > 0).all() and (expected < 1).all():
            yield Varying(f"{clause}, as where `//` or an array of integers cuts off fractions", clause)
        yield clause


def nan_where(got, expected, given):
    """NaN in just the places where an argument has a number of which there is no logarithm, or no quotient."""
    where = np.isnan(got)
    if where.all() or not where.any() or np.isnan(expected).any():
        return
    for name, array in given.items():
        if array.shape == got.shape and array.dtype != bool:
            odd = {"is 0": array == 0, "is below 0": array < 0, "is infinite": np.isinf(array)}
            yield from (f"{{it}} is nan just where {name} {words}" for words, at in odd.items() if (at == where).all())


def an_argument(got, expected, given):
    for name, array in given.items():
        if same(got, array):
            yield f"{{it}} is the argument {name}, unchanged"


def inverted(got, expected, given):
    if got.dtype == bool and same(got, ~expected):
        yield "{it} is what was expected with True and False exchanged"
    elif expected.dtype == bool != got.dtype and (got == expected).all():
        yield "{it} is what was expected, with 1 and 0 in place of True and False"


def a_function(got, expected, given):
    if bool in (got.dtype, expected.dtype):
        return
    known = {
        "what was expected with the sign turned round": -expected,
        "1 minus what was expected": 1 - expected,
        "the square of what was expected": expected**2,
        "the square root of what was expected": np.sqrt(expected),
        "the exponential of what was expected": np.exp(expected),
        "the logarithm of what was expected": np.log(expected),
        "1 divided by what was expected": 1 / expected,
        "what was expected without its signs": np.abs(expected),
    }
    yield from (f"{{it}} is {words}" for words, array in known.items() if same(got, array))
    if expected.ndim and expected.shape[-1] > 1:
        if same(got, softmax(expected)):
            yield "{it} is what was expected, put through softmax once more"
        if same(softmax(got), expected):
            yield "softmax along the last axis turns {it} into what was expected"


def a_factor(got, expected, given):
    if bool in (got.dtype, expected.dtype) or not np.isfinite(got).all() or not np.isfinite(expected).all():
        return
    power = float((expected * expected).sum())
    factor = float((got * expected).sum()) / power if power else 0.0
    if factor and abs(factor - 1) > RTOL and same(got, factor * expected):
        for words, number, key in _known_factors(given):
            if abs(factor / number - 1) < RTOL:
                yield Varying(f"{{it}} is what was expected {words}", f"it {key}")
        yield Weak(f"{{it}} is what was expected times {factor:.4g}")
        if expected.size > 1:
            yield Weak("{it} is what was expected times one number, another one in other calls: by what is it divided?")
    offset = float((got - expected).mean())
    if offset and same(got, expected + offset) and expected.size > 1:
        yield Weak(f"{{it}} is what was expected plus {offset:.4g}")
    if expected.ndim > 1 and expected.shape[-1] > 1:
        factors = (got * expected).sum(-1, keepdims=True) / (expected * expected).sum(-1, keepdims=True)
        if (factors != 0).all() and np.ptp(factors) > RTOL and same(got, factors * expected):
            yield "every row of {it} is the expected one times a number of its own"


def a_temperature(got, expected, given):
    """Weights of scores that were scaled otherwise: their logarithms have other distances, all by one factor."""
    if (
        bool in (got.dtype, expected.dtype)
        or not expected.ndim
        or not (are_one(got.sum(-1)) and are_one(expected.sum(-1)))
    ):
        return
    seen = (got > 0) & (expected > 0)
    logs = [np.where(seen, np.log(np.where(seen, each, 1.0)), 0.0) for each in (got, expected)]
    count = seen.sum(-1, keepdims=True)
    found, wanted = (np.where(seen, each - each.sum(-1, keepdims=True) / count, 0.0) for each in logs)
    power = float((wanted * wanted).sum())
    factor = float((found * wanted).sum()) / power if power else 0.0
    if abs(factor) > RTOL and abs(factor - 1) > RTOL and same(found, factor * wanted):
        scores = "{it} belongs to scores that are the expected ones"
        for words, number, key in _known_factors(given):
            if abs(factor / number - 1) < RTOL:
                yield Varying(f"{scores} {words}", f"scores {key}")
        yield Weak(f"{scores} times {factor:.4g}")
        if (seen.sum(-1) - 1).clip(0).sum() > 1:
            yield Weak(
                "{it} belongs to scores whose scale is wrong, by another factor from call to call: "
                "by what do you divide?"
            )


def a_combination(got, expected, given):
    """Two arguments, number by number, or what that adds up to."""
    arrays = {name: array for name, array in given.items() if array.ndim and array.dtype != bool}
    for one, left in arrays.items():
        for other, right in arrays.items():
            try:
                shape = np.broadcast_shapes(left.shape, right.shape)
            except ValueError:
                continue
            if one == other or (shape != got.shape and got.ndim):
                continue
            known = {"+": left + right, "-": left - right, "*": left * right, "/": left / right}
            for sign, array in known.items():
                words = f"{{it}} is {one} {sign} {other}"
                if not got.ndim:
                    known_reductions = {"added up": array.sum(), "averaged": array.mean(), "their largest": array.max()}
                    yield from (
                        f"{words}, {how}" for how, value in known_reductions.items() if same(got, np.asarray(value))
                    )
                elif same(got, array):
                    yield words


def _known_factors(given):
    """(words, number, what holds in all calls) of the factors that a forgotten or doubled scale leaves."""
    yield from (("times 2", 2.0, "times 2"), ("times 1/2", 0.5, "times 1/2"), ("times 10", 10.0, "times 10"))
    for name, array in given.items():
        for axis in range(-1, -array.ndim - 1, -1):
            if (size := array.shape[axis]) > 1:
                length = f"the length of axis {axis} of {name}"
                yield f"times the square root of {size}, {length}", size**0.5, f"times root {length}"
                yield f"divided by the square root of {size}, {length}", size**-0.5, f"divided by root {length}"
                yield f"times {size}, {length}", float(size), f"times {length}"
                yield f"divided by {size}, {length}", 1 / size, f"divided by {length}"


def rounded(got, expected, given):
    if bool in (got.dtype, expected.dtype) or not np.isfinite(expected).all() or same(expected, np.round(expected)):
        return
    exact = got.astype(float)
    if np.abs(exact - expected).max() < 1e-9:
        return
    whole = {"cut off after the decimal point": np.trunc(expected), "rounded down": np.floor(expected)}
    for words, array in whole.items():
        if (exact == array).all():
            if got.dtype.kind in "iu" and got.size > 1 and got.any():
                yield Plain(f"{{it}} is what was expected, {words}, and holds integers: make it of floats")
            yield f"{{it}} is what was expected, {words}"
    is_one_or_zero = np.isin(exact, (0, 1)).all()  # of such numbers nobody can say how they were rounded
    for digits in range(1 if is_one_or_zero else 0, 7):
        if np.abs(exact - np.round(expected, digits)).max() < 1e-9:
            yield f"{{it}} is what was expected, rounded to {f'{digits} decimals' if digits else 'whole numbers'}"
            return
    if got.dtype == np.float16 and same(got, expected, HALF):
        yield "{it} is of dtype float16, which holds three digits"
    elif same(got, expected, HALF) and (clause := of_fewer_digits(got, given)):
        yield Plain(clause)
    elif same(got, expected, HALF) and not same(got, expected, 1e-6) and not _is_multiple(exact, expected):
        yield Alone(
            "{it} is right to its first three digits and no further: "
            "is something rounded, or worked out in a dtype of fewer digits?"
        )


def of_fewer_digits(got, given):
    """What is said of float32 where everything that came in is float64."""
    kinds = {array.dtype for array in given.values() if array.dtype.kind == "f"}
    is_narrow = got.dtype == np.float32 and kinds == {np.dtype(np.float64)}
    return "{it} is of dtype float32, which holds seven digits, and what came in is float64" if is_narrow else ""


def _is_multiple(got, expected):
    """Whether it is the expected numbers times one number, to more digits than are left where something is rounded."""
    factor = (got * expected).sum() / (expected * expected).sum()
    return got.size > 1 and bool(np.abs(got - factor * expected).max() < 1e-9 * np.abs(got).max())


def dropped(got, expected, given):
    """What dropout does to weights: some are 0, and all others grow by the same factor."""
    if bool in (got.dtype, expected.dtype) or expected.size < 4:
        return
    kept = (got != 0) & (expected != 0)
    if kept.sum() < 2 or not ((got == 0) & (expected != 0)).any():
        return
    factors = got[kept] / expected[kept]
    if factors[0] > 1 + RTOL and np.allclose(factors, factors[0], rtol=RTOL) and not got[~kept].any():
        yield f"some numbers of {{it}} are 0, and all others the expected ones times {factors[0]:.4g}, as after dropout"


def sums(got, expected, given):
    if bool in (got.dtype, expected.dtype) or expected.ndim == 0 or expected.shape[-1] < 1:
        return
    if not are_one(expected.sum(-1)) or are_one(got.sum(-1)):
        return
    if expected.shape[-1] == 1:
        if (got == got.flat[0]).all():
            yield Varying(f"{{it}} sums to {_plain(got.flat[0])}, and should sum to 1", "{it} sums")
        return
    if expected.ndim > 1 and are_one(got.sum(-2)):
        yield "every column of {it} sums to 1, and every row should"
    elif expected.ndim > 1 and any(are_one(got.sum(axis)) for axis in range(got.ndim - 2)):
        yield "{it} sums to 1 along a batch axis, and every row should"
    elif expected.ndim > 1 and are_one(got.reshape(-1, *got.shape[-2:]).sum((-2, -1))):
        yield "all of {it} together sums to 1, and every row should"
    elif expected.ndim > 1 and are_one(got.sum()):
        yield "all of {it}, batch and all, sums to 1, and every row should"
    else:
        row = got.reshape(-1, got.shape[-1]).sum(-1)
        wrong = row[np.argmax(np.abs(row - 1))]
        what = "a row of {it} sums" if expected.ndim > 1 else "{it} sums"
        yield Varying(f"{what} to {wrong:.4g}, and should sum to 1", what)


def sums_of_zero(got, expected, given):
    if bool in (got.dtype, expected.dtype) or expected.ndim == 0 or expected.shape[-1] < 2 or not expected.any():
        return
    row, tiny = got.reshape(-1, got.shape[-1]).sum(-1), RTOL * np.abs(expected).max()
    if (np.abs(expected.sum(-1)) < tiny).all() and (np.abs(row) > tiny).any():
        what = "a row of {it} sums" if expected.ndim > 1 else "{it} sums"
        yield Varying(f"{what} to {row[np.argmax(np.abs(row))]:.4g}, and should sum to 0", f"{what} to 0")


def equal_rows(got, expected, given):
    if got.ndim < 2 or got.shape[-2] < 2 or not is_telling(got):
        return
    if (got[..., :1, :] == got).all() and (expected[..., :1, :] != expected).any((-2, -1)).all():
        yield "all rows of {it} are equal, and the expected ones differ"


def unsigned(got, expected, given):
    if bool in (got.dtype, expected.dtype):
        return
    if (got >= 0).all() and (expected < 0).any() and (got[expected > 0] > 0).any():
        yield "no number of {it} is below 0, and some should be"


def a_product(got, expected, given):
    arrays = {name: array for name, array in given.items() if array.ndim > 1 and array.dtype != bool}
    for one, left in arrays.items():
        for other, right in arrays.items():
            for words, turned in ((f"{other}.T", right.swapaxes(-2, -1)), (other, right)):
                if left.shape[-1] == turned.shape[-2] and turned.ndim <= left.ndim:
                    try:
                        product = left @ turned
                    except ValueError:
                        continue
                    yield from _as_product(got, product, f"{one} @ {words}", left.shape[-1])


def _as_product(got, product, words, size):
    known = {"": product, " / √d": product / size**0.5}
    for scaled, array in known.items():
        if same(got, array):
            yield f"{{it}} is {words}{scaled}"
        elif array.ndim == got.ndim and same(got, softmax(array)):
            yield f"{{it}} is the softmax of {words}{scaled}"
        elif array.ndim == got.ndim and same(got, softmax(array, -2)):
            yield f"{{it}} is the softmax of {words}{scaled} along its columns"


def _plain(number):
    return str(number) if isinstance(number, np.bool_) else f"{number.item():.4g}"
