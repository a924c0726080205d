"""Observes the failed test that shows most: what a result is before its numbers, and a relation before none."""

from dataclasses import replace

from autograder.judging.ask.evidence import Evidence
from autograder.judging.observe.observe import observe
from autograder.judging.verdict.explanation import Explanation, Kind

STRUCTURE = ("attribute", "dtype")  # rungs of a mismatch that hold for whatever comes in
MAX_OBSERVED = 2  # failed tests, besides the first of structure


def observe_best(evidence: Evidence) -> Explanation | None:
    """What shows in a failed test: the first of structure, else the first of which there is something to say."""
    speaking = evidence.verdict.speaking
    others = [test for test in evidence.verdict.tests if test.outcome == "wrong" and test is not speaking]
    failed = [test for test in (speaking, *others) if test.asked]
    structural = [test for test in failed if test.mismatch and test.mismatch.rung in STRUCTURE][:1]
    if speaking.outcome != "wrong" or speaking in structural:
        structural = []
    for test in [*structural, *failed[:MAX_OBSERVED]]:
        if found := observe(evidence.showing(test.asked)):
            return replace(found, test=test.name)
    return Explanation(Kind.OBSERVATION, "", test=structural[0].name) if structural else None
