"""Options and arguments that several commands share."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.chapters import curriculum
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import FAULT, WRONG, UnreadableAnswer, reason_of

LEARN, TEACH, BUILD = "To learn", "To teach", "To write exercises"  # groups of commands in `attn --help`
EXERCISES = Path("exercises")


def find_folder(path: Path) -> Path:
    """Return `path`. If it is the default folder of answers, search for it in the current folder's parents, too."""
    for folder in (Path.cwd(), *Path.cwd().parents) if path == EXERCISES else ():
        if any(
            (folder / EXERCISES / f"{name}{end}").exists() for name in curriculum.CHAPTERS for end in (".py", ".ipynb")
        ):
            return Path(os.path.relpath(folder / EXERCISES))
    return path


def make_console(plain: bool = False) -> Console:
    return Console(highlight=False, markup=False, force_terminal=False if plain else None)


def read_secret(path: Path | None) -> bytes:
    try:
        return path.read_bytes() if path else SELF_STUDY
    except OSError as error:
        raise UnreadableAnswer(f"{path} cannot be read: {reason_of(error)}") from None


def choose_exit_code(outcomes: Iterable[str]) -> int:
    if "fault" in outcomes:
        return FAULT
    return WRONG if set(outcomes) - {"passed", "unattempted"} else 0


Names = Annotated[list[str] | None, typer.Argument(help="Exercises or chapters; by default, all.")]
Name = Annotated[str | None, typer.Argument(help="An exercise; by default, the current one.")]
Answers = Annotated[Path, typer.Option("--answers", callback=find_folder, help="Your folder of chapter files.")]
AnswersOrFile = Annotated[
    Path, typer.Option("--answers", callback=find_folder, help="A folder of chapter files, one .py or one .ipynb.")
]
Plain = Annotated[bool, typer.Option("--plain", help="Use no colours, and redraw nothing.")]
NoLocate = Annotated[
    bool, typer.Option("--no-locate", help="Do not look for the line of a mistake, which may take two seconds.")
]
SecretFile = Annotated[
    Path | None, typer.Option("--secret", help="A file from which hidden inputs are drawn, such as a course's.")
]
Jobs = Annotated[int, typer.Option(min=0, help="Local processes to grade with; 0 means one for each core.")]
NoSandboxOption = Annotated[bool, typer.Option("--no-sandbox", help="Run other people's code even without a sandbox.")]
