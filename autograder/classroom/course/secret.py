"""What hidden inputs are drawn from: the course's secret, and for each exam one of its own, derived from it."""

import hashlib
import hmac
from pathlib import Path

from autograder.chapters.errors import CourseError, why
from autograder.classroom.course.plan import Assignment

SECRET = "secret"  # in the course's folder


def secret_of(folder: Path, assignment: Assignment) -> bytes:
    """What the hidden inputs of an assignment are drawn from, in a course's folder; `CourseError` where it is gone.

    Learners have read on their pages which inputs an exercise was asked with. An exam draws others.
    """
    path = folder / SECRET
    try:
        secret = path.read_bytes()
    except OSError as error:
        raise CourseError(
            f"{path} cannot be read ({why(error)}): restore it from a backup, or draw a new one with "
            f"`attn course new {folder}` and grade everybody again"
        ) from None
    return derived(secret, f"exam {assignment.name}") if assignment.exam else secret


def derived(secret: bytes, purpose: str) -> bytes:
    """A secret made of another: what leaks of it helps nobody with the other."""
    return hmac.new(secret, purpose.encode(), hashlib.sha256).hexdigest().encode()


def name_of(secret: bytes) -> str:
    """Eight letters that tell one secret from another, and tell nothing else about it."""
    return hmac.new(secret, b"its name", hashlib.sha256).hexdigest()[:8]
