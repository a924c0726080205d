"""The ordered list of explainers, the function that runs them, and the explainers that are too short for a module."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.boundary.session import AnswerRefused, AnswerSession
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import have_same_outcome
from autograder.judging.explain.case import Case, CaseWithReplies, CaseWithSession, CaseWithTask
from autograder.judging.explain.failure import explain_failure
from autograder.judging.explain.known_mistake import explain_mistake
from autograder.judging.explain.line import find_mistaken_line
from autograder.judging.observe.observe import observe
from autograder.judging.run.variant import Variant
from autograder.judging.values.compare import agrees
from autograder.judging.verdict.finding import Cost, Explanation, Kind

_LEAKED_STATE = Explanation(
    Kind.LEAKED_STATE,
    "This call is correct when it runs first, but earlier calls change its result.",
    "Does a list, a dictionary or a default argument keep something between calls?",
)
_BY_CHANCE = Explanation(
    Kind.LEAKED_STATE, "The same call returns different results. Does your code use random numbers?"
)
_CHANCE = re.compile(r"rand|dropout|shuffle|bernoulli|multinomial|permutation", re.IGNORECASE)


def observe_call(case: CaseWithReplies) -> Explanation | None:
    """Return an observation about the shown call, or show the first test that found a wrong attribute of a module."""
    observed = observe(case.evidence)
    tests = [test for test in case.verdict.tests if test.mismatch and test.mismatch.kind == "attribute"]
    if observed or case.shown_test.outcome != "wrong" or not tests:
        return observed
    return Explanation(Kind.OBSERVATION, "", test=tests[0].name)


def find_unread_argument(case: CaseWithSession) -> Explanation | None:
    """Return an explanation if the exercise's own code returned a wrong result and never reads an argument."""
    mismatch = case.shown_test.mismatch
    if mismatch is None or mismatch.kind == "attribute":
        return None  # Neither an error nor a missing attribute of a module is caused by an unread argument.
    unread = case.session.file.find_unread_argument(case.exercise.name)
    return Explanation(Kind.OBSERVATION, "`{}` never reads its argument `{}`.".format(*unread)) if unread else None


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


def blame_dependencies(case: CaseWithTask) -> Explanation | None:
    """Return an explanation that blames called exercises, if the answer passes with their solutions in place."""
    blamed_names = case.dependencies
    if not (blamed_names and _passes_with_solutions(blamed_names, case)):
        return None
    for name in case.dependencies:  # Blame as few exercises as possible.
        other_names = tuple(other_name for other_name in blamed_names if other_name != name)
        if other_names and _passes_with_solutions(other_names, case):
            blamed_names = other_names
    names, those = " and ".join(blamed_names), "those" if len(blamed_names) > 1 else "that"
    sentence = f"{case.exercise.name} is correct except for {names}, which it calls. Fix {those} first."
    return Explanation(Kind.DEPENDENCY, sentence, dependencies=blamed_names)


def _passes_with_solutions(names: tuple[str, ...], case: CaseWithTask) -> bool:
    return Variant.with_solutions(case.task, names).passes(case.exercise, case.suites, case.budget)


@dataclass(frozen=True)
class Explainer:
    """A function that explains wrong answers, with its requirements."""

    explain: Callable[[Any], Explanation | None]
    needs: type[Case]  # the class of the argument
    cost: Cost
    replaces: frozenset[Kind] = frozenset()  # kinds of earlier explanations that this one replaces


_VAGUE_KINDS = frozenset({Kind.ERROR, Kind.OBSERVATION})

# The first explanation counts, unless a later explainer replaces its kind.
EXPLAINERS = (
    Explainer(explain_mistake, CaseWithReplies, Cost.REPLIES),
    Explainer(explain_failure, Case, Cost.REPLIES),
    Explainer(observe_call, CaseWithReplies, Cost.REPLIES),
    Explainer(find_unread_argument, CaseWithSession, Cost.ANSWER),
    Explainer(find_leaked_state, CaseWithSession, Cost.ANSWER, _VAGUE_KINDS),
    Explainer(blame_dependencies, CaseWithTask, Cost.SOLUTIONS, frozenset(Kind)),
    Explainer(find_mistaken_line, CaseWithTask, Cost.SEARCH, _VAGUE_KINDS | {Kind.LEAKED_STATE}),
)


def run_explainers(case: Case, up_to: Cost) -> None:
    """Run the explainers up to this cost that have not run yet. If an explainer raises, the verdict records that."""
    verdict = case.verdict
    if verdict.outcome in ("passed", "fault"):
        return
    for explainer in EXPLAINERS:
        previous = verdict.explanation
        is_due = verdict.deepest_cost < explainer.cost <= up_to and isinstance(case, explainer.needs)
        if is_due and (previous is None or previous.kind in explainer.replaces) and not verdict.explanation_error:
            with verdict.isolate_failures(case.budget):
                case.budget.require_time()
                verdict.explanation = explainer.explain(case) or previous
    verdict.deepest_cost = max(verdict.deepest_cost, up_to)
