"""The commands of a learner alone: what is next, hints, solutions, and starting over."""

from pathlib import Path
from typing import Annotated, Optional

import typer

study_app = typer.Typer()

Answers = Annotated[Path, typer.Option("--answers", help="Your folder of chapter files.")]
Name = Annotated[Optional[str], typer.Argument(help="An exercise; the one you are at where none is named.")]  # noqa: UP045
EXERCISES = Path("exercises")
NOT_YET = 1


@study_app.command("list")
def list_exercises(
    chapters: Annotated[Optional[list[str]], typer.Argument(help="Chapters to unfold.")] = None,  # noqa: UP045
    answers: Answers = EXERCISES,
):
    """Show what is done and what is to do."""
    from autograder.selection import known_chapter
    from autograder.study.folder import Folder
    from autograder.study.listing import listing

    names, console = [known_chapter(name).name for name in chapters or ()], _console()
    for line in listing(Folder(answers), names, (console.encoding or "").startswith("utf")):
        console.print(line, soft_wrap=not console.is_terminal)


@study_app.command("next")
def next_exercise(answers: Answers = EXERCISES):
    """Say where to go on: the exercise, its file and line."""
    from autograder.study.listing import next_steps

    folder, exercise = _exercise(answers, None)
    _print_lines(next_steps(folder, exercise))


@study_app.command()
def hint(name: Name = None, answers: Answers = EXERCISES):
    """Show a hint; the next time, one that says more."""
    from autograder.study.hints import next_hints

    folder, exercise = _exercise(answers, name)
    _print_lines(next_hints(folder, exercise))


@study_app.command()
def solution(
    name: Annotated[str, typer.Argument(help="The exercise.")],
    give_up: Annotated[bool, typer.Option("--give-up", help="Open it though the exercise is not done.")] = False,
    answers: Answers = EXERCISES,
):
    """Show the solution beside your answer, once the exercise is done."""
    from rich.syntax import Syntax

    from autograder.study.listing import place_of
    from autograder.study.solution import comparison, is_open

    folder, exercise = _exercise(answers, name)
    if not is_open(folder, exercise, give_up):
        print(f"{exercise.name} is not done yet. A hint may do: attn hint {exercise.name}")
        print(f"To see the solution all the same: attn solution {exercise.name} --give-up")
        raise typer.Exit(NOT_YET)
    console, lines = _console(), comparison(folder, exercise)
    console.print(f"- yours  {place_of(folder, exercise)}\n+ solution\n", soft_wrap=not console.is_terminal)
    if console.is_terminal:
        console.print(Syntax("\n".join(lines), "diff", theme="ansi_dark", word_wrap=True))
    else:
        print("\n".join(lines))
    if not any(line[:1] in "+-" for line in lines):
        console.print("\nYours is the same, line by line.")


@study_app.command()
def reset(
    name: Annotated[str, typer.Argument(help="An exercise or a chapter.")],
    answers: Answers = EXERCISES,
):
    """Start over: put the stub back. The file as it was is kept."""
    from autograder import curriculum
    from autograder.selection import known_chapter
    from autograder.study.folder import Folder
    from autograder.study.reset import reset_chapter, reset_exercise

    if name in curriculum.CHAPTERS:
        backup = reset_chapter(answers, known_chapter(name))
    else:
        folder = Folder(answers)
        backup = reset_exercise(folder, folder.exercise(name))
    _print_lines([f"{name} is a stub again.", *([f"The file as it was: {backup}"] if backup else [])])


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


def _print_lines(lines):
    console = _console()
    for line in lines:
        console.print(line, soft_wrap=not console.is_terminal)
