"""The command line: `attn`. Every command is a thin shell around one module.

Exit codes: 0 nothing wrong, 1 an attempted exercise is not right, 2 the input cannot be read, 3 a fault of ours.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import typer

from autograder.chapters import curriculum
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import (
    FAULT,
    OURS,
    UNREADABLE,
    WRONG,
    InputError,
    MissingExtra,
    UnreadableAnswer,
    sentence_of,
    why,
)
from autograder.cli.learner import study_app
from autograder.cli.options import (
    BUILD,
    EXERCISES,
    LEARN,
    TEACH,
    AnswersOrFile,
    ChapterName,
    Jobs,
    Names,
    NoLocate,
    NoSandboxOption,
    Plain,
    SecretFile,
    console,
)
from autograder.cli.teacher import course_app

if TYPE_CHECKING:
    from autograder.chapters.tasks import Task
    from autograder.grading.many import Settings
    from autograder.study.folder import Judged
    from autograder.views.lines import Hanging


_FAILED = "could not be graded, through no fault of its author"
_NO_PLACE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.ELOOP)


class _InGroups(typer.core.TyperGroup):
    """Lists its commands under the names of their panels, in the order in which these come up."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        panels = {name: getattr(command, "rich_help_panel", None) for name, command in self.commands.items()}
        for title in dict.fromkeys(filter(None, panels.values())):
            inside = {name: self.commands[name] for name, panel in panels.items() if panel == title}
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", c.get_short_help_str(100)) for name, c in inside.items()])


app = typer.Typer(
    cls=_InGroups,
    help="Exercises for the attention mechanism: fill in a function, learn which mistake you made.",
    no_args_is_help=True,
    suggest_commands=False,  # Click does it already
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(asked: bool) -> None:
    if asked:
        import importlib.metadata

        print("attention-exercises", importlib.metadata.version("attention-exercises"))
        raise typer.Exit


@app.callback()
def attn(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """Exercises for the attention mechanism: fill in a function, learn which mistake you made."""


@app.command(rich_help_panel=LEARN)
def check(
    names: Names = None,
    answers: AnswersOrFile = EXERCISES,
    chapter: ChapterName = None,
    json_lines: Annotated[bool, typer.Option("--json", help="One JSON object a line for each exercise.")] = False,
    secret: SecretFile = None,
    plain: Plain = False,
    no_locate: NoLocate = False,
) -> None:
    """Check your answers and say what to do next."""
    from autograder.chapters.selection import select_tasks
    from autograder.judging.budget import Budget
    from autograder.judging.grader import LOCATE_SECONDS, Grader
    from autograder.study.folder import record_verdicts

    if not (names or chapter or json_lines or secret) and answers.is_dir() and (lines := _beginning(answers)):
        console(plain).print(*lines, sep="\n", soft_wrap=True)
        return
    tasks, absent = _with_libraries(select_tasks(answers, names or (), chapter), names or ())
    if absent and not tasks:
        raise MissingExtra(absent)
    grader = Grader.for_tasks(tasks, _secret(secret), is_hasty=secret is None)
    budget = Budget(0 if no_locate else LOCATE_SECONDS)
    verdicts: list[Judged] = []
    judged = ((task, verdict.carry_forward()) for task in tasks for verdict in grader.grade(task))
    located = (verdict for task, verdict in verdicts if grader.explain_line(task, verdict, budget))
    if json_lines:
        for task, verdict in judged:
            verdicts.append((task, verdict))
            grader.explain_line(task, verdict, budget)
            print(json.dumps({"chapter": task.chapter.name, **verdict.record()}), flush=True)
    else:
        from autograder.views.terminal import Report

        view = Report(console(plain))
        with view.console.status("checking"):
            for task, verdict in judged:
                verdicts.append((task, verdict))
                view.add(task, verdict)
        with view.console.status("looking for the line"):
            for verdict in located:
                view.add_line(verdict)
        view.finish()
    record_verdicts(answers, verdicts)
    if absent:
        raise MissingExtra(f"Not checked: {absent}")
    raise typer.Exit(_exit_code({verdict.outcome for _, verdict in verdicts}))


@app.command("grade", rich_help_panel=TEACH)
def grade_many(
    files: Annotated[list[Path], typer.Argument(help="Answers, .py or .ipynb.")],
    record: Annotated[Path, typer.Option(help="JSON-lines file that each finished answer is added to.")],
    chapter: Annotated[str | None, typer.Option(help="The chapter they answer; else each file tells.")] = None,
    secret: SecretFile = None,
    jobs: Jobs = 0,
    no_sandbox: NoSandboxOption = False,
    locate: Annotated[
        bool, typer.Option("--locate", help="Look for the lines of mistakes too, which takes longer.")
    ] = False,
) -> None:
    """Grade many answers into a record.

    What the record holds already is not graded again.
    """
    from autograder.chapters.text import clean
    from autograder.grading.many import grade_answers

    settings = _settings(secret, _executors(len(files), jobs, no_sandbox), locate)
    outcome = grade_answers(files, chapter, record, settings)
    for sentence in (*outcome.unreadable, *(f"{path} {_FAILED}: {cause}" for path, cause in outcome.failed.items())):
        settings.console.print(clean(sentence), style="red", markup=False)  # learners name their files
    if faults := outcome.outcomes["fault"]:
        message = f"{faults} exercise{'s' * (faults != 1)} met a fault of ours: the record says where"
        print(f"{message}, and the same command tries again.", file=sys.stderr)
    code = FAULT if outcome.failed else _exit_code(outcome.outcomes)
    raise typer.Exit(UNREADABLE if outcome.unreadable and code != FAULT else code)


@app.command(rich_help_panel=TEACH)
def regrade(
    files: Annotated[list[Path], typer.Argument(help="The answers that the record holds.")],
    chapter: Annotated[str, typer.Option(help="The chapter they answer.")],
    record: Annotated[Path, typer.Option(help="The record they are in.")],
    apply: Annotated[bool, typer.Option("--apply", help="Write the new verdicts into the record.")] = False,
    secret: SecretFile = None,
    jobs: Jobs = 0,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Grade again what has changed, and say whose score that changes.

    That is what a changed suite or answer calls for. Nothing is applied before you say so.
    """
    from autograder.chapters.text import clean
    from autograder.grading import regrade as again

    settings = _settings(secret, _executors(len(files), jobs, no_sandbox))
    lines, changes, failed = again.propose(files, chapter, record, settings)
    for change in changes:
        print(clean(f"{change.answer}: {change}"))
    print(f"{len(changes)} score{'s' * (len(changes) != 1)} of an exercise would change.")
    if apply:
        again.apply(record, lines)
        print(f"{len(lines)} new line{'s' * (len(lines) != 1)} in {record}.")
    else:
        print("Nothing is applied yet: the same command with --apply does it.")
    for path in failed:
        print(clean(f"{path} {_FAILED}: the record keeps what it says of it"), file=sys.stderr)
    raise typer.Exit(FAULT if failed else 0)


@app.command("unnamed", rich_help_panel=BUILD)
def unnamed_mistakes(
    records: Annotated[list[Path], typer.Argument(help="Records of `attn grade`, or a course's files of verdicts.")],
    most: Annotated[int, typer.Option(help="How many groups to show.")] = 20,
) -> None:
    """Group wrong answers that have no name by what they do.

    Each group is a misconception that could be written: docs/author.md says how.
    """
    from autograder.chapters.text import clean
    from autograder.grading.unnamed import lines_of, told, unnamed

    lines = [line for path in records for line in lines_of(path)]
    groups = unnamed((line["answer"], line["chapter"], exercise) for line in lines for exercise in line["exercises"])
    for text in told(groups, most):
        print(clean(text))


@app.command(rich_help_panel=TEACH)
def doctor() -> None:
    """Try what the sandbox promises, and say what holds here."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from autograder.boundary.doctor import examine
    from autograder.chapters.text import clean

    terminal, table, missing = Console(highlight=False), Table(box=None, padding=(0, 2, 0, 0)), 0
    for title in ("an answer ...", "holds", "what stopped it"):
        table.add_column(title, overflow="fold")
    with terminal.status("trying"):
        for finding in examine():
            missing += not finding.holds
            word = "[green]yes[/]" if finding.holds else "[red]no[/]"
            table.add_row(finding.promise, word, Text(clean(finding.found), "dim"))
    terminal.print(table)
    terminal.print(f"{missing} of these do not hold: see docs/security.md." if missing else "All of it holds.")
    raise typer.Exit(WRONG if missing else 0)


@app.command(rich_help_panel=BUILD)
def stubs(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="With --check: exercises or chapters to judge; all where none is named."),
    ] = None,
    check_only: Annotated[bool, typer.Option("--check", help="Write nothing; say what is out of step.")] = False,
    overwrite: Annotated[bool, typer.Option(help="Also replace files that hold answers.")] = False,
    course: Annotated[
        Path | None,
        typer.Option(help="With --check: judge the chapters in this course's folder own/."),
    ] = None,
) -> None:
    """Write the exercises from the solutions, or check all of it."""
    if check_only:
        from autograder.grading.drift import find_drift

        problems = find_drift(names or (), _own_home(course))
        for problem in problems:
            print(problem)
        print(f"{len(problems)} out of step" if problems else "Everything fits together.")
        raise typer.Exit(WRONG if problems else 0)
    if not curriculum.IS_CLONE:
        raise UnreadableAnswer("There is nothing to write into here: attn stubs is for a clone of the kit")
    from autograder.chapters.stubs import write_stubs

    written = write_stubs(overwrite)
    print("\n".join(f"wrote {path.relative_to(curriculum.ROOT)}" for path in written) or "Nothing to write.")


def _beginning(answers: Path) -> list[Hanging | str]:
    """What there is to do, for those who have written nothing yet; empty for all others."""
    from autograder.study.folder import Folder
    from autograder.study.listing import beginning

    folder = Folder(answers)
    is_begun = set(folder.states().values()) != {"to do"}
    return [] if is_begun else list(beginning(folder, (sys.stdout.encoding or "").startswith("utf")))


def _own_home(course: Path | None) -> curriculum.Home | None:
    """The chapters of a course's own; None where no course is named."""
    if course is None:
        return None
    from autograder.classroom.course.course import find_course

    find_course(course)
    if curriculum.own_home() is None:
        raise UnreadableAnswer(f"{course} has no chapter of its own: `attn course own NAME` writes a first one")
    return curriculum.own_home()


def _with_libraries(tasks: list[Task], names: Collection[str]) -> tuple[list[Task], str]:
    """The tasks that can be checked here, and a sentence on those that cannot, though they were begun or named."""
    from autograder.chapters.extras import lacking, sentence

    missing = {
        task.chapter.name: extra
        for task in tasks
        if (extra := lacking(task.chapter.libraries)) and (names or not task.is_untouched)
    }
    extras, verb = [*missing.values()], "needs" if len(missing) == 1 else "need"
    absent = sentence(", ".join(missing), extras[0], verb) if missing else ""
    return [task for task in tasks if task.chapter.name not in missing], absent


def _executors(answers: int, jobs: int, no_sandbox: bool) -> Callable[[], Executor]:
    """The maker of executors that the options mean; `NoSandbox` where it would not be safe."""
    from autograder.boundary import sandbox
    from autograder.grading.executors import processes

    sandbox.require(no_sandbox)
    return lambda: processes(jobs)(answers)


def _settings(secret: Path | None, make_executor: Callable[[], Executor], locates: bool = False) -> Settings:
    from rich.console import Console

    from autograder.grading.many import Settings

    return Settings(_secret(secret), make_executor, Console(stderr=True, highlight=False), locates)


def _secret(path: Path | None) -> bytes:
    if path is None:
        return SELF_STUDY
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableAnswer(f"{path} cannot be read: {why(error)}") from None


def _exit_code(outcomes: Iterable[str]) -> int:
    if "fault" in outcomes:
        return FAULT
    return WRONG if set(outcomes) - {"passed", "unattempted"} else 0


def _printable(message: object) -> str:
    """Words on lines of this terminal; file names are the learners', and may hold what a terminal obeys."""
    import shutil
    import textwrap

    from autograder.chapters.text import clean

    if not sys.stderr.isatty():
        return clean(message)
    return textwrap.fill(clean(message), shutil.get_terminal_size().columns, break_on_hyphens=False)


app.registered_commands[:0] = study_app.registered_commands[:2]  # what learners need comes first
app.registered_commands[3:3] = study_app.registered_commands[2:]
for command in study_app.registered_commands:
    command.rich_help_panel = LEARN
app.add_typer(course_app, name="course", rich_help_panel=TEACH)


def main() -> None:
    """Run the command line; whatever happens ends in a sentence and a documented exit code."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # learners write what their terminal may not be able to show
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads on: end quietly
        sys.exit(0)
    except InputError as error:
        print(_printable(error), file=sys.stderr)
        sys.exit(UNREADABLE)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _NO_PLACE and error.filename:
            place = error.filename if error.errno == errno.ELOOP else Path(error.filename).parent
            print(_printable(f"{place} cannot be written to: {why(error)}."), file=sys.stderr)
            sys.exit(UNREADABLE)
        if os.environ.get("ATTN_TRACEBACK"):
            raise
        message = f"{OURS}{_printable(sentence_of(error))}"
        print(f"{message}\nATTN_TRACEBACK=1 shows where.", file=sys.stderr)
        sys.exit(FAULT)


if __name__ == "__main__":
    main()
