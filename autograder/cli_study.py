"""The commands of a learner alone: what is next, hints, solutions, and starting over."""

from pathlib import Path
from typing import Annotated, Optional

import typer

study_app = typer.Typer()

Answers = Annotated[Path, typer.Option("--answers", help="Your folder of chapter files.")]
Name = Annotated[Optional[str], typer.Argument(help="An exercise; the one you are at where none is named.")]  # noqa: UP045
EXERCISES = Path("exercises")


@study_app.command()
def hint(name: Name = None, answers: Answers = EXERCISES):
    """Show a hint; the next time, one that says more."""
    from autograder.study.hints import next_hints

    folder, exercise = _exercise(answers, name)
    _console().print("\n".join(next_hints(folder, exercise)))


def _exercise(answers, name):
    """The folder and the exercise meant; ends the command where everything is done."""
    from autograder.study.folder import Folder

    folder = Folder(answers)
    exercise = folder.exercise(name)
    if exercise is None:
        _console().print("Every exercise is done.")
        raise typer.Exit
    return folder, exercise


def _console():
    from rich.console import Console

    return Console(highlight=False, markup=False)
