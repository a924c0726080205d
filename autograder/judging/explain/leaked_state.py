"""A wrong call that is right where no other was made before it, or comes to something else each time."""

import re

from autograder.boundary.session import Refused, Session
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import same_outcome
from autograder.judging.explain.case import Running
from autograder.judging.values.compare import agrees
from autograder.judging.verdict.finding import Explanation, Kind

_LEAKED_STATE = Explanation(
    Kind.LEAKED_STATE, "This call is correct on its own, so state leaks into it from earlier calls."
)
_BY_CHANCE = Explanation(
    Kind.LEAKED_STATE, "The same call returns different results. Does your code use random numbers?"
)
_CHANCE = re.compile(r"rand|dropout|shuffle|bernoulli|multinomial|permutation", re.IGNORECASE)


def find_leaked_state(case: Running) -> Explanation | None:
    """Make the call that is shown twice in a new process, where nothing has been asked of the answer."""
    test, session = case.speaking, case.session
    call = test.asked
    if call is None or call.kind != "call" or call.wanted is None or call.is_harnessed:
        return None
    is_first = test is case.verdict.tests[0] and call.first  # of the answer: nothing can be kept from others
    if (is_first and not _draws(session)) or (not call.error and agrees(call.value, call.wanted)):
        return None
    answer = Answer.of(case.exercise, session)
    session.start_afresh()
    try:
        of = _make_again(call.of, answer) if call.of else None
        if of and of.error:
            return None
        alone, again = (answer.send(Call(call.name, call.args, call.kwargs, of, call.method)) for _ in range(2))
    except Refused:
        return None
    is_right = not alone.error and agrees(alone.value, call.wanted)
    may_differ = call.method or alone.error or again.error  # to append or to learn twice is something else
    if not may_differ and not same_outcome(alone, again) and (not is_right or _draws(session)):
        return _BY_CHANCE
    return _LEAKED_STATE if is_right else None


def _make_again(maker: Call, answer: Answer) -> Call:
    """Another instance, with the weights that the first one had."""
    made = answer.send(Call(maker.name, maker.args, maker.kwargs))
    if maker.weights and not made.error:
        answer.send(Call(maker.name, maker.weights, of=made, kind="set"))
    return made


def _draws(session: Session) -> bool:
    """Whether something may be drawn in a call, as far as the text shows."""
    return any(_CHANCE.search(cell.source) for cell in session.file.cells)
