"""Where nbgrader meets the grader: three steps of `nbgrader autograde` are replaced, the rest is nbgrader's.

1. `AnswerReader` reads whatever was handed in and keeps its text alone.
2. `RestoreCells` puts nbgrader's marks back on the cells they belong to.
3. `GradeAnswers` stands in for `Execute`: no code of a learner runs in nbgrader's process or in a kernel beside it.
   Points go where nbgrader looks for partial credit, sentences where learners read them.
"""

import html
import re
from collections import defaultdict
from pathlib import Path

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import v4
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Unicode

from autograder.answer_file import notebook_answer
from autograder.chapter import STUB, read_chapter
from autograder.curriculum import CHAPTERS
from autograder.errors import KitFault
from autograder.grading import Task, grade

UNREADABLE = "attn_unreadable"  # notebook metadata, from the reader to the grader


def configure(c, course):
    """Set what nbgrader needs in a course of this kit.

    Parameters
    ----------
    c : traitlets.config.Config
    course : pathlib.Path
        The course's folder.
    """
    c.CourseDirectory.root = str(Path(course).resolve())
    c.ClearSolutions.code_stub = {"python": "\n".join(STUB)}
    c.Autograde.exporter_class = AnswerReader
    c.Autograde.sanitize_preprocessors = [RestoreCells, *Autograde.sanitize_preprocessors.default()]
    c.Autograde.autograde_preprocessors = [
        GradeAnswers if step is Execute else step for step in Autograde.autograde_preprocessors.default()
    ]
    c.GradeAnswers.secret_file = str(Path(course).resolve() / "secret")


class AnswerReader(NotebookExporter):
    """Reads a notebook whatever state it is in; one that cannot be read becomes an empty one that says so.

    Of each cell its type, its text and nbgrader's marks are kept. Outputs, widgets and other metadata are the
    learner's to forge, and nothing here needs them.
    """

    def from_file(self, file_stream, resources=None, **options):
        try:
            read = nbformat.reads(file_stream.read().lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"), as_version=4)
            notebook = v4.new_notebook(cells=[_bare(cell) for cell in read.cells])
            if UNREADABLE in read.metadata:
                notebook.metadata[UNREADABLE] = True
        except Exception as error:  # whatever a broken file makes nbformat raise
            self.log.warning("The notebook cannot be read: %s", error)
            notebook = v4.new_notebook(metadata={UNREADABLE: True})
        return self.from_notebook_node(notebook, resources, **options)


def _bare(cell):
    new = v4.new_code_cell if cell.cell_type == "code" else v4.new_markdown_cell
    bare = new(str(cell.source))
    marks = cell.metadata.get("nbgrader")
    if isinstance(marks, dict) and isinstance(marks.get("grade_id"), str):
        bare.metadata["nbgrader"] = marks
    return bare


class RestoreCells(NbGraderPreprocessor):
    """Gives each cell the marks it was released with.

    Cells come back duplicated, moved, retitled, without metadata, or not at all. nbgrader alone stops the whole
    run at some of these, and gives no score for a grade cell that is missing.
    """

    def preprocess(self, nb, resources):
        place = resources["nbgrader"]
        with Gradebook(place["db_url"]) as gradebook:
            released = gradebook.find_notebook(place["notebook"], place["assignment"])
            points = {cell.name: cell.max_score for cell in released.grade_cells}
            solutions = {cell.name for cell in released.solution_cells}
            given = {cell.name: cell for cell in released.source_cells}
            nb.cells = _restored(nb.cells, given, points, solutions)
        return nb, resources


def _restored(cells, given, points, solutions):
    """The cells with exactly one marked cell for each name; missing grade cells come back, other copies go or stay."""
    name_of_text = {cell.source.strip(): name for name, cell in given.items() if cell.locked}
    copies = defaultdict(list)
    for cell in cells:
        marks = cell.metadata.pop("nbgrader", {})
        name = name_of_text.get(cell.source.strip(), marks.get("grade_id"))
        # nbgrader turns an answer that became Markdown back into code; what is given never changes its type.
        if name in given and (name in solutions or cell.cell_type == given[name].cell_type):
            copies[name].append(cell)
    gone = set()
    for name, found in copies.items():
        # Among copies, the answer is one that was worked on; what is given is one that was not.
        fitting = [cell for cell in found if (cell.source != given[name].source) == (name in solutions)]
        chosen = (fitting or found)[-1]
        chosen.metadata["nbgrader"] = _marks(given[name], points, solutions)
        # An untouched copy of what is given is no work of the learner; every other one is left as an ordinary cell.
        gone |= {id(c) for c in found if c is not chosen and c in fitting and name not in solutions}
    kept = [cell for cell in cells if id(cell) not in gone]
    for name in points:
        if name not in copies:
            missing = v4.new_code_cell(given[name].source)
            missing.metadata["nbgrader"] = _marks(given[name], points, solutions)
            kept.append(missing)
    return kept


def _marks(cell, points, solutions):
    marks = {
        "schema_version": 3,
        "grade_id": cell.name,
        "grade": cell.name in points,
        "solution": cell.name in solutions,
        "locked": cell.locked,
        "task": False,
        "cell_type": cell.cell_type,
        "checksum": cell.checksum,
    }
    return marks | ({"points": points[cell.name]} if cell.name in points else {})


class GradeAnswers(NbGraderPreprocessor):
    """Grades the notebook's answer in an isolated worker and writes points and sentences into its grade cells."""

    secret_file = Unicode("", help="The file with the course's secret, from which hidden inputs are drawn.").tag(
        config=True
    )

    def preprocess(self, nb, resources):
        name, student = resources["nbgrader"]["notebook"], resources["nbgrader"]["student"]
        try:
            chapter = self._chapter(name, nb)
            if nb.metadata.pop(UNREADABLE, False):
                sentence = f"{name}.ipynb is not a notebook that can be read: download or export it again."
                for cell in filter(utils.is_grade, nb.cells):
                    _write(cell, 0, "", sentence)
            else:
                self._grade(chapter, nb)
        except KitFault as fault:
            # nbgrader notes the submission as failed, removes what it wrote and goes on to the next.
            self.log.error("%s, %s: not graded, through no fault of the learner. %s", student, name, fault)
            raise
        return nb, resources

    def _chapter(self, name, nb):
        if name not in CHAPTERS:
            raise KitFault(f"{name} is no chapter of this kit: grade it in a course of its own")
        chapter = read_chapter(name)
        built = {
            cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points for cell in filter(utils.is_grade, nb.cells)
        }
        if built != {exercise.name: exercise.points for exercise in chapter.exercises}:
            raise KitFault(f"{name} was built from another version of the chapter: run `attn course build` again")
        return chapter

    def _grade(self, chapter, nb):
        verdicts = {}

        def report(task, verdict, session):
            verdicts[verdict.exercise] = verdict

        answer = notebook_answer(f"{chapter.name}.ipynb", nb).without_leftover_stubs(chapter.exercises)
        grade([Task(answer, chapter, chapter.exercises)], self._secret(), report)
        for cell in filter(utils.is_grade, nb.cells):
            verdict = verdicts[cell.metadata.nbgrader.grade_id]
            if verdict.outcome == "fault":
                raise KitFault(verdict.message)
            passed = sum(test.outcome == "passed" for test in verdict.tests)
            said = (verdict.speaking.message, verdict.lesson, verdict.hint) if verdict.speaking else ()
            _write(cell, verdict.points, f"{passed} of {len(verdict.tests)} tests passed.", *said)

    def _secret(self):
        try:
            return Path(self.secret_file).read_bytes()
        except OSError as error:
            raise KitFault(
                f"the course's secret {self.secret_file} cannot be read ({error.strerror}): restore it from a backup, "
                "or draw a new one with `attn course new` and grade everybody again"
            ) from None


def _write(cell, points, summary, *sentences):
    """Write a result that nbgrader reads as `points` and browsers show as text."""
    possible = cell.metadata.nbgrader.points
    colour = "#2e7d32" if points == possible else "#b26a00"
    lines = [f"<strong>{points:g} of {possible:g} points.</strong> {summary}", *map(_as_html, filter(None, sentences))]
    style = f"border-left: 4px solid {colour}; margin: 0.5em 0 1em; padding: 0.2em 0.8em; white-space: pre-wrap"
    shown = f'<div style="{style}">' + "\n".join(lines) + "</div>"
    # Without an output nbgrader would give all points, so every grade cell gets one.
    cell.outputs = [v4.new_output("execute_result", {"text/plain": f"{float(points)}", "text/html": shown})]


def _as_html(sentence):
    return re.sub("`([^`\n]+)`", r"<code>\1</code>", html.escape(sentence))
