"""The finding of one test, and the explanation of a wrong answer: its kind, and a change that makes it correct.

Findings are shortened to the room there is, because a reason should be read at a glance, and before numbers.

Nothing is lost: views show the whole call below the picture, and the line is in the learner's file.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TypedDict

from autograder.boundary.session import line_of, message_of
from autograder.chapters.text import clean, cut
from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import find_mismatched_sizes
from autograder.judging.values.compare import Mismatch
from autograder.judging.values.show import format_call, format_call_briefly, format_call_in_short
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.small_edits import AnswerEdit


@dataclass(frozen=True)
class Change:
    place: str  # of the cell, as the learner calls it
    line: int
    last_line: int
    what: str  # to change there, in words
    was: str  # the lines as they are
    becomes: str  # the lines with the change
    notebook: bool  # whether the place is a cell of a notebook

    @classmethod
    def from_edit(cls, answer: AnswerFile, row: AnswerEdit, first: int, last: int) -> "Change":
        """Return the change for an edit; the lines are those of its cell that contain all successful edits."""
        cell, edit = answer.cells[row.cell], row.edit
        was = _slice_lines(cell.source, edit.line, edit.last_line)
        becomes = _slice_lines(edit.apply_to(cell.source), edit.line, edit.line + edit.new.count("\n"))
        before = cell.line - 1
        return cls(cell.place, first + before, last + before, edit.what, was, becomes, answer.notebook)

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


EXPLAINS_SOME = " This explains "  # begins an addition to a mistake that explains only some of the failing calls


class Kind(str, Enum):
    """The basis of an explanation."""

    MISTAKE = "mistake"  # a known mistake gives the same results
    ERROR = "error"  # the failed test, or the error in it, says the cause
    OBSERVATION = "observation"  # how the results relate to the expected ones
    SLIP = "slip"  # code that is hardly ever intended
    LEAKED_STATE = "leaked state"
    DEPENDENCY = "dependency"  # another exercise that this one calls
    LINE = "line"  # only the line is known


class Cost(IntEnum):
    """What an explainer needs, from cheap to expensive."""

    REPLIES = 1  # only the replies: equal replies have equal explanations
    ANSWER = 2  # the answer's source, and another process of it
    SOLUTIONS = 3  # solutions replace functions of the answer; comes after all other requests
    SEARCH = 4  # hundreds of edits of the answer


@dataclass(frozen=True)
class Explanation:
    """One explanation of everything that is wrong with an answer to one exercise."""

    kind: Kind
    sentence: str  # the first thing to say
    hint: str = ""  # what to try
    rule: str = ""  # what should hold
    name: str = ""  # of the known mistake
    dependencies: tuple[str, ...] = ()  # exercises whose solutions make this one correct
    change: Change | None = None  # one small change that makes every test pass
    test: str = ""  # the name of the test that shows it; empty for the first that failed


# "fault" is an internal error, which costs the learner nothing. All others except "passed" give no points.
OUTCOMES = ("passed", "wrong", "raised", "timeout", "memory", "killed", "unattempted", "forbidden", "fault")
MAX_FINDING_LENGTH = 2000  # characters: an answer can forge errors and names of any length
MAX_CALL_LENGTH = 150  # characters: nobody reads longer ones
ROOM_CHARACTERS = 300  # characters of all text before a picture

# How to show a call, and how much of an error's line and message to keep: the first that fits is used.
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
    __test__ = False  # for pytest, despite its name

    name: str  # of the test, without its prefix
    outcome: str  # one of `OUTCOMES`
    points: float
    max_points: float
    finding: str = ""  # for the learner; empty if the test passed
    call: str = ""  # shown before the finding
    mismatch: Mismatch | None = None  # the values that the sentence is about, for a picture
    error: dict | None = None  # as the worker described it
    asked: Call | None = None  # the call that the finding is about
    reason: str = ""  # the cause, if the test itself shows it

    @property
    def message(self) -> str:
        """Return the sentence for the learner, with long arguments by their shapes."""
        return clean(" ".join(filter(None, (self.reason, *self.shorten()))))

    def fail(self, outcome: str, finding: str, call: str = "", error: dict | None = None, reason: str = "") -> None:
        """Take the points away and record why."""
        finding = finding if len(finding) <= MAX_FINDING_LENGTH else f"{finding[:MAX_FINDING_LENGTH]} ..."
        self.outcome, self.points, self.finding, self.call, self.error = outcome, 0, finding, call, error
        self.reason = reason

    def shorten(self, room: int = ROOM_CHARACTERS) -> tuple[str, str]:
        """Return the call and the finding, together within `room` characters, or in the shortest form."""
        call, finding = self.call, self.finding
        for show, line_length, message_length in _LADDER:
            call = self.asked.format_with(show) if self.asked else self.call
            finding = _shorten_error(self.finding, self.error, line_length, message_length)
            if len(call) <= MAX_CALL_LENGTH and len(call) + len(finding) < room:
                break
        return call, finding

    def to_record(self) -> TestRecord:
        points = round_points(self.points)
        return {"name": self.name, "outcome": self.outcome, "points": points, "message": self.message}


def round_points(points: float) -> float:
    """Return points as an integer if possible, otherwise rounded to two decimals, as a course may scale them."""
    points = round(points, 2)
    return int(points) if points == int(points) else points


def _shorten_error(finding: str, error: dict | None, line_length: int, message_length: int) -> str:
    """Return the finding with the source line and the message of its error cut to these lengths."""
    if not error:
        return finding
    line, message = line_of(error), message_of(error)
    if line:
        finding = finding.replace(f": {line})", f": {cut(line, line_length)})" if line_length else ")")
    short_message = cut(message, message_length) if message_length else ""
    if short_message != message and (sizes := find_mismatched_sizes(message)):  # words may be cut, sizes may not
        short_message = f"sizes {' and '.join(map(str, sizes))} do not match"
    return finding.replace(f": {message}", f": {short_message}" if short_message else "", 1) if message else finding
