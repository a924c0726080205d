"""pytest's collectors and items for answers and hidden suites.

An exercise is judged as a whole, as in `attn check`, when the first of its tests runs.
"""

from __future__ import annotations

import functools
import io
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from autograder.chapters import curriculum
from autograder.chapters.answers import Task, find_answer, read_answer, select_tasks
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.errors import InputError, KitError
from autograder.chapters.extras import require_libraries
from autograder.judging.budget import Budget
from autograder.judging.grader import LOCATE_SECONDS, Grader
from autograder.judging.verdict.finding import TestVerdict
from autograder.judging.verdict.verdict import ExerciseVerdict, describe_fault
from autograder.study import verbs
from autograder.study.folder import PROGRESS_FOLDER, Judged, record_verdicts
from autograder.views.lines import look_of
from autograder.views.terminal import explain, list_hints
from autograder.views.words import find_place

_BUDGET = pytest.StashKey[Budget]()  # time for locating mistakes, for all answers of a run together
_VERDICTS = pytest.StashKey[dict[Path, list[Judged]]]()  # folder of answers -> its verdicts


def make_collector(path: Path, parent: pytest.Collector, is_taken: bool) -> pytest.File | None:
    """Return the collector for an answer or a hidden suite, or None for a file that other plugins may collect."""
    if path.name.startswith("test_"):
        suite = curriculum.suite_of(path.stem.removeprefix("test_"))
        return SuiteFile.from_parent(parent, path=path) if path.resolve() == suite.resolve() else None
    is_named, is_chapter = parent.session.isinitpath(path), path.stem in curriculum.CHAPTERS
    if not (is_named or is_chapter):
        return None
    try:
        tasks = _read_tasks(path, is_named)
    except KitError as error:
        if not (is_chapter and _has_answers(path.parent)) and (is_taken or not is_named):
            return None
        return AnswerFile.from_parent(parent, path=path, tasks=[], trouble=str(error))
    return AnswerFile.from_parent(parent, path=path, tasks=tasks) if tasks else None


def _read_tasks(path: Path, is_named: bool) -> list[Task]:
    """Return the tasks of a file: for the chapter that it is named after, or else for the exercises that it defines."""
    shown_path = Path(os.path.relpath(path)) if path.is_relative_to(Path.cwd()) else path
    if path.stem not in curriculum.CHAPTERS:
        tasks = select_tasks(shown_path)
        return [] if any(name.startswith("test_") for task in tasks for name in task.answer.definitions) else tasks
    chapter, answer = read_chapter(path.stem), read_answer(shown_path)
    if not is_named and find_answer(path.parent, chapter) != path:
        return []  # The script next to this notebook is the answer.
    is_answer = {*chapter.names} & {*answer.definitions} or _has_answers(path.parent)
    return [Task(answer, chapter, chapter.exercises)] if is_answer else []


def _has_answers(folder: Path) -> bool:
    """Return whether a folder is a learner's: it has progress, or a file for every chapter."""
    chapters = [read_chapter(name) for name in curriculum.CHAPTERS]
    return (folder / PROGRESS_FOLDER).is_dir() or all(find_answer(folder, chapter) for chapter in chapters)


class AnswerFile(pytest.File):
    def __init__(self, tasks: list[Task], trouble: str = "", **kw: Any) -> None:
        super().__init__(**kw)
        self.tasks, self.trouble = tasks, trouble

    def collect(self) -> Iterator[ExerciseTests]:
        if self.trouble:
            raise self.CollectError(f"{self.trouble}.")
        for task in self.tasks:
            is_kept = task.chapter.name == self.path.stem
            judging = JudgedAnswer(task, self.config, self.path.parent if is_kept else None)
            for exercise in task.exercises:
                yield ExerciseTests.from_parent(self, name=exercise.name, judging=judging)


class ExerciseTests(pytest.Class):
    """The hidden tests of one exercise. Editors show a `pytest.Class` as a separate level."""

    def __init__(self, judging: JudgedAnswer, **kw: Any) -> None:
        super().__init__(**kw)
        self.judging = judging

    @classmethod
    def from_parent(cls, parent: pytest.Collector, **kw: Any) -> ExerciseTests:  # type: ignore[override]
        return super(pytest.Class, cls).from_parent(parent, **kw)

    def collect(self) -> list[HiddenTest]:
        return _make_items(self, self.judging, self.name)


class SuiteFile(pytest.File):
    """A hidden suite, run on the answers that `--answers` names."""

    def collect(self) -> list[HiddenTest]:
        name, answers = self.path.stem.removeprefix("test_"), self.config.getoption("answers")
        if not (answers or self.config.option.collectonly):
            what_to_add = "name the answers to run it on with --answers FILE (such as --answers solutions)"
            raise self.CollectError(f"{self.path.name} is a hidden suite: {what_to_add}")
        path = Path(answers) if answers else curriculum.SOLUTIONS  # Any answer is sufficient to list the tests.
        try:
            (task,) = select_tasks(path, [name])
        except InputError as error:
            raise self.CollectError(f"{error}.") from None
        return _make_items(self, JudgedAnswer(task, self.config, path), name)


def _make_items(parent: pytest.Collector, judging: JudgedAnswer, name: str) -> list[HiddenTest]:
    try:
        tests = judging.grader.judge.suites.get_tests(name)
    except KitError as error:
        raise parent.CollectError(f"{error}.") from None
    return [HiddenTest.from_parent(parent, name=test.name, exercise=name, judging=judging, test=test) for test in tests]


@functools.lru_cache(maxsize=64)
def _grader_of(exercises: tuple[Exercise, ...]) -> Grader:
    return Grader(exercises, curriculum.SELF_STUDY, is_interactive=True)


class JudgedAnswer:
    """One answer and its verdicts so far. `folder`: where progress is recorded, or None."""

    def __init__(self, task: Task, config: pytest.Config, folder: Path | None) -> None:
        self.task, self.config, self.folder = task, config, folder
        self.verdicts: dict[str, ExerciseVerdict] = {}
        self.checking: Iterator[Judged] = iter(())
        self._noted = set[str]()

    @property
    def grader(self) -> Grader:
        return _grader_of(self.task.exercises)

    def get_verdict(self, name: str, session: pytest.Session) -> ExerciseVerdict:
        """Return the verdict on an exercise. Earlier exercises that are selected in this run are judged first."""
        while name not in self.verdicts:
            if (result := next(self.checking, None)) is None:
                self.checking = verbs.check(self.grader, [self._select_remaining(name, session)])
            else:
                budget = self.config.stash.setdefault(_BUDGET, Budget(LOCATE_SECONDS))
                any(verbs.locate(self.grader, [result], budget))
                self.verdicts[result[1].exercise] = result[1]
        return self.verdicts[name]

    def _select_remaining(self, name: str, session: pytest.Session) -> Task:
        """Return a task with the selected exercises that have no verdict; with pytest-xdist, only with `name`."""
        if hasattr(self.config, "workerinput"):
            names = {name}
        else:
            names = {item.exercise for item in session.items if isinstance(item, HiddenTest) and item.judging is self}
        exercises = [each for each in self.task.exercises if each.name in names and each.name not in self.verdicts]
        task = replace(self.task, exercises=tuple(exercises))
        if not task.is_untouched:
            require_libraries(task.chapter.libraries, task.chapter.name)
        return task

    def record_verdict(self, name: str) -> None:
        """Keep a verdict for `record_progress`, once for each exercise."""
        verdicts = self.config.stash.setdefault(_VERDICTS, {})
        if self.folder and name not in self._noted:
            self._noted.add(name)
            verdicts.setdefault(self.folder, []).append((self.task, self.verdicts[name]))


def record_progress(config: pytest.Config) -> None:
    for folder, verdicts in config.stash.setdefault(_VERDICTS, {}).items():
        record_verdicts(folder, verdicts)


class HiddenTest(pytest.Item):
    """One hidden test. Learners see it reported at the line of their function, authors at the line of the test."""

    def __init__(self, exercise: str, judging: JudgedAnswer, test: pytest.Function, **kw: Any) -> None:
        super().__init__(**kw)
        self.exercise, self.judging = exercise, judging
        self.failure, self.line = "", None
        if isinstance(self.parent, SuiteFile):
            self.line = test.obj.__code__.co_firstlineno - 1
        elif not judging.task.answer.notebook:
            cell, line = judging.task.answer.definitions.get(exercise, (None, 1))
            self.line = cell.line + line - 2 if cell else 0

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.line, f"{self.exercise}::{self.name}"

    def runtest(self) -> None:
        judging = self.judging
        try:
            verdict = judging.get_verdict(self.exercise, self.session)
        except Exception as error:
            self.failure = f"{error}." if isinstance(error, KitError) else describe_fault(error)
            raise
        items = (item for item in self.session.items if isinstance(item, HiddenTest) and item.judging is judging)
        if next(item for item in items if item.exercise == self.exercise) is self:
            judging.record_verdict(self.exercise)  # With pytest-xdist, only one process records the verdict.
        test = next(test for test in verdict.tests if test.name == self.name.removeprefix("test_"))
        facts = {"exercise": self.exercise, "points": test.points, "max_points": test.max_points}
        self.user_properties += [*facts.items(), ("misconception", verdict.misconception or "")]
        if test.outcome == "unattempted":
            raise pytest.skip.Exception("still to do", _use_item_location=True)
        if test.outcome != "passed":
            self.failure = self._format_failure(verdict, test)
            raise AssertionError(self.failure)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None) -> str:  # type: ignore[override]
        """Return the message for the learner, without lines of the kit's code."""
        return self.failure or str(excinfo.value)

    def _format_failure(self, verdict: ExerciseVerdict, test: TestVerdict) -> str:
        shown_test, answer = verdict.shown_test, self.judging.task.answer
        shown_verdict = verdict
        if test is not shown_test:  # The explanation is about another test's call.
            shown_verdict = replace(verdict, tests=[test], explanation=None, printed="", stopped="")
        has_terminal = self.config.pluginmanager.hasplugin("terminalreporter")
        width = self.config.get_terminal_writer().fullwidth if has_terminal else None
        screen = Console(file=io.StringIO(), width=width, highlight=False)
        with screen.capture() as captured:
            screen.print(explain(shown_verdict, is_whole=True))
        lines = [line.rstrip() for line in captured.get().splitlines()]
        if shown_test and test is not shown_test:
            lines.append(f"More on {self.exercise}: test_{shown_test.name}")
        elif self.judging.folder and len(list_hints(verdict)) > 1:
            lines.append(f"The next hint: attn hint {self.exercise}")
        location = find_place(shown_verdict)
        place = answer.locate(self.exercise, location) or answer.path
        place = f"{answer.path}, {place}" if answer.notebook else place
        word = look_of(shown_verdict).word if location else f"the code of {self.exercise} begins here"
        return "\n".join([*lines, f"{place}: {word}"])
