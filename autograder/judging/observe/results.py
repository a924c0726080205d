"""What the result that is shown is, where it is more, or less, than an array of numbers."""

import itertools
import operator

import numpy as np

from autograder.judging.observe.between import alike, shown_pair
from autograder.judging.observe.comparing import is_telling
from autograder.judging.observe.contract import names_of_results
from autograder.judging.observe.inputs import as_numbers
from autograder.judging.values.same import same
from autograder.judging.values.show import show
from autograder.worker.values import Opaque, Tensor

A_FEW = 5  # keys
ORDER = ("first", "second", "third", "fourth", "fifth")


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
            return _in_other_places(exercise, found, wanted) or _exchanged_in_part(exercise, found, wanted)
        return ""
    whole = as_numbers(got)
    if whole is not None and _are_stacked(whole, wanted):
        return "What came back are the expected results, stacked into one: return them one by one."
    if whole is not None and whole.ndim > 2 and _are_stacked(whole.swapaxes(-2, -1), wanted):
        return "What came back are the expected results, each transposed, stacked into one: return them one by one."
    return _one_of_several(exercise, got, whole, wanted)


def of_exchanged_shapes(evidence, exercise, parameters, part):
    """Two results of which each has the other's shape, in every call in which the two differ."""
    told = ""
    for call, right, _ in alike(evidence):
        parts = [each.value for each in (call, right) if not each.error and isinstance(each.value, (tuple, list))]
        found, wanted = ([as_numbers(each) for each in part] for part in parts) if len(parts) == 2 else ((), ())
        if len(found) != 2 or len(wanted) != 2 or any(each is None for each in (*found, *wanted)):
            return ""
        if wanted[0].shape != wanted[1].shape:
            if [each.shape for each in found] != [each.shape for each in wanted[::-1]]:
                return ""
            one, other = names_of_results(exercise.stub, 2)
            told = f"what comes first that of {other}, what comes second that of {one}"
    return f"Each result has the shape of the other: {told}." if told else ""


def _are_stacked(whole, wanted):
    return len({each.shape for each in wanted}) == 1 and same(whole, np.stack(wanted))


def _in_other_places(exercise, found, wanted):
    """Results that stand in another's place, in which something else stands."""
    names, wrong = names_of_results(exercise.stub, len(wanted)), [*map(operator.not_, map(same, found, wanted))]
    told = [
        f"what comes {ORDER[at]} is {names[other]}, which should come {ORDER[other]}"
        for at, other in itertools.permutations(range(min(len(wanted), len(ORDER))), 2)
        if wrong[at] and wrong[other] and is_telling(wanted[other]) and same(found[at], wanted[other])
    ]
    return f"W{'; '.join(told)[1:]}." if told else ""


def _exchanged_in_part(exercise, found, wanted):
    """Two results in reverse order, one of which is right in the place of the other."""
    if len(found) != 2 or len({each.dtype.kind in "iub" for each in wanted}) == 1:
        return ""
    kinds = [[each.dtype.kind in "iub" for each in arrays] for arrays in (found, wanted)]
    if kinds[0] != kinds[1][::-1]:
        return ""
    one, other = names_of_results(exercise.stub, 2)
    return f"The results come in reverse order: what comes first is of the kind of {other}, and {one} comes second."


def _one_of_several(exercise, got, whole, wanted):
    """One result where several were expected: which of them it is, by its numbers or else by its shape."""
    names = names_of_results(exercise.stub, len(wanted))
    right = next((at for at, each in enumerate(wanted) if _holds(got, each)), None)
    alike = [at for at, each in enumerate(wanted) if whole is not None and each.shape == whole.shape]
    if right is None and len(alike) != 1:
        return ""
    at = alike[0] if right is None else right
    others = " and ".join(name for name in names if name != names[at])
    is_it = f"is {names[at]} alone, and it is right" if right == at else f"is one result, of the shape of {names[at]}"
    return f"What came back {is_it}: {others} {'is' if len(wanted) == 2 else 'are'} missing."


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
    if isinstance(got, list) and isinstance(right.value, Tensor) and _holds(got, expected):
        return "The numbers are right, in a Python list: a tensor is asked for."
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


def of_dictionaries(evidence, exercise, parameters, part):
    """Values under another one's key, and keys that are missing while all others are right."""
    shown, right = shown_pair(evidence)
    got, expected = shown.value, right.value
    if shown.error or shown.kind != "call" or not (isinstance(got, dict) and isinstance(expected, dict)):
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
        held = f"it holds {', '.join(map(show, extra[:2]))}" if extra else "it is empty"
        held += f" and {len(extra) - 2} more" if len(extra) > 2 else ""
        return f"None of the expected keys is there: {held}."
    if wrong or not missing:
        return ""
    told = f"{', '.join(map(show, missing[:A_FEW]))} {'is' if len(missing) == 1 else 'are'} missing"
    more = f"; it also holds {', '.join(map(show, extra[:A_FEW]))}" if extra else ""
    return f"The numbers under the expected keys are right, and {told}{more}."


def of_some_results(evidence, exercise, parameters, part):
    """Those of several results that are right in every call, where others are wrong."""
    calls = [(call, right) for call, right, _ in alike(evidence)]
    values = [(call.value, right.value) for call, right in calls if not (call.error or right.error)]
    if len(values) < len(calls) or not all(isinstance(each, (tuple, list)) for pair in values for each in pair):
        return ""
    count = len(values[0][1])
    if count < 2 or any(len(each) != count for pair in values for each in pair):
        return ""
    are_right = [
        all(_holds(got[at], array) for got, each in values if (array := as_numbers(each[at])) is not None)
        for at in range(count)
    ]
    if not any(are_right) or all(are_right):
        return ""
    names = names_of_results(exercise.stub, count)
    right, wrong = (
        " and ".join(itertools.compress(names, kind)) for kind in (are_right, map(operator.not_, are_right))
    )
    return f"The numbers of {right} are right in every call, those of {wrong} are not."


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
