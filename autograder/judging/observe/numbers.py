"""What an array that is shown has to do with the expected one, and with other exercises of the chapter."""

from typing import NamedTuple

import numpy as np

from autograder.boundary.session import Refused
from autograder.chapters.chapter import read_chapter
from autograder.judging.asking import Answer
from autograder.judging.observe import shapes
from autograder.judging.observe.arrays import clauses, faint
from autograder.judging.observe.between import alike, of_calls, shown_pair
from autograder.judging.observe.comparing import Alone, Place, Plain, Weak, is_telling, key_of
from autograder.judging.observe.contract import lengths, names_of_results, returned_axes
from autograder.judging.observe.inputs import as_numbers, given
from autograder.judging.values.leaves import arrays_in, results_in
from autograder.judging.values.same import SUITE_RTOL, same

AS_MANY = 8  # other wrong calls that are looked at


class Part(NamedTuple):
    """One of the results of a call, as an array that is wrong, and the name of another one that is shown."""

    number: int
    name: str
    got: np.ndarray
    expected: np.ndarray
    shown: str = ""


def of_arrays(evidence, exercise, parameters, part, clauses=clauses):
    """One array beside another, on the call that is shown; coincidences aside."""
    shown, right = shown_pair(evidence)
    others = [(call, other) for call, other, wrong in alike(evidence) if wrong and call is not shown]
    sure, doubtful = [], []
    for at in _wrong_parts(shown, right, exercise, part):
        found = dict.fromkeys(clauses(at.got, at.expected, given(shown, parameters)))
        again = [
            set(map(key_of, clauses(each.got, each.expected, given(call, parameters))))
            for call, other in others[:AS_MANY]
            for each in _wrong_parts(call, other, exercise)
            if each.number == at.number
        ]
        support = {clause: sum(key_of(clause) in each for each in again) for clause in found}
        best = max(found, key=support.get, default=None)  # the first of those that hold most often
        if best and support[best]:
            sure.append((best, at, again))
        elif strong := _borne_out(found, at, others):
            doubtful.append((strong, at, again))
    if not (sure or doubtful):
        return ""
    clause, at, again = min(sure or doubtful, key=lambda each: isinstance(each[0], Place))
    return (again and not sure and of_calls(evidence, exercise, parameters, part)) or _sentence(clause, at)


def of_traces(evidence, exercise, parameters, part):
    """The same, with what says less."""
    return of_arrays(evidence, exercise, parameters, part, faint)


def _borne_out(found, part, others):
    """The first clause that one call is enough to bear out, beside what holds in other wrong calls."""
    plain = next((clause for clause in found if isinstance(clause, Plain)), None)
    strong = (clause for clause in found if not isinstance(clause, Weak) or (isinstance(clause, Alone) and not others))
    got = part.got.astype(bool) if part.expected.dtype == bool else part.got
    is_enough = is_telling(part.expected) and (is_telling(got) or (got == got.flat[0]).all())
    return plain or (next(strong, None) if is_enough else None)


def of_lengths(evidence, exercise, parameters, part):
    """The lengths of the axes of a result of another shape, in the letters of the exercise."""
    shown, right = shown_pair(evidence)
    told = _in_letters(shown, right, exercise, parameters, part)
    for call, other, wrong in alike(evidence):
        if len(told) > 1 and wrong and (here := _in_letters(call, other, exercise, parameters, part)):
            told = [each for each in told if each in here] if here[0][0] == told[0][0] else told
    return told[0][1] if len(told) == 1 else ""


def _in_letters(call, right, exercise, parameters, part):
    """All that can be said of the axes of the first result that has another shape."""
    letters = lengths(exercise.stub, given(call, parameters))
    for at in _wrong_parts(call, right, exercise, part):
        for wanted in returned_axes(exercise.stub):
            if told := shapes.in_letters(at.got, at.expected, letters, wanted, at.name or "the result"):
                return told
    return []


def of_axes_of_one(evidence, exercise, parameters, part):
    """A shape that is the expected one but for axes of length 1, whatever the numbers are."""
    for at in _wrong_parts(*shown_pair(evidence), exercise, part):
        extra = at.got.ndim - at.expected.ndim
        if extra and _without_ones(at.got) == _without_ones(at.expected):
            axes = shapes.some_axes_of_one(extra)
            return _sentence(f"{{it}} has {axes} too many" if extra > 0 else f"{{it}} lacks {axes}", at)
    return ""


def _without_ones(array):
    return [size for size in array.shape if size != 1]


def of_other_shapes(evidence, exercise, parameters, part):
    """Results of another shape beside the one that the finding is about."""
    shown, right = shown_pair(evidence)
    for at in list(_wrong_parts(shown, right, exercise, part))[1:]:
        if at.got.shape != at.expected.shape:
            name = names_of_results(exercise.stub, len(right.value))[at.number]
            return f"The shape of {name} is {at.got.shape}, and should be {at.expected.shape}."
    return ""


def of_another_exercise(evidence, exercise, parameters, part):
    """What another exercise of the chapter makes of the same arguments, or an argument of another kind."""
    shown, right = shown_pair(evidence)
    wrong = list(_wrong_parts(shown, right, exercise, part))
    if not wrong or shown.of is not None or shown.kind != "call":
        return ""
    for other in read_chapter(exercise.chapter).exercises:
        if other.name == exercise.name or f"def {other.name}(" not in other.source:
            continue
        answer = Answer(other.name, evidence.solution, seconds=float("inf"))
        answer.begin_test()
        try:
            value = answer(*shown.args, **shown.kwargs).value
        except Refused:
            continue
        for at in wrong:
            made = (array for array in arrays_in(value) if not same(array, at.expected))
            if is_telling(at.got) and any(same(at.got, array) for array in made):
                return _sentence(f"{{it}} is what {other.name} makes of the same arguments", at)
    return ""


def _wrong_parts(call, right, exercise, part=""):
    """Each result that is an array and wrong; the first of them is the one that is shown."""
    if call.error or right.error or call.kind != "call":
        return
    got, expected = call.value, right.value
    if results_in(expected) is None:
        got, expected = [got], [expected]
    elif not isinstance(got, (tuple, list)) or len(got) != len(expected):
        return
    names, shown = names_of_results(exercise.stub, len(expected)), ""
    for number, pair in enumerate(zip(got, expected, strict=True)):
        one, other = map(as_numbers, pair)
        if one is None or other is None or same(one, other, SUITE_RTOL):
            continue
        name = part if len(expected) == 1 or (part and not shown) else names[number]
        name = f"the result for {name}" if name and not name.startswith("result ") else name
        yield Part(number, name, one, other, shown)
        shown = shown or name


def _sentence(clause, part):
    text = clause.replace("{it}", part.name or "the result")
    text = f"{text[0].upper()}{text[1:]}" + "." * (not text.endswith("?"))
    return f"{text} {part.shown[0].upper()}{part.shown[1:]} is wrong, too." if part.shown else text
