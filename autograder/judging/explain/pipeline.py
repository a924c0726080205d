"""The explainers in their order, and the one place where what they say becomes what a learner is told."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from autograder.judging.budget import explaining
from autograder.judging.explain.case import Case, Replied, Running, Submitted
from autograder.judging.explain.dependency import blame_dependencies
from autograder.judging.explain.error_messages import explain_failure
from autograder.judging.explain.known_mistake import explain_mistake
from autograder.judging.explain.leaked_state import find_leaked_state
from autograder.judging.explain.line import find_line
from autograder.judging.explain.slip import find_slip
from autograder.judging.explain.two_mistakes import explain_two_mistakes
from autograder.judging.observe.observe import observe
from autograder.judging.verdict.finding import Cost, Explanation, Kind

STRUCTURE_RUNGS = ("attribute", "dtype")  # rungs of a mismatch that hold for whatever comes in
MAX_OBSERVED_TESTS = 2  # failed tests, besides the first of structure


def observe_best(case: Replied) -> Explanation | None:
    """What shows in a failed test: the first of structure, else the first of which there is something to say."""
    speaking, evidence = case.speaking, case.evidence
    others = [test for test in case.verdict.tests if test.outcome == "wrong" and test is not speaking]
    failed = [test for test in (speaking, *others) if test.asked in evidence.calls]
    structural = [test for test in failed if test.mismatch and test.mismatch.rung in STRUCTURE_RUNGS][:1]
    if speaking.outcome != "wrong" or speaking in structural:
        structural.clear()
    for test in [*structural, *failed[:MAX_OBSERVED_TESTS]]:
        if test.asked and (observed := observe(evidence.showing(test.asked))):
            return replace(observed, test=test.name)
    return Explanation(Kind.OBSERVATION, "", test=structural[0].name) if structural else None


@dataclass(frozen=True)
class Explainer:
    """One way to explain a wrong answer."""

    explain: Callable[[Any], Explanation | None]
    needs: type[Case]  # what it is given
    cost: Cost
    replaces: frozenset[Kind] = frozenset()  # what an earlier one said, which this one knows better


_VAGUE_KINDS = frozenset({Kind.ERROR, Kind.OBSERVATION})

EXPLAINERS = (  # the first that speaks is heard, unless a later one knows better
    Explainer(explain_mistake, Replied, Cost.REPLIES),
    Explainer(explain_failure, Case, Cost.REPLIES),
    Explainer(explain_two_mistakes, Replied, Cost.REPLIES),
    Explainer(observe_best, Replied, Cost.REPLIES),
    Explainer(find_slip, Running, Cost.ANSWER, frozenset(Kind)),
    Explainer(find_leaked_state, Running, Cost.ANSWER, _VAGUE_KINDS),
    Explainer(blame_dependencies, Submitted, Cost.SOLUTIONS, frozenset(Kind)),
    Explainer(find_line, Submitted, Cost.SEARCH, _VAGUE_KINDS | {Kind.SLIP, Kind.LEAKED_STATE}),
)


def explain(case: Case, up_to: Cost) -> None:
    """Ask the explainers up to some cost that have not been asked; a fault of one costs an explanation and no more."""
    verdict = case.verdict
    if verdict.outcome in ("passed", "fault"):
        return
    for explainer in EXPLAINERS:
        earlier = verdict.explanation
        is_due = verdict.explained_up_to < explainer.cost <= up_to and isinstance(case, explainer.needs)
        if is_due and (earlier is None or earlier.kind in explainer.replaces) and not verdict.unexplained:
            with explaining(verdict, case.budget):
                case.budget.check()
                verdict.explanation = explainer.explain(case) or earlier
    verdict.explained_up_to = max(verdict.explained_up_to, up_to)
