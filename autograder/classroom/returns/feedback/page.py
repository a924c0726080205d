"""The feedback page: what a learner has to look at comes first; what is right is folded away."""

import ast
import functools
import re
from collections import defaultdict
from pathlib import Path
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
from autograder.classroom.marking.verdicts import Place, read_verdicts
from autograder.classroom.returns.exports.scores import number
from autograder.classroom.returns.feedback.cards import cards_of, own_cells
from autograder.classroom.returns.pages import template
from autograder.classroom.roster.groups import authors
from autograder.classroom.roster.people import People

SHOWN = 20_000  # characters of one cell that a page shows: its readers, and what colours code, have no time for more
REMEMBERED = 500  # cells whose HTML is kept: what is given is the same on every learner's page
WITHHELD = (
    "the feedback of {0} is not to go back yet, as course.toml has it: `attn course feedback {0} --release` lets it"
)
Shown = dict[str, Any]  # what the template shows of one notebook


def names_of(course: Course, assignment: str) -> dict[str, str]:
    """Return who handed in -> the names of all for whom that counts."""
    people, names = People(course).by_id, defaultdict[str, list[str]](list)
    for student, author in authors(course, assignment).items():
        names[author].append((people[student].name if student in people else "") or student)
    return {author: ", ".join(of_group) for author, of_group in names.items()}


def shown_of(course: Course, gradebook: Gradebook, assignment: str, author: str, names: str) -> list[Shown]:
    """Return what is shown of each graded notebook of a submission, in the order of the assignment."""
    place_of, folder = course.plan.assignment(assignment).place_of, course.folder_of("autograded", author, assignment)
    notebooks = [
        each for each in notebooks_of(gradebook, assignment, author) if (folder / f"{each.name}.ipynb").exists()
    ]
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
                "cards": cards_of(notebook, waiting),
                "waiting": sorted(waiting),
                "problem": line.get("problem", ""),
                "notes": line.get("notes", ()),
                "own": own_cells(notebook, [cell.source for cell in chapter.cells] if chapter else ()),
                "totals": totals,
            }
        )
    return pages


def _mark(notebook: NotebookNode, grades: dict[str, Any], comments: dict[str, Any]) -> None:
    """Put points and comments among the marks, where `cards_of` finds them."""
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        name = marks.get("grade_id")
        if name in comments:
            marks["comment"] = comments[name].comment
        if name in grades:
            marks["score"], marks["points"] = grades[name].score, grades[name].max_score


def page(shown: list[Shown]) -> str:
    """Return a page on some notebooks, as HTML that stands alone."""
    return clean(_template().render(pages=shown))


class FeedbackPage(HTMLExporter):
    """The same page for nbgrader's own `generate_feedback`."""

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
    """Code with its colours, docstrings cut to their first line."""
    # Without what is white at the ends of lines, over which a lexer looks for a docstring again and again.
    lines = without_docstrings(beginning(source)).splitlines()
    return Markup(Highlight2HTML()("\n".join(line.rstrip() for line in lines), "python"))


@functools.lru_cache(maxsize=REMEMBERED)
def prose(markdown: str) -> Markup:
    """Prose of the teacher's, or of a learner's: what was a tag in that is text by now (`release/restore.py`).

    Formulas are shown as they were typed: who reads the page would have to fetch from the internet what draws them.
    """
    markdown = re.sub(r"!\[([^]]*)\]\(attachment:[^)]*\)", r"\1", beginning(markdown))  # which stayed in the notebook
    html = re.sub(r"<a class=\"anchor-link\".*?</a>", "", markdown2html(markdown), flags=re.DOTALL)
    return Markup(html)


def beginning(text: str) -> str:
    """As much of a cell as a page shows."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}\n... ({len(text) - SHOWN:,} characters more)"


def without_docstrings(source: str) -> str:
    """Code in which every docstring of several lines is its first one: the learner knows the rest."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source
    lines = source.splitlines()
    for node in sorted(ast.walk(tree), key=lambda node: -getattr(node, "lineno", 0)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            text = node.body[0]
            end, behind = text.end_lineno or text.lineno, text.end_col_offset or 0
            if end > text.lineno and not lines[end - 1][behind:].strip():
                lines[text.lineno - 1 : end] = [f'{lines[text.lineno - 1].rstrip()} ..."""']
    return "\n".join(lines)


@functools.cache
def _code_css() -> Markup:
    def rules(style: str) -> str:
        lines = HtmlFormatter(style=style).get_style_defs(".highlight").splitlines()
        return "".join(
            line for line in lines if "linenos" not in line and ".hll" not in line and "{ background" not in line
        )

    return Markup(f"{rules('default')}@media screen and (prefers-color-scheme:dark){{{rules('github-dark')}}}")
