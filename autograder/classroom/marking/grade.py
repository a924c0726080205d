"""Functions that grade submissions: several processes judge them, and this process enters the results."""

import contextlib
import functools
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.api import grade_pieces, sandbox, show_progress
from autograder.chapters.errors import BrokenKitError, CourseError, sentence_of
from autograder.chapters.files import link_or_copy, lock_file
from autograder.classroom.course.course import Course, open_course
from autograder.classroom.gradebook.queries import SQLITE, GradedWork, read_graded_submissions, read_max_score
from autograder.classroom.inbox.handed import REPLACED, restore_submissions
from autograder.classroom.marking.submissions import Status, Submission, find_submissions, is_up_to_date
from autograder.classroom.marking.verdicts import explain_change, read_verdicts, write_verdicts
from autograder.classroom.roster.changes import ChangedNumber, append_changes
from autograder.classroom.roster.counted import CountedWork, find_submitters, read_counted, write_counted

DRY_RUN = ".dry-run"  # subfolder of the course: the copy that a dry run grades
# Folders whose files a dry run may hard-link, because grading replaces these files and never modifies them in place.
_LINKED = ("submitted", "verdicts", "counted", "autograded", "source", "own")


def judge_submission(folder: str, submission: Submission) -> dict[str, Any]:
    """Judge the notebooks of a submission, in any process. Return a dict of its path and results, and write nothing."""
    # Import it here, because a command without submissions to judge does not need it.
    from autograder.classroom.marking.judge import judge_notebook  # noqa: PLC0415

    course, judged_notebooks = open_course(Path(folder)), dict[str, Any]()
    for place in submission.places:
        result = judge_notebook(course, place, submission.notebooks[place.chapter])
        judged_notebooks[place.chapter] = replace(result, verdicts=[])
    exercises = [exercise for result in judged_notebooks.values() for exercise in result.line["exercises"]]
    return {"path": submission.path, "exercises": exercises, "notebooks": judged_notebooks}


def grade_course(
    course: Course, assignments: list[str], regrade_all: bool, make_executor: Callable, console: Console
) -> list[Submission]:
    """Grade new and changed submissions, or all if `regrade_all`, and enter the results. Return all submissions."""
    with _lock_grading(course):
        course.write_due_dates()
        old_scores = {name: _read_final_scores(course, name, as_counted=True) for name in assignments}
        submissions = find_submissions(course, assignments)
        candidates = [each for each in submissions if each.status == Status.KEPT]
        todo = [each for each in candidates if regrade_all or not is_up_to_date(course, each)]
        _judge_all(course, todo, make_executor, console)
        for name in assignments:
            _report_regrouped(course, name, old_scores[name], [each for each in submissions if each.assignment == name])
        return submissions


def preview_course(
    course: Course, assignments: list[str], regrade_all: bool, make_executor: Callable, console: Console
) -> list[Submission]:
    """Grade a copy of the course and delete the copy. Return the submissions, with the changes of points."""
    copy = course.folder / DRY_RUN
    with _lock_grading(course):
        try:
            submissions = grade_course(_copy_course(course, copy), assignments, regrade_all, make_executor, console)
        finally:
            shutil.rmtree(copy, ignore_errors=True)
    for submission in submissions:
        submission.problems = [problem.replace(f"{copy}", f"{course.folder}") for problem in submission.problems]
    return submissions


def _copy_course(course: Course, copy: Path) -> Course:
    """Return a copy of a course, with hard links to the files of submissions."""
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(mode=0o700)
    database = course.settings["db_url"].removeprefix(SQLITE)
    if not Path(database).is_file():
        raise CourseError("a dry run works on a copy of the gradebook, and can copy only an SQLite file")
    for path in course.folder.iterdir():
        if path.name in _LINKED and path.is_dir():
            shutil.copytree(path, copy / path.name, symlinks=True, copy_function=link_or_copy)
        elif path.is_file() and path.suffix in ("", ".toml", ".json", ".csv", ".py") and not path.name.startswith("."):
            shutil.copy2(path, copy / path.name)
    connections = [sqlite3.connect(path) for path in (database, copy / "gradebook.db")]
    connections[0].backup(connections[1])
    for connection in connections:
        connection.close()
    copied_course = Course(copy)
    copied_course.selected_students, copied_course.former_students = course.selected_students, course.former_students
    copied_course.regroups = course.regroups
    copied_course.config.CourseDirectory.root = str(copy.resolve())
    copied_course.config.CourseDirectory.db_url = f"{SQLITE}{(copy / 'gradebook.db').resolve()}"
    return copied_course


@contextlib.contextmanager
def _lock_grading(course: Course) -> Iterator[None]:
    """Lock a course for grading. Raises `CourseError` if it is locked, `MissingSandboxError` without a sandbox."""
    sandbox.require_sandbox(course.settings["no_sandbox"])
    busy = CourseError(f"{course.folder} is being graded by another run: wait for it to finish")
    with lock_file(course.folder / ".grading.lock", busy=busy):
        restore_submissions(course.folder)
        yield


def _judge_all(course: Course, todo: list[Submission], make_executor: Callable, console: Console) -> None:
    pending = {submission.path: submission for submission in todo}
    records = {name: read_counted(course.folder, name) for name in {each.assignment for each in todo}}
    with show_progress(console, "grading", len(todo)) as advance:

        def enter_judged(result: dict[str, Any]) -> None:
            submission = pending.pop(result["path"])
            try:
                _enter(course, submission, result["notebooks"], records[submission.assignment])
            except OSError as error:
                submission.fail(Status.REFUSED, f"{error.filename or ''} cannot be read or written: {error.strerror}")
            except Exception as error:  # nbgrader, its database and the teacher's late policy may raise anything.
                submission.fail(Status.FAULTED, f"not graded, through no fault of the learner: {sentence_of(error)}")
            advance()

        work = functools.partial(judge_submission, str(course.folder))
        try:
            failures = grade_pieces(iter(todo), work, functools.partial(make_executor, len(todo)), enter_judged)
        except BrokenKitError as fault:
            failures = [(submission, fault) for submission in pending.values()]
        for submission, failure in failures:
            submission.fail(Status.FAULTED, f"not graded, through no fault of the learner: {sentence_of(failure)}")


def _enter(course: Course, submission: Submission, results: dict[str, Any], records: dict[str, CountedWork]) -> None:
    """Enter results into the gradebook. The verdicts, which mark a submission as graded, are written last."""
    from autograder.classroom.gradebook.calls import make_query_function  # noqa: PLC0415  (imports nbgrader)
    from autograder.classroom.marking import enter  # noqa: PLC0415  (imports nbgrader)

    name, student, places = submission.assignment, submission.student, submission.places
    lines = {chapter: submission.complete(notebook.line) for chapter, notebook in results.items()}
    old_lines = {place.chapter: read_verdicts(course.folder, place) for place in places}
    bases = [line.get("basis") or {} for line in old_lines.values() if line]
    reason = explain_change(bases[0] if bases else {}, {**submission.basis}, submission.digest)
    with course.open_gradebook() as gradebook:
        query = make_query_function(gradebook)
        old_work = read_graded_submissions(query, name, student).get(student)
        # Save the manual scores of waived exercises before they are overwritten.
        if submission.arrival.assignment.waived:
            old = records.get(student) or CountedWork(submission.students)
            by_hand = {cell: points for cell, points in old.by_hand.items() if cell in old.waived}
            records[student] = replace(old, by_hand=by_hand | (old_work.points_by_hand if old_work else {}))
            write_counted(course.folder, name, records)
        enter.enter_results(gradebook, course, student, submission.arrival, results)
        new_work = read_graded_submissions(query, name, student).get(student, GradedWork())
        if old_work:
            submission.changes = list(enter.find_changes(old_work, new_work, reason))
            append_changes(course, student, name, submission.changes)
        new = enter.make_counted(new_work, submission.students, submission.arrival, records.get(student))
        gradebook.db.commit()
    enter.write_autograded(course, name, student, results)
    records[student] = new
    # Drop the records of group members whose own earlier submission no longer counts.
    for member in submission.others:
        records.pop(member, None)
    write_counted(course.folder, name, records)
    for place in places:
        write_verdicts(course.folder, place, lines[place.chapter])
    shutil.rmtree(course.folder / REPLACED / name / student, ignore_errors=True)
    submission.add_problems_of(lines.values())
    submission.status = Status.GRADED


def _read_final_scores(course: Course, assignment: str, as_counted: bool = False) -> dict[str, tuple[str, float]]:
    """Return student -> (submitter, points). `as_counted`: use the submitter at the time of grading, not today's."""
    scores, submitter_of = read_graded_submissions(course.query, assignment), find_submitters(course, assignment)
    if as_counted and (records := read_counted(course.folder, assignment)):
        submitter_of = {student: name for name, record in records.items() for student in record.students}
        submitter_of |= {name: name for name in records}
    return {student: (name, scores[name].final_score) for student, name in submitter_of.items() if name in scores}


def _report_regrouped(
    course: Course, assignment: str, old_scores: dict[str, tuple[str, float]], submissions: list[Submission]
) -> None:
    """Record the changed points of learners for whom a different submitter's work counts than before."""
    new_scores, by_student = _read_final_scores(course, assignment), {each.student: each for each in submissions}
    maximum = read_max_score(course.query, assignment)
    for student in sorted(old_scores.keys() & new_scores.keys()):
        (old_submitter, old_points), (submitter, points) = old_scores[student], new_scores[student]
        if old_submitter != submitter and abs(old_points - points) > 0.005 and submitter in by_student:
            reason = f"the work of {submitter} now counts for {student}, instead of that of {old_submitter}"
            change = ChangedNumber("total", round(old_points, 2), round(points, 2), maximum, reason)
            by_student[submitter].changes.append(change)
            append_changes(course, student, assignment, [change])
