"""Group work: what one of a group hands in counts for all of them."""

import datetime
from collections.abc import Iterable

from autograder.classroom.course.course import Course
from autograder.classroom.course.times import read_timestamp, time_of
from autograder.classroom.roster.people import People


def groups_of(course: Course, assignment: str) -> dict[str, list[str]]:
    """Name -> ids of each group that works together on an assignment; none where it is not group work."""
    groups: dict[str, list[str]] = {}
    if course.plan.assignment(assignment).group_work:
        for person in People(course).listed:
            if person.group:
                groups.setdefault(person.group, []).append(person.id)
    return groups


def in_group(course: Course, assignment: str, students: list[str]) -> list[str]:
    """These students, and all who work with one of them on an assignment."""
    groups = groups_of(course, assignment).values()
    others = [other for group in groups if set(group) & set(students) for other in group]
    return list(dict.fromkeys([*students, *others]))


def authors(course: Course, assignment: str, step: str = "submitted") -> dict[str, str]:
    """Student, of those a command is about -> whose work counts for them: their own, or else their group's first.

    `step`: only work of which there is something in that folder.
    """
    handed_in = course.holders("submitted", assignment)
    there = handed_in if step == "submitted" else course.holders(step, assignment)
    author_of = {student: student for student in there}
    for group in groups_of(course, assignment).values():
        of_group = handed_in.intersection(group) or there.intersection(group)
        if of_group:
            first = first_of(course, assignment, of_group)
            author_of |= {student: student if student in of_group else first for student in group}
    included = filter(course.is_included, sorted(author_of))
    return {student: author_of[student] for student in included if author_of[student] in there}


def first_of(course: Course, assignment: str, students: Iterable[str]) -> str:
    """Who of these handed in first; a time that nobody knows comes last."""

    def came(student: str) -> tuple[datetime.datetime, str]:
        time = time_of(read_timestamp(course.folder_of("submitted", student, assignment)))
        return time or datetime.datetime.max, student

    return min(students, key=came)
