"""The verdict of one test, and the explanation of a wrong answer.

Findings are shortened, so that a learner can read the explanation at a glance. Views can also show the whole call.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TypedDict

from autograder.boundary.session import message_of, source_line_of
from autograder.chapters.text import clean, shorten
from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import find_mismatched_sizes
from autograder.judging.values.compare import Mismatch
from autograder.judging.values.show import format_call, format_call_briefly, format_call_in_short
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.small_edits import AnswerEdit


@dataclass(frozen=True)
class SuggestedChange:
    place: str  # name of the file or cell, for the learner
    line: int
    last_line: int
    what: str  # the part of the code to look at, in words
    was: str  # the current lines
    becomes: str  # the changed lines
    notebook: bool  # whether `place` is a cell of a notebook

    @classmethod
    def from_edit(cls, answer: AnswerFile, row: AnswerEdit, first: int, last: int) -> "SuggestedChange":
        """Return the change that an edit makes; `first` and `last` are the lines of the cell to report."""
        cell, edit = answer.cells[row.cell], row.edit
        old_lines = _slice_lines(cell.source, edit.line, edit.last_line)
        new_lines = _slice_lines(edit.apply_to(cell.source), edit.line, edit.line + edit.new.count("\n"))
        offset = cell.line - 1
        return cls(cell.place, first + offset, last + offset, edit.what, old_lines, new_lines, answer.notebook)

    @property
    def where(self) -> str:
        lines = f"line {self.line}" if self.line == self.last_line else f"lines {self.line} to {self.last_line}"
        return f"{lines} of {self.place}" if self.notebook else lines

    @property
    def hint(self) -> str:
        return f"In {self.where}, look at {self.what}."

    @property
    def sentence(self) -> str:
        return f"One small change in {self.where} makes every test pass."


def _slice_lines(text: str, first: int, last: int) -> str:
    return "\n".join(text.split("\n")[first - 1 : last])


class Kind(str, Enum):
    MISTAKE = "mistake"  # a known mistake returns the same results
    ERROR = "error"  # the failed test or its error reveals the cause
    OBSERVATION = "observation"  # a relation between the results and the expected ones
    LEAKED_STATE = "leaked state"
    DEPENDENCY = "dependency"  # a called exercise is wrong
    LINE = "line"  # only the line of the mistake is known


class Cost(IntEnum):
    """The data and time that an explainer needs, from cheap to expensive."""

    REPLIES = 1  # uses the replies; equal replies get equal explanations
    ANSWER = 2  # uses the answer's source code, and calls in a new process
    SOLUTIONS = 3  # judges the answer with solutions in place of some functions, after all other requests
    SEARCH = 4  # tries hundreds of edits of the answer


@dataclass(frozen=True)
class Explanation:
    kind: Kind
    sentence: str  # the explanation itself
    hint: str = ""  # what the learner can try
    rule: str = ""  # the rule that correct answers follow
    name: str = ""  # name of the known mistake; empty for other kinds
    dependencies: tuple[str, ...] = ()  # called exercises; with their solutions, this exercise passes
    change: SuggestedChange | None = None  # one small change that makes every test pass
    test: str = ""  # name of the failed test to show; empty for the first one


# "wrong" may give a share of the points. "fault" is an internal error, for which the learner loses no points.
OUTCOMES = ("passed", "wrong", "raised", "timeout", "memory", "killed", "unattempted", "forbidden", "fault")
MAX_FINDING_LENGTH = 2000  # characters, because answers can forge errors of any length
MAX_CALL_LENGTH = 150  # characters
ROOM_CHARACTERS = 300  # limit for all text above a picture

# (format of the call, characters of an error's line, characters of its message). The first row that fits is used.
_LADDER = (
    (format_call, 200, 300),
    (format_call, 60, 100),
    (format_call, 0, 60),
    (format_call_in_short, 60, 100),
    (format_call_in_short, 0, 60),
    (format_call_in_short, 0, 30),
    (format_call_briefly, 0, 60),
    (format_call_briefly, 0, 0),
)


class TestRecord(TypedDict):
    name: str
    outcome: str
    points: float
    message: str


@dataclass
class TestVerdict:
    __test__ = False  # tells pytest that this class contains no tests

    name: str  # the test's name, without "test_"
    outcome: str  # one of `OUTCOMES`
    points: float
    max_points: float
    finding: str = ""  # what happened, for the learner; empty if the test passed
    call: str = ""  # the call's text, shown before the finding
    mismatch: Mismatch | None = None  # has the returned and the expected value, to draw a picture
    error: dict | None = None  # the worker's description of the error
    shown_call: Call | None = None  # the call that the finding is about
    reason: str = ""  # the cause, if the test reveals it

    @property
    def message(self) -> str:
        """Return the reason, the call and the finding as one text for the learner."""
        return clean(" ".join(filter(None, (self.reason, *self.shorten()))))

    def fail(self, outcome: str, finding: str, call: str = "", error: dict | None = None, reason: str = "") -> None:
        """Set the points to 0 and record the outcome and its explanation."""
        finding = finding if len(finding) <= MAX_FINDING_LENGTH else f"{finding[:MAX_FINDING_LENGTH]} ..."
        self.outcome, self.points, self.finding, self.call, self.error = outcome, 0, finding, call, error
        self.reason = reason

    def shorten(self, room: int = ROOM_CHARACTERS) -> tuple[str, str]:
        """Return the call and the finding, shortened to a total of `room` characters if possible."""
        call, finding = self.call, self.finding
        for show, line_length, message_length in _LADDER:
            call = self.shown_call.format_with(show) if self.shown_call else self.call
            finding = _shorten_error(self.finding, self.error, line_length, message_length)
            if len(call) <= MAX_CALL_LENGTH and len(call) + len(finding) < room:
                break
        return call, finding

    def to_record(self) -> TestRecord:
        points = round_points(self.points)
        return {"name": self.name, "outcome": self.outcome, "points": points, "message": self.message}


def round_points(points: float) -> float:
    """Return points as an integer if possible, otherwise rounded to two decimals."""
    points = round(points, 2)
    return int(points) if points == int(points) else points


def _shorten_error(finding: str, error: dict | None, line_length: int, message_length: int) -> str:
    """Return the finding with the source line and the message of its error cut to these lengths."""
    if not error:
        return finding
    line, message = source_line_of(error), message_of(error)
    if line:
        finding = finding.replace(f": {line})", f": {shorten(line, line_length)})" if line_length else ")")
    short_message = shorten(message, message_length) if message_length else ""
    if short_message != message and (sizes := find_mismatched_sizes(message)):  # Never cut off the sizes.
        short_message = f"sizes {' and '.join(map(str, sizes))} do not match"
    return finding.replace(f": {message}", f": {short_message}" if short_message else "", 1) if message else finding
