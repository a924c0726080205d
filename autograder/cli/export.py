"""Commands that export scores, or the grader, to other platforms: `attn course export`."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.chapters.errors import UnknownName
from autograder.classroom import summary
from autograder.classroom.roster.people import limit_course
from autograder.cli.people import OpenCourse, Section

export_app = typer.Typer(
    help="Export scores, or the grader itself, to other platforms.", no_args_is_help=True, rich_markup_mode=None
)

To = Annotated[Path, typer.Option(help="The file to write.")]
Assignment = Annotated[str | None, typer.Option(help="One assignment; by default, all graded ones.")]
Unit = Annotated[str, typer.Option(help="The assignment to grade on Gradescope.")]


@export_app.command("canvas")
def export_canvas(
    roster: Annotated[Path, typer.Option(help="The gradebook exported from Canvas.")],
    course: OpenCourse,
    section: Section = None,
    to: To = Path("canvas.csv"),
    assignment: Assignment = None,
) -> None:
    """Fill scores into a gradebook file that Canvas exported, for import into Canvas."""
    from autograder.classroom.returns.platforms import CANVAS, fill_table

    _print_result(fill_table(limit_course(course, section), CANVAS, roster, to, assignment), to)


@export_app.command("moodle")
def export_moodle(
    roster: Annotated[Path, typer.Option(help="The grading worksheet of an assignment, as downloaded from Moodle.")],
    course: OpenCourse,
    section: Section = None,
    to: To = Path("moodle.csv"),
    assignment: Assignment = None,
) -> None:
    """Fill scores into a grading worksheet of Moodle. For Moodle's grade import, use `attn course overview --csv`."""
    from autograder.classroom.returns.platforms import MOODLE, fill_table

    _print_result(fill_table(limit_course(course, section), MOODLE, roster, to, assignment), to)


@export_app.command("gradescope")
def export_gradescope(
    assignment: Unit,
    course: OpenCourse,
    to: To = Path("gradescope.zip"),
    no_sandbox: Annotated[
        bool, typer.Option("--no-sandbox", help="Also grade if bubblewrap does not work in the container.")
    ] = False,
) -> None:
    """Write an autograder for Gradescope. The file contains a secret, so do not share it."""
    from autograder.classroom.returns.gradescope import write_archive

    assignments = course.plan.assignments
    if assignment not in assignments:
        raise UnknownName(f"There is no assignment {assignment!r}. The assignments are {', '.join(assignments)}.")
    _print_result(write_archive(course, to, assignments[assignment], no_sandbox), to)


def _print_result(sentences: list[str], path: Path) -> None:
    summary.say(f"Wrote {path}.", *sentences)
