"""Two entries that are one learner, made one: what either has handed in, its grades and its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograder.chapters.errors import CourseError
from autograder.classroom.inbox.owners import rename_origin

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


STEPS = ("submitted", "autograded", "feedback", "verdicts")


def join(course: Course, old: str, new: str) -> None:
    """Give all that one student id has to another, and forget the first.

    `old`, `new`: student ids.
    `CourseError` where there is no such student, or both have handed in the same assignment.
    """
    with course.gradebook() as gradebook:
        students: dict[str, Any] = {student.id: student for student in gradebook.students}
        for student in (old, new):
            if student not in students:
                raise CourseError(f"{student} is no student id of this course: `attn course roster` lists them")
        if old == new:
            raise CourseError(f"{old} is one learner already")
        theirs = {name: {each.assignment.name for each in students[name].submissions} for name in (old, new)}
        both = (theirs[old] | _on_disk(course, old)) & (theirs[new] | _on_disk(course, new))
        if both:
            raise CourseError(
                f"{old} and {new} have both handed in {', '.join(sorted(both))}: delete one of the two "
                "in submitted/ and autograded/, and in Formgrader, first"
            )
        for submission in list(students[old].submissions):
            submission.student = students[new]
        gradebook.db.commit()
        gradebook.remove_student(old)
    for step in STEPS:
        for folder in sorted((course.folder / step / old).glob("*")):
            place = course.folder / step / new / folder.name
            place.parent.mkdir(parents=True, exist_ok=True)
            folder.rename(place)
        if (course.folder / step / old).is_dir():
            (course.folder / step / old).rmdir()
    rename_origin(course, old, new)


def _on_disk(course: Course, student: str) -> set[str]:
    return {path.name for step in STEPS for path in (course.folder / step / student).glob("*") if path.is_dir()}
