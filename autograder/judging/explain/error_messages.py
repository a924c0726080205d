"""Explanations of error messages of Python, NumPy and torch, for learners who write attention.

A sentence is returned only if the message has a single cause. It is built from the type, message and line of the error,
after the answer has run. *friendly-traceback* explains many more errors of Python, but it needs live frames in the
answer's process, and does not understand arrays and tensors. The rows are in `error_messages.txt`.
"""

import functools
import re
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.chapters.chapter import Exercise
from autograder.chapters.text import clean
from autograder.judging.ask.call import Call
from autograder.judging.explain.case import Case
from autograder.judging.explain.failure import Failure
from autograder.judging.verdict.finding import Explanation, Kind

MAX_SHAPES_LENGTH = 183  # characters in an explanation of a shape error
_ABOUT_SHAPES = "shapes: "  # prefix of table rows whose sentence is followed by the arguments' shapes


@dataclass(frozen=True)
class ErrorRow:
    """A row of the table: patterns of error types and messages, code that raises the error, and the explanation."""

    error: str
    pattern: str
    example: str
    sentence: str

    def explain(self, failure: Failure) -> str:
        match = re.search(self.pattern, f"{failure.message}\n{failure.line}")
        if not (match and re.fullmatch(self.error, failure.kind)):
            return ""
        failure = replace(failure, groups=match.groups(""))
        text = self.sentence.removeprefix(_ABOUT_SHAPES).format(*map(clean, failure.groups), failure=failure)
        if text and self.sentence.startswith(_ABOUT_SHAPES):
            text = f"{text} {failure.describe_arguments(MAX_SHAPES_LENGTH - len(text))}".strip()
        return text


@functools.cache
def read_error_rows() -> tuple[ErrorRow, ...]:
    """Return the rows of error_messages.txt in order. Callers use the first that matches and yields a sentence."""
    rows = []
    text = re.sub("^#.*\n", "", Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    for block in text.strip().split("\n\n"):
        head, *lines = block.splitlines()
        error, _, pattern = head.partition(": ")
        example = textwrap.dedent("\n".join(line for line in lines if line.startswith("    ")))
        rows.append(ErrorRow(error, pattern, example, " ".join(line for line in lines if not line.startswith("    "))))
    return tuple(rows)


def explain_error(error: dict, exercise: Exercise, call: Call | None = None) -> str:
    """Return a sentence about an error, or "" if none fits. `call` is None if it was raised while the file ran."""
    failure = Failure.from_error(error, exercise, call)
    if text := failure.explain_own_statement() or failure.explain_right_type() or failure.explain_parameters():
        return text
    return next((text for row in read_error_rows() if (text := row.explain(failure))), "")


def explain_failure(case: Case) -> Explanation | None:
    """Return the failed test's own reason, or an explanation of its error, or None if there is neither."""
    test = case.shown_test
    sentence = test.reason
    if not sentence and test.error and test.outcome != "unattempted":
        sentence = explain_error(test.error, case.exercise, test.shown_call)
    return Explanation(Kind.ERROR, sentence) if sentence else None
