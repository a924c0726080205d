"""What the failed test, or the error in it, says of itself."""

from autograder.judging.ask.evidence import Evidence
from autograder.judging.explain.error_messages import explain_error
from autograder.judging.verdict.explanation import Explanation, Kind


def explain_failure(evidence: Evidence) -> Explanation | None:
    """The reason that the test knows, or what its error means."""
    test = evidence.verdict.speaking
    sentence = test.reason
    if not sentence and test.error and test.outcome != "unattempted":
        sentence = explain_error(test.error, evidence.exercise, test.asked)
    return Explanation(Kind.ERROR, sentence) if sentence else None
