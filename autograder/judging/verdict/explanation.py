"""Why an answer is wrong: what kind of reason was found, and the change of its text that makes it right."""

from dataclasses import dataclass
from enum import Enum, IntEnum

from autograder.worker.reading.answers import AnswerFile
from autograder.worker.small_edits import AnswerEdit


@dataclass(frozen=True)
class Change:
    place: str  # of the cell, as the learner calls it
    line: int
    last_line: int
    what: str  # is to change there, in words
    was: str  # the lines as they are
    becomes: str  # the same with the change
    notebook: bool  # whether the place is a cell of a notebook

    @classmethod
    def of(cls, answer: AnswerFile, row: AnswerEdit, first: int, last: int) -> "Change":
        """What is told of an edit, where these lines of its cell hold all edits that do."""
        cell, edit = answer.cells[row.cell], row.edit
        was = _lines(cell.source, edit.line, edit.last_line)
        becomes = _lines(edit.apply_to(cell.source), edit.line, edit.line + edit.new.count("\n"))
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


def _lines(text: str, first: int, last: int) -> str:
    return "\n".join(text.split("\n")[first - 1 : last])


EXPLAINS_SOME = " This explains "  # begins what is added to a mistake that explains some of the failing calls


class Kind(str, Enum):
    """What an explanation rests on."""

    MISTAKE = "mistake"  # a known mistake, made again, comes to the same
    ERROR = "error"  # the failed test, or the error in it, says what it means
    OBSERVATION = "observation"  # what the results have to do with the expected ones
    SLIP = "slip"  # in the text: what is hardly ever meant
    LEAKED_STATE = "leaked state"
    DEPENDENCY = "dependency"  # another exercise that this one calls
    LINE = "line"  # nothing but the line is known


class Cost(IntEnum):
    """What an explainer needs, from what is at hand to what takes longest."""

    REPLIES = 1  # what came back, and nothing else: the same replies have the same explanation
    ANSWER = 2  # the answer's text, and another process of it
    SOLUTIONS = 3  # the answer among solutions, when nothing else will be asked of it
    SEARCH = 4  # hundreds of edits of the answer


@dataclass(frozen=True)
class Explanation:
    """One explanation of all that is wrong with an answer to one exercise."""

    kind: Kind
    sentence: str  # the first thing to tell
    hint: str = ""  # what to try
    rule: str = ""  # what should hold
    name: str = ""  # of the known mistake
    dependencies: tuple[str, ...] = ()  # the exercises whose solutions make this one right
    change: Change | None = None  # one small change of the answer that makes every test pass
    test: str = ""  # the name of the test that shows it; empty for the first that failed
