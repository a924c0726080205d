"""The feedback page: first what a learner has to look at; what is correct is folded."""

import functools
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from jinja2 import Template
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import Exporter
from nbconvert.filters import Highlight2HTML, markdown2html
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.gradebook.queries import Grade, Work, works
from autograder.classroom.marking.judge import SAID
from autograder.classroom.marking.verdicts import Place, read_verdicts
from autograder.classroom.returns.pages import template
from autograder.classroom.returns.scores import number
from autograder.classroom.roster.groups import names_of

OWN = 100_000  # characters of cells that a learner has added
NO_RESPONSE = "No response."  # nbgrader's own comment on an unchanged stub


@dataclass
class Card:
    name: str
    kind: str  # "exercise", "question" or "task"
    score: float = 0.0
    max_score: float = 0.0
    auto: float | None = None  # points of the tests, if a person has given others
    waits: bool = False  # whether a person still has to look at it
    waived: str = ""  # what everybody has of its points, where the teacher waived it
    is_begun: bool = True  # whether there is more than the stub
    verdict: str = ""  # our HTML, or empty
    said: str = ""  # the sentence that says what is wrong, or empty
    text: str = ""  # the question, as Markdown
    answers: list[str] = field(default_factory=list)  # code (Markdown for a question), and a person's text below it
    comments: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        words = self.name.removesuffix("-question").replace("-", " ").capitalize()
        return self.name if self.kind == "exercise" else words

    @property
    def state(self) -> str:
        if self.waits or not (self.is_begun or self.score):
            return "waits" if self.waits else "todo"
        return "right" if self.score >= self.max_score else "partly" if self.score > 0 else "wrong"

    @property
    def is_open(self) -> bool:
        return self.state != "right" or bool(self.comments)


def cards_of(notebook: NotebookNode, work: Work, waived: Mapping[str, str]) -> list[Card]:
    """Return the cards of a graded notebook."""
    cards: list[Card] = []
    answers: list[str] = []
    comments: list[str] = []
    text, is_begun = "", True
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if not marks:
            continue
        comment = work.comments.get(marks.get("grade_id", ""))
        comments += [comment] if comment and comment != NO_RESPONSE else []
        is_begun = is_begun and comment != NO_RESPONSE
        if marks.get("solution"):
            answers.append(cell.source)
        elif not marks.get("grade") and cell.cell_type == "markdown":
            text = cell.source
        if marks.get("grade") or marks.get("task"):
            grade = work.grades.get(marks["grade_id"], Grade())
            card = _card(cell, marks, text, grade)
            card.answers, card.comments, card.waits = answers, comments, grade.waits
            card.is_begun, card.waived = is_begun, waived.get(card.name, "")
            card.auto = None if card.waived else card.auto
            cards.append(card)
            answers, comments, is_begun = list[str](), list[str](), True
    return cards


def _card(cell: NotebookNode, marks: dict[str, Any], text: str, grade: Grade) -> Card:
    name, score, worth = marks["grade_id"], grade.score, grade.worth
    if marks.get("task"):
        return Card(name, "task", score, worth, text=cell.source)
    if marks.get("solution"):
        return Card(name, "question", score, worth, text=text if cell.cell_type == "markdown" else "")
    output_shown = next((output for output in cell.get("outputs", ()) if "text/html" in output.get("data", {})), None)
    if output_shown is None:
        return Card(name, "exercise", score, worth)
    auto = None
    with suppress(KeyError, TypeError, ValueError):
        given_by_tests = float(output_shown.data["text/plain"])
        auto = given_by_tests if abs(given_by_tests - score) > 0.005 else None
    said = output_shown.get("metadata", {}).get(SAID, "")
    return Card(name, "exercise", score, worth, auto, verdict=output_shown.data["text/html"], said=said)


def own_cells(notebook: NotebookNode, released: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Return kind and source of cells that the learner added; of many, only the first ones and a count."""
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


SHOWN = 20_000  # characters of one cell: longer ones take readers and the highlighter too long
REMEMBERED = 500  # cells with cached HTML: given ones are equal on all pages
Shown = dict[str, Any]  # what the template shows of one notebook


def shown_of(course: Course, assignment: str, author: str, names: str) -> list[Shown]:
    """Return what to show of each graded notebook of a submission, in the assignment's order."""
    place_of, folder = course.plan.assignment(assignment).place_of, course.folder_of("autograded", author, assignment)
    found = works(course.read, assignment, author).get(author, {})
    notebooks = [name for name in found if (folder / f"{name}.ipynb").exists()]
    totals = {"student": names, "assignment": assignment, "notebooks": []}
    pages = list[Shown]()
    for name in sorted(notebooks, key=place_of):
        notebook: Any = nbformat.read(folder / f"{name}.ipynb", as_version=4)
        work = found[name]
        line = read_verdicts(course.folder, Place(author, assignment, name)) or {}
        chapter = read_chapter(name) if curriculum.solution_of(name).exists() else None
        worth = sum(grade.worth for grade in work.grades.values())
        totals["notebooks"].append((name, work.counts, worth))
        pages.append(
            {
                "name": name,
                "title": chapter.title if chapter else name,
                "score": work.counts,
                "worth": worth,
                "penalty": work.penalty,
                "cards": cards_of(notebook, work, course.plan.assignment(assignment).waived),
                "waiting": sorted(cell for cell, grade in work.grades.items() if grade.waits),
                "problem": line.get("problem", ""),
                "notes": line.get("notes", ()),
                "own": own_cells(notebook, [cell.source for cell in chapter.cells] if chapter else ()),
                "totals": totals,
            }
        )
    return pages


def page(shown: list[Shown]) -> str:
    return clean(_template().render(pages=shown))


class FeedbackPage(HTMLExporter):
    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[str, dict[str, Any]]:
        nb, resources = Exporter.from_notebook_node(self, nb, resources, **options)
        about = resources["nbgrader"]
        course = course_in(Path(self.config.GradeAnswers.secret_file).parent)
        name, author = about["assignment"], about["student"]
        if withheld := course.plan.assignment(name).withheld:
            raise CourseError(withheld)
        shown = shown_of(course, name, author, names_of(course, name).get(author, author))
        return page([each for each in shown if each["name"] == about["notebook"]]), resources


@functools.cache
def _template() -> Template:
    made = template("feedback", code=code, prose=prose, points=number)
    made.globals["code_css"] = _code_css()
    return made


@functools.lru_cache(maxsize=REMEMBERED)
def code(source: str) -> Markup:
    """Return highlighted code."""
    # Trailing white space is removed, because the lexer searches it for docstrings repeatedly.
    lines = beginning(source).splitlines()
    return Markup(Highlight2HTML()("\n".join(line.rstrip() for line in lines), "python"))


@functools.lru_cache(maxsize=REMEMBERED)
def prose(markdown: str) -> Markup:
    """Return prose as HTML; formulas stay as typed, because rendering them would need the internet."""
    markdown = re.sub(r"!\[([^]]*)\]\(attachment:[^)]*\)", r"\1", beginning(markdown))  # it is not on the page
    html = re.sub(r"<a class=\"anchor-link\".*?</a>", "", markdown2html(markdown), flags=re.DOTALL)
    return Markup(html)


def beginning(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}\n... ({len(text) - SHOWN:,} characters more)"


@functools.cache
def _code_css() -> Markup:
    def rules(style: str) -> str:
        lines = HtmlFormatter(style=style).get_style_defs(".highlight").splitlines()
        return "".join(line for line in lines if not any(word in line for word in ("linenos", ".hll", "{ background")))

    return Markup(f"{rules('default')}@media screen and (prefers-color-scheme:dark){{{rules('github-dark')}}}")
