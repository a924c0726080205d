"""Judges one notebook of a submission: the verdicts for the record, and the text below each exercise.

The gradebook says what the notebook asks (its exercises with points, and the teacher's tests), because that is what
learners got, and a teacher may have changed it in Formgrader.
"""

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import nbformat
from nbformat import NotebookNode, v4

from autograder.api import (
    UNREADABLE,
    AnswerFile,
    CodeCell,
    ExerciseVerdict,
    Grader,
    Line,
    cache_key,
    card,
    examine_notebook,
    judge_test_cell,
    read_notebook,
    record_line,
    sandbox,
)
from autograder.chapters import curriculum
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.chapters.errors import KitFault, UnreadableAnswer
from autograder.chapters.part import Part, build_part
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course, name_of
from autograder.classroom.gradebook.queries import Released
from autograder.classroom.marking.verdicts import Place, kit_version
from autograder.classroom.release.restore import REPLACED, cell_of, notebook_of, restored

NO_POINTS = "no points yet"  # in the output of a grade cell after an internal error
SAID = "attn_said"  # metadata of that output: the sentence that says what is wrong
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_SENTENCES = ("lesson", "relation", "cause", "finding")


@dataclass(frozen=True)
class Asked:
    part: Part  # the chapter and the exercises that are asked; an empty chapter if the notebook belongs to none
    points: dict[str, float]  # exercise -> its points in this course
    tests: dict[str, tuple[float, str]]  # teacher's test cell -> its points and source

    @property
    def chapter(self) -> Chapter:
        return self.part.chapter


def asked_in(chapter_name: str, graded: dict) -> Asked:
    """Return what a chapter's notebook asks. Raises `KitFault` if the chapter no longer has one of its exercises."""
    if not curriculum.solution_of(chapter_name).exists():
        empty = Chapter(chapter_name, chapter_name, "", (), ())
        return Asked(Part(empty, (), (), ()), {}, dict(graded))
    names = {exercise.name for exercise in read_chapter(chapter_name).exercises}
    for name, (_, source) in graded.items():
        if name not in names and source.strip() == f"check({name})":
            raise KitFault(
                f"{chapter_name} was built from another version of the chapter, with an exercise {name}: run `attn "
                "course build` again"
            )
    points = {name: points for name, (points, _) in graded.items() if name in names}
    tests = {name: test for name, test in graded.items() if name not in names}
    return Asked(build_part(chapter_name, points), points, tests)


@dataclass(frozen=True)
class Judged:
    line: Line  # the object of docs/records.md
    verdicts: list[ExerciseVerdict]
    notebook: str  # the autograded notebook: the released one with the answers, and verdicts below them
    points: dict[str, float | None]  # graded cell -> its points; None if a person has to give them
    unchanged: frozenset[str]  # graded cells whose answer was graded before
    untouched: frozenset[str]  # answers that are still as handed out


def _outputs(verdicts: list[ExerciseVerdict]) -> Iterator[tuple[str, NotebookNode]]:
    for verdict in verdicts:
        points = NO_POINTS if verdict.outcome == "fault" else f"{verdict.points}"
        said = next((text for kind, text in verdict.texts if kind in _SENTENCES), "")
        data = {"text/plain": points, "text/html": card(verdict)}
        yield verdict.exercise, v4.new_output("execute_result", data, metadata={SAID: said})


def take_from_given_cells(path: str, notebook: NotebookNode, asked: Asked) -> list[str]:
    """Move answers out of given cells, after them, and return sentences. Many editors ignore locks."""
    notes: list[str] = []
    any_name = "|".join(re.escape(exercise.name) for exercise in asked.part.exercises)
    may_define = re.compile(rf"\b(def|class)\s+({any_name})\b|\b({any_name})\s*=")
    for cell, source in [(cell, cell.metadata.pop(REPLACED)) for cell in notebook.cells if REPLACED in cell.metadata]:
        if not (any_name and may_define.search(source)):
            continue  # mostly, somebody changed a check, or the due date of another build is in it
        with suppress(UnreadableAnswer):
            there = examine_notebook(path, [CodeCell("cell", 1, source)], asked.chapter)
            here = _answer_in(path, notebook, asked)
            if names := sorted({*there.list_begun(asked.part.exercises)} - {*here.list_begun(asked.part.exercises)}):
                place = next(at for at, other in enumerate(notebook.cells, 1) if other is cell)
                notebook.cells.insert(place, cell_of("code", source, f"moved-{place}", {}))
                sentence = f"{' and '.join(names)} stood in a cell that was not meant for an answer"
                notes.append(f"{sentence}: {('it counts', 'they count')[len(names) > 1]}, since no other cell has one")
    return notes


def read_for_grading(path: str, notebook: NotebookNode, asked: Asked) -> tuple[AnswerFile, str]:
    """Return the answer in a restored notebook, and why there is none: one of the two is empty."""
    try:
        if why := notebook.metadata.get(UNREADABLE):
            raise UnreadableAnswer(str(why))
        return _answer_in(path, notebook, asked), ""
    except UnreadableAnswer as error:
        return AnswerFile(path, ()), str(error)


def _answer_in(path: str, notebook: NotebookNode, asked: Asked) -> AnswerFile:
    cells = [
        CodeCell(f"cell {number}", 1, cell.source)
        for number, cell in enumerate(notebook.cells, start=1)
        if cell.cell_type == "code" and not _is_given(cell)
    ]
    return examine_notebook(path, cells, asked.chapter, asked.part.build_given_code())


def _is_given(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("locked") or marks.get("grade")) and not marks.get("solution")


def restore(notebook: NotebookNode, released: Released, asked: Asked) -> list[str]:
    """Restore a released notebook with the learner's answers; return sentences for the learner about moved ones."""
    notebook.cells = restored(notebook.cells, released)
    return take_from_given_cells(asked.chapter.name, notebook, asked)


def judge_notebook(course: Course, place: Place, released: Released) -> Judged:
    started = time.perf_counter()
    notebook = notebook_of(*read_notebook(course.folder / place.path))
    asked = asked_in(place.chapter, released.tests())
    notes = restore(notebook, released, asked)
    answer, problem = read_for_grading(f"{place.chapter}.ipynb", notebook, asked)
    notes += filter(None, map(answer.redefinition_of, asked.points))
    part, secret = asked.part, course.secret_of(place.assignment, place.student)
    verdicts: list[ExerciseVerdict] = []
    if part.exercises:
        task = Task(answer, part.chapter, part.exercises)
        verdicts = list(Grader.for_chapter(part.chapter.name, secret).grade(task))
    if course.plan.assignment(place.assignment).carry_forward:
        verdicts = [verdict.carry_forward() for verdict in verdicts]
    verdicts = [verdict.scale_points(asked.points[verdict.exercise]) for verdict in verdicts]
    task = Task(answer, asked.chapter, ())
    verdicts += [judge_test_cell(task, name, source, points) for name, (points, source) in asked.tests.items()]
    if problem:
        verdicts = [verdict.mark_unread(f"{problem[0].upper()}{problem[1:]}.") for verdict in verdicts]
    line: Line = {
        "student": place.student,
        "assignment": place.assignment,
        "timestamp": clean(place.timestamp),
        "problem": clean(problem),
        "notes": notes,
        "seconds": round(time.perf_counter() - started, 4),
        "version": kit_version(),
        "secret": name_of(secret),
        **record_line(place.path, part.chapter, verdicts, cache_key(answer, part.chapter, secret), sandbox.name()),
    }
    return _judged(_autograded(course, place), released, notebook, line, verdicts)


def _judged(before: Any, released: Released, notebook: Any, line: Line, verdicts: list[ExerciseVerdict]) -> Judged:
    outputs = dict(_outputs(verdicts))
    answers = {name: source for name, source in _answers_in(notebook) if name in released.solutions}
    untouched = {name for name, source in answers.items() if source == released.given[name].source}
    for cell in notebook.cells:
        # What a person grades, a written answer or a task, gets no output.
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in outputs and cell.cell_type == "code":
            cell.outputs = [outputs[name]]
    notebook.metadata.pop(UNREADABLE, None)
    notebook.metadata["kernelspec"] = _KERNEL
    points = {each.exercise: None if each.outcome == "fault" else each.points for each in verdicts}
    by_hand = {name for name in released.points if name in released.solutions}
    points |= {name: 0.0 if name in untouched else None for name in by_hand}
    answers_before = dict(_answers_in(before))
    unchanged = {
        name
        for name in released.points
        for answer in [name if name in by_hand else f"{name}-answer"]
        if answer in answers and answers_before.get(answer) == answers[answer]
    }
    text = nbformat.writes(notebook)
    return Judged(line, verdicts, text, points, frozenset(unchanged), frozenset(untouched))


def _autograded(course: Course, place: Place) -> Any:
    path = course.folder_of("autograded", place.student, place.assignment) / f"{place.chapter}.ipynb"
    with suppress(Exception):  # nbformat raises many errors at broken notebooks
        return nbformat.read(path, as_version=4)
    return v4.new_notebook()


def _answers_in(notebook: Any) -> Iterator[tuple[str, str]]:
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("solution"):
            yield marks["grade_id"], cell.source
