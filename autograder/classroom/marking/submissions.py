"""Finds submissions, prepares them for grading, and recognises what has been graded already."""

import errno
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, field, fields, replace
from datetime import timedelta
from pathlib import Path

from autograder.api import Line, has_fault, read_notebook
from autograder.chapters.errors import CourseError, reason_of
from autograder.chapters.files import write_output, write_whole
from autograder.chapters.part import Part
from autograder.chapters.text import join_names
from autograder.classroom.course.course import CONFIG, Course, name_of
from autograder.classroom.course.deadlines import Arrival
from autograder.classroom.course.plan import Assignment
from autograder.classroom.course.times import local_time, naive_utc, parse_timestamp, read_timestamp
from autograder.classroom.gradebook.queries import Released, Standing, due_dates, released, standings
from autograder.classroom.inbox.arrivals import begun_in, find_notebooks
from autograder.classroom.inbox.handed import NOT_WORK
from autograder.classroom.inbox.owners import late_in, questions
from autograder.classroom.marking.verdicts import Place, basis_of, digest_of_basis, digest_of_files, read_verdicts
from autograder.classroom.release.changes import Change
from autograder.classroom.roster.groups import authors, moved_in, read_counted
from autograder.classroom.roster.ids import comparison_key
from autograder.classroom.roster.people import People, by_name
from autograder.classroom.roster.table import csv_text
from autograder.classroom.roster.until import Deadlines

# The status of a submission.
KEPT = "kept"  # unchanged since it was graded, or not examined yet
GRADED = "graded"
LATE = "late"  # the plan refuses it
GONE = "gone"  # it was graded, and no longer exists
REFUSED = "refused"  # it cannot be graded until somebody fixes it
FAULTED = "faulted"  # an internal error
# Errors caused by a learner's files, not by our machine.
LEARNERS_FILE_ERRORS = (errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENOTEMPTY)


@dataclass
class Submission:
    student: str
    assignment: str
    notebooks: dict[str, Released]  # chapter -> `Released`
    status: str = KEPT
    problems: list[str] = field(default_factory=list)  # sentences for the teacher
    notes: dict[str, list[str]] = field(default_factory=dict)  # chapter -> sentences for the learner
    changes: list[Change] = field(default_factory=list)  # of points since the last grading
    # what its grade depends on, part by part (`autograder.classroom.marking.verdicts.PARTS`)
    basis: dict[str, str] = field(default_factory=dict)
    standing: Standing | None = None  # the gradebook's data, or None
    arrival: Arrival = field(default_factory=lambda: Arrival(Assignment("", ()), None, False, None))
    others: tuple[str, ...] = ()  # other members of the group
    digest: str = ""  # of all its files; empty if they cannot be read

    @property
    def students(self) -> tuple[str, ...]:
        return self.student, *self.others

    @property
    def who(self) -> str:
        return " and ".join((self.student, *self.others))

    @property
    def path(self) -> str:
        return f"submitted/{self.student}/{self.assignment}"

    @property
    def state(self) -> str:
        return digest_of_basis(self.basis)

    def places(self, folder: Path) -> list[Place]:
        timestamp = read_timestamp(folder / self.path)
        return [Place(self.student, self.assignment, name, timestamp) for name in self.notebooks]

    def complete(self, line: Line) -> Line:
        """Return the line of one of its notebooks with what its grade depends on, and all notes for the learner."""
        notes = self.notes.get(line["chapter"], []) + line["notes"]
        return line | {"notes": notes, "submission": self.state, "basis": self.basis}

    def add_problems_of(self, lines: Iterable[Line]) -> None:
        sentences = [sentence for line in lines for sentence in problems_of(line)]
        self.problems += [sentence for sentence in sentences if sentence not in self.problems]

    @property
    def news(self) -> list[str]:
        """Sentences for the teacher, those aside that were told when it was graded: under which names files came."""
        told = [note for notes in self.notes.values() for note in notes] if self.status == KEPT else []
        return [sentence for sentence in self.problems if sentence not in told]

    def failed(self, status: str, sentence: str) -> None:
        self.status = status
        self.problems.append(sentence)


def find_submissions(course: Course, assignments: list[str]) -> list[Submission]:
    submissions = [submission for name in assignments for submission in _of_assignment(course, name)]
    if not submissions:
        raise CourseError(
            f"nothing has been handed in for {', '.join(assignments)}: fetch it with `attn course collect`, or put it "
            f"into {course.folder_of('submitted', 'STUDENT', assignments[0])}"
        )
    return submissions


def _of_assignment(course: Course, name: str) -> Iterator[Submission]:
    deadlines = Deadlines(course, name)
    notebooks, standing_of = released(course.read, name), standings(course.read, name)
    due = due_dates(course.read)[name]
    basis_of_all = basis_of(notebooks, deadlines.planned.carry_forward) | {
        "settings": hashlib.sha256((course.folder / CONFIG).read_bytes()).hexdigest()[:16],
        "due": str(due or ""),
    }
    if deadlines.planned.grace:
        basis_of_all["grace"] = str(deadlines.planned.grace)
    if waived := deadlines.planned.waived:
        basis_of_all["waived"] = str(sorted(waived.items()))
    author_of, questions_of = authors(course, name), questions(course, name)
    moved = [who for who in moved_in(course, name) if course.is_included(who) and not course.regroups]
    authors_here = sorted({*author_of.values()})
    strangers = _nearly_somebody(course, authors_here)
    for student in authors_here:
        others = tuple(other for other, author in author_of.items() if author == student != other)
        arrival = arrival_of(course, deadlines, (student, *others))
        extension = naive_utc(arrival.until) - due if due and arrival.until else timedelta()
        secret = name_of(course.secret_of(name, student))
        submission = Submission(student, name, notebooks)
        submission.basis = basis_of_all | {"secret": secret, "extension": str(extension or "")}
        if sentence := strangers.get(student):
            submission.failed(REFUSED, sentence)
        submission.standing, submission.others = standing_of.get(student), others
        submission.problems += [questions_of[student]] if student in questions_of else []
        submission.arrival = arrival
        _prepare(course, submission)
        if moved and student == authors_here[0]:
            submission.problems.append(
                f"{name}: by today's groups other work would count for {join_names(moved)}; what was graded stays. "
                f"`attn course grade {name} --regroup` takes today's groups, and with --dry-run says beforehand "
                "what changes"
            )
        yield submission
    for student in sorted(set(course.students(name, "autograded")) - {*authors_here, *author_of}):
        sentence = (
            f"was graded, and submitted/{student}/{name} is gone: points and pages stay. Put it back, or, if they have "
            "left, say so in the roster"
        )
        yield Submission(student, name, {}, GONE, [f"{name} {sentence}"])


def _nearly_somebody(course: Course, students: list[str]) -> dict[str, str]:
    """Return student -> why an id outside the roster is not graded that could be mistaken for one in it."""
    people = People(course)
    listed = {comparison_key(person.id): person.id for person in people.listed}
    known = {person.id for person in people.listed}
    return {
        student: f"{student} is not in the roster, and {listed[comparison_key(student)]} is: rename the folder "
        f"submitted/{student}, or say in the roster who it is"
        for student in students
        if student not in known and comparison_key(student) in listed
    }


def arrival_of(course: Course, deadlines: Deadlines, students: tuple[str, ...]) -> Arrival:
    """Return when the work of the first of these students came, which counts for all of them."""
    student, name = students[0], deadlines.planned.name
    time = parse_timestamp(read_timestamp(course.folder_of("submitted", student, name)))
    is_said_late = time is None and student in late_in(course, name)
    return Arrival(deadlines.planned, time, is_said_late, deadlines.until(students))


def _prepare(course: Course, submission: Submission) -> None:
    folder = course.folder / submission.path
    try:
        asked = {chapter: set(released.points) for chapter, released in submission.notebooks.items()}
        submission.notes = find_notebooks(folder, asked)
        submission.problems += [sentence for sentences in submission.notes.values() for sentence in sentences]
        _mend_time(folder)
        submission.digest = digest_of_files(folder)
        submission.basis["answer"] = digest_of_files(folder, NOT_WORK)[:16]
    except OSError as error:
        sentence = f"{error.filename or folder} cannot be read or written: {reason_of(error)}"
        submission.failed(REFUSED if error.errno in LEARNERS_FILE_ERRORS else FAULTED, sentence)
        return
    handed_in, arrival = read_timestamp(folder), submission.arrival
    submission.arrival = arrival = replace(arrival, time=parse_timestamp(handed_in))  # `_mend_time` may have changed it
    submission.basis["time"] = str(arrival.time or arrival.is_said_late or "")
    if handed_in and arrival.time is None:
        excerpt = handed_in[:40]
        submission.failed(REFUSED, f"timestamp.txt contains no time ({excerpt}): repair or delete it, and grade again")
    elif sentence := arrival.refusal(course.plan, submission.student):
        stays = "; what was graded before stays, in gradebook, overview and exports" if submission.standing else ""
        submission.failed(LATE, sentence + stays)


def _mend_time(folder: Path) -> None:
    """Rewrite an offset such as +0200 for nbgrader, which reads it as 200 seconds after a space."""
    text = read_timestamp(folder)
    mended = re.sub(r"(\d) ([+-]\d\d):?(\d\d)$", r"\1\2:\3", text)
    if mended != text:
        write_whole(folder / "timestamp.txt", mended)


def is_up_to_date(course: Course, submission: Submission) -> bool:
    """Return whether its grade is valid for the present files; if so, repeat the problems found then."""
    autograded = course.folder_of("autograded", submission.student, submission.assignment)
    if not (submission.standing and autograded.is_dir()):
        return False
    lines = [read_verdicts(course.folder, place) for place in submission.places(course.folder)]
    current = [line for line in lines if line and line.get("submission") == submission.state and not has_fault(line)]
    if len(current) == len(lines):
        submission.add_problems_of(current)
    counted = read_counted(course.folder, submission.assignment).get(submission.student)
    is_same = counted is None or set(counted.students) == set(submission.students)
    return is_same and len(current) == len(lines)


def problems_of(line: Line) -> list[str]:
    sentences = [line["problem"]] if line["problem"] else []
    for exercise in line["exercises"]:
        if exercise["outcome"] == "fault":
            sentences.append(f"{exercise['exercise']} is left to be graded by hand, or again: {exercise['message']}")
    return [f"{line['chapter']}: {sentence}" for sentence in sentences] + line.get("notes", [])


@dataclass(frozen=True)
class Receipt:
    student: str
    name: str
    handed_in: str  # in the course's zone; empty if unknown
    begun: int  # exercises with more than the stub
    asked: int
    digest: str  # of all files, as in `attn course show`


def receipts_of(course: Course, assignment: str) -> Iterator[Receipt]:
    planned = course.plan.assignment(assignment)
    exercise_count = len(planned.exercises_asked)
    counting = authors(course, assignment)
    for person in sorted(People(course).in_course, key=lambda person: by_name(person.name)):
        if not course.is_included(person.id):
            continue
        folder = course.folder_of("submitted", counting.get(person.id, person.id), assignment)
        if folder.is_dir():
            begun = sum(
                _count_begun(folder / f"{chapter}.ipynb", planned.part(chapter)) for chapter in planned.chapters
            )
            when = local_time(read_timestamp(folder), course.plan)
            yield Receipt(person.id, person.name, when, begun, exercise_count, digest_of_files(folder))
        else:
            yield Receipt(person.id, person.name, "", 0, exercise_count, "")


def write_receipts(path: Path, receipts: list[Receipt]) -> None:
    rows = [[field.name for field in fields(Receipt)], *map(astuple, receipts)]
    write_output(path, csv_text(rows))


def _count_begun(path: Path, part: Part) -> int:
    names = {exercise.name for exercise in part.exercises}
    return len(names.intersection(begun_in(path, read_notebook(path)[0], part.chapter.name)))
