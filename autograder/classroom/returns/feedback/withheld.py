"""Feedback that may not go back yet: an exam's, until its teacher says so."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


def is_withheld(course: Course, assignment: str) -> bool:
    """Whether its pages may not be written by now."""
    return not course.plan.assignment(assignment).returns_feedback


def require_release(course: Course, assignment: str) -> None:
    """Raise `CourseError` where the pages of an assignment may not be written by now."""
    if is_withheld(course, assignment):
        raise CourseError(
            f"the feedback of {assignment} is not to go back yet, as course.toml has it: `attn course feedback "
            f"{assignment} --release` lets it"
        )


def release(course: Course, assignments: list[str]) -> None:
    """Let the pages of these assignments go back from now on: it is written into `course.toml`."""
    for name in assignments:
        if is_withheld(course, name):
            course.set_key(name, "feedback", True)


def without(course: Course, assignments: list[str], named: Collection[str], log: Callable[[str], None]) -> list[str]:
    """The assignments whose pages may be written; others are told, and refused with `CourseError` where named."""
    for name in named:
        require_release(course, name)
    for name in (each for each in assignments if is_withheld(course, each)):
        log(f"{name}: no pages yet; `attn course feedback {name} --release` lets them go back")
    return [name for name in assignments if not is_withheld(course, name)]
