"""Detection of state that earlier calls have left, and of random results."""

import re

from autograder.boundary.session import AnswerRefused, AnswerSession
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import have_same_outcome
from autograder.judging.explain.case import CaseWithSession
from autograder.judging.values.compare import agrees
from autograder.judging.verdict.finding import Explanation, Kind

_LEAKED_STATE = Explanation(
    Kind.LEAKED_STATE,
    "This call is correct when it runs first, but earlier calls change its result.",
    "Does a list, a dictionary or a default argument keep something between calls?",
)
_BY_CHANCE = Explanation(
    Kind.LEAKED_STATE, "The same call returns different results. Does your code use random numbers?"
)
_CHANCE = re.compile(r"rand|dropout|shuffle|bernoulli|multinomial|permutation", re.IGNORECASE)


def find_leaked_state(case: CaseWithSession) -> Explanation | None:
    """Return an explanation if the shown call, repeated twice in a new process, reveals leaked state or randomness."""
    test, session = case.shown_test, case.session
    call = test.shown_call
    if call is None or call.kind != "call" or call.expected_value is None or call.is_harnessed:
        return None
    is_first = test is case.verdict.tests[0] and call.begins_test  # no earlier call could have left state
    if (is_first and not _may_be_random(session)) or (not call.error and agrees(call.value, call.expected_value)):
        return None
    answer = Answer.for_exercise(case.exercise, session)
    session.start_afresh()
    try:
        instance = _repeat_construction(call.maker, answer) if call.maker else None
        if instance and instance.error:
            return None
        first, second = (answer.send(Call(call.name, call.args, call.kwargs, instance, call.method)) for _ in range(2))
    except AnswerRefused:
        return None
    is_right = not first.error and agrees(first.value, call.expected_value)
    may_differ = call.method or first.error or second.error  # Appending or training twice gives two results.
    if not may_differ and not have_same_outcome(first, second) and (not is_right or _may_be_random(session)):
        return _BY_CHANCE
    return _LEAKED_STATE if is_right else None


def _repeat_construction(maker: Call, answer: Answer) -> Call:
    """Create an instance like that of the call `maker`, with the same weights, and return the new call."""
    new_call = answer.send(Call(maker.name, maker.args, maker.kwargs))
    if maker.weights and not new_call.error:
        answer.send(Call(maker.name, maker.weights, maker=new_call, kind="set"))
    return new_call


def _may_be_random(session: AnswerSession) -> bool:
    """Return whether the source code contains a name that suggests random numbers."""
    return any(_CHANCE.search(cell.source) for cell in session.file.cells)
