"""The commands of a teacher: `attn course`."""

from pathlib import Path
from typing import Annotated

import typer

course_app = typer.Typer(
    help="Make nbgrader assignments from the chapters.", no_args_is_help=True, rich_markup_mode=None
)


@course_app.command("new")
def course_new(folder: Annotated[Path, typer.Argument(help="Where the course shall be.")]):
    """Make a course: nbgrader's configuration, a gradebook, the secret."""
    from autograder.classroom.course import new_course

    new_course(folder)
    print(f"{folder} is a course now. Next: attn course build --course {folder}")


@course_app.command("build")
def course_build(
    course: Annotated[Path, typer.Option(help="The folder of the course.")] = Path("course"),
):
    """Write the assignments' notebooks and let nbgrader make the release."""
    from autograder.classroom.course import build_assignments

    build_assignments(course, print)
