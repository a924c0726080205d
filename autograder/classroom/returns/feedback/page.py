"""The feedback page: first what a learner has to look at; what is correct is folded."""

import functools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import nbformat
from jinja2 import Template
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import Exporter
from nbconvert.filters import Highlight2HTML, markdown2html
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from pygments.formatters import HtmlFormatter

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.gradebook.queries import after_penalty, comments_of, grades_of, notebooks_of
from autograder.classroom.marking.judge import SAID
from autograder.classroom.marking.verdicts import Place, read_verdicts
from autograder.classroom.returns.pages import template
from autograder.classroom.returns.scores import number
from autograder.classroom.roster.groups import authors
from autograder.classroom.roster.people import People

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


def cards_of(
    notebook: NotebookNode, waiting: Collection[str] = (), waived: Mapping[str, str] = MappingProxyType({})
) -> list[Card]:
    """Return the cards of a graded notebook, whose metadata contains scores and comments."""
    cards: list[Card] = []
    answers: list[str] = []
    comments: list[str] = []
    text, is_begun = "", True
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if not marks:
            continue
        comment = marks.get("comment")
        comments += [comment] if comment and comment != NO_RESPONSE else []
        is_begun = is_begun and comment != NO_RESPONSE
        if marks.get("solution"):
            answers.append(cell.source)
        elif not marks.get("grade") and cell.cell_type == "markdown":
            text = cell.source
        if marks.get("grade") or marks.get("task"):
            card = _card(cell, marks, text)
            card.answers, card.comments, card.waits = answers, comments, card.name in waiting
            card.is_begun, card.waived = is_begun, waived.get(card.name, "")
            card.auto = None if card.waived else card.auto
            cards.append(card)
            answers, comments, is_begun = list[str](), list[str](), True
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
WITHHELD = (
    "the feedback of {0} is not to go back yet, as course.toml has it: `attn course feedback {0} --release` lets it"
)
Shown = dict[str, Any]  # what the template shows of one notebook


def names_of(course: Course, assignment: str) -> dict[str, str]:
    """Return submitter -> the names of all for whom the submission counts."""
    people, names = People(course).by_id, defaultdict[str, list[str]](list)
    for student, author in authors(course, assignment).items():
        names[author].append((people[student].name if student in people else "") or student)
    return {author: ", ".join(of_group) for author, of_group in names.items()}


def shown_of(course: Course, gradebook: Gradebook, assignment: str, author: str, names: str) -> list[Shown]:
    """Return what to show of each graded notebook of a submission, in the assignment's order."""
    place_of, folder = course.plan.assignment(assignment).place_of, course.folder_of("autograded", author, assignment)
    submissions = notebooks_of(gradebook, assignment, author)
    notebooks = [each for each in submissions if (folder / f"{each.name}.ipynb").exists()]
    totals = {"student": names, "assignment": assignment, "notebooks": []}
    pages = list[Shown]()
    for submitted in sorted(notebooks, key=lambda each: place_of(each.name)):
        notebook: Any = nbformat.read(folder / f"{submitted.name}.ipynb", as_version=4)
        grades, comments = grades_of(gradebook, submitted), comments_of(gradebook, submitted)
        _mark(notebook, grades, comments)
        waiting = {name for name, grade in grades.items() if grade.needs_manual_grade}
        line = read_verdicts(course.folder, Place(author, assignment, submitted.name)) or {}
        chapter = read_chapter(submitted.name) if curriculum.solution_of(submitted.name).exists() else None
        penalty = submitted.late_submission_penalty or 0
        score, worth = after_penalty(submitted.score, penalty), submitted.max_score
        totals["notebooks"].append((submitted.name, score, worth))
        pages.append(
            {
                "name": submitted.name,
                "title": chapter.title if chapter else submitted.name,
                "score": score,
                "worth": worth,
                "penalty": penalty,
                "cards": cards_of(notebook, waiting, course.plan.assignment(assignment).waived),
                "waiting": sorted(waiting),
                "problem": line.get("problem", ""),
                "notes": line.get("notes", ()),
                "own": own_cells(notebook, [cell.source for cell in chapter.cells] if chapter else ()),
                "totals": totals,
            }
        )
    return pages


def _mark(notebook: NotebookNode, grades: dict[str, Any], comments: dict[str, Any]) -> None:
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        name = marks.get("grade_id")
        if name in comments:
            marks["comment"] = comments[name].comment
        if name in grades:
            marks["score"], marks["points"] = grades[name].score, grades[name].max_score


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
        if not course.plan.assignment(name).returns_feedback:
            raise CourseError(WITHHELD.format(name))
        with course.gradebook() as gradebook:
            shown = shown_of(course, gradebook, name, author, names_of(course, name).get(author, author))
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
