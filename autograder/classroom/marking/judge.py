"""Functions that judge a submitted notebook. They return the verdicts, and a notebook with them below the exercises.

Exercises, points and the teacher's tests are read from the gradebook, because a teacher may have changed them in
Formgrader.
"""

import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import nbformat
from nbformat import NotebookNode, v4

from autograder import api
from autograder.chapters import curriculum
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.chapters.errors import BrokenKitError, UnreadableAnswer
from autograder.chapters.part import ChapterPart, build_part
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course, label_secret
from autograder.classroom.gradebook.queries import ReleasedNotebook
from autograder.classroom.marking.verdicts import NotebookPlace, read_kit_version
from autograder.classroom.release.restore import REPLACED, make_cell, make_notebook, restore_cells

NO_POINTS = "no points yet"
# Key in the metadata of a verdict's cell output, for the sentence about the mistake.
SENTENCE = "attn_said"
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_SENTENCES = ("lesson", "relation", "cause", "finding")


@dataclass(frozen=True)
class GradedExercises:
    # The exercises of the chapter, or an empty part if the notebook belongs to no chapter.
    part: ChapterPart
    points: dict[str, float]  # exercise -> points in this course
    tests: dict[str, tuple[float, str]]  # teacher's test cell -> (points, source)

    @property
    def chapter(self) -> Chapter:
        return self.part.chapter


def find_graded_exercises(chapter_name: str, released: ReleasedNotebook) -> GradedExercises:
    """Return a notebook's exercises and teacher's tests. Raises `BrokenKitError` if an exercise no longer exists."""
    cells = released.list_tests()
    if not curriculum.solution_of(chapter_name).exists():
        empty = Chapter(chapter_name, chapter_name, "", (), ())
        return GradedExercises(ChapterPart(empty, (), (), ()), {}, cells)
    names = {exercise.name for exercise in read_chapter(chapter_name).exercises}
    for name, (_, source) in cells.items():
        if name not in names and source.strip() == f"check({name})":
            raise BrokenKitError(f"{chapter_name} has no exercise {name} any more: run `attn course build` again")
    points = {name: points for name, (points, _) in cells.items() if name in names}
    tests = {name: test for name, test in cells.items() if name not in names}
    return GradedExercises(build_part(chapter_name, points), points, tests)


@dataclass(frozen=True)
class JudgedWork:
    line: api.RecordLine  # the record that docs/records.md describes
    verdicts: list[api.ExerciseVerdict]
    # The autograded notebook: the released cells, the answers, and the verdicts.
    notebook: str
    points: dict[str, float | None]  # graded cell -> points; None if a person has to grade it
    # Cell names. `unchanged`: graded cells with the answer of the last grading. `untouched`: answer cells as released.
    unchanged: frozenset[str]
    untouched: frozenset[str]


def _make_outputs(verdicts: list[api.ExerciseVerdict]) -> dict[str, NotebookNode]:
    """Return exercise -> cell output that shows its verdict."""
    outputs = {}
    for verdict in verdicts:
        points = NO_POINTS if verdict.outcome == "fault" else f"{verdict.points}"
        sentence = next((text for kind, text in verdict.texts if kind in _SENTENCES), "")
        data = {"text/plain": points, "text/html": api.to_card(verdict)}
        outputs[verdict.exercise] = v4.new_output("execute_result", data, metadata={SENTENCE: sentence})
    return outputs


def move_answers_out_of_given_cells(path: str, notebook: NotebookNode, graded: GradedExercises) -> list[str]:
    """Move answers that a learner wrote into given cells to new cells below. Return sentences for the learner."""
    notes: list[str] = []
    any_name = "|".join(re.escape(exercise.name) for exercise in graded.part.exercises)
    may_define = re.compile(rf"\b(def|class)\s+({any_name})\b|\b({any_name})\s*=")
    for cell, source in [(cell, cell.metadata.pop(REPLACED)) for cell in notebook.cells if REPLACED in cell.metadata]:
        if not (any_name and may_define.search(source)):
            continue
        with suppress(UnreadableAnswer):
            misplaced = api.examine_notebook(path, [api.CodeCell("cell", 1, source)], graded.chapter)
            answer = _read_answer(path, notebook, graded)
            if names := sorted(
                {*misplaced.list_begun(graded.part.exercises)} - {*answer.list_begun(graded.part.exercises)}
            ):
                place = next(number for number, other in enumerate(notebook.cells, 1) if other is cell)
                notebook.cells.insert(place, make_cell("code", source, f"moved-{place}", {}))
                sentence = f"The code of {' and '.join(names)} was in a cell that is not meant for answers"
                notes.append(f"{sentence}: it counts, because no other cell has it")
    return notes


def _read_answer(path: str, notebook: NotebookNode, graded: GradedExercises) -> api.AnswerFile:
    cells = [
        api.CodeCell(f"cell {number}", 1, cell.source)
        for number, cell in enumerate(notebook.cells, start=1)
        if cell.cell_type == "code" and not _is_given(cell)
    ]
    return api.examine_notebook(path, cells, graded.chapter, graded.part.build_given_code())


def _is_given(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("locked") or marks.get("grade")) and not marks.get("solution")


def judge_notebook(course: Course, place: NotebookPlace, released: ReleasedNotebook) -> JudgedWork:
    start = time.perf_counter()
    notebook = make_notebook(*api.read_notebook(course.folder / place.path))
    graded = find_graded_exercises(place.chapter, released)
    notebook.cells = restore_cells(notebook.cells, released)
    notes = move_answers_out_of_given_cells(place.chapter, notebook, graded)
    answer, problem = api.AnswerFile(f"{place.chapter}.ipynb", ()), str(notebook.metadata.get(api.UNREADABLE, ""))
    try:
        answer = answer if problem else _read_answer(answer.path, notebook, graded)
    except UnreadableAnswer as error:
        problem = str(error)
    notes += filter(None, map(answer.describe_redefinition, graded.points))
    part, secret = graded.part, course.derive_assignment_secret(place.assignment, place.student)
    verdicts: list[api.ExerciseVerdict] = []
    if part.exercises:
        task = Task(answer, part.chapter, part.exercises)
        verdicts = list(api.Grader.for_chapter(part.chapter.name, secret).grade(task))
    if course.plan.get_assignment(place.assignment).carry_forward:
        verdicts = [verdict.carry_forward() for verdict in verdicts]
    verdicts = [verdict.scale_points(graded.points[verdict.exercise]) for verdict in verdicts]
    task = Task(answer, graded.chapter, ())
    verdicts += [api.judge_test_cell(task, name, source, points) for name, (points, source) in graded.tests.items()]
    if problem:
        verdicts = [verdict.mark_unread(f"{problem[0].upper()}{problem[1:]}.") for verdict in verdicts]
    line: api.RecordLine = {
        "student": place.student,
        "assignment": place.assignment,
        "timestamp": clean(place.timestamp),
        "problem": clean(problem),
        "notes": notes,
        "seconds": round(time.perf_counter() - start, 4),
        "version": read_kit_version(),
        "secret": label_secret(secret),
        **api.make_record(place.path, part.chapter, verdicts, api.sandbox.get_name()),
    }
    return _make_judged(_read_autograded(course, place), released, notebook, line, verdicts)


def _make_judged(
    old_notebook: Any, released: ReleasedNotebook, notebook: Any, line: api.RecordLine, verdicts: list[Any]
) -> JudgedWork:
    """Return the notebook with the verdicts inserted, and which answers differ from those in `old_notebook`."""
    outputs = _make_outputs(verdicts)
    answers = {name: source for name, source in _list_answer_sources(notebook).items() if name in released.solutions}
    untouched = {name for name, source in answers.items() if source == released.cells[name].source}
    for cell in notebook.cells:
        # Written answers and tasks are graded by a person and have no code cell.
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in outputs and cell.cell_type == "code":
            cell.outputs = [outputs[name]]
    notebook.metadata.pop(api.UNREADABLE, None)
    notebook.metadata["kernelspec"] = _KERNEL
    points = {verdict.exercise: None if verdict.outcome == "fault" else verdict.points for verdict in verdicts}
    by_hand = {name for name in released.points if name in released.solutions}
    points |= {name: 0.0 if name in untouched else None for name in by_hand}
    answers_before = _list_answer_sources(old_notebook)
    unchanged = {
        name
        for name in released.points
        for answer in [name if name in by_hand else f"{name}-answer"]
        if answer in answers and answers_before.get(answer) == answers[answer]
    }
    text = nbformat.writes(notebook)
    return JudgedWork(line, verdicts, text, points, frozenset(unchanged), frozenset(untouched))


def _read_autograded(course: Course, place: NotebookPlace) -> Any:
    path = course.folder_of("autograded", place.student, place.assignment) / f"{place.chapter}.ipynb"
    with suppress(Exception):  # nbformat raises many types of errors.
        return nbformat.read(path, as_version=4)
    return v4.new_notebook()


def _list_answer_sources(notebook: Any) -> dict[str, str]:
    cells = ((cell.metadata.get("nbgrader", {}), cell.source) for cell in notebook.cells)
    return {marks["grade_id"]: source for marks, source in cells if marks.get("solution")}
