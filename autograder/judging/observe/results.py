"""What the result that is shown is, where it is more, or less, than an array of numbers."""

import itertools
from collections.abc import Iterator

import numpy as np

from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison
from autograder.judging.observe.docstring import names_of_results
from autograder.judging.values.leaves import REAL_NUMBERS, as_arrays, to_array
from autograder.judging.values.same import same
from autograder.judging.values.show import show
from autograder.worker.values import Opaque, Tensor

MAX_KEYS = 5  # that are told
ORDINALS = ("first", "second", "third", "fourth", "fifth")


def results_exchanged(comparison: Comparison) -> str:
    """Several results in each other's places, some of them, or one where several were expected."""
    value, expected = comparison.call.value, comparison.right.value
    wanted = as_arrays(expected) if isinstance(expected, (tuple, list)) else None
    if wanted is None or not comparison.returned:
        return ""
    names = names_of_results(comparison.exercise.stub, len(wanted))
    if not isinstance(value, (tuple, list)):
        return _one_of_several(names, value, wanted)
    got = as_arrays(value)
    return in_other_places(names, got, wanted) if got and len(got) == len(wanted) > 1 else ""


def in_other_places(names: list[str], got: list[np.ndarray], wanted: list[np.ndarray]) -> str:
    """Results that stand in another's place, in which something else stands."""
    wrong = [not same(*pair) for pair in zip(got, wanted, strict=True)]
    phrases = [
        f"what comes {ORDINALS[at]} is {names[other]}, which should come {ORDINALS[other]}"
        for at, other in itertools.permutations(range(min(len(wanted), len(ORDINALS))), 2)
        if wrong[at] and wrong[other] and is_telling(wanted[other]) and same(got[at], wanted[other])
    ]
    return f"W{'; '.join(phrases)[1:]}." if phrases else ""


def _one_of_several(names: list[str], got: object, wanted: list[np.ndarray]) -> str:
    """All results in one array, or one of them alone."""
    whole = to_array(got, REAL_NUMBERS)
    if whole is None:
        return ""
    if len({array.shape for array in wanted}) == 1:
        if same(whole, np.stack(wanted)):
            return "What came back are the expected results, stacked into one: return them one by one."
        if whole.ndim > 2 and same(whole.swapaxes(-2, -1), np.stack(wanted)):
            return "What came back are the expected results, each transposed, stacked into one: return them one by one."
    at = next((at for at, array in enumerate(wanted) if same(whole, array)), None)
    if at is None:
        return ""
    others = " and ".join(name for name in names if name != names[at])
    are = "is" if len(wanted) == 2 else "are"
    return f"What came back is {names[at]} alone, and it is right: {others} {are} missing."


def shapes_exchanged(comparison: Comparison) -> str:
    """Two results each of which has the shape of the other, whatever their numbers are."""
    got, wanted = (as_arrays(_parts(call.value)) for call in (comparison.call, comparison.right))
    if not (comparison.returned and got and wanted and len(got) == len(wanted) == 2):
        return ""
    if [array.shape for array in got] != [array.shape for array in wanted[::-1]] or got[0].shape == got[1].shape:
        return ""
    one, other = names_of_results(comparison.exercise.stub, 2)
    those = f"what comes first that of {other}, what comes second that of {one}"
    return f"Each result has the shape of the other: {those}."


_OPAQUE = {"set": "A set has no order, and holds nothing twice."}
for _name in ("generator", "map", "zip"):
    _OPAQUE[_name] = f"A {_name} makes its values only when somebody asks for them: build a list or an array instead."
for _name in ("function", "method", "builtin_function_or_method"):
    _OPAQUE[_name] = "What came back is a function: perhaps the brackets that call it are missing."


def right_in_another_form(comparison: Comparison) -> str:
    """The expected numbers in a form that is none of numbers, and what is no result at all."""
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
        return _OPAQUE.get(got.type_name, "")
    expected = to_array(right.value, REAL_NUMBERS)
    if expected is None:
        return ""
    return next((sentence for sentence, is_so in _forms(got, right.value, expected) if is_so), "")


def _forms(got: object, wanted: object, expected: np.ndarray) -> Iterator[tuple[str, bool]]:
    """(Sentence, whether it holds) on the form of a result."""
    if isinstance(got, dict):
        sentence = "The values of the dictionary are what was expected: return them alone, as an array."
        yield sentence, _holds(list(got.values()), expected)
    if isinstance(got, str):
        yield "The text is the expected number, written out.", _holds(_number_in(got), expected)
    if isinstance(got, list) and isinstance(wanted, Tensor):
        yield "The numbers are right, in a Python list: a tensor is asked for.", _holds(got, expected)
    array = to_array(got)
    if array is not None and array.dtype.kind == "f" and expected.dtype.kind in "iu":
        sentence = f"The numbers are right, and of dtype {array.dtype}: whole numbers are asked for."
        yield sentence, same(array, expected)
    if array is not None and array.dtype.kind == "c":
        yield "The real part of the result is what was expected.", same(array.real, expected)


def _number_in(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _holds(got: object, expected: np.ndarray) -> bool:
    """Whether a value holds the expected numbers, as they are."""
    array = to_array(got, REAL_NUMBERS)
    return array is not None and same(array, expected)


def keys_of_dictionaries(comparison: Comparison) -> str:
    """Values under another one's key, and keys that are missing while all others are right."""
    got, expected = comparison.call.value, comparison.right.value
    if comparison.call.kind != "call" or not (isinstance(got, dict) and isinstance(expected, dict)):
        return ""
    arrays = as_arrays(expected.values())
    if arrays is None:
        return ""
    wanted = dict(zip(expected, arrays, strict=True))
    wrong = [key for key in got if key in wanted and not _holds(got[key], wanted[key])]
    for key, (other, array) in itertools.product(wrong, wanted.items()):
        if other != key and array.size > 2 and _holds(got[key], array):
            return f"Under {show(key)} stands what belongs under {show(other)}."
    missing, extra = [key for key in wanted if key not in got], [key for key in got if key not in wanted]
    if missing and len(missing) == len(wanted):
        held = f"it holds {', '.join(map(show, extra[:2]))}" if extra else "it is empty"
        return f"None of the expected keys is there: {held}{_and_more(extra, 2)}."
    if wrong or not missing:
        return ""
    those = f"{', '.join(map(show, missing[:MAX_KEYS]))} {'is' if len(missing) == 1 else 'are'} missing"
    also = f"; it also holds {', '.join(map(show, extra[:MAX_KEYS]))}" if extra else ""
    return f"The numbers under the expected keys are right, and {those}{also}."


def _and_more(names: list, count: int) -> str:
    return f" and {len(names) - count} more" if len(names) > count else ""


def some_results_right(comparison: Comparison) -> str:
    """Those of several results that are right in every call, or in this one and most of those that are wrong."""
    count = len(_parts(comparison.right.value))
    peers = [peer for peer in comparison.peers if len(_parts(peer.right.value)) == count]
    calls = [(_parts(peer.call.value), _parts(peer.right.value)) for peer in peers]
    if count < 2:
        return ""
    are_right = [list(map(same, got, right)) if len(got) == count else [False] * count for got, right in calls]
    everywhere = list(map(all, zip(*are_right, strict=True)))
    shown = next((flags for flags, peer in zip(are_right, peers, strict=True) if peer.call is comparison.call), [True])
    alike, wrong = are_right.count(shown), sum(not all(flags) for flags in are_right)
    flags = everywhere if any(everywhere) else shown
    if all(flags) or not any(flags) or (flags is shown and not 1 < alike > wrong / 2):
        return ""
    names = names_of_results(comparison.exercise.stub, count)
    if comparison.part not in ("", *names):  # a harness tells something else
        return ""
    right, others = (
        " and ".join(name for name, is_right in zip(names, flags, strict=True) if is_right is kind)
        for kind in (True, False)
    )
    if flags is everywhere:
        return f"The numbers of {right} are right in every call, those of {others} are not."
    more = f"{alike - 1} other{'s' * (alike > 2)}"
    return f"The numbers of {right} are right in this call and in {more}, where those of {others} are not."


def _parts(value: object) -> list:
    return list(value) if isinstance(value, (tuple, list)) else []


def all_but_gradients(comparison: Comparison) -> str:
    """Results that are all right where gradients, or what a call takes, are not."""
    kinds = {"gradients": "All results are right; the gradients are not.", "measure": "All results are right."}
    evidence, is_class = comparison.evidence, comparison.exercise.stub.startswith("class")
    calls = [pair for pair in zip(evidence.calls, evidence.wrong, strict=True) if pair[0].kind == "call"]
    results = [is_wrong for call, is_wrong in calls if call.of or not is_class]
    return kinds.get(comparison.call.kind, "") if results and not any(results) else ""
