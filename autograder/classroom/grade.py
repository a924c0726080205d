"""Grades what was handed in and enters it into the gradebook: many submissions at a time, each in one process."""

import functools
import glob
import hashlib
import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.boundary import sandbox
from autograder.boundary.reader import read_notebook
from autograder.chapters import curriculum
from autograder.chapters.errors import CourseError, KitFault
from autograder.chapters.files import alone, write_whole
from autograder.chapters.text import clean
from autograder.classroom.asked import asked_in
from autograder.classroom.course import CONFIG, SECRET, course_in
from autograder.classroom.incoming.arrivals import place_notebooks
from autograder.classroom.judge import Place, judge, read_for_grading, read_verdicts
from autograder.classroom.nbgrader_calls import StepFailed
from autograder.classroom.restore import notebook_of, released_notebook, restored
from autograder.classroom.times import read_extensions, read_timestamp
from autograder.grading.many import progress_bar
from autograder.grading.pieces import grade_pieces
from autograder.grading.record import has_fault
from autograder.judging.misconceptions import KINDS, text_of

KEPT, GRADED, REFUSED, FAULTED = "kept", "graded", "refused", "faulted"
TRIES = 3  # where another process, or another program such as Formgrader, was in the way
IN_THE_WAY = ("database is locked", "UNIQUE constraint", "duplicate key")  # SQLite, SQLite, PostgreSQL


@dataclass
class Submission:
    """What one learner handed in for one assignment, and what became of it.

    Attributes
    ----------
    student, assignment : str
    notebooks : dict
        Chapter -> `Released`.
    status : str
        ``kept`` where nothing has changed, ``graded``, ``refused`` where it cannot be graded until somebody mends
        it, ``faulted`` where we failed.
    problems : list of str
        Sentences for the teacher.
    state : str
        Stands for all that its grade depends on.
    longer : datetime.timedelta or None
        An extension to enter; None where the gradebook's counts.
    """

    student: str
    assignment: str
    notebooks: dict
    status: str = KEPT
    problems: list = field(default_factory=list)
    state: str = ""
    longer: object = None

    @property
    def path(self):
        """Where it lies in the course's folder."""
        return f"submitted/{self.student}/{self.assignment}"

    def failed(self, status, sentence):
        self.status = status
        self.problems.append(sentence)


def grade_submission(course, secret, submission):
    """Judge the notebooks of a submission and enter what is found. Runs in whatever process an executor chooses.

    Returns
    -------
    dict
        The ``path``, the ``exercises`` of all notebooks as in docs/records.md, the ``submission`` as it is then.
    """
    submission = replace(submission, problems=list(submission.problems))  # there may be a second try
    lines = [judge_notebook(course, submission, place, secret) for place in _places(course, submission)]
    _enter(course_in(course), submission, lines)
    exercises = [exercise for line in lines for exercise in line["exercises"]]
    return {"path": submission.path, "exercises": exercises, "submission": submission}


def judge_notebook(course, submission, place, secret):
    """The line of docs/records.md for one notebook, with the HTML of its exercises under ``shown``."""
    read = notebook_of(*read_notebook(f"{course}/{place.path}"))
    released = submission.notebooks[place.chapter]
    read.cells = restored(read.cells, released)  # as nbgrader's steps will
    asked = asked_in(place.chapter, released.tests(), course_in(course).carries_forward(place.assignment))
    answer, problem = read_for_grading(place.path, read, asked)
    found = judge(place, asked, answer, problem, secret)
    return {**found.line, "submission": submission.state, "shown": found.shown}


def grade_course(course, assignments, again, make_executor, console):
    """Grade every submission that is new or has changed, and enter it into the gradebook.

    Parameters
    ----------
    course : autograder.classroom.course.Course
    assignments : list of str
    again : bool
        Whether to grade those as well that have not changed.
    make_executor : callable
        Gives a fresh executor of `autograder.grading.executors` for a number of submissions.
    console : rich.console.Console
        For the progress bar, where it is a terminal.

    Returns
    -------
    list of Submission
        One that cannot be graded says why; it never stops the others.

    Raises
    ------
    CourseError
        Where nothing was handed in, or the gradebook cannot be used.
    NoSandbox
    """
    sandbox.require(course.config.GradeAnswers.get("no_sandbox", False))
    with _alone(course):
        return _grade_course(course, assignments, again, make_executor, console)


@contextmanager
def _alone(course):
    """Two runs would remove what the other one has just written."""
    with ExitStack() as lock:
        try:
            lock.enter_context(alone(course.folder / ".grading.lock"))
        except OSError:
            raise CourseError(f"{course.folder} is being graded by another run: wait for it to end") from None
        yield


def _grade_course(course, assignments, again, make_executor, console):
    secret, submissions = _secret(course), _submissions(course, assignments)
    for submission in submissions:
        _prepare(course, submission)
    todo = [each for each in submissions if each.status == KEPT and (again or not _is_up_to_date(course, each))]
    left = {submission.path: submission for submission in todo}
    with progress_bar(console, "grading", len(todo)) as advance:

        def finished(line):
            submission, graded = left.pop(line["path"]), line["submission"]
            submission.status, submission.problems = graded.status, graded.problems
            advance()

        work = functools.partial(grade_submission, str(course.folder), secret)
        try:
            grade_pieces(iter(todo), work, functools.partial(make_executor, len(todo)), finished)
        except KitFault as fault:
            for submission in left.values():
                submission.failed(FAULTED, f"not graded, through no fault of the learner: {fault}")
    return submissions


def _submissions(course, assignments):
    submissions, longer = [], read_extensions(course.folder)
    with course.gradebook() as gradebook:
        for name in assignments:
            notebooks = {
                notebook.name: released_notebook(gradebook, notebook.name, name)
                for notebook in gradebook.find_assignment(name).notebooks
            }
            assignment = gradebook.find_assignment(name)
            extensions = {each.student_id: each.extension for each in assignment.submissions}
            extensions |= {student: span for (about, student), span in longer.items() if about == name}
            terms = _terms(course, assignment, notebooks)
            submissions += [
                Submission(
                    student,
                    name,
                    notebooks,
                    state=f"{terms} {extensions.get(student)}",
                    longer=longer.get((name, student)),
                )
                for student in course.students(name)
            ]
    if not submissions:
        raise CourseError(
            f"nothing has been handed in for {', '.join(assignments)}: fetch it with `attn course collect`, or put it "
            f"into {course.folder_of('submitted', 'STUDENT', assignments[0])}"
        )
    return submissions


def _terms(course, assignment, chapters):
    """What all grades of an assignment depend on besides what was handed in."""
    digest = hashlib.sha256((course.folder / SECRET).read_bytes() + (course.folder / CONFIG).read_bytes())
    digest.update(text_of(KINDS).encode())
    for chapter in sorted(chapters):
        digest.update(repr(sorted(chapters[chapter].tests().items())).encode())
        paths = [curriculum.solution_of(chapter)]
        for name in sorted(chapters[chapter].points):
            paths += [curriculum.suite_of(name), curriculum.misconceptions_of(name)]
        for path in paths:
            digest.update(path.read_bytes() if path.exists() else b"")
    carried = " carried forward" * course.carries_forward(assignment.name)
    return f"{digest.hexdigest()} {assignment.duedate}{carried}"


def _prepare(course, submission):
    """Find its notebooks, and note what it is now."""
    folder = course.folder / submission.path
    try:
        submission.problems += place_notebooks(folder, submission.notebooks)
        _mend_time(folder)
        digest = hashlib.sha256(submission.state.encode())
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                digest.update(f"{path.relative_to(folder)} {path.stat().st_size} ".encode("utf-8", "surrogateescape"))
                with path.open("rb") as file:
                    while piece := file.read(1 << 20):
                        digest.update(piece)
        submission.state = digest.hexdigest()[:32]
    except OSError as error:
        submission.failed(REFUSED, f"{clean(error.filename)} cannot be read or written: {error.strerror}")
        return
    if not _is_time(read_timestamp(folder)):
        shown = clean(read_timestamp(folder))[:40]
        submission.failed(REFUSED, f"timestamp.txt holds no time ({shown}): mend or delete it, and grade again")


def _mend_time(folder):
    """Write an offset such as +0200 as nbgrader reads it: behind a space it takes it for 200 seconds."""
    text = read_timestamp(folder)
    mended = re.sub(r"(\d) ([+-]\d\d):?(\d\d)$", r"\1\2:\3", text)
    if mended != text:
        write_whole(folder / "timestamp.txt", mended)


def _is_time(text):
    from nbgrader.utils import parse_utc  # noqa: PLC0415

    try:
        return not text or bool(parse_utc(text))
    except (ValueError, OverflowError):
        return False


def _is_up_to_date(course, submission):
    if not course.folder_of("autograded", submission.student, submission.assignment).is_dir():
        return False
    lines = [read_verdicts(course.folder, place) for place in _places(course.folder, submission)]
    if not all(line and line.get("submission") == submission.state and not has_fault(line) for line in lines):
        return False
    submission.problems += [told for line in lines for told in _about(line)]
    return True


def _places(course, submission):
    timestamp = read_timestamp(Path(course) / submission.path)
    return [Place(submission.student, submission.assignment, name, timestamp) for name in submission.notebooks]


def _enter(course, submission, lines):
    """Let nbgrader grade the submission, with what has been found about it."""
    from autograder.classroom import seam  # noqa: PLC0415  (imports nbgrader)

    seam.judged.clear()
    for line in lines:
        seam.remember(line, line.pop("shown"))
        submission.problems += _about(line)
    if submission.longer is not None:
        with course.gradebook() as gradebook:
            extension = submission.longer or None
            gradebook.update_or_create_submission(submission.assignment, submission.student, extension=extension)
    for tries_left in reversed(range(TRIES)):
        try:
            course.call("autograde", submission.assignment, glob.escape(submission.student))
        except StepFailed as failed:
            if tries_left and any(reason in failed.log for reason in IN_THE_WAY):
                continue
            ours = seam.OUR_FAULT in str(failed)
            submission.failed(FAULTED if ours else REFUSED, clean(failed))
        else:
            submission.status = GRADED
        return


def _about(line):
    return [f"{line['chapter']}: {line['problem']}"] if line["problem"] else []


def _secret(course):
    path = course.folder / SECRET
    try:
        return path.read_bytes()
    except OSError as error:
        raise CourseError(
            f"{path} cannot be read ({error.strerror}): restore it from a backup, or draw a new one with "
            f"`attn course new {course.folder}` and grade everybody again"
        ) from None
