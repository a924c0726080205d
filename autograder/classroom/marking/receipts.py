"""Who has handed in what and when: a list for whoever watches over an exam; each line is a learner's receipt."""

from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from autograder.boundary.reader import read_notebook
from autograder.chapters.files import write_output
from autograder.classroom.course.course import Course
from autograder.classroom.course.plan import Assignment
from autograder.classroom.course.times import local_time, read_timestamp
from autograder.classroom.inbox.arrivals import begun_in
from autograder.classroom.marking.verdicts import digest_of_files
from autograder.classroom.roster.groups import authors
from autograder.classroom.roster.people import People, by_name
from autograder.classroom.roster.table import csv_text


@dataclass(frozen=True)
class Receipt:
    student: str
    name: str
    handed_in: str  # when, in the course's zone; empty where nobody knows
    begun: int  # exercises of which there is more than the stub
    asked: int
    digest: str  # of all files; the one that `attn course show` tells


def receipts_of(course: Course, assignment: str) -> Iterator[Receipt]:
    planned = course.plan.assignment(assignment)
    exercise_count = len(planned.exercises_asked)
    counting = authors(course, assignment)
    for person in sorted(People(course).in_course, key=lambda person: by_name(person.name)):
        if not course.is_included(person.id):
            continue
        folder = course.folder_of("submitted", counting.get(person.id, person.id), assignment)
        if folder.is_dir():
            begun = _count_begun(folder, planned)
            when = local_time(read_timestamp(folder), course.plan)
            yield Receipt(person.id, person.name, when, begun, exercise_count, digest_of_files(folder))
        else:
            yield Receipt(person.id, person.name, "", 0, exercise_count, "")


def write_receipts(path: Path, receipts: list[Receipt]) -> None:
    rows = [[field.name for field in fields(Receipt)], *map(astuple, receipts)]
    write_output(path, csv_text(rows))


def _count_begun(folder: Path, planned: Assignment) -> int:
    begun = 0
    for chapter in planned.chapters:
        path = folder / f"{chapter}.ipynb"
        names = {exercise.name for exercise in planned.part(chapter).exercises}
        begun += len(names.intersection(begun_in(path, read_notebook(path)[0], chapter)))
    return begun
