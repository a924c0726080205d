"""What the failed test, or the error in it, says of itself."""

from autograder.judging.explain.case import Case
from autograder.judging.explain.error_messages import explain_error
from autograder.judging.verdict.explanation import Explanation, Kind


def explain_failure(case: Case) -> Explanation | None:
    """The reason that the test knows, or what its error means."""
    test = case.speaking
    sentence = test.reason
    if not sentence and test.error and test.outcome != "unattempted":
        sentence = explain_error(test.error, case.exercise, test.asked)
    return Explanation(Kind.ERROR, sentence) if sentence else None
