"""What stands on a feedback page: a card for each exercise, question and task, out of the graded notebook."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode

from autograder.classroom.marking.judge import SAID

OWN = 100_000  # characters of cells that a learner has added
NO_RESPONSE = "No response."  # nbgrader's own comment on an answer that is still the stub


@dataclass
class Card:
    """One graded thing."""

    name: str
    kind: str  # "exercise", "question" or "task"
    score: float = 0.0
    max_score: float = 0.0
    auto: float | None = None  # the points of the tests, where a person has given others
    waits: bool = False  # whether a person has still to look at it
    verdict: str = ""  # HTML of ours, or empty
    said: str = ""  # the sentence that says what is wrong, or empty
    text: str = ""  # the question, as Markdown
    answers: list[str] = field(default_factory=list)  # code (of a question: Markdown), and what a person wrote below it
    comments: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What a reader calls it."""
        return (
            self.name if self.kind == "exercise" else self.name.removesuffix("-question").replace("-", " ").capitalize()
        )

    @property
    def state(self) -> str:
        """ "waits", "right", "partly" or "wrong"."""
        if self.waits:
            return "waits"
        return "right" if self.score >= self.max_score else "partly" if self.score > 0 else "wrong"

    @property
    def is_open(self) -> bool:
        """Whether there is something to look at."""
        return self.state != "right" or bool(self.comments)


def cards_of(notebook: NotebookNode, waiting: Collection[str] = ()) -> list[Card]:
    """The cards of a graded notebook, in its order.

    `notebook`: as nbgrader's GetGrades left it: scores and comments are among the marks.
    `waiting`: names of the cells that a person has still to grade.
    """
    cards: list[Card] = []
    answers: list[str] = []
    comments: list[str] = []
    text = ""
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if not marks:
            continue
        comment = marks.get("comment")
        comments += [comment] if comment and comment != NO_RESPONSE else []
        if marks.get("solution"):
            answers.append(cell.source)
        elif not marks.get("grade") and cell.cell_type == "markdown":
            text = cell.source
        if marks.get("grade") or marks.get("task"):
            card = _card(cell, marks, text)
            card.answers, card.comments, card.waits = answers, comments, card.name in waiting
            cards.append(card)
            answers, comments = list[str](), list[str]()
    return cards


def _card(cell: NotebookNode, marks: dict[str, Any], text: str) -> Card:
    name, score, worth = marks["grade_id"], float(marks.get("score") or 0), float(marks.get("points") or 0)
    if marks.get("task"):
        return Card(name, "task", score, worth, text=cell.source)
    if marks.get("solution"):
        return Card(name, "question", score, worth, text=text if cell.cell_type == "markdown" else "")
    output_shown = next((output for output in cell.get("outputs", ()) if "text/html" in output.get("data", {})), None)
    if output_shown is None:
        return Card(name, "exercise", score, worth)
    auto = _number(output_shown.data.get("text/plain"))
    if auto is not None and abs(auto - score) <= 0.005:
        auto = None
    said = output_shown.get("metadata", {}).get(SAID, "")
    return Card(name, "exercise", score, worth, auto, verdict=output_shown.data["text/html"], said=said)


def _number(text: Any) -> float | None:
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def own_cells(notebook: NotebookNode, released: Iterable[str] = ()) -> list[tuple[str, str]]:
    """(Kind, source) of the cells that the learner has added: no marks, and none of the sources that were released.

    Of many only the first, and then one that says how many there are.
    """
    released_sources, room = {"", *(source.strip() for source in released)}, OWN
    cells: list[tuple[str, str]] = []
    mine = [
        cell
        for cell in notebook.cells
        if not cell.metadata.get("nbgrader") and cell.source.strip() not in released_sources
    ]
    for cell in mine:
        room -= len(cell.source) + 100
        if room < 0:
            return [*cells, ("markdown", f"... and {len(mine) - len(cells):,} cells more")]
        cells.append((cell.cell_type, cell.source))
    return cells
