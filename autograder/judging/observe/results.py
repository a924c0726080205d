"""What the result that is shown is, where it is more, or less, than an array of numbers."""

import itertools
from collections import Counter
from typing import TypeGuard

import numpy as np

from autograder.chapters.text import in_a_row
from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison, names_of_results
from autograder.judging.values.leaves import as_arrays
from autograder.judging.values.same import same
from autograder.judging.values.show import show
from autograder.worker.values import Described

MAX_WORDS = 5  # words, letters, keys and names that are told


def one_parameter_for_several(comparison: Comparison) -> str:
    """One and the same parameter where the exercise names several: what one learns, all of them do."""
    made, right = (call.of or call for call in (comparison.call, comparison.right))
    if not (isinstance(made.value, Described) and isinstance(right.value, Described)):
        return ""
    wanted, shared = right.value.parts.get("parameters", ()), made.value.parts.get("shared", {})
    same_as: dict[str, list[str]] = {}
    for name in wanted:
        same_as.setdefault(shared.get(name, name), []).append(f"`{name}`")
    names = next((names for names in same_as.values() if len(names) > 1), None)
    return f"One and the same parameter serves as {in_a_row(names[:MAX_WORDS])}." if names else ""


def results_under_names(comparison: Comparison) -> str:
    """Of several results, or of a dictionary: one in another's place, and what is missing where all else is right."""
    count = len(_parts(comparison.right.value))
    names = names_of_results(comparison.exercise.stub, count)
    wanted = _arrays_by_name(comparison.right.value, names)
    if not comparison.evidence.shown.returned or len(wanted) < 2:
        return ""
    got = _arrays_by_name(comparison.call.value, names)
    wrong = [name for name in got if name in wanted and not same(got[name], wanted[name])]
    for name in wrong:
        for other, array in wanted.items():
            if other != name and is_telling(array) and same(got[name], array):
                return f"Where {name} belongs stands {other}."
    missing = [name for name in wanted if name not in got]
    if wrong or not missing or len(missing) == len(wanted):
        return ""
    return f"{_listed(missing)} missing, and the numbers under the other keys are right."


def _parts(value: object) -> list:
    return list(value) if isinstance(value, (tuple, list)) else []


def _arrays_by_name(value: object, names: list[str]) -> dict[str, np.ndarray]:
    """Key, or name in the exercise, -> array, where all are arrays."""
    named = {show(key): part for key, part in value.items()} if isinstance(value, dict) else None
    named = dict(zip(names, _parts(value), strict=False)) if named is None else named
    return dict(zip(named, as_arrays(named.values()) or [], strict=False))


def _listed(names: list[str]) -> str:
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
    right, others = (
        " and ".join(name for name, is_right in zip(names, flags, strict=True) if is_right is kind)
        for kind in (True, False)
    )
    return f"The numbers of {right} are right in every call, those of {others} are not."


def words_beside_words(comparison: Comparison) -> str:
    """What sets lists of words apart, in the call that is shown."""
    got, expected = comparison.call.value, comparison.right.value
    is_tuple = isinstance(got, tuple) and isinstance(expected, tuple) and len(got) == len(expected)
    pairs = zip(got, expected, strict=True) if is_tuple else [(got, expected)]
    words = [(one, other) for one, other in pairs if _are_words(one) and _are_words(other) and one != other]
    return next(itertools.starmap(_between, words), "")


def _are_words(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _between(got: list[str], expected: list[str]) -> str:
    """Words that are missing or too many; where there are both, characters, whatever becomes of capital letters."""
    missing = [*(Counter(expected) - Counter(got)).elements()]
    extra = [*(Counter(got) - Counter(expected)).elements()]
    if missing and extra:
        have, wanted = ({letter for word in words for letter in word.lower()} for words in (got, expected))
        letters = [*map(show, sorted(have - wanted))]
        return f"The result still holds {in_a_row(letters)}." if letters else ""
    words, how = (missing, "missing") if missing else (extra, "too many")
    return f"Word for word: {_listed([*map(show, words)])} {how}." if 0 < len(words) <= MAX_WORDS else ""
