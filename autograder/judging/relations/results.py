"""What the result that is shown is, where it is more, or less, than an array of numbers."""

import math
from collections import Counter

import numpy as np

from autograder.judging.relations.between import shown_pair
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
    number = next((at for at, each in enumerate(wanted, 1) if _holds(got, each)), None)
    what = f"What came back is result {number} of {len(wanted)}, and it is right"
    return f"{what}: the others are missing." if number else ""


def of_form(evidence, exercise, parameters, part):
    """The expected numbers in a form that is none of numbers."""
    shown, right = shown_pair(evidence)
    got, expected = shown.value, as_numbers(right.value) if not right.error else None
    if shown.error or expected is None:
        return ""
    if isinstance(got, Opaque):
        return _OPAQUE.get(got.type_name, "")
    if isinstance(got, dict) and _holds(list(got.values()), expected):
        return "The values of the dictionary are what was expected: return them alone, as an array."
    if isinstance(got, str):
        try:
            return "The text is the expected number, written out." if _holds(float(got), expected) else ""
        except ValueError:
            return ""
    got = np.asarray(got.array if isinstance(got, Tensor) else got)
    if got.dtype.kind == "c" and expected.dtype.kind != "c" and same(got.real, expected):
        return "The real part of the result is what was expected."
    return ""


_OPAQUE = {
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
    got, expected = shown.value, right.value
    if not (_are_words(got) and _are_words(expected)) or got == expected:
        return ""
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


def of_parameters(evidence, exercise, parameters, part):
    """The parameters of a module beside those that it should have."""
    shown, right = shown_pair(evidence)
    made = [call.value for call in (shown, right)]
    if not all(isinstance(value, Described) and value.kind == "module" for value in made):
        return ""
    found, wanted = ({name: shape for name, (shape, _) in value.parts["parameters"].items()} for value in made)
    missing = {name: shape for name, shape in wanted.items() if name not in found}
    extra = {name: shape for name, shape in found.items() if name not in wanted}
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
