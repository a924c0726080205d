"""Options and arguments that several commands take."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.chapters import curriculum

if TYPE_CHECKING:
    from rich.console import Console

    from autograder.classroom.course.course import Course

LEARN, TEACH, BUILD = "To learn", "To teach", "To write exercises"  # the groups of `attn --help`
EXERCISES = Path("exercises")


def found_from_below(answers: Path) -> Path:
    """The folder of answers; where none is named, that of the course around, as git finds its own."""
    for folder in (Path.cwd(), *Path.cwd().parents) if answers == EXERCISES else ():
        if any(
            (folder / EXERCISES / f"{name}{end}").exists() for name in curriculum.CHAPTERS for end in (".py", ".ipynb")
        ):
            return Path(os.path.relpath(folder / EXERCISES))
    return answers


def console(plain: bool = False) -> Console:
    """The terminal, or a pipe, to print to."""
    from rich.console import Console

    return Console(highlight=False, markup=False, force_terminal=False if plain else None)


def course_of(folder: Path | None) -> Course:
    """The course that a command is about."""
    from autograder.classroom.course.course import find_course

    return find_course(folder)


def class_of(folder: Path | None, section: str | None = None, student: str | None = None) -> Course:
    """The course, limited to those of it whom a command is about: nobody who has left."""
    from autograder.classroom.roster.people import limit_to

    return limit_to(course_of(folder), section, student)


Names = Annotated[list[str] | None, typer.Argument(help="Exercises or chapters; all where none is named.")]
Name = Annotated[str | None, typer.Argument(help="An exercise; the one you are at where none is named.")]
ChapterName = Annotated[str | None, typer.Option("--chapter", help="Look at this chapter only.")]
Answers = Annotated[Path, typer.Option("--answers", callback=found_from_below, help="Your folder of chapter files.")]
AnswersOrFile = Annotated[
    Path, typer.Option("--answers", callback=found_from_below, help="A folder of chapter files, one .py or one .ipynb.")
]
Plain = Annotated[bool, typer.Option("--plain", help="No colours, and nothing is redrawn.")]
NoLocate = Annotated[
    bool, typer.Option("--no-locate", help="Do not look for the line of a mistake, which may take two seconds.")
]
SecretFile = Annotated[
    Path | None, typer.Option("--secret", help="A file from which hidden inputs are drawn, such as a course's.")
]
Jobs = Annotated[int, typer.Option(min=0, help="Local processes to grade with; 0 means one for each core.")]
NoSandboxOption = Annotated[
    bool, typer.Option("--no-sandbox", help="Run other people's code even where nothing shuts it in.")
]
CourseFolder = Annotated[
    Path | None,
    typer.Option("--course", help="The folder of the course; found from where you are if you do not say."),
]
Student = Annotated[
    str | None, typer.Option("--student", help="Only this learner: an id, an e-mail address or a name.")
]
Section = Annotated[str | None, typer.Option("--section", help="Only the learners of this section of the roster.")]
