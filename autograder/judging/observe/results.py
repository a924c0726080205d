"""Observations on several results, lists of words, results that are not arrays, and what only wrong calls have."""

import itertools
from collections import Counter
from typing import TypeGuard

import numpy as np

from autograder.chapters.text import join_words
from autograder.judging.ask.call import Call
from autograder.judging.observe.comparison import (
    ShownCall,
    is_significant,
    name_arguments,
    name_arrays,
    read_result_names,
)
from autograder.judging.values.same import REAL_NUMBERS, are_equal, to_array, to_arrays
from autograder.judging.values.show import format_value
from autograder.worker.values import Opaque, Tensor

MAX_WORDS = 5  # limit for the words, letters, keys or names listed in one sentence

_LAZY = "You return a {}, which computes its values only on demand. Return a list or an array instead."
_FUNCTION = "You return a function instead of its result. Are the parentheses missing?"
_OPAQUE_REASONS = {"set": "You return a set, which has no order and no duplicates."}
_OPAQUE_REASONS |= {name: _LAZY.format(name) for name in ("generator", "map", "zip")}
_OPAQUE_REASONS |= dict.fromkeys(("function", "method", "builtin_function_or_method"), _FUNCTION)


def describe_wrong_type(shown: ShownCall) -> str:
    """Return a sentence if the correct numbers have a wrong type, or if None, a function or the like was returned."""
    got, target = shown.call.value, shown.expected
    if shown.call.error:
        return ""
    if target.error:
        is_error = isinstance(got, Opaque) and got.type_name == target.error["type"]
        return "You return the error as a result. Use `raise` instead of `return`." if is_error else ""
    if got is None:
        is_missing = target.value is not None and shown.call.kind == "call"
        return "The function ends without a `return`, so it returns `None`." if is_missing else ""
    if isinstance(got, Opaque):
        return _OPAQUE_REASONS.get(got.type_name, "")
    array, expected = to_array(got, REAL_NUMBERS), to_array(target.value, REAL_NUMBERS)
    if array is None or expected is None or not are_equal(array, expected):
        return ""
    if isinstance(got, list) and isinstance(target.value, Tensor):
        return "The numbers are correct, but in a Python list. Return a tensor."
    is_float = array.dtype.kind == "f" and expected.dtype.kind in "iu"
    return f"The numbers are correct, but their dtype is {array.dtype}. Return integers." * is_float


def compare_named_results(shown: ShownCall) -> str:
    """Return a sentence on results or dict values that are swapped, or missing although all others are correct."""
    count = len(_results_of(shown.expected.value))
    names = [_quote(name) for name in read_result_names(shown.exercise.stub, count)]
    expected = _name_result_arrays(shown.expected.value, names)
    if not shown.evidence.shown.both_returned or len(expected) < 2:
        return ""
    got = _name_result_arrays(shown.call.value, names)
    wrong_names = [name for name in got if name in expected and not are_equal(got[name], expected[name])]
    for name in wrong_names:
        for other_name, array in expected.items():
            if other_name != name and is_significant(array) and are_equal(got[name], array):
                is_twice = other_name in got and are_equal(got[other_name], array)
                cause = "Do you compute both in the same way?" if is_twice else "Are the results in the correct order?"
                return f"You return {other_name} where {name} is expected. {cause}"
    shapes = [[array.shape for array in arrays.values()] for arrays in (got, expected)]
    if count == 2 and shapes[0] == shapes[1][::-1] != shapes[1]:
        return f"The shapes would be correct if the two results were swapped. Do you return {names[0]} first?"
    missing = [name for name in expected if name not in got]
    if wrong_names or not missing or len(missing) == len(expected):
        return ""
    return f"{_join_with_verb(missing)} missing, and everything else is correct."


def _quote(name: str) -> str:
    return f"`{name}`" if name.isidentifier() else name


def _results_of(value: object) -> list:
    return list(value) if isinstance(value, (tuple, list)) else []


def _name_result_arrays(value: object, names: list[str]) -> dict[str, np.ndarray]:
    """Return the result arrays by result name or dictionary key; empty unless all results are arrays."""
    results = {format_value(key): part for key, part in value.items()} if isinstance(value, dict) else None
    results = dict(zip(names, _results_of(value), strict=False)) if results is None else results
    return dict(zip(results, to_arrays(results.values()) or [], strict=False))


def _join_with_verb(names: list[str]) -> str:
    return f"{join_words(names[:MAX_WORDS])} {'is' if len(names) == 1 else 'are'}"


def list_correct_results(shown: ShownCall) -> str:
    """Return a sentence on which of several results are correct in every call; "" if all or none are."""
    expected = shown.expected.value
    count = len(expected) if isinstance(expected, tuple) else 0
    calls = [(_results_of(peer.call.value), _results_of(peer.expected.value)) for peer in shown.peers]
    calls = [(got, words) for got, words in calls if len(words) == count > 1]
    are_right = [list(map(are_equal, got, words)) if len(got) == count else [False] * count for got, words in calls]
    flags = list(map(all, zip(*are_right, strict=True)))
    names = read_result_names(shown.exercise.stub, count)
    if all(flags) or not any(flags) or shown.part not in ("", *names):  # A harness's parts have other names.
        return ""
    quoted = list(map(_quote, names))
    kinds = ([name for name, is_right in zip(quoted, flags, strict=True) if is_right is kind] for kind in (True, False))
    words, wrong_names = map(join_words, kinds)
    all_right = sum(map(all, are_right))
    extent = f"are correct in only {all_right} of {len(are_right)} calls" if all_right else "are never correct"
    return f"The numbers in {words} are correct in every call, but those in {wrong_names} {extent}."


def compare_word_lists(shown: ShownCall) -> str:
    """Return a sentence on how the returned lists of words differ from the expected ones; "" if they do not."""
    got, expected = shown.call.value, shown.expected.value
    is_tuple = isinstance(got, tuple) and isinstance(expected, tuple) and len(got) == len(expected)
    pairs = zip(got, expected, strict=True) if is_tuple else [(got, expected)]
    words = [(one, other) for one, other in pairs if _are_words(one) and _are_words(other) and one != other]
    return next(itertools.starmap(_compare_words, words), "")


def _are_words(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _compare_words(got: list[str], expected: list[str]) -> str:
    """Return a sentence on missing or extra words or, if there are both, on extra characters; "" if none is telling."""
    if [word.lower() for word in got] == [word.lower() for word in expected]:
        return "Your words differ from the expected ones only in upper and lower case."
    missing = [*(Counter(expected) - Counter(got)).elements()]
    extra = [*(Counter(got) - Counter(expected)).elements()]
    if missing and extra:
        of_got, of_expected = (set("".join(map(str.lower, words))) for words in (got, expected))
        marks = [format_value(mark) for mark in sorted(of_got - of_expected) if not mark.isalpha()]
        if marks:
            remainder = [f"{len(marks) - MAX_WORDS} more"] * (len(marks) > MAX_WORDS)
            return f"The result still contains {join_words([*marks[:MAX_WORDS], *remainder])}."
        return ""
    if not 0 < len(words := missing or extra) <= MAX_WORDS:
        return ""
    texts = [*map(format_value, words)]
    lacks = f"{_join_with_verb(texts)} missing from the returned words."
    return lacks if missing else f"The result should not contain {join_words(texts)}."


def find_pattern(shown: ShownCall) -> str:
    """Return a sentence on a property of the arguments that all wrong calls and no correct ones have; "" if none."""
    fewest_axes = _count_fewest_axes([peer.call for peer in shown.peers], shown.parameters)
    of_wrong, of_right = (
        [_list_features(peer.call, shown.parameters, fewest_axes) for peer in shown.peers if peer.is_wrong is is_wrong]
        for is_wrong in (True, False)
    )
    if not (of_wrong and of_right):
        return ""
    shared = (words for words in of_wrong[0] if all(words in features for features in of_wrong))
    words = next((words for words in shared if not any(words in features for features in of_right)), "")
    return f"The result is wrong in all tested calls with {words}, and correct in all others." if words else ""


def _list_features(call: Call, parameters: list[str], min_axes: dict[str, int]) -> list[str]:
    """Return the properties of a call's arguments as words that follow "with". The most specific one comes first."""
    arguments, arrays = name_arguments(call, parameters), name_arrays(call, parameters)
    words = [f"an argument `{name}`" for name, value in arguments.items() if value is not None]
    words += [f"an empty `{name}`" for name, value in arguments.items() if _is_empty(value)]
    words += ["an axis of size 1"] * any(1 in array.shape for array in arrays.values())
    masks = {name: array for name, array in arrays.items() if array.dtype == bool}
    words += ["a batch axis"] * any(array.ndim > min_axes[name] for name, array in arrays.items() if name not in masks)
    return words + [f"a {array.ndim}-dimensional `{name}`" for name, array in masks.items() if array.ndim > 1]


def _is_empty(value: object) -> bool:
    array = to_array(value, REAL_NUMBERS)
    return not array.size if array is not None else isinstance(value, (str, list, tuple, dict)) and not value


def _count_fewest_axes(calls: list[Call], parameters: list[str]) -> dict[str, int]:
    """Return argument -> its smallest number of axes in these calls. Additional axes are batch axes."""
    min_axes: dict[str, int] = {}
    for call in calls:
        for name, array in name_arrays(call, parameters).items():
            min_axes[name] = min(min_axes.get(name, array.ndim), array.ndim)
    return min_axes
