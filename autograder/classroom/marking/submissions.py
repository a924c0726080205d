"""The submissions of an assignment, with the data for grading them, and whether they are already graded."""

import enum
import errno
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

from autograder.api import RecordLine, has_fault
from autograder.chapters.errors import CourseError, reason_of
from autograder.chapters.text import join_names
from autograder.classroom.course.course import CONFIG, Course, label_secret
from autograder.classroom.course.deadlines import Arrival
from autograder.classroom.course.plan import Assignment
from autograder.classroom.course.times import parse_timestamp, read_timestamp, to_naive_utc
from autograder.classroom.gradebook.queries import (
    GradedWork,
    ReleasedNotebook,
    read_due_dates,
    read_graded_submissions,
    read_released_notebooks,
)
from autograder.classroom.inbox.arrivals import find_notebooks
from autograder.classroom.inbox.handed import NOT_WORK
from autograder.classroom.inbox.owners import ask_about_groups, read_origins
from autograder.classroom.marking.verdicts import NotebookPlace, hash_basis, hash_files, hash_notebooks, read_verdicts
from autograder.classroom.roster.changes import ChangedNumber
from autograder.classroom.roster.counted import find_regrouped_students, find_submitters, read_counted
from autograder.classroom.roster.ids import make_comparison_key
from autograder.classroom.roster.people import People
from autograder.classroom.roster.until import Deadlines

LEARNERS_FILE_ERRORS = (errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY)


class Status(enum.Enum):
    KEPT = "unchanged since it was graded, or not examined yet"
    GRADED = "graded by this run"
    REFUSED = "too late, or not gradable until somebody repairs it"
    FAULTED = "met an internal error"


@dataclass
class Submission:
    student: str
    assignment: str
    notebooks: dict[str, ReleasedNotebook]  # chapter -> its released notebook
    status: Status = Status.KEPT
    problems: list[str] = field(default_factory=list)  # sentences for the teacher
    notes: dict[str, list[str]] = field(default_factory=dict)  # chapter -> sentences for the learner
    changes: list[ChangedNumber] = field(default_factory=list)
    # Hashes of everything that the grade depends on, with the keys of `verdicts.PARTS`.
    basis: dict[str, str] = field(default_factory=dict)
    score: GradedWork | None = None
    arrival: Arrival = field(default_factory=lambda: Arrival(Assignment("", ()), None, False, None))
    others: tuple[str, ...] = ()
    timestamp: str = ""  # text of `timestamp.txt`
    # The hash of all files of the submission; empty if they cannot be read.
    digest: str = ""

    @property
    def students(self) -> tuple[str, ...]:
        return self.student, *self.others

    @property
    def path(self) -> str:
        return f"submitted/{self.student}/{self.assignment}"

    @property
    def state(self) -> str:
        """Return a hash that changes if the grade may change."""
        return hash_basis(self.basis)

    @property
    def places(self) -> list[NotebookPlace]:
        return [NotebookPlace(self.student, self.assignment, name, self.timestamp) for name in self.notebooks]

    def complete(self, line: RecordLine) -> RecordLine:
        """Return a notebook's record, extended by `basis`, its hash, and all notes for the learner."""
        notes = self.notes.get(line["chapter"], []) + line["notes"]
        return line | {"notes": notes, "submission": self.state, "basis": self.basis}

    def add_problems_of(self, lines: Iterable[RecordLine]) -> None:
        sentences = [sentence for line in lines for sentence in _list_problems(line)]
        self.problems += [sentence for sentence in sentences if sentence not in self.problems]

    @property
    def new_problems(self) -> list[str]:
        """Return the problems, without those that were reported when the submission was graded."""
        reported = [note for notes in self.notes.values() for note in notes] if self.status == Status.KEPT else []
        return [sentence for sentence in self.problems if sentence not in reported]

    def fail(self, status: Status, sentence: str) -> None:
        self.status = status
        self.problems.append(sentence)


def find_submissions(course: Course, assignments: list[str]) -> list[Submission]:
    """Return the submissions of assignments, ready for grading. Raises `CourseError` if there are none."""
    submissions = [submission for name in assignments for submission in _prepare_all(course, name)]
    if not submissions:
        raise CourseError(f"nothing has been handed in for {', '.join(assignments)}: run `attn course collect` first")
    return submissions


def _prepare_all(course: Course, name: str) -> Iterator[Submission]:
    """Yield the submissions of an assignment."""
    deadlines = Deadlines(course, name)
    notebooks, scores = read_released_notebooks(course.query, name), read_graded_submissions(course.query, name)
    due = read_due_dates(course.query)[name]
    common_basis = hash_notebooks(notebooks, deadlines.assignment.carry_forward) | {
        "settings": hashlib.sha256((course.folder / CONFIG).read_bytes()).hexdigest()[:16],
        "due": str(due or ""),
    }
    if deadlines.assignment.grace:
        common_basis["grace"] = str(deadlines.assignment.grace)
    if waivers := deadlines.assignment.waived:
        common_basis["waived"] = str(sorted(waivers.items()))
    submitter_of, questions = find_submitters(course, name), ask_about_groups(course, name)
    names = [] if course.regroups else find_regrouped_students(course, name)
    regrouped = [*filter(course.is_included, names)]
    submitters = sorted({*submitter_of.values()})
    roster_ids = {person.id for person in People(course).roster}
    id_of_key = {make_comparison_key(student): student for student in roster_ids}
    for student in submitters:
        members = tuple(member for member, submitter in submitter_of.items() if submitter == student != member)
        arrival = read_arrival(course, deadlines, (student, *members))
        extension = to_naive_utc(arrival.until) - due if due and arrival.until else timedelta()
        secret = label_secret(course.derive_assignment_secret(name, student))
        submission = Submission(student, name, notebooks, score=scores.get(student), arrival=arrival, others=members)
        submission.basis = common_basis | {"secret": secret, "extension": str(extension or "")}
        lookalike = id_of_key.get(make_comparison_key(student))
        if lookalike and student not in roster_ids:
            advice = f"rename submitted/{student}, or add that id"
            submission.fail(Status.REFUSED, f"{student} is not in the roster, and {lookalike} is: {advice}")
        submission.problems += [questions[student]] if student in questions else []
        _prepare(course, submission)
        if regrouped and student == submitters[0]:
            submission.problems.append(
                f"{name}: with today's groups, other work would count for {join_names(regrouped)}. "
                f"`attn course grade {name} --regroup` uses today's groups, and --dry-run shows what changes"
            )
        yield submission


def read_arrival(course: Course, deadlines: Deadlines, students: tuple[str, ...]) -> Arrival:
    """Return the time at which `students[0]` submitted for all of these students, and their deadline."""
    student, name = students[0], deadlines.assignment.name
    time = parse_timestamp(read_timestamp(course.folder_of("submitted", student, name)))
    is_marked_late = time is None and bool(read_origins(course, name).get(student, {}).get("late"))
    return Arrival(deadlines.assignment, time, is_marked_late, deadlines.find_deadline(students))


def _prepare(course: Course, submission: Submission) -> None:
    """Find the notebooks of a submission, hash its files, and record whether it can be graded."""
    folder = course.folder / submission.path
    submission.timestamp = read_timestamp(folder)
    try:
        graded_cells = {chapter: set(released.points) for chapter, released in submission.notebooks.items()}
        submission.notes = find_notebooks(folder, graded_cells)
        submission.problems += [sentence for sentences in submission.notes.values() for sentence in sentences]
        submission.digest = hash_files(folder)
        submission.basis["answer"] = hash_files(folder, NOT_WORK)[:16]
    except OSError as error:
        sentence = f"{error.filename or folder} cannot be read or written: {reason_of(error)}"
        submission.fail(Status.REFUSED if error.errno in LEARNERS_FILE_ERRORS else Status.FAULTED, sentence)
        return
    timestamp, arrival = submission.timestamp, submission.arrival
    submission.basis["time"] = str(arrival.time or arrival.is_marked_late or "")
    if timestamp and arrival.time is None:
        sentence = f"timestamp.txt contains no time ({timestamp[:40]}): repair or delete it, and grade again"
        submission.fail(Status.REFUSED, sentence)
    elif sentence := arrival.explain_refusal(course.plan, submission.student):
        advice = "; the earlier grade stays in the gradebook, overview and exports" if submission.score else ""
        submission.fail(Status.REFUSED, sentence + advice)


def is_up_to_date(course: Course, submission: Submission) -> bool:
    """Return whether the grade is valid for the current files. If so, add grading's problems to `submission`."""
    autograded = course.folder_of("autograded", submission.student, submission.assignment)
    record = read_counted(course.folder, submission.assignment).get(submission.student)
    if not (submission.score and autograded.is_dir() and record and {*record.students} == {*submission.students}):
        return False
    lines = [read_verdicts(course.folder, place) for place in submission.places]
    current = [line for line in lines if line and line.get("submission") == submission.state and not has_fault(line)]
    if len(current) < len(lines):
        return False
    submission.add_problems_of(current)
    return True


def _list_problems(line: RecordLine) -> list[str]:
    sentences = [line["problem"]] if line["problem"] else []
    for exercise in line["exercises"]:
        if exercise["outcome"] == "fault":
            sentences.append(f"{exercise['exercise']} still has to be graded, by hand or again: {exercise['message']}")
    return [f"{line['chapter']}: {sentence}" for sentence in sentences] + line.get("notes", [])
