"""Feedback that may not go back yet: an exam's, until its teacher says so."""

from autograder.chapters.errors import CourseError


def is_withheld(course, assignment):
    """Whether its pages may not be written by now."""
    return not course.plan.assignment(assignment).returns_feedback


def require_release(course, assignment):
    """Raise `CourseError` where the pages of an assignment may not be written by now."""
    if is_withheld(course, assignment):
        raise CourseError(
            f"the feedback of {assignment} is not to go back yet, as course.toml has it: `attn course feedback "
            f"{assignment} --release` lets it"
        )


def release(course, assignments):
    """Let the pages of these assignments go back from now on: it is written into `course.toml`."""
    for name in assignments:
        if is_withheld(course, name):
            course.set_key(name, "feedback", True)


def without(course, assignments, named, log):
    """The assignments whose pages may be written; others are told, and refused with `CourseError` where named."""
    for name in named:
        require_release(course, name)
    for name in (each for each in assignments if is_withheld(course, each)):
        log(f"{name}: no pages yet; `attn course feedback {name} --release` lets them go back")
    return [name for name in assignments if not is_withheld(course, name)]
