"""The feedback page: what a learner has to look at comes first; what is right is folded away."""

import ast
import functools
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from jinja2 import Template
from markupsafe import Markup
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import Exporter, ResourcesDict
from nbconvert.filters import Highlight2HTML, markdown2html
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import GetGrades
from pygments.formatters import HtmlFormatter

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.gradebook.queries import after_penalty, comments_of, grades_of
from autograder.classroom.marking.verdicts import Place, read_verdicts
from autograder.classroom.returns.exports.scores import number
from autograder.classroom.returns.feedback.cards import cards_of, own_cells
from autograder.classroom.returns.feedback.write import WITHHELD
from autograder.classroom.returns.pages import template
from autograder.classroom.roster.groups import authors
from autograder.classroom.roster.people import People, full_name

SHOWN = 20_000  # characters of one cell that a page shows: its readers, and what colours code, have no time for more
REMEMBERED = 500  # cells whose HTML is kept: what is given is the same on every learner's page


class FeedbackPage(HTMLExporter):
    """What `nbgrader generate_feedback` writes with: its steps, and a page of our own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.optimistic_validation = True  # the notebook, which we wrote, is checked once
        self.names: dict[str, dict[str, str]] = {}  # assignment of groups -> who handed in -> the names of their group

    def from_notebook_node(
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **options: Any
    ) -> tuple[str, dict[str, Any]]:
        """The page, as HTML."""
        nb, resources = Exporter.from_notebook_node(self, nb, resources, **options)
        about = resources["nbgrader"]
        course = course_in(Path(self.config.GradeAnswers.secret_file).parent)
        if not course.plan.assignment(about["assignment"]).returns_feedback:
            raise CourseError(WITHHELD.format(about["assignment"]))
        line = read_verdicts(course.folder, Place(about["student"], about["assignment"], about["notebook"])) or {}
        is_chapter = curriculum.solution_of(about["notebook"]).exists()
        chapter = read_chapter(about["notebook"]) if is_chapter else None
        if course.plan.assignment(about["assignment"]).group_work:
            if about["assignment"] not in self.names:
                self.names[about["assignment"]] = _names_of_groups(course, about["assignment"])
            about["totals"]["student"] = self.names[about["assignment"]].get(about["student"], about["student"])
        shown = {
            "cards": cards_of(nb, about["totals"]["waiting"]),
            "problem": line.get("problem", ""),
            "own": own_cells(nb, [cell.source for cell in chapter.cells] if chapter else ()),
            "totals": about["totals"],
            "notes": line.get("notes", ()),
            "title": chapter.title if chapter else about["notebook"],
            "here": about,
        }
        return clean(_template().render(shown)), resources


def _names_of_groups(course: Course, assignment: str) -> dict[str, str]:
    """Who handed in -> the names of all for whom that counts."""
    people, names = People(course).by_id, defaultdict[str, list[str]](list)
    for student, author in authors(course, assignment).items():
        names[author].append(people[student].name or student)
    return {author: ", ".join(of_group) for author, of_group in names.items()}


@functools.cache
def _template() -> Template:
    page = template("feedback", code=code, prose=prose, points=number)
    page.globals["code_css"] = _code_css()
    return page


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


class ReadGrades(GetGrades):
    """nbgrader's step, which puts points and comments among the marks, with a question for each kind, not each cell.

    Totals of the submission, and the cells that a person has still to grade, are left in the resources.
    """

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            submission = gradebook.find_submission(about["assignment"], about["student"])
            here = next(notebook for notebook in submission.notebooks if notebook.name == about["notebook"])
            grades, comments = grades_of(gradebook, here), comments_of(gradebook, here)
            penalty = here.late_submission_penalty or 0
            about |= {"score": after_penalty(here.score, penalty), "max_score": here.max_score, "late_penalty": penalty}
            about["totals"] = {
                "student": full_name(submission.student) or submission.student.id,
                "assignment": about["assignment"],
                "notebooks": sorted(
                    (notebook.name, after_penalty(notebook.score, notebook.late_submission_penalty), notebook.max_score)
                    for notebook in submission.notebooks
                ),
                "waiting": {name for name, grade in grades.items() if grade.needs_manual_grade},
            }
        for cell in nb.cells:
            marks = cell.metadata.get("nbgrader", {})
            if utils.is_solution(cell) or utils.is_task(cell):
                marks["comment"] = comments[marks["grade_id"]].comment
            if utils.is_grade(cell) or utils.is_task(cell):
                grade = grades[marks["grade_id"]]
                marks["score"], marks["points"] = grade.score, grade.max_score
        return nb, resources
