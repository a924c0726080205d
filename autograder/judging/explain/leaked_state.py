"""A wrong call that is right where no other was made before it: the answer keeps something between its calls."""

from autograder.boundary.session import Refused
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.explain.case import Running
from autograder.judging.values.compare import agrees
from autograder.judging.verdict.explanation import Explanation, Kind

_LEAKED_STATE = Explanation(
    Kind.LEAKED_STATE, "Made alone, this call is right: something is kept from the calls before it."
)


def find_leaked_state(case: Running) -> Explanation | None:
    """Make the call that is shown once more in a new process, where nothing has been asked of the answer.

    It replaces an observation: what a wrong result looks like says little where the same call may be right.
    """
    test, session = case.speaking, case.session
    call = test.asked
    if call is None or call.kind != "call" or call.wanted is None:
        return None
    is_first = test is case.verdict.tests[0] and call.first  # of the answer: nothing can be kept from others
    if is_first or (not call.error and agrees(call.value, call.wanted)):
        return None
    answer = Answer.of(case.exercise, session)
    session.start_afresh()
    try:
        of = call.of and answer.send(Call(call.name, call.of.args, call.of.kwargs))
        if of and of.error:
            return None
        again = answer.send(Call(call.name, call.args, call.kwargs, of, call.method))
    except Refused:
        return None
    return _LEAKED_STATE if not again.error and agrees(again.value, call.wanted) else None
