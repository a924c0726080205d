"""The explainers in order, and the one function that applies them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from autograder.judging.budget import isolate_failures
from autograder.judging.explain.case import Case, CaseWithReplies, CaseWithSession, CaseWithTask
from autograder.judging.explain.dependency import blame_dependencies
from autograder.judging.explain.error_messages import explain_failure
from autograder.judging.explain.known_mistake import explain_mistake
from autograder.judging.explain.leaked_state import find_leaked_state
from autograder.judging.explain.line import find_line
from autograder.judging.explain.one_of_several import explain_some_calls
from autograder.judging.explain.slip import find_slip
from autograder.judging.observe.observe import observe
from autograder.judging.verdict.finding import Cost, Explanation, Kind

STRUCTURE_RUNGS = ("attribute", "dtype")  # kinds of mismatch that do not depend on the input
MAX_OBSERVED_TESTS = 2  # failed tests, in addition to the first structural one


def observe_best(case: CaseWithReplies) -> Explanation | None:
    """Return the first observation about the structure of a failed test's result, otherwise the first of any kind."""
    shown_test, evidence = case.shown_test, case.evidence
    others = [test for test in case.verdict.tests if test.outcome == "wrong" and test is not shown_test]
    failed = [test for test in (shown_test, *others) if test.asked in evidence.calls]
    structural = [test for test in failed if test.mismatch and test.mismatch.rung in STRUCTURE_RUNGS][:1]
    if shown_test.outcome != "wrong" or shown_test in structural:
        structural.clear()
    for test in [*structural, *failed[:MAX_OBSERVED_TESTS]]:
        if test.asked and (observed := observe(evidence.focused_on(test.asked))):
            return replace(observed, test=test.name)
    return Explanation(Kind.OBSERVATION, "", test=structural[0].name) if structural else None


@dataclass(frozen=True)
class Explainer:
    """One way to explain a wrong answer."""

    explain: Callable[[Any], Explanation | None]
    needs: type[Case]  # the class of its argument
    cost: Cost
    replaces: frozenset[Kind] = frozenset()  # kinds of earlier explanations that this one replaces


_VAGUE_KINDS = frozenset({Kind.ERROR, Kind.OBSERVATION})

EXPLAINERS = (  # the first explanation counts, unless a later explainer replaces its kind
    Explainer(explain_mistake, CaseWithReplies, Cost.REPLIES),
    Explainer(explain_failure, Case, Cost.REPLIES),
    Explainer(explain_some_calls, CaseWithReplies, Cost.REPLIES),
    Explainer(observe_best, CaseWithReplies, Cost.REPLIES),
    Explainer(find_slip, CaseWithSession, Cost.ANSWER, frozenset(Kind)),
    Explainer(find_leaked_state, CaseWithSession, Cost.ANSWER, _VAGUE_KINDS),
    Explainer(blame_dependencies, CaseWithTask, Cost.SOLUTIONS, frozenset(Kind)),
    Explainer(find_line, CaseWithTask, Cost.SEARCH, _VAGUE_KINDS | {Kind.SLIP, Kind.LEAKED_STATE}),
)


def explain(case: Case, up_to: Cost) -> None:
    """Run the explainers up to a cost that have not run; if one fails, only its explanation is lost."""
    verdict = case.verdict
    if verdict.outcome in ("passed", "fault"):
        return
    for explainer in EXPLAINERS:
        earlier = verdict.explanation
        is_due = verdict.deepest_cost < explainer.cost <= up_to and isinstance(case, explainer.needs)
        if is_due and (earlier is None or earlier.kind in explainer.replaces) and not verdict.explanation_error:
            with isolate_failures(verdict, case.budget):
                case.budget.check()
                verdict.explanation = explainer.explain(case) or earlier
    verdict.deepest_cost = max(verdict.deepest_cost, up_to)
