"""What an array that is shown has to do with the expected one, and with other exercises of the chapter."""

from autograder.boundary.session import Refused
from autograder.chapters.chapter import read_chapter
from autograder.judging.alike import numbers_in
from autograder.judging.asking import Answer
from autograder.judging.compare import RTOL as SUITES_RTOL
from autograder.judging.relations import shapes
from autograder.judging.relations.arrays import clauses
from autograder.judging.relations.between import alike, of_calls, shown_pair
from autograder.judging.relations.comparing import Alone, Weak, is_telling, key_of, same
from autograder.judging.relations.contract import lengths, names_of_results, returned_axes
from autograder.judging.relations.inputs import are_several, as_numbers, given

AS_MANY = 8  # other wrong calls that are looked at


def of_arrays(evidence, exercise, parameters, part):
    """One array beside another, on the call that is shown; coincidences aside."""
    shown, right = shown_pair(evidence)
    others = [(call, other) for call, other, wrong in alike(evidence) if wrong and call is not shown]
    doubtful = []
    for at, name, got, expected in _wrong_parts(shown, right, part):
        found = dict.fromkeys(clauses(got, expected, given(shown, parameters)))
        again = [
            set(map(key_of, clauses(*pair[2:], given(call, parameters))))
            for call, other in others[:AS_MANY]
            for pair in _wrong_parts(call, other, part)
            if pair[0] == at
        ]
        support = {clause: sum(key_of(clause) in each for each in again) for clause in found}
        best = max(found, key=support.get, default=None)  # the first of those that hold most often
        if best and support[best]:
            return _sentence(best, name)
        strong = next((clause for clause in found if _is_borne_out(clause, others)), None)
        if strong and is_telling(expected) and (is_telling(got) or strong.endswith("everywhere")):
            doubtful.append((again, _sentence(strong, name)))
    if not doubtful:
        return ""
    again, sentence = doubtful[0]
    return (again and of_calls(evidence, exercise, parameters, part)) or sentence


def _is_borne_out(clause, others):
    """Whether one call is enough to say so, beside what holds in other wrong calls."""
    return not isinstance(clause, Weak) or (isinstance(clause, Alone) and not others)


def of_lengths(evidence, exercise, parameters, part):
    """The lengths of the axes of a result of another shape, in the letters of the exercise."""
    shown, right = shown_pair(evidence)
    arrays = given(shown, parameters)
    letters = lengths(exercise.stub, arrays)
    for _, name, got, expected in _wrong_parts(shown, right, part):
        for wanted in returned_axes(exercise.stub):
            if sentence := shapes.in_letters(got, expected, letters, wanted, name or "the result"):
                return sentence
    return ""


def of_axes_of_one(evidence, exercise, parameters, part):
    """A shape that is the expected one but for axes of length 1, whatever the numbers are."""
    shown, right = shown_pair(evidence)
    for _, name, got, expected in _wrong_parts(shown, right, part):
        extra = got.ndim - expected.ndim
        if extra and [size for size in got.shape if size != 1] == [size for size in expected.shape if size != 1]:
            axes = f"{abs(extra)} axes" if abs(extra) > 1 else "an axis"
            told = f"{{it}} has {axes} of length 1 too many" if extra > 0 else f"{{it}} lacks {axes} of length 1"
            return _sentence(told, name)
    return ""


def of_other_shapes(evidence, exercise, parameters, part):
    """Results of another shape beside the one that the finding is about."""
    shown, right = shown_pair(evidence)
    parts = list(_wrong_parts(shown, right, part))
    for number, _, got, expected in parts[1:]:
        if got.shape != expected.shape:
            name = names_of_results(exercise.stub, len(right.value))[number]
            return f"The shape of {name} is {got.shape}, and should be {expected.shape}."
    return ""


def of_another_exercise(evidence, exercise, parameters, part):
    """What another exercise of the chapter makes of the same arguments, or an argument of another kind."""
    shown, right = shown_pair(evidence)
    wrong = list(_wrong_parts(shown, right, part))
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
        for _, name, got, expected in wrong:
            if is_telling(got) and any(same(got, array) and not same(array, expected) for array in numbers_in(value)):
                return _sentence(f"{{it}} is what {other.name} makes of the same arguments", name)
    return ""


def _wrong_parts(call, right, part):
    """(number, name, what came back, what was expected) of each result that is an array and wrong."""
    if call.error or right.error or call.kind != "call":
        return
    got, expected = call.value, right.value
    if not are_several(expected):
        got, expected = [got], [expected]
    elif not isinstance(got, (tuple, list)) or len(got) != len(expected):
        return
    first = True
    for number, pair in enumerate(zip(got, expected, strict=True)):
        one, other = map(as_numbers, pair)
        if one is None or other is None or same(one, other, SUITES_RTOL):
            continue
        name = f"the result for {part}" if first and part else f"result {number + 1}" if len(expected) > 1 else ""
        first = False
        yield number, name, one, other


def _sentence(clause, name):
    text = clause.replace("{it}", name or "the result")
    return f"{text[0].upper()}{text[1:]}" + "." * (not text.endswith("?"))
