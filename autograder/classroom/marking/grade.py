"""Grades submissions: processes judge many in parallel, and this one enters the results."""

from __future__ import annotations

import contextlib
import functools
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from autograder.api import grade_pieces, progress_bar, sandbox
from autograder.chapters.errors import CourseError, KitFault, sentence_of
from autograder.chapters.files import file_lock, link_or_copy
from autograder.classroom.course.course import Course, course_in
from autograder.classroom.gradebook.queries import SQLITE, max_score, standings
from autograder.classroom.inbox.handed import REPLACED, recover
from autograder.classroom.marking.submissions import (
    FAULTED,
    GRADED,
    KEPT,
    REFUSED,
    Submission,
    find_submissions,
    is_up_to_date,
)
from autograder.classroom.marking.verdicts import read_verdicts, why_changed, write_verdicts
from autograder.classroom.release.changes import Change, append_changes
from autograder.classroom.roster.groups import Counted, authors, read_counted, write_counted

if TYPE_CHECKING:
    from autograder.classroom.marking.judge import Judged


DRY_RUN = ".dry-run"  # subfolder of the course: the copy that a dry run grades
_LINKED = ("submitted", "verdicts", "counted", "autograded", "source", "own")  # linked: replaced as wholes


def judge_submission(folder: str, submission: Submission) -> dict[str, Any]:
    """Judge the notebooks of a submission, in any process, without writing anything."""
    from autograder.classroom.marking.judge import judge_notebook  # noqa: PLC0415  (idle commands need it not)

    course, found = course_in(Path(folder)), dict[str, Any]()
    for place in submission.places(course.folder):
        judged = judge_notebook(course, place, submission.notebooks[place.chapter])
        found[place.chapter] = replace(judged, verdicts=[])  # the line contains what is kept of them
    exercises = [exercise for judged in found.values() for exercise in judged.line["exercises"]]
    return {"path": submission.path, "exercises": exercises, "found": found}


def grade_course(
    course: Course, assignments: list[str], again: bool, make_executor: Callable, console: Console
) -> list[Submission]:
    """Grade and enter what is new or changed, or everything again; a failure does not stop other submissions."""
    with _as_only_run(course):
        course.write_due_dates()
        before = {name: _results(course, name, as_counted=True) for name in assignments}
        submissions = find_submissions(course, assignments)
        todo = [each for each in submissions if each.status == KEPT and (again or not is_up_to_date(course, each))]
        _keep_counted(course, [each for each in submissions if each.status == KEPT and each not in todo])
        _judge_all(course, todo, make_executor, console)
        for name in assignments:
            _tell_moved(course, name, before[name], [each for each in submissions if each.assignment == name])
        return submissions


def preview_course(
    course: Course, assignments: list[str], again: bool, make_executor: Callable, console: Console
) -> list[Submission]:
    """Grade a copy of the course, delete it, and return what would be graded, with the changes."""
    copy = course.folder / DRY_RUN
    with _as_only_run(course):
        try:
            submissions = grade_course(_copied(course, copy), assignments, again, make_executor, console)
        finally:
            shutil.rmtree(copy, ignore_errors=True)
    for submission in submissions:
        submission.problems = [problem.replace(f"{copy}", f"{course.folder}") for problem in submission.problems]
    return submissions


def _copied(course: Course, copy: Path) -> Course:
    """Return a copy of a course in which submissions are hard links and the originals are not modified."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(mode=0o700)
    database = course.settings["db_url"].removeprefix(SQLITE)
    if not Path(database).is_file():
        raise CourseError("a dry run works on a copy of the gradebook, and copies none but a file of SQLite")
    for path in course.folder.iterdir():
        if path.name in _LINKED and path.is_dir():
            shutil.copytree(path, copy / path.name, symlinks=True, copy_function=link_or_copy)
        elif path.is_file() and path.suffix in ("", ".toml", ".json", ".csv", ".py") and not path.name.startswith("."):
            shutil.copy2(path, copy / path.name)
    connections = [sqlite3.connect(path) for path in (database, copy / "gradebook.db")]
    connections[0].backup(connections[1])
    for connection in connections:
        connection.close()
    other = Course(copy)
    other.only, other.gone, other.regroups = course.only, course.gone, course.regroups
    other.config.CourseDirectory.root = str(copy.resolve())
    other.config.CourseDirectory.db_url = f"{SQLITE}{(copy / 'gradebook.db').resolve()}"
    return other


@contextlib.contextmanager
def _as_only_run(course: Course) -> Iterator[None]:
    sandbox.require_sandbox(course.settings["no_sandbox"])
    busy = CourseError(f"{course.folder} is being graded by another run: wait for it to end")
    with file_lock(course.folder / ".grading.lock", busy=busy):
        recover(course.folder)
        yield


def _judge_all(course: Course, todo: list[Submission], make_executor: Callable, console: Console) -> None:
    pending = {submission.path: submission for submission in todo}
    counted = {name: read_counted(course.folder, name) for name in {each.assignment for each in todo}}
    with progress_bar(console, "grading", len(todo)) as advance:

        def finished(line: dict[str, Any]) -> None:
            submission = pending.pop(line["path"])
            try:
                _enter(course, submission, line["found"], counted[submission.assignment])
            except OSError as error:
                submission.failed(REFUSED, f"{error.filename or ''} cannot be read or written: {error.strerror}")
            except Exception as error:  # of nbgrader, its database, or the teacher's late policy
                submission.failed(FAULTED, f"not graded, through no fault of the learner: {sentence_of(error)}")
            advance()

        work = functools.partial(judge_submission, str(course.folder))
        try:
            failed = grade_pieces(iter(todo), work, functools.partial(make_executor, len(todo)), finished)
        except KitFault as fault:
            failed = [(submission, fault) for submission in pending.values()]
        for submission, failure in failed:
            submission.failed(FAULTED, f"not graded, through no fault of the learner: {sentence_of(failure)}")


def _enter(course: Course, submission: Submission, found: dict[str, Judged], counted: dict[str, Counted]) -> None:
    """Enter a submission. The mark that it is up to date is written last, so that after a kill it is graded again."""
    from autograder.classroom.gradebook.calls import reader_of  # noqa: PLC0415
    from autograder.classroom.marking.enter import by_hand_of, changes_between, counted_of, enter, entered, lay_out  # noqa

    name, student, places = submission.assignment, submission.student, submission.places(course.folder)
    lines = {chapter: submission.complete(judged.line) for chapter, judged in found.items()}
    before = {place.chapter: read_verdicts(course.folder, place) for place in places}
    bases = [line.get("basis") or {} for line in before.values() if line]
    why = why_changed(bases[0] if bases else {}, {**submission.basis}, submission.digest)
    with course.gradebook() as gradebook:
        read = reader_of(gradebook)
        was = entered(read, name, student)
        if submission.arrival.planned.waived:  # what a person gave is written before it gives way
            old = counted.get(student) or Counted(submission.students)
            given = {cell: points for cell, points in old.by_hand.items() if cell in old.waived}
            counted[student] = replace(old, by_hand=given | by_hand_of(read, name, student))
            write_counted(course.folder, name, counted)
        enter(gradebook, course, student, submission.arrival, found)
        now = entered(read, name, student)
        if was and now:
            submission.changes = list(changes_between(was, now, why))
            append_changes(course, student, name, submission.changes)
        new = counted_of(read, submission.students, submission.arrival, counted.get(student))
        gradebook.db.commit()
    lay_out(course, name, student, found)
    counted[student] = new
    for other in submission.others:  # their own work, graded before, has been removed
        counted.pop(other, None)
    write_counted(course.folder, name, counted)
    for place in places:
        write_verdicts(course.folder, place, lines[place.chapter], before[place.chapter])
    shutil.rmtree(course.folder / REPLACED / name / student, ignore_errors=True)
    submission.add_problems_of(lines.values())
    submission.status = GRADED


def _keep_counted(course: Course, submissions: list[Submission]) -> None:
    """Record for whom work counts that was graded before this was recorded."""
    for name in {submission.assignment for submission in submissions}:
        counted = read_counted(course.folder, name)
        if new := [each for each in submissions if each.assignment == name and each.student not in counted]:
            from autograder.classroom.marking.enter import counted_of  # noqa: PLC0415

            for each in new:
                counted[each.student] = counted_of(course.read, each.students, each.arrival, None)
            write_counted(course.folder, name, counted)


def _results(course: Course, assignment: str, as_counted: bool = False) -> dict[str, tuple[str, float]]:
    """Return student -> whose work counts (or counted when it was graded), and its points."""
    found = standings(course.read, assignment)
    author_of = authors(course, assignment)
    if as_counted and (counted := read_counted(course.folder, assignment)):
        author_of = {student: who for who, each in counted.items() for student in each.students}
        author_of |= {who: who for who in counted}
    return {who: (author, found[author].counts) for who, author in author_of.items() if author in found}


def _tell_moved(
    course: Course, assignment: str, before: dict[str, tuple[str, float]], submissions: list[Submission]
) -> None:
    """Report changed points of learners for whom other work counts now."""
    now, of = _results(course, assignment), {submission.student: submission for submission in submissions}
    worth = max_score(course.read, assignment)
    for who in sorted(before.keys() & now.keys()):
        (was_author, was), (author, points) = before[who], now[who]
        if was_author != author and abs(was - points) > 0.005 and author in of:
            why = f"the work of {author} counts for {who} now, and not that of {was_author}"
            change = Change("total", round(was, 2), round(points, 2), worth, why)
            of[author].changes.append(change)
            append_changes(course, who, assignment, [change])
