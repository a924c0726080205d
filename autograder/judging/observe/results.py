"""What the result that is shown is, where it is more, or less, than an array of numbers."""

import itertools
from collections import Counter
from typing import TypeGuard

import numpy as np

from autograder.chapters.text import in_a_row
from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison, names_of_results
from autograder.judging.values.leaves import REAL_NUMBERS, as_arrays, to_array
from autograder.judging.values.same import same
from autograder.judging.values.show import show
from autograder.worker.values import Described, Opaque, Tensor

MAX_WORDS = 5  # words, letters, keys and names that are told

_LAZY = "A {} makes its values only when somebody asks for them: build a list or an array instead."
_FUNCTION = "What came back is a function: perhaps the brackets that call it are missing."
_OPAQUE_REASONS = {"set": "A set has no order, and holds nothing twice."}
_OPAQUE_REASONS |= {name: _LAZY.format(name) for name in ("generator", "map", "zip")}
_OPAQUE_REASONS |= dict.fromkeys(("function", "method", "builtin_function_or_method"), _FUNCTION)


def one_parameter_for_several(comparison: Comparison) -> str:
    """One and the same parameter where the exercise names several: what one learns, all of them do."""
    instance, right = (call.of or call for call in (comparison.call, comparison.right))
    if not (isinstance(instance.value, Described) and isinstance(right.value, Described)):
        return ""
    expected_names, shared = right.value.parts.get("parameters", ()), instance.value.parts.get("shared", {})
    same_as: dict[str, list[str]] = {}
    for name in expected_names:
        same_as.setdefault(shared.get(name, name), []).append(f"`{name}`")
    names = next((names for names in same_as.values() if len(names) > 1), None)
    return f"One and the same parameter serves as {in_a_row(names[:MAX_WORDS])}." if names else ""


def right_in_another_form(comparison: Comparison) -> str:
    """The expected numbers in something other than an array, and what is no result at all."""
    got, right = comparison.call.value, comparison.right
    if comparison.call.error:
        return ""
    if right.error:
        is_error = isinstance(got, Opaque) and got.type_name == right.error["type"]
        return "`return` hands the error back like any result: `raise` raises it." if is_error else ""
    if got is None:
        is_missing = right.value is not None and comparison.call.kind == "call"
        return "A function that ends without `return` gives None." if is_missing else ""
    if isinstance(got, Opaque):
        return _OPAQUE_REASONS.get(got.type_name, "")
    array, expected = to_array(got, REAL_NUMBERS), to_array(right.value, REAL_NUMBERS)
    if array is None or expected is None or not same(array, expected):
        return ""
    if isinstance(got, list) and isinstance(right.value, Tensor):
        return "The numbers are right, in a Python list: a tensor is asked for."
    is_float = array.dtype.kind == "f" and expected.dtype.kind in "iu"
    return f"The numbers are right, and of dtype {array.dtype}: whole numbers are asked for." * is_float


def pairs_under_names(comparison: Comparison) -> str:
    """Of several results, of which some hold several themselves, one with the form of another in its place."""
    got, expected = _parts(comparison.call.value), _parts(comparison.right.value)
    forms, wanted = ([len(_parts(part)) for part in parts] for parts in (got, expected))
    if forms == wanted or sorted(forms) != sorted(wanted):
        return ""
    at = next(at for at, form in enumerate(forms) if form != wanted[at])
    names = names_of_results(comparison.exercise.stub, len(expected))
    return f"In this call, where {names[at]} belongs stands something in the form of {names[wanted.index(forms[at])]}."


def results_under_names(comparison: Comparison) -> str:
    """Of several results, or of a dictionary: one in another's place, and what is missing where all else is right."""
    count = len(_parts(comparison.right.value))
    names = names_of_results(comparison.exercise.stub, count)
    expected = _arrays_by_name(comparison.right.value, names)
    if not comparison.evidence.shown.returned or len(expected) < 2:
        return ""
    whole = None if isinstance(comparison.call.value, dict) else to_array(comparison.call.value, REAL_NUMBERS)
    if whole is not None and len(_parts(comparison.call.value)) != count:
        return _one_of_several(expected, whole)
    got = _arrays_by_name(comparison.call.value, names)
    wrong = [name for name in got if name in expected and not same(got[name], expected[name])]
    for name in wrong:
        for other, array in expected.items():
            if other != name and is_telling(array) and same(got[name], array):
                return f"In this call, where {name} belongs stands {other}."
    missing = [name for name in expected if name not in got]
    if wrong or not missing or len(missing) == len(expected):
        return ""
    return f"{_list_with_verb(missing)} missing, and the numbers under the other keys are right."


def _parts(value: object) -> list:
    return list(value) if isinstance(value, (tuple, list)) else []


def _arrays_by_name(value: object, names: list[str]) -> dict[str, np.ndarray]:
    """Key, or name in the exercise, -> array, where all are arrays."""
    named = {show(key): part for key, part in value.items()} if isinstance(value, dict) else None
    named = dict(zip(names, _parts(value), strict=False)) if named is None else named
    return dict(zip(named, as_arrays(named.values()) or [], strict=False))


def _one_of_several(expected: dict[str, np.ndarray], whole: np.ndarray) -> str:
    """All results in one array, or one of them alone."""
    if len({array.shape for array in expected.values()}) == 1 and same(whole, np.stack([*expected.values()])):
        return "What came back are the expected results, stacked into one: return them one by one."
    alone = next((name for name, array in expected.items() if same(whole, array)), None)
    others = [name for name in expected if name != alone]
    return f"What came back is {alone} alone, and it is right: {_list_with_verb(others)} missing." if alone else ""


def _list_with_verb(names: list[str]) -> str:
    return f"{in_a_row(names[:MAX_WORDS])} {'is' if len(names) == 1 else 'are'}"


def some_results_right(comparison: Comparison) -> str:
    """Those of several results that are right in every call."""
    count = len(_parts(comparison.right.value)) if isinstance(comparison.right.value, tuple) else 0  # no list of words
    calls = [(_parts(peer.call.value), _parts(peer.right.value)) for peer in comparison.peers]
    calls = [(got, right) for got, right in calls if len(right) == count > 1]
    are_right = [list(map(same, got, right)) if len(got) == count else [False] * count for got, right in calls]
    flags = list(map(all, zip(*are_right, strict=True)))
    names = names_of_results(comparison.exercise.stub, count)
    if all(flags) or not any(flags) or comparison.part not in ("", *names):  # a harness tells something else
        return ""
    kinds = ([name for name, is_right in zip(names, flags, strict=True) if is_right is kind] for kind in (True, False))
    right, others = map(" and ".join, kinds)
    all_right = sum(map(all, are_right))
    where = f"{all_right} of {len(are_right)}" if all_right else "none"
    return f"The numbers of {right} are right in every call tried, those of {others} in {where}."


def words_beside_words(comparison: Comparison) -> str:
    """What sets lists of words apart, in the call that is shown."""
    got, expected = comparison.call.value, comparison.right.value
    is_tuple = isinstance(got, tuple) and isinstance(expected, tuple) and len(got) == len(expected)
    pairs = zip(got, expected, strict=True) if is_tuple else [(got, expected)]
    words = [(one, other) for one, other in pairs if _are_words(one) and _are_words(other) and one != other]
    return next(itertools.starmap(_compare_words, words), "")


def _are_words(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _compare_words(got: list[str], expected: list[str]) -> str:
    """Words that are missing or too many; where there are both, marks that are left, or characters that are gone."""
    if [word.lower() for word in got] == [word.lower() for word in expected]:
        return "In this call, the words are the expected ones but for capital letters."
    missing = [*(Counter(expected) - Counter(got)).elements()]
    extra = [*(Counter(got) - Counter(expected)).elements()]
    if missing and extra:
        of_got, of_expected = (set("".join(map(str.lower, words))) for words in (got, expected))
        marks = [show(mark) for mark in sorted(of_got - of_expected) if not mark.isalpha()]
        if marks:
            more = [f"{len(marks) - MAX_WORDS} more"] * (len(marks) > MAX_WORDS)
            return f"In this call, the result still holds {in_a_row([*marks[:MAX_WORDS], *more])}."
        gone = [show(character) for character in sorted(of_expected - of_got)] if len(got) == len(expected) else []
        return f"In this call, the result holds no {in_a_row(gone)}." if 0 < len(gone) <= MAX_WORDS else ""
    words, how = (missing, "missing") if missing else (extra, "too many")
    return f"In this call, {_list_with_verb([*map(show, words)])} {how}." if 0 < len(words) <= MAX_WORDS else ""
