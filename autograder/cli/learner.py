"""The commands for learners."""

import json
import sys
from collections.abc import Collection
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import RenderableType

from autograder.chapters import curriculum
from autograder.chapters.answers import Task, find_chapter, find_exercise, select_tasks
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.errors import WRONG, InputError, MissingExtra
from autograder.chapters.extras import explain_missing, find_missing_extra, is_installed, require_extra
from autograder.chapters.text import clean
from autograder.cli.options import (
    EXERCISES,
    Answers,
    AnswersOrFile,
    Name,
    Names,
    NoLocate,
    Plain,
    SecretFile,
    choose_exit_code,
    find_folder,
    make_console,
    read_secret,
)
from autograder.study import verbs
from autograder.study.folder import Folder, Judged, open_progress, record_verdicts
from autograder.views.lines import has_unicode

if TYPE_CHECKING:
    from autograder.study.debug import BuggyFile
    from autograder.study.versions import AnswerVersion

study_app = typer.Typer()


@study_app.command()
def start(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Your folder: a new one, or one to update.")],
) -> None:
    """Create or update a folder to learn in."""
    from autograder.study.start import read_handouts, summarise
    from autograder.study.start import start as hand_out

    _print_lines(*summarise(folder, hand_out(folder, read_handouts())))


@study_app.command()
def watch(
    names: Names = None,
    plain: Plain = False,
    answers: Answers = EXERCISES,
    no_locate: NoLocate = False,
) -> None:
    """Check what you save, the moment you save it."""
    from autograder.study.predict import ask_review_questions
    from autograder.study.watching.screen import Screen
    from autograder.study.watching.state import WatchState
    from autograder.study.watching.watch import WatchLoop

    folder = Folder(answers)
    if sys.stdin.isatty() and not plain:
        with suppress(EOFError):
            ask_review_questions(input, _print_lines, folder.progress)
    screen = Screen(make_console(plain), plain)
    WatchLoop(WatchState(folder, folder.find_exercises(names or ()), screen, not no_locate)).run()


@study_app.command()
def check(
    names: Names = None,
    answers: AnswersOrFile = EXERCISES,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object per exercise and line.")] = False,
    secret: SecretFile = None,
    plain: Plain = False,
    no_locate: NoLocate = False,
) -> None:
    """Check your answers and show the next step."""
    from autograder.judging.budget import Budget
    from autograder.judging.grader import LOCATE_SECONDS, Grader

    if not (names or json_lines or secret) and answers.is_dir():
        folder = Folder(answers)
        if set(folder.read_states().values()) == {"to do"}:
            return _print_lines(*verbs.list_beginning(folder, has_unicode(make_console())), plain=plain)
    tasks, absent = _select_checkable(select_tasks(answers, names or ()), names or ())
    if absent and not tasks:
        raise MissingExtra(absent)
    grader = Grader.for_tasks(tasks, read_secret(secret), is_interactive=secret is None)
    budget = Budget(0 if no_locate else LOCATE_SECONDS)
    verdicts: list[Judged] = []
    if json_lines:
        for task, verdict in verbs.check(grader, tasks):
            verdicts.append((task, verdict))
            any(verbs.locate(grader, verdicts[-1:], budget))
            print(json.dumps({"chapter": task.chapter.name, **verdict.to_record()}), flush=True)
    else:
        from autograder.views.terminal import TerminalReport

        view = TerminalReport(make_console(plain))
        with view.console.status("checking"):
            for task, verdict in verbs.check(grader, tasks):
                verdicts.append((task, verdict))
                view.add(task, verdict)
        with view.console.status("looking for the line"):
            for _, verdict in verbs.locate(grader, verdicts, budget):
                view.add_line(verdict)
        view.finish()
    record_verdicts(answers, verdicts)
    if absent:
        raise MissingExtra(f"Not checked: {absent}")
    raise typer.Exit(choose_exit_code({verdict.outcome for _, verdict in verdicts}))


@study_app.command("list")
def list_exercises(
    chapters: Annotated[list[str] | None, typer.Argument(help="Chapters to expand.")] = None,
    answers: Answers = EXERCISES,
) -> None:
    """List the exercises: which are done, and which are left."""
    names = [find_chapter(name).name for name in chapters or ()]
    _print_lines(*verbs.list_progress(Folder(answers), names, has_unicode(make_console())))
    print("\nAnother chapter: attn list CHAPTER    The next step: attn next")


@study_app.command("next")
def next_exercise(answers: Answers = EXERCISES) -> None:
    """Show where to continue: the exercise, its file and line."""
    _print_lines(*verbs.suggest_next(Folder(answers), "attn "))


@study_app.command()
def hint(name: Name = None, answers: Answers = EXERCISES) -> None:
    """Show a hint. Each further call shows a more specific one."""
    folder, exercise = _find_exercise(answers, name)
    _print_lines(*verbs.show_next_hints(folder, exercise, f"attn solution {exercise.name} --give-up"))


@study_app.command()
def solution(
    name: Annotated[str, typer.Argument(help="The exercise.")],
    give_up: Annotated[bool, typer.Option("--give-up", help="Show it even if the exercise is not done.")] = False,
    answers: Answers = EXERCISES,
) -> None:
    """Show the solution next to your answer once it is correct."""
    folder, exercise = _find_exercise(answers, name)
    is_refused = not (give_up or verbs.is_unlocked(folder, exercise))
    _print_lines(*verbs.show_solution(folder, exercise, f"attn hint {name}", lambda _: give_up))
    if is_refused:
        print(f"To see the solution anyway: attn solution {name} --give-up")
        raise typer.Exit(WRONG)


@study_app.command()
def finish(
    answers: Answers = EXERCISES,
    opened: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = True,
    name: Annotated[str, typer.Option("--name", help="Your name, if you want to show the page to others.")] = "",
) -> None:
    """Write a page about the functions that you built, and books to read next."""
    from autograder.study.editor import open_in_browser
    from autograder.study.finish import write_ending

    path = write_ending(Folder(answers), name)
    _print_lines(open_in_browser(path) if opened else f"Wrote {path}.")


@study_app.command()
def reset(
    name: Annotated[str, typer.Argument(help="An exercise or a chapter.")],
    lists: Annotated[bool, typer.Option("--list", help="List your earlier versions, numbered.")] = False,
    to: Annotated[int | None, typer.Option("--to", help="Restore this version instead of the stub.")] = None,
    answers: Answers = EXERCISES,
) -> None:
    """Start over: restore the stub, or an earlier version. The current text is kept."""
    from autograder.study.reset import reset_chapter
    from autograder.study.versions import Versions

    if name in curriculum.CHAPTERS and not lists and to is None:
        backup, exercise = reset_chapter(answers, find_chapter(name)), find_chapter(name).exercises[0]
        Folder(answers).go_to(exercise.name)
        return _print_lines(f"{name} is a stub again.", *([f"Your earlier version: {backup}"] if backup else []))
    folder = Folder(answers)
    exercise, versions = folder.get_exercise(name), Versions(folder.path, name).read()
    if lists:
        if not versions:
            return _print_lines(f"There are no earlier versions of {name} yet.")
        return _print_lines(
            *map(_format_version, range(1, 1 + len(versions)), versions), f"Restore one: attn reset {name} --to 1"
        )
    if to is not None and not 1 <= to <= len(versions):
        raise InputError(f"There is no version {to} of {name}: `attn reset {name} --list` lists the versions")
    version = None if to is None else versions[to - 1]
    _print_lines(*verbs.start_over(folder, exercise, f"attn reset {name} --list", version))


def _format_version(number: int, version: "AnswerVersion") -> str:
    lines, passed = version.text.splitlines(), "  (passed)" * version.passed
    return f"{number:3}  {version.time}  {len(lines)} lines, the last: {lines[-1].strip()}{passed}"


@study_app.command()
def predict(
    chapter: Annotated[
        str | None,
        typer.Argument(help="A chapter, or a unit that you have finished; by default, the current chapter."),
    ] = None,
    answers: Answers = EXERCISES,
) -> None:
    """Predict first: a few questions before you write code, and three at the end of a unit."""
    from autograder.study.predict import ask, require_unit_or_chapter

    name = require_unit_or_chapter(chapter) if chapter else _find_exercise(answers, None)[1].chapter
    try:
        ask(name, input, _print_lines, open_progress(answers))
    except EOFError:
        print()
        return
    print("Continue: attn next")


@study_app.command()
def book(
    build_into: Annotated[
        Path | None, typer.Option("--build", metavar="DIR", help="Only write the book to DIR as a site.")
    ] = None,
    opened: Annotated[bool, typer.Option("--open/--no-open", help="Open the book in a browser.")] = True,
    answers: Answers = EXERCISES,
) -> None:
    """Read, write and check in your browser: the chapters as a book."""
    from autograder.book.site_build import build, is_current

    if build_into:
        return _print_lines(f"The book is ready: {build(build_into)}")
    folder = Folder(answers)
    if not is_current(curriculum.SITE):
        _print_lines("Building the pages of the book. This takes a few seconds.")
        build(curriculum.SITE)
    from autograder.serve.server import serve

    serve(folder, curriculum.SITE, _print_lines, opened)


@study_app.command()
def lab(
    folder: Annotated[Path, typer.Argument(metavar="DIR", callback=find_folder, help="Your folder.")] = EXERCISES,
) -> None:
    """Open JupyterLab: a double click makes a chapter a notebook."""
    from autograder.study.editor import open_lab

    require_extra("lab", "attn lab")
    is_course = False
    if is_installed("nbgrader"):
        from autograder.classroom.course.course import is_own_course

        is_course = is_own_course(folder)
    raise typer.Exit(open_lab(folder, is_course))


@study_app.command()
def debug(
    name: Annotated[str | None, typer.Argument(help="An exercise; by default, all are listed.")] = None,
    check_it: Annotated[bool, typer.Option("--check", help="Check your repair.")] = False,
    give_up: Annotated[bool, typer.Option("--give-up", help="Show the mistake.")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="The number of a bug; by default, a random one.")] = None,
    answers: Answers = EXERCISES,
) -> None:
    """Find the bug: repair an answer that looks correct but is not.

    If the exercise is not done, the command asks first, because the file shows most of a solution.
    """
    from autograder.study import debug as bugs

    chapters = [read_chapter(chapter) for chapter in curriculum.CHAPTERS]
    bug_folder = bugs.find_debug_folder(answers)
    if name is None:
        return _print_lines(*bugs.list_cases(chapters, bug_folder))
    exercise = find_exercise(chapters, name)
    case = bugs.BuggyFile(exercise, bug_folder)
    if give_up:
        lines = case.list_mistake_lines() or [f"{case.path} no longer says which bug it was."]
        return _print_lines(*lines, f"Repair it, then: attn debug {name} --check")
    if check_it:
        return _check_case(case)
    check = f"attn debug {name} --check"
    _print_lines(*verbs.start_bug_hunt(Folder(answers), exercise, check, partial(typer.confirm, abort=True), seed))


def _check_case(case: "BuggyFile") -> None:
    """Judge a repaired file, then print the verdict and the next step."""
    from autograder.views.terminal import TerminalReport

    name, screen = case.exercise.name, make_console()
    with screen.status("checking"):
        task, verdict, explanation = case.judge()
    TerminalReport(screen).add(task, verdict)
    if verdict.outcome != "passed":
        _print_lines(f"Not repaired yet: {task.answer.path}", f"If you are stuck: attn debug {name} --give-up")
        raise typer.Exit(WRONG)
    _print_lines(
        f"\nRepaired. {explanation and f'This was the mistake: {explanation}'}".rstrip(),
        f"Another one: attn debug {name}",
    )


def _select_checkable(tasks: list[Task], names: Collection[str]) -> tuple[list[Task], str]:
    """Return the tasks except for started or named ones with missing libraries, and a sentence about those, or ""."""
    missing = {
        task.chapter.name: extra
        for task in tasks
        if (extra := find_missing_extra(task.chapter.libraries)) and (names or not task.is_untouched)
    }
    extras, verb = [*missing.values()], "needs" if len(missing) == 1 else "need"
    absent = explain_missing(", ".join(missing), extras[0], verb) if missing else ""
    return [task for task in tasks if task.chapter.name not in missing], absent


def _find_exercise(answers: Path, name: str | None) -> tuple[Folder, Exercise]:
    """Return the folder, and the exercise `name` or the current one. Exits the command if all exercises are done."""
    folder = Folder(answers)
    exercise = folder.get_exercise(name) if name else folder.find_current()
    if exercise is None:
        make_console().print("Every exercise is done.")
        raise typer.Exit
    return folder, exercise


def _print_lines(*lines: RenderableType, plain: bool = False) -> None:
    screen = make_console(plain)
    for line in lines:
        screen.print(clean(line) if isinstance(line, str) else line, soft_wrap=not screen.is_terminal)
