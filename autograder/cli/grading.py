"""Commands that grade many answers, test the sandbox, and check the exercises, without a course."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from autograder.chapters import curriculum
from autograder.chapters.errors import FAULT, UNREADABLE, WRONG, UnreadableAnswer
from autograder.chapters.text import clean
from autograder.cli.options import Jobs, NoSandboxOption, SecretFile, choose_exit_code, read_secret

_FAILED = "could not be graded, which is not the author's fault"
grading_app = typer.Typer(rich_markup_mode=None)


@grading_app.command("grade")
def grade_many(
    files: Annotated[list[Path], typer.Argument(help="Answers, .py or .ipynb.")],
    chapter: Annotated[str | None, typer.Option(help="The chapter of all answers; by default, guessed.")] = None,
    secret: SecretFile = None,
    jobs: Jobs = 0,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Grade many answers. Print one JSON line for each as soon as it is graded."""
    from autograder.boundary import sandbox
    from autograder.grading.executors import make_executor_factory
    from autograder.grading.many import GradingSettings, grade_answers

    sandbox.require_sandbox(no_sandbox)
    terminal = Console(stderr=True, highlight=False)
    settings = GradingSettings(read_secret(secret), lambda: make_executor_factory(jobs)(len(files)), terminal)
    outcome = grade_answers(files, chapter, settings, lambda line: print(json.dumps(line), flush=True))
    for sentence in (*outcome.unreadable, *(f"{path} {_FAILED}: {cause}" for path, cause in outcome.failed.items())):
        terminal.print(clean(sentence), style="red", markup=False)  # File names may contain control characters.
    if faults := outcome.outcomes["fault"]:
        message = f"{faults} exercise{'s' * (faults != 1)} met an internal error: their lines say where."
        print(message, file=sys.stderr)
    code = FAULT if outcome.failed else choose_exit_code(outcome.outcomes)
    raise typer.Exit(UNREADABLE if outcome.unreadable and code != FAULT else code)


@grading_app.command()
def doctor() -> None:
    """Test the promises of the sandbox, and show which hold on this machine."""
    from rich.table import Table

    from autograder.boundary.doctor import check_promises

    terminal, table, missing = Console(highlight=False), Table(box=None, padding=(0, 2, 0, 0)), 0
    for title in ("an answer ...", "holds", "what stopped it"):
        table.add_column(title, overflow="fold")
    with terminal.status("trying"):
        for promise, holds, found in check_promises():
            missing += not holds
            table.add_row(promise, "[green]yes[/]" if holds else "[red]no[/]", f"[dim]{escape(clean(found))}[/]")
    terminal.print(table)
    terminal.print(f"{missing} of these do not hold: see docs/security.md." if missing else "All promises hold.")
    raise typer.Exit(WRONG if missing else 0)


@grading_app.command()
def stubs(
    names: Annotated[
        list[str] | None, typer.Argument(help="With --check: exercises or chapters to judge; by default, all.")
    ] = None,
    check_only: Annotated[bool, typer.Option("--check", help="Write nothing, but report inconsistencies.")] = False,
    course: Annotated[
        Path | None, typer.Option(help="With --check: judge the chapters in this course's folder own/.")
    ] = None,
) -> None:
    """Write the exercises from the solutions or, with --check, report inconsistencies."""
    if check_only:
        from autograder.grading.drift import find_drift

        problems = find_drift(names or (), _find_own_home(course))
        for problem in problems:
            print(problem)
        print(f"Problems: {len(problems)}" if problems else "Everything is consistent.")
        raise typer.Exit(WRONG if problems else 0)
    if not curriculum.IS_CLONE:
        raise UnreadableAnswer("There is nothing to update here: attn stubs is for a clone of the kit")
    from autograder.chapters.stubs import write_stubs

    paths = write_stubs()
    print("\n".join(f"wrote {path.relative_to(curriculum.ROOT)}" for path in paths) or "Nothing to write.")


def _find_own_home(course: Path | None) -> curriculum.ContentFolders | None:
    """Return the folders of a course's own chapters, or None if no course is named."""
    if course is None:
        return None
    from autograder.classroom.course.course import find_course

    find_course(course)
    if curriculum.get_own_home() is None:
        raise UnreadableAnswer(f"{course} has no own chapter yet: `attn course own NAME` writes one")
    return curriculum.get_own_home()
