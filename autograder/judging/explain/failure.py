"""Explanations of errors of Python, NumPy and torch, for learners who write attention.

A sentence is returned only if the message has a single cause. It is built from the type, message and line of the error,
after the answer has run. *friendly-traceback* explains many more errors of Python, but it needs live frames in the
answer's process, and does not understand arrays and tensors. The rows are in `error_messages.txt`.
"""

from __future__ import annotations

import difflib
import functools
import re
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.extras import IMPORTS
from autograder.chapters.text import clean
from autograder.judging.ask.call import Call
from autograder.judging.explain.case import Case
from autograder.judging.explain.misfit import Operand, explain_broadcast, explain_product
from autograder.judging.values.show import format_value
from autograder.judging.verdict.finding import Explanation, Kind
from autograder.worker.operands import MIN_LIKENESS

LIBRARIES = "numpy", "matplotlib", "seaborn", "torch"  # what answers can import, next to Python's own modules
_NOWHERE = ("", 0, "", "")  # `Failure.place` if no line of the answer raised the error


@dataclass(frozen=True)
class Failure:
    """One error, the line that raised it, and the call in which it was raised (None while the file was run).

    Rows of `error_messages.txt` refer to the properties and methods. Each returns a phrase or a whole sentence, which
    is empty if the cause is uncertain.
    """

    kind: str
    message: str
    place: tuple[str, int, str, str]  # file or cell, line number, definition, and the line itself
    exercise: Exercise
    call: Call | None = None
    operation: str = ""  # operator or function that failed; empty if unknown
    operands: tuple[Operand, ...] = ()
    groups: tuple[str, ...] = ()  # groups of the matched pattern

    @classmethod
    def from_error(cls, error: dict, exercise: Exercise, call: Call | None = None) -> Failure:
        operation, operands = error.get("operation") or ("", [])
        named_operands = tuple((clean(source).replace("`", "'"), shape) for source, shape in operands)
        place = error["where"][-1] if error["where"] else _NOWHERE
        return cls(error["type"], error["message"], place, exercise, call, clean(operation), named_operands)

    @property
    def line(self) -> str:
        return self.place[3]

    @property
    def product(self) -> str:
        return explain_product(self.operation, list(self.operands), self.message)

    @property
    def broadcast(self) -> str:
        return explain_broadcast(self.operation, list(self.operands), self.kind, self.message)

    @property
    def missing_name(self) -> str:
        name, suggestion = self.groups
        undefined = f"`{name}` is not defined"
        if name == "self":
            return f"{undefined}: `self` must be the first parameter of every method."
        if name in IMPORTS:
            return f"{undefined}: add `{IMPORTS[name]}`, or run the cell that contains it."
        if name in read_chapter(self.exercise.chapter).names:
            return f"{undefined}: it is an exercise of this chapter, but it comes later or is not in this file."
        for chapter in curriculum.CHAPTERS:
            if name in read_chapter(chapter).names:
                return (
                    f"{undefined}: it is an exercise of {chapter}. Chapters do not share code, so define it here again."
                )
        return f"{undefined}. Did you mean `{suggestion}`?" if suggestion else f"{undefined} before this line."

    @property
    def missing_module(self) -> str:
        name = self.groups[0].partition(".")[0]
        if name in curriculum.CHAPTERS:
            return f"{name} is another chapter. Chapters do not share code, so define what you need here again."
        if name in LIBRARIES:
            need = "needs it" if name in read_chapter(self.exercise.chapter).libraries else "does not need it"
            return f"{name} is not installed here. This chapter {need}."
        modules = f"Python's own modules, and {', '.join(LIBRARIES)}"
        return f"There is no module {self.groups[0]}. Answers can import {modules}."

    @property
    def missing_key(self) -> str:
        """Return a sentence about braces in a missing key, or with a similar key of an argument, or ""."""
        missing_key, args = self.message.strip("'\""), self.call.args if self.call else ()
        if re.search(r"\{\w+\}", missing_key):
            return "This key contains braces. Is the `f` before the string missing?"
        keys = [key for arg in args if isinstance(arg, dict) for key in arg if isinstance(key, str)]
        match = difflib.get_close_matches(missing_key, keys, 1, MIN_LIKENESS)
        if not match or match[0] == missing_key:  # Another dictionary lacks the key.
            return ""
        return f"There is no such key. Did you mean {format_value(match[0])}?"

    def explain_own_statement(self) -> str:
        """Return a sentence on whether this error is expected, if a `raise` or `assert` of the answer caused it."""
        file, number, definition, line = self.place
        match = re.match(r"(?:(?:el)?if .*?: *)?(raise|assert)\b", line)
        statement = match[1] if match else ""
        if not (statement == "raise" or (statement == "assert" and self.kind == "AssertionError")):
            return ""
        if self.kind == "NotImplementedError" and definition.isidentifier():
            return f"`{definition[:80]}` is still to do: {file}:{number}."
        to_raise = self.call and self.call.to_raise
        if self.call is None:
            return f"Your own `{statement}` runs before anything is called."
        if to_raise:
            return f"An error is expected here, but of type {to_raise}, not the {self.kind} of your `{statement}`."
        return f"Your own `{statement}` ends this call. It should return a result."

    def explain_parameters(self) -> str:
        """Return a sentence if the call failed because the answer's parameters differ from the exercise's."""
        match = re.match(rf"{self.exercise.name}(\.\w+)?\(\) (takes|missing|got an unexpected)", self.message)
        if self.line or self.kind != "TypeError" or not match:
            return ""
        return "Your parameters differ from those of the exercise. Keep the `def` line of the stub."


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
        return self.sentence.format(*map(clean, failure.groups), failure=failure)


@functools.cache
def read_error_rows() -> tuple[ErrorRow, ...]:
    """Return the rows of error_messages.txt in order. Callers use the first that matches and yields a sentence."""
    rows = []
    text = re.sub(
        "^#.*\n", "", Path(__file__).with_name("error_messages.txt").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    for block in text.strip().split("\n\n"):
        head, *lines = block.splitlines()
        error, _, pattern = head.partition(": ")
        example = textwrap.dedent("\n".join(line for line in lines if line.startswith("    ")))
        rows.append(ErrorRow(error, pattern, example, " ".join(line for line in lines if not line.startswith("    "))))
    return tuple(rows)


def explain_error(error: dict, exercise: Exercise, call: Call | None = None) -> str:
    """Return a sentence about an error, or "" if none fits. `call` is None if it was raised while the file ran."""
    if call and call.to_raise == error["type"]:
        return ""  # The type is correct, and the finding says what the message lacks.
    failure = Failure.from_error(error, exercise, call)
    if text := failure.explain_own_statement() or failure.explain_parameters():
        return text
    return next((text for row in read_error_rows() if (text := row.explain(failure))), "")


def explain_failure(case: Case) -> Explanation | None:
    """Return the failed test's own reason, or an explanation of its error, or None if there is neither."""
    test = case.shown_test
    sentence = test.reason
    if not sentence and test.error and test.outcome != "unattempted":
        sentence = explain_error(test.error, case.exercise, test.shown_call)
    return Explanation(Kind.ERROR, sentence) if sentence else None
