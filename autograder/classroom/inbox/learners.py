"""Removal of a learner from a course."""

import csv
import glob
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.chapters.files import explain_errors, remove, write_file
from autograder.classroom.course.course import Course
from autograder.classroom.course.deadlines import write_extensions
from autograder.classroom.inbox.handed import REPLACED
from autograder.classroom.inbox.owners import COLLECTED, read_origins, write_origins
from autograder.classroom.roster.changes import CHANGES
from autograder.classroom.roster.counted import COUNTED, read_counted, write_counted
from autograder.classroom.roster.people import People
from autograder.classroom.roster.table import format_csv

STEPS = ("submitted", "autograded", "feedback", "verdicts")  # subfolders of the course


def _remove_entries(course: Course, student: str) -> None:
    """Remove a learner from the gradebook and the roster."""
    people = People(course)
    people.by_id.pop(student, None)
    with course.open_gradebook() as gradebook:
        if student in [each.id for each in gradebook.students]:
            gradebook.remove_student(student)
    if people.has_roster:
        people.save()


def _transfer_work(course: Course, old: str, new: str, assignment: str) -> None:
    with course.open_gradebook() as gradebook:
        students: dict[str, Any] = {student.id: student for student in gradebook.students}
        for submission in list(students[old].submissions):
            if submission.assignment.name == assignment:
                submission.student = students[new]
        gradebook.db.commit()
    for step in STEPS:
        for folder in sorted((course.folder / step / old).glob(assignment)):
            target = course.folder / step / new / folder.name
            target.parent.mkdir(parents=True, exist_ok=True)
            folder.rename(target)
            for path in target.rglob("*.json") if step == "verdicts" else ():
                line = json.loads(path.read_text(encoding="utf-8"))
                answer = line["answer"].replace(f"submitted/{old}/", f"submitted/{new}/")
                write_file(path, json.dumps(line | {"student": new, "answer": answer}) + "\n")
    for path in (course.folder / COLLECTED).glob(f"{assignment}.json"):
        origins = read_origins(course, path.stem)
        if old in origins:
            origins.setdefault(new, origins.pop(old))
            write_origins(course, path.stem, origins)


def find_files_about(course: Course, student: str) -> list[Path]:
    """Return the files and folders with a learner's submissions, verdicts and pages."""
    name, settings = glob.escape(student), course.settings
    globs = [course.folder.glob(f"{step}/{name}") for step in STEPS]
    inbound = Path(settings["exchange"]).glob(f"{settings['course_id'] or '*'}/inbound/{name}+*")
    # Earlier versions kept a record of the written pages, which names all learners.
    globs += [course.folder.glob(f"{REPLACED}/*/{name}"), inbound, course.folder.glob(".pages.json")]
    return [path for paths in globs for path in paths]


def remove_student(course: Course, student: str) -> None:
    """Remove a learner from the course. Work that counts for a group is transferred to its next member."""
    for path in (course.folder / COUNTED).glob("*.json"):
        records = read_counted(course.folder, path.stem)
        record = records.pop(student, None)
        if record and (members := [each for each in record.students if each != student]):
            _transfer_work(course, student, members[0], path.stem)
            records[members[0]] = record
        for student_id, entry in records.items():
            records[student_id] = replace(entry, students=tuple(each for each in entry.students if each != student))
        write_counted(course.folder, path.stem, records)
    for path in find_files_about(course, student):
        with explain_errors(path):
            remove(path)
    for path in (course.folder / COLLECTED).glob("*.json"):
        origins = read_origins(course, path.stem)
        if origins.pop(student, None) is not None:
            write_origins(course, path.stem, origins)
    remaining = {key: end for key, end in course.read_extensions().items() if key[1] != student}
    write_extensions(course.folder, remaining)
    if (path := course.folder / CHANGES).exists():
        with path.open(encoding="utf-8", newline="") as file:
            write_file(path, format_csv(row for row in csv.reader(file) if row[1:2] != [student]), 0o600)
    _remove_entries(course, student)
