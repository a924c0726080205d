"""Checks that stubs, suites and misconceptions are consistent with the chapters."""

from __future__ import annotations

import doctest
import itertools
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.answers import resolve_names
from autograder.chapters.chapter import Chapter, Exercise, read_chapter
from autograder.chapters.curriculum import ContentFolders
from autograder.chapters.errors import ChapterError, SuiteError
from autograder.chapters.extras import require_libraries
from autograder.chapters.stubs import get_stub_path, make_stub
from autograder.judging.judge import Judge
from autograder.judging.misconceptions import KINDS_FILE, StaleEdit, apply_mistake, read_misconceptions
from autograder.judging.run.kit_code import KitFile, KitSession, open_misconception_session, open_solution_session
from autograder.worker.reading.answers import CodeCell

SECRET = b"drift"


def find_drift(names: Collection[str] = (), home: ContentFolders | None = None) -> list[str]:
    """Return a sentence for each inconsistency in the kit or in `home`, with the file and what to do."""
    chapter_names = sorted(path.stem for path in home.solutions.glob("*.py")) if home else curriculum.CHAPTERS
    try:
        chapters = [read_chapter(name) for name in chapter_names]
    except ChapterError as error:
        return [str(error)]
    exercises = [exercise for chapter in chapters for exercise in chapter.exercises]
    judged_names = resolve_names(names, chapters)
    to_judge = [exercise for exercise in exercises if judged_names is None or exercise.name in judged_names]
    for exercise in to_judge:
        require_libraries(read_chapter(exercise.chapter).libraries, exercise.chapter)
    return [*check_files(chapters, home), *itertools.chain.from_iterable(map(check_by_judging, to_judge))]


def check_files(chapters: list[Chapter], home: ContentFolders | None = None) -> Iterator[str]:
    exercises = [exercise for chapter in chapters for exercise in chapter.exercises]
    for chapter in chapters if curriculum.IS_CLONE and not home else ():  # only a clone has stub files
        path, stub = _shorten(get_stub_path(chapter.name)), get_stub_path(chapter.name)
        if not stub.exists():
            yield f"{path} is missing: run `attn stubs`"
        elif stub.read_text(encoding="utf-8") != make_stub(chapter):
            source = f"solutions/{chapter.name}.py"
            yield f"{path} is not what {source} gives: run `attn stubs` (your own answers: keep them)"
    home, names = home or curriculum.get_kit_home(), [exercise.name for exercise in exercises]
    yield from _find_strays(home.suites.glob("test_*.py"), {f"test_{name}.py" for name in names})
    yield from _find_strays(home.misconceptions.glob("*.*"), {f"{name}.md" for name in (KINDS_FILE, *names)})
    for exercise in exercises:
        try:
            yield from _find_gaps(exercise)
        except ChapterError as error:
            yield str(error)


def check_by_judging(exercise: Exercise) -> Iterator[str]:
    """Yield a sentence for each unexpected verdict of the suite on the solution, the stub or a misconception."""
    try:
        judge = Judge([exercise], SECRET)
        yield from _check_solution(judge, exercise)
        yield from _check_stub(judge, exercise)
        session, names = open_misconception_session(exercise)
        for name in names:
            yield from _check_misconception(judge, exercise, session.replace_function(name), name)
    except SuiteError as fault:
        yield str(fault)
    except ChapterError:
        return  # `check_files` reports it


def _shorten(path: Path) -> Path:
    base = next((root for root in (curriculum.ROOT, Path.cwd().resolve()) if path.is_relative_to(root)), None)
    return path.relative_to(base) if base else path


def _name_place(exercise: Exercise) -> str:
    return f"{_shorten(curriculum.solution_of(exercise.chapter))}: {exercise.name}"


def _find_strays(paths: Iterable[Path], names: set[str]) -> Iterator[str]:
    for path in sorted(paths):
        if path.name not in names:
            yield f"{_shorten(path)} belongs to no exercise: rename it, or remove it"


def _find_gaps(exercise: Exercise) -> Iterator[str]:
    place = _name_place(exercise)
    if not read_misconceptions(exercise.name):
        yield f"{_shorten(curriculum.misconceptions_of(exercise.name))} has no misconception: write at least one"
    if not doctest.DocTestParser().get_examples(exercise.stub):
        yield f"{place} has no example in its docstring: show one call and its result"
    if not exercise.hints:
        yield f"{place} has no hint: add a markdown cell with hint={exercise.name!r}"
    for mistake in read_misconceptions(exercise.name).values():
        place = f"{_shorten(curriculum.misconceptions_of(exercise.name))}: {mistake.name}"
        try:
            apply_mistake(exercise, mistake.name)
        except StaleEdit as stale:
            yield f"{place} edits {stale}: write the current text and its replacement"
        if not mistake.sentence:
            yield f"{place} says nothing: write below it what the learner reads, or use the name of a kind"


def _check_solution(judge: Judge, exercise: Exercise) -> Iterator[str]:
    verdict = judge.judge(exercise, open_solution_session(exercise.chapter))
    place = _name_place(exercise)
    if verdict.outcome != "passed":
        yield f"{place} fails its own suite: {verdict.message} Repair the solution or the suite"
    if verdict.max_points != exercise.points:
        mismatch = f"says points={exercise.points}, but its suite adds up to {verdict.max_points}"
        yield f"{place} {mismatch}: make them agree"


def _check_stub(judge: Judge, exercise: Exercise) -> Iterator[str]:
    cells = read_chapter(exercise.chapter).cells
    sources = [cell.source for cell in cells if cell.kind == "code" and "exercise" not in cell.options]
    file = KitFile([CodeCell("stub", 1, source) for source in (*sources, exercise.stub)])
    verdict = judge.judge(exercise, KitSession(file))
    file.close()
    if passed_tests := [test.name for test in verdict.tests if test.outcome == "passed"]:
        suite = _shorten(curriculum.suite_of(exercise.name))
        yield f"{suite}: the stub passes {passed_tests[0]}: a test must call the answer"


def _check_misconception(judge: Judge, exercise: Exercise, session: KitSession, name: str) -> Iterator[str]:
    verdict = judge.judge(exercise, session)
    place = f"{_shorten(curriculum.misconceptions_of(exercise.name))}: {name}"
    if verdict.outcome == "fault":
        yield f"{place} breaks the suite: {verdict.message}"
    elif verdict.points == verdict.max_points:
        yield f"{place} passes the suite: add an input that shows the mistake"
    elif verdict.misconception != name:
        yield f"{place} is taken for {verdict.misconception}: add an input that tells them apart"
    elif broken_test := next((test for test in verdict.tests if (test.error or {}).get("type") == "NameError"), None):
        yield f"{place}: {broken_test.call} {broken_test.finding} Define the name in the file, or in the chapter"
