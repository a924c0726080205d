"""The feedback page of a learner. Cards of correct exercises without comments are folded, all others are open."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
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
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course, open_course
from autograder.classroom.gradebook.queries import Grade, GradedWork, read_graded_notebooks
from autograder.classroom.marking.judge import SENTENCE
from autograder.classroom.marking.verdicts import NotebookPlace, read_verdicts
from autograder.classroom.returns.pages import load_template
from autograder.classroom.returns.scores import format_points
from autograder.classroom.roster.counted import list_submission_names

# nbgrader's comment on an unchanged stub.
NO_RESPONSE = "No response."


@dataclass
class FeedbackCard:
    name: str
    kind: str  # "exercise", "question" or "task"
    score: float
    max_score: float
    auto: float | None  # the points of the tests, if a person has changed them
    needs_manual_grade: bool
    waived: str  # `FULL` or `NONE` if it is waived, otherwise empty
    is_begun: bool  # whether the stub was changed
    verdict: str  # HTML, or empty
    sentence: str
    text: str  # the question, as Markdown
    answers: list[str]  # code, or Markdown for a question
    comments: list[str]

    @property
    def state(self) -> str:
        """Return the CSS class of the card."""
        if self.needs_manual_grade or not (self.is_begun or self.score):
            return "waits" if self.needs_manual_grade else "todo"
        return "right" if self.score >= self.max_score else "partly" if self.score > 0 else "wrong"

    @property
    def is_open(self) -> bool:
        return self.state != "right" or bool(self.comments)


def make_cards(notebook: NotebookNode, work: GradedWork, waivers: Mapping[str, str]) -> list[FeedbackCard]:
    """Return the cards of a graded notebook. A card covers the cells after the previous graded cell up to its own."""
    cards: list[FeedbackCard] = []
    answers, comments, text, is_begun = list[str](), list[str](), "", True
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
            name, grade = marks["grade_id"], work.grades.get(marks["grade_id"], Grade())
            kind = "task" if marks.get("task") else "question" if marks.get("solution") else "exercise"
            outputs = cell.get("outputs", ()) if kind == "exercise" else ()
            output = next((output for output in outputs if "text/html" in output.get("data", {})), {"data": {}})
            points = output["data"].get("text/plain", "")
            has_changed = re.fullmatch(r"[\d.]+", points) and abs(float(points) - grade.score) > 0.005
            question = text if kind == "question" and cell.cell_type == "markdown" else ""
            card = FeedbackCard(
                name=name,
                kind=kind,
                score=grade.score,
                max_score=grade.max_score,
                auto=float(points) if has_changed and name not in waivers else None,
                needs_manual_grade=grade.needs_manual_grade,
                waived=waivers.get(name, ""),
                is_begun=is_begun,
                verdict=output["data"].get("text/html", ""),
                sentence=output.get("metadata", {}).get(SENTENCE, ""),
                text=cell.source if kind == "task" else question,
                answers=answers,
                comments=comments,
            )
            cards.append(card)
            answers, comments, is_begun = list[str](), list[str](), True
    return cards


MAX_CELL_CHARACTERS = 20_000  # characters of a cell that are shown
MAX_CACHED_CELLS = 500
NotebookView = dict[str, Any]


def view_notebooks(course: Course, assignment: str, submitter: str, names: str) -> list[NotebookView]:
    """Return the template's variables for each graded notebook. `names`: names of the learners for whom they count."""
    spec, folder = course.plan.get_assignment(assignment), course.folder_of("autograded", submitter, assignment)
    graded_of = read_graded_notebooks(course.query, assignment, submitter).get(submitter, {})
    notebooks = [name for name in graded_of if (folder / f"{name}.ipynb").exists()]
    totals = {"student": names, "assignment": assignment, "notebooks": []}
    views = list[NotebookView]()
    for name in sorted(notebooks, key=spec.notebook_sort_key):
        notebook: Any = nbformat.read(folder / f"{name}.ipynb", as_version=4)
        work = graded_of[name]
        line = read_verdicts(course.folder, NotebookPlace(submitter, assignment, name)) or {}
        chapter = read_chapter(name) if curriculum.solution_of(name).exists() else None
        max_score = sum(grade.max_score for grade in work.grades.values())
        totals["notebooks"].append((name, work.final_score, max_score))
        views.append(
            {
                "name": name,
                "title": chapter.title if chapter else name,
                "score": work.final_score,
                "max_score": max_score,
                "penalty": work.penalty,
                "cards": make_cards(notebook, work, spec.waived),
                "waiting": sorted(cell for cell, grade in work.grades.items() if grade.needs_manual_grade),
                "problem": line.get("problem", ""),
                "notes": line.get("notes", ()),
                "totals": totals,
            }
        )
    return views


def render_page(views: list[NotebookView]) -> str:
    return clean(_load_page_template().render(pages=views))


class FeedbackPage(HTMLExporter):
    """The exporter of feedback pages for nbgrader's own command and Formgrader's button."""

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[str, dict[str, Any]]:
        nb, resources = Exporter.from_notebook_node(self, nb, resources, **options)
        context = resources["nbgrader"]
        course = open_course(Path(self.config.GradeAnswers.secret_file).parent)
        name, student = context["assignment"], context["student"]
        course.plan.get_assignment(name).require_feedback()
        views = view_notebooks(course, name, student, list_submission_names(course, name).get(student, student))
        return render_page([view for view in views if view["name"] == context["notebook"]]), resources


@functools.cache
def _load_page_template() -> Template:
    template = load_template("feedback", code=highlight, prose=render_prose, points=format_points)
    template.globals["code_css"] = _make_code_css()
    return template


@functools.lru_cache(maxsize=MAX_CACHED_CELLS)
def highlight(source: str) -> Markup:
    # Remove trailing white space, because it slows down the lexer's search for docstrings.
    lines = _shorten(source).splitlines()
    return Markup(Highlight2HTML()("\n".join(line.rstrip() for line in lines), "python"))


@functools.lru_cache(maxsize=MAX_CACHED_CELLS)
def render_prose(markdown: str) -> Markup:
    """Return Markdown as HTML. Formulas are not rendered, because that would need the internet."""
    # nbconvert refuses attached pictures, which pages do not contain, so replace them with their alternative texts.
    markdown = re.sub(r"!\[([^]]*)\]\(attachment:[^)]*\)", r"\1", _shorten(markdown))
    return Markup(re.sub(r"<a class=\"anchor-link\".*?</a>", "", markdown2html(markdown), flags=re.DOTALL))


def _shorten(text: str) -> str:
    extra = len(text) - MAX_CELL_CHARACTERS
    return text if extra <= 0 else f"{text[:MAX_CELL_CHARACTERS]}\n... ({extra:,} characters more)"


def _make_code_css() -> Markup:
    def make_rules(style: str) -> str:
        lines = HtmlFormatter(style=style).get_style_defs(".highlight").splitlines()
        return "".join(line for line in lines if not any(word in line for word in ("linenos", ".hll", "{ background")))

    light, dark = make_rules("default"), make_rules("github-dark")
    return Markup(f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}")
