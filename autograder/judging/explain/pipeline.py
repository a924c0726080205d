"""The ordered list of explainers, the function that runs them, and the explainers that are too short for a module."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from autograder.judging.explain.case import Case, CaseWithReplies, CaseWithSession, CaseWithTask
from autograder.judging.explain.error_messages import explain_failure
from autograder.judging.explain.known_mistake import explain_mistake
from autograder.judging.explain.leaked_state import find_leaked_state
from autograder.judging.explain.line import find_mistaken_line
from autograder.judging.observe.observe import observe
from autograder.judging.run.variant import Variant
from autograder.judging.verdict.finding import Cost, Explanation, Kind

STRUCTURAL_KINDS = ("attribute", "dtype")  # kinds of mismatches that do not depend on the input
MAX_OBSERVED_TESTS = 2  # number of failed tests to observe, in addition to the first with a structural mismatch


def observe_best(case: CaseWithReplies) -> Explanation | None:
    """Return the first observation about a failed test, or None. Tests with a wrong attribute or dtype come first."""
    shown_test, evidence = case.shown_test, case.evidence
    other_tests = [test for test in case.verdict.tests if test.outcome == "wrong" and test is not shown_test]
    failed_tests = [test for test in (shown_test, *other_tests) if test.shown_call in evidence.calls]
    structural = [test for test in failed_tests if test.mismatch and test.mismatch.kind in STRUCTURAL_KINDS][:1]
    if shown_test.outcome != "wrong" or shown_test in structural:
        structural.clear()
    for test in [*structural, *failed_tests[:MAX_OBSERVED_TESTS]]:
        if test.shown_call and (observed := observe(evidence.focus_on(test.shown_call))):
            return replace(observed, test=test.name)
    return Explanation(Kind.OBSERVATION, "", test=structural[0].name) if structural else None


def find_unread_argument(case: CaseWithSession) -> Explanation | None:
    """Return an explanation if the exercise's own code returned a wrong result and never reads an argument."""
    mismatch = case.shown_test.mismatch
    if mismatch is None or mismatch.kind == "attribute":
        return None  # Neither an error nor a missing attribute of a module is caused by an unread argument.
    unread = case.session.file.find_unread_argument(case.exercise.name)
    return Explanation(Kind.OBSERVATION, "`{}` never reads its argument `{}`.".format(*unread)) if unread else None


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
    Explainer(observe_best, CaseWithReplies, Cost.REPLIES),
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
