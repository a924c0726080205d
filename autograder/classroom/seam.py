"""Where nbgrader meets the grader: three steps of `nbgrader autograde` are replaced, the rest is nbgrader's.

1. `AnswerReader` reads whatever was handed in and keeps its text alone.
2. `RestoreCells` puts nbgrader's marks back on the cells they belong to.
3. `GradeAnswers` stands in for `Execute`: no code of a learner runs in nbgrader's process or in a kernel beside it.
   Points go where nbgrader looks for partial credit, sentences where learners read them.
"""

import functools
import html
import re
from pathlib import Path

from nbformat import v4
from nbgrader import utils
from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from traitlets import Bool, Unicode

from autograder import sandbox
from autograder.answer_file import notebook_answer
from autograder.chapter import STUB, read_chapter
from autograder.classroom.restore import UNREADABLE, AnswerReader, RestoreCells
from autograder.curriculum import CHAPTERS
from autograder.errors import KitFault, NoSandbox, UnreadableAnswer
from autograder.grading import Grader, Task


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


class GradeAnswers(NbGraderPreprocessor):
    """Grades the notebook's answer in an isolated worker and writes points and sentences into its grade cells."""

    secret_file = Unicode("", help="The file with the course's secret, from which hidden inputs are drawn.").tag(
        config=True
    )
    no_sandbox = Bool(False, help="Run other people's code even where nothing shuts it in.").tag(config=True)

    def preprocess(self, nb, resources):
        name, student = resources["nbgrader"]["notebook"], resources["nbgrader"]["student"]
        try:
            sandbox.require(self.no_sandbox)
            chapter = self._chapter(name, nb)
            if nb.metadata.pop(UNREADABLE, False):
                raise UnreadableAnswer(f"{name}.ipynb is not a notebook that can be read: download or export it again")
            self._grade(chapter, nb)
        except UnreadableAnswer as unreadable:
            for cell in filter(utils.is_grade, nb.cells):
                _write(cell, 0, "", f"{unreadable}.")
        except (KitFault, NoSandbox) as fault:
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

        answer = notebook_answer(f"{chapter.name}.ipynb", nb)
        _grader(chapter.name, self._secret()).grade(Task(answer, chapter, chapter.exercises), report)
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


@functools.lru_cache(maxsize=8)
def _grader(chapter_name, secret):
    """Suites are collected once for all submissions to a chapter."""
    return Grader(read_chapter(chapter_name).exercises, secret)


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
