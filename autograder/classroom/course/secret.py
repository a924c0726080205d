"""What hidden inputs are drawn from: the course's secret, and for each exam one of its own, derived from it."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from autograder.chapters.errors import CourseError, why

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


SECRET = "secret"  # in the course's folder


def secret_of(course: Course, assignment: str):
    """What the hidden inputs of an assignment are drawn from.

    Learners have read on their pages which inputs an exercise was asked with. An exam draws others.

    `CourseError` where the course's secret is not there.
    """
    path = course.folder / SECRET
    try:
        secret = path.read_bytes()
    except OSError as error:
        raise CourseError(
            f"{path} cannot be read ({why(error)}): restore it from a backup, or draw a new one with "
            f"`attn course new {course.folder}` and grade everybody again"
        ) from None
    return derived(secret, f"exam {assignment}") if course.plan.assignment(assignment).exam else secret


def derived(secret, purpose):
    """A secret made of another: what leaks of it helps nobody with the other."""
    return hmac.new(secret, purpose.encode(), hashlib.sha256).hexdigest().encode()


def name_of(secret):
    """Eight letters that tell one secret from another, and tell nothing else about it."""
    return hmac.new(secret, b"its name", hashlib.sha256).hexdigest()[:8]
