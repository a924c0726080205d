"""What the result that is shown is, where it is more, or less, than an array of numbers."""

import math
from collections import Counter

import numpy as np

from autograder.judging.relations.between import alike, shown_pair
from autograder.judging.relations.comparing import same
from autograder.judging.relations.patterns import as_numbers
from autograder.judging.values import show
from autograder.worker.values import Described, Opaque, Tensor

A_FEW = 5  # words


def of_results(evidence, exercise, parameters, part):
    """Several results exchanged, or one where several were expected."""
    shown, right = shown_pair(evidence)
    got, expected = shown.value, right.value
    if shown.error or right.error or not isinstance(expected, (tuple, list)):
        return ""
    wanted = [as_numbers(each) for each in expected]
    if any(each is None for each in wanted):
        return ""
    if isinstance(got, (tuple, list)):
        found = [as_numbers(each) for each in got]
        if len(found) == len(wanted) > 1 and all(each is not None for each in found):
            pairs = zip(found, reversed(wanted), strict=True)
            if all(same(*pair) for pair in pairs) and not all(map(same, found, wanted)):
                return "The results are the expected ones in reverse order."
        return ""
    whole = as_numbers(got)
    if whole is not None and len({each.shape for each in wanted}) == 1 and same(whole, np.stack(wanted)):
        return "What came back are the expected results, stacked into one: return them one by one."
    number = next((at for at, each in enumerate(wanted, 1) if _holds(got, each)), None)
    what = f"What came back is result {number} of {len(wanted)}, and it is right"
    return f"{what}: the others are missing." if number else ""


def of_form(evidence, exercise, parameters, part):
    """The expected numbers in a form that is none of numbers."""
    shown, right = shown_pair(evidence)
    if shown.error is None and right.error:
        is_error = isinstance(shown.value, Opaque) and shown.value.type_name == right.error["type"]
        return "`return` hands the error back like any result: `raise` raises it." if is_error else ""
    if shown.error is None and shown.value is None and right.value is not None and shown.kind == "call":
        return "A function that ends without `return` gives None."
    got, expected = shown.value, as_numbers(right.value) if not right.error else None
    if shown.error or right.error:
        return ""
    if isinstance(got, Opaque):
        return _OPAQUE.get(got.type_name, "")
    if expected is None:
        return ""
    if isinstance(got, dict) and _holds(list(got.values()), expected):
        return "The values of the dictionary are what was expected: return them alone, as an array."
    if isinstance(got, str):
        try:
            return "The text is the expected number, written out." if _holds(float(got), expected) else ""
        except ValueError:
            return ""
    got = np.asarray(got.array if isinstance(got, Tensor) else got)
    if got.dtype.kind == "f" and expected.dtype.kind in "iu" and same(got, expected):
        return f"The numbers are right, and of dtype {got.dtype}: whole numbers are asked for."
    if got.dtype.kind == "c" and expected.dtype.kind != "c" and same(got.real, expected):
        return "The real part of the result is what was expected."
    return ""


_OPAQUE = {
    "set": "A set has no order, and holds nothing twice.",
    "generator": "A generator makes its numbers only when somebody asks for them: build a list or an array instead.",
    "map": "`map` makes its numbers only when somebody asks for them: build a list or an array instead.",
    "zip": "`zip` makes its pairs only when somebody asks for them: build a list instead.",
    "function": "What came back is a function: perhaps the brackets that call it are missing.",
    "method": "What came back is a method: perhaps the brackets that call it are missing.",
    "builtin_function_or_method": "What came back is a method: perhaps the brackets that call it are missing.",
}


def of_words(evidence, exercise, parameters, part):
    """Words in another order or in other letters, words that are missing, words too many."""
    shown, right = shown_pair(evidence)
    pairs = [(shown.value, right.value)]
    if all(isinstance(value, tuple) for value in pairs[0]) and len(shown.value) == len(right.value):
        pairs = zip(shown.value, right.value, strict=True)
    return next(
        (_between_words(*pair) for pair in pairs if all(map(_are_words, pair)) and pair[0] != pair[1]),
        "",
    )


def _between_words(got, expected):
    if sorted(got) == sorted(expected):
        return "The words are the expected ones, in another order."
    if [word.lower() for word in got] == [word.lower() for word in expected]:
        return "The words are the expected ones but for capital letters."
    missing = list((Counter(expected) - Counter(got)).elements())
    extra = list((Counter(got) - Counter(expected)).elements())
    if len(missing) + len(extra) > A_FEW:
        return ""
    told = [
        f"{', '.join(map(show, words))} {how}" for words, how in ((missing, "missing"), (extra, "too many")) if words
    ]
    return f"Word for word: {'; '.join(told)}."


def _are_words(value):
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def of_dictionaries(evidence, exercise, parameters, part):
    """Values under another one's key, and keys that are missing while all others are right."""
    shown, right = shown_pair(evidence)
    got, expected = shown.value, right.value
    if shown.error or not (isinstance(got, dict) and isinstance(expected, dict)):
        return ""
    wanted = {key: as_numbers(value) for key, value in expected.items()}
    if any(array is None for array in wanted.values()):
        return ""
    wrong = [key for key in got if key in wanted and not _holds(got[key], wanted[key])]
    for key in wrong:
        for other, array in wanted.items():
            if other != key and array.size > 2 and _holds(got[key], array):
                return f"Under {show(key)} stands what belongs under {show(other)}."
    missing, extra = ([key for key in one if key not in other] for one, other in ((wanted, got), (got, wanted)))
    if len(missing) == len(wanted):
        held = f"it holds {', '.join(map(show, extra[:A_FEW]))}" if extra else "it is empty"
        return f"None of the expected keys is there: {held}."
    if wrong or not missing:
        return ""
    told = f"{', '.join(map(show, missing[:A_FEW]))} {'is' if len(missing) == 1 else 'are'} missing"
    more = f"; it also holds {', '.join(map(show, extra[:A_FEW]))}" if extra else ""
    return f"The numbers under the expected keys are right, and {told}{more}."


def of_one_result(evidence, exercise, parameters, part):
    """One of several results that is wrong, while all others are right in every call."""
    calls = [(call, right) for call, right, _ in alike(evidence)]
    values = [(call.value, right.value) for call, right in calls if not (call.error or right.error)]
    if len(values) < len(calls) or not all(isinstance(each, (tuple, list)) for pair in values for each in pair):
        return ""
    count = len(values[0][1])
    if count < 2 or any(len(each) != count for pair in values for each in pair):
        return ""
    right = [
        all(_holds(got[at], array) for got, each in values if (array := as_numbers(each[at])) is not None)
        for at in range(count)
    ]
    if sum(right) != count - 1:
        return ""
    others = [f"result {at + 1}" for at, is_right in enumerate(right) if is_right]
    wrong, have = part or f"result {right.index(False) + 1}", "has" if count == 2 else "have"
    return f"Only {wrong} is wrong: {' and '.join(others)} {have} the right numbers in every call."


def of_parameters(evidence, exercise, parameters, part):
    """The parameters of a module beside those that it should have."""
    shown, right = shown_pair(evidence)
    made = [call.value for call in (shown, right)]
    if not all(isinstance(value, Described) and value.kind == "module" for value in made):
        return ""
    found, wanted = ({name: shape for name, (shape, _) in value.parts["parameters"].items()} for value in made)
    missing = {name: shape for name, shape in wanted.items() if name not in found}
    extra = {name: shape for name, shape in found.items() if name not in wanted}
    layers = [name for name in missing if any(other.startswith(f"{name}.") for other in extra)]
    if layers:
        return f"`{layers[0]}` is a module with parameters of its own here: what is asked for is the parameter itself."
    if wanted and not found:
        return "The module has no parameter that torch would train."
    if missing and sorted(missing.values()) == sorted(extra.values()):
        return "The parameters have the expected shapes, under other names."
    if missing and not extra:
        return f"All the parameters that it has are expected ones, but {next(iter(missing))} is not among them."
    if extra and not missing:
        return "All expected parameters are there, and more than these."
    if missing and len({sum(math.prod(shape) for shape in shapes.values()) for shapes in (found, wanted)}) == 1:
        return "The parameters hold as many numbers as expected, under other names and in other shapes."
    turned = [name for name in wanted if name in found and wanted[name] != found[name] == wanted[name][::-1]]
    return f"The shape of {turned[0]} is the expected one, turned round." if turned else ""


def of_kinds(evidence, exercise, parameters, part):
    """Results that are all right where gradients, or what a call takes, are not."""
    kinds = {"gradients": "All results are right; the gradients are not.", "measure": "All results are right."}
    is_class = exercise.stub.startswith("class")
    calls = [(call, wrong) for call, wrong in zip(evidence.calls, evidence.wrong, strict=True) if call.kind == "call"]
    plain = [wrong for call, wrong in calls if call.of or not is_class]
    return kinds.get(evidence.shown.kind, "") if plain and not any(plain) else ""


def _holds(got, expected):
    """Whether a value holds the expected numbers, as they are."""
    array = as_numbers(got)
    return array is not None and same(array, expected)
