"""A wrong call that is right where no other was made before it: the answer keeps something between its calls."""

from autograder.boundary.session import Refused
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import Evidence
from autograder.judging.values.compare import Mismatch, compare
from autograder.judging.values.same import is_finite
from autograder.judging.verdict.explanation import Explanation, Kind

_LEAKED = Explanation(Kind.LEAKED_STATE, "Made alone, this call is right: something is kept from the calls before it.")


def find_leaked_state(evidence: Evidence) -> Explanation | None:
    """Make the call that is shown once more in a new process, where nothing has been asked of the answer.

    Where an observation says more than that a number is NaN, it is left standing.
    """
    test = evidence.verdict.speaking
    shown, exercise, session = test.asked, evidence.exercise, evidence.session
    if shown is None or shown.kind != "call" or shown.wanted is None:
        return None
    is_first = test is evidence.verdict.tests[0] and shown.first  # of the answer: nothing can be kept from others
    is_observed = evidence.verdict.explanation and not test.error and is_finite(shown)
    if is_first or is_observed or (not shown.error and _is_right(shown.value, shown.wanted)):
        return None
    answer = Answer.of(exercise, session)
    session.start_afresh()
    try:
        of = shown.of and answer.send(Call(shown.name, shown.of.args, shown.of.kwargs)).call
        if of and of.error:
            return None
        again = answer.send(Call(shown.name, shown.args, shown.kwargs, of, shown.method)).call
    except Refused:
        return None
    return _LEAKED if not again.error and _is_right(again.value, shown.wanted) else None


def _is_right(value: object, expected: object) -> bool:
    try:
        compare(value, expected)
    except Mismatch:
        return False
    return value is not None
