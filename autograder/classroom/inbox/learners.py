"""Learners of whom a course has heard twice, or is to know nothing any more."""

import csv
import glob
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.chapters.errors import CourseError
from autograder.chapters.files import explain_errors, remove, write_whole
from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import write_extensions
from autograder.classroom.inbox.handed import REPLACED
from autograder.classroom.inbox.owners import COLLECTED, read_origins, write_origins
from autograder.classroom.release.changes import CHANGES
from autograder.classroom.roster.groups import COUNTED, read_counted, write_counted
from autograder.classroom.roster.people import People
from autograder.classroom.roster.table import csv_text

STEPS = ("submitted", "autograded", "feedback", "verdicts")


def join(course: Course, old: str, new: str) -> None:
    with course.gradebook() as gradebook:
        students: dict[str, Any] = {student.id: student for student in gradebook.students}
        for student in (old, new):
            if student not in students:
                raise CourseError(f"{student} is not a student id of this course: `attn course roster` lists them")
        if old == new:
            raise CourseError(f"{old} is one learner already")
        theirs = {name: {submitted.assignment.name for submitted in students[name].submissions} for name in (old, new)}
        both = (theirs[old] | _on_disk(course, old)) & (theirs[new] | _on_disk(course, new))
        if both:
            raise CourseError(
                f"{old} and {new} have both handed in {', '.join(sorted(both))}: delete one of the two "
                "in submitted/ and autograded/, and in Formgrader, first"
            )
    _hand_over(course, old, new)
    with course.gradebook() as gradebook:
        gradebook.remove_student(old)
    for step in STEPS:
        if (course.folder / step / old).is_dir():
            (course.folder / step / old).rmdir()
    if (people := People(course)).has_roster:
        people.by_id.pop(old, None)
        people.save()


def _on_disk(course: Course, student: str) -> set[str]:
    return {path.name for step in STEPS for path in (course.folder / step / student).glob("*") if path.is_dir()}


def _hand_over(course: Course, old: str, new: str, assignment: str = "*") -> None:
    """Make the work of one learner another's, in one assignment or in all."""
    with course.gradebook() as gradebook:
        students: dict[str, Any] = {student.id: student for student in gradebook.students}
        for submission in list(students[old].submissions):
            if assignment in ("*", submission.assignment.name):
                submission.student = students[new]
        gradebook.db.commit()
    for step in STEPS:
        for folder in sorted((course.folder / step / old).glob(assignment)):
            place = course.folder / step / new / folder.name
            place.parent.mkdir(parents=True, exist_ok=True)
            folder.rename(place)
            for path in place.rglob("*.json") if step == "verdicts" else ():
                line = json.loads(path.read_text(encoding="utf-8"))
                place_of_work = line["answer"].replace(f"submitted/{old}/", f"submitted/{new}/")
                write_whole(path, json.dumps(line | {"student": new, "answer": place_of_work}) + "\n")
    for path in (course.folder / COLLECTED).glob(f"{assignment}.json"):
        origins = read_origins(course, path.stem)
        if old in origins:
            origins.setdefault(new, origins.pop(old))
            write_origins(course, path.stem, origins)


def traces_of(course: Course, student: str) -> list[Path]:
    """Return the files and folders that hold what a learner handed in, or what was found of it."""
    name, settings = glob.escape(student), course.settings
    places = [course.folder.glob(f"{step}/{name}") for step in STEPS]
    inbound = Path(settings["exchange"]).glob(f"{settings['course_id'] or '*'}/inbound/{name}+*")
    places += [course.folder.glob(f"{REPLACED}/*/{name}"), inbound, course.folder.glob(".pages.json")]  # names all
    return [path for each in places for path in each]


def forget(course: Course, student: str) -> None:
    """Remove a learner from the course; what counts for others of a group becomes the work of the first of them."""
    people = People(course)
    for path in (course.folder / COUNTED).glob("*.json"):
        counted = read_counted(course.folder, path.stem)
        if (own := counted.pop(student, None)) and (others := [each for each in own.students if each != student]):
            _hand_over(course, student, others[0], path.stem)
            counted[others[0]] = own
        for who, of in counted.items():
            counted[who] = replace(of, students=tuple(each for each in of.students if each != student))
        write_counted(course.folder, path.stem, counted)
    for path in traces_of(course, student):
        with explain_errors(path):
            remove(path)
    for path in (course.folder / COLLECTED).glob("*.json"):
        origins = read_origins(course, path.stem)
        if origins.pop(student, None) is not None:
            write_origins(course, path.stem, origins)
    extensions = {key: end for key, end in course.extensions().items() if key[1] != student}
    write_extensions(course.folder, extensions)
    if (path := course.folder / CHANGES).exists():
        with path.open(encoding="utf-8", newline="") as file:
            write_whole(path, csv_text(row for row in csv.reader(file) if row[1:2] != [student]), 0o600)
    with course.gradebook() as gradebook:
        if student in [each.id for each in gradebook.students]:
            gradebook.remove_student(student)
    if people.has_roster:
        people.by_id.pop(student, None)
        people.save()
