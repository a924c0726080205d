"""Observes the failed test that shows most: what a result is before its numbers, and a relation before none."""

from dataclasses import replace

from autograder.judging.explain.case import Replied
from autograder.judging.observe.observe import observe
from autograder.judging.verdict.explanation import Explanation, Kind

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
