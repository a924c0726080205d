"""The small change that makes an answer right, and what is told of it: each time one asks, a little more."""

from dataclasses import dataclass

from autograder.worker.reading.answers import AnswerFile
from autograder.worker.small_edits.answer_edits import AnswerEdit


@dataclass(frozen=True)
class Change:
    """One small change that makes an answer right."""

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
        """The lines, in words: ``line 3 of cell 5``."""
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
