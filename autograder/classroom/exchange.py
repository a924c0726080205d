"""Out to learners and back through nbgrader's exchange, a folder that both sides can reach."""

import glob
from collections.abc import Callable, Iterable
from pathlib import Path

from autograder.chapters.errors import CourseError
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import read_timestamp
from autograder.classroom.gradebook.calls import StepFailed

COLLECT = "autograder.classroom.inbox.inbound.CollectPlain"  # what Formgrader's button collects with, too


def use_exchange(course: Course, folder: Path | None = None) -> None:
    """Say where the exchange is; where no folder is named, the configured one.

    `CourseError` where there is none.
    """
    if folder is not None:
        course.config.Exchange.root = str(Path(folder).resolve())
    elif not has_exchange(course):
        raise CourseError(
            "no exchange is configured: name its folder with --exchange, or set c.Exchange.root in nbgrader_config.py. "
            "Without one, hand out the folder release/ as you like, and fetch what comes back with "
            "`attn course collect --from`"
        )


def has_exchange(course: Course) -> bool:
    """Whether nbgrader's configuration names an exchange that is there."""
    from nbgrader.exchange.default import Exchange  # noqa: PLC0415

    # An exchange of another kind than a folder is configured by its classes.
    others = set(course.config.ExchangeFactory.values()) - {COLLECT}
    return bool(others) or Path(course.config.Exchange.get("root", Exchange.root.default_value)).is_dir()


def release(
    course: Course, assignments: Iterable[str], is_named: bool = True, log: Callable[[str], object] = print
) -> list[str]:
    """Put assignments into the exchange; what was released before is replaced. Which ones that were.

    One that does not open yet is left out and told, and refused with `CourseError` where it was named.
    """
    course.config.ExchangeReleaseAssignment.force = True
    planned = {name: course.plan.assignment(name) for name in assignments}
    for name in [name for name, each in planned.items() if not each.is_open]:
        told = f"{name} opens on {planned.pop(name).opens:%d %b %Y at %H:%M}, so it is not released yet"
        if is_named:
            raise CourseError(f"{told}: do it then, or change `opens` in course.toml")
        log(told)
    for name in planned:
        _call(course, "release_assignment", name)
    return list(planned)


def collect(course: Course, assignments: Iterable[str]) -> tuple[dict[str, tuple[int, int, int]], list[str]]:
    """Fetch what is new in the exchange.

    Gives `dict`: assignment -> (number of new submissions, of replaced ones, of all that are here now).
    Gives `list of str`: sentences about what was left out.
    """
    from autograder.classroom.inbox import inbound  # noqa: PLC0415  (imports nbgrader)

    found: dict[str, tuple[int, int, int]] = {}
    refused: list[str] = []
    for name in assignments:
        before = _handed_in(course, name)
        try:
            refused += inbound.collect(course, name)
        except StepFailed as failed:
            raise CourseError(f"{name}: {failed}") from None
        now = _handed_in(course, name)
        replaced = [student for student in before if now.get(student) != before[student]]
        found[name] = len(now.keys() - before), len(replaced), len(now)
    return found, refused


def _handed_in(course: Course, assignment: str) -> dict[str, str]:
    """Learner -> when; what nbgrader says of it goes where somebody else may have sent the log."""
    folders = {name: course.folder_of("submitted", name, assignment) for name in course.students(assignment)}
    return {name: read_timestamp(folder) for name, folder in folders.items()}


def release_feedback(course: Course, assignments: Iterable[str]) -> int:
    """Put the pages of everybody who submitted through the exchange there; how many learners that are."""
    count = 0
    for name in assignments:
        for student in course.students(name, "feedback"):
            if (course.folder_of("feedback", student, name) / "submission_secret.txt").exists():
                _call(course, "release_feedback", name, glob.escape(student))
                count += 1
    return count


def _call(course: Course, step: str, assignment: str, *arguments: str) -> None:
    try:
        course.call(step, assignment, *arguments)
    except StepFailed as failed:
        raise CourseError(f"{assignment}: {failed}") from None
