"""The command line `attn`. Every command is a thin wrapper around one module.

Exit codes: 0 nothing wrong, 1 an attempted exercise is wrong, 2 unusable input, 3 an internal error.
"""

import errno
import os
import sys
from pathlib import Path
from typing import Annotated

import click
import typer

from autograder.chapters.curriculum import PACKAGE
from autograder.chapters.errors import FAULT, OURS, UNREADABLE, InputError, reason_of, sentence_of
from autograder.chapters.extras import require_extra
from autograder.chapters.text import clean
from autograder.cli.learner import study_app
from autograder.cli.options import BUILD, LEARN, TEACH

# Commands of modules that are imported only if one of these commands is used -> (topic, sentence in `attn --help`).
_IMPORTED_LATER = {
    "grade": (TEACH, "Grade many answers."),
    "doctor": (TEACH, "Test the promises of the sandbox, and show which hold on this machine."),
    "course": (TEACH, "Run a course with nbgrader: release, grade, return."),
    "stubs": (BUILD, "Write the exercises from the solutions or, with --check, report inconsistencies."),
}
_FULL = (errno.ENOSPC, errno.EFBIG)
_NO_PLACE = (*_FULL, errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP)


class _GroupedCommands(typer.core.TyperGroup):
    """A command group that lists commands by topic, and imports some of them only if they are used."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _IMPORTED_LATER:
            return super().get_command(ctx, cmd_name)
        if cmd_name == "course":
            require_extra("classroom", "attn course")
            from autograder.cli.teacher import course_app

            return typer.main.get_command(course_app)
        from autograder.cli.grading import grading_app

        return typer.main.get_group(grading_app).get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        panels = {name: getattr(command, "rich_help_panel", None) or LEARN for name, command in self.commands.items()}
        for title in dict.fromkeys(panels.values()):
            commands = {name: self.commands[name] for name, panel in panels.items() if panel == title}
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", c.get_short_help_str(100)) for name, c in commands.items()])


app = typer.Typer(
    cls=_GroupedCommands,
    no_args_is_help=True,
    suggest_commands=False,  # because Click already suggests commands
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_requested: bool) -> None:
    if is_requested:
        import importlib.metadata

        print("attention-exercises", importlib.metadata.version("attention-exercises"))
        raise typer.Exit


@app.callback()
def attn(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Exercises for the attention mechanism: fill in a function, learn which mistake you made."""


app.registered_commands += study_app.registered_commands
for _name, (_topic, _sentence) in _IMPORTED_LATER.items():
    app.command(_name, rich_help_panel=_topic, help=_sentence)(lambda: None)


def _make_printable(message: object) -> str:
    """Return a message wrapped for this terminal, without control characters, which file names may contain."""
    import shutil
    import textwrap

    if not sys.stderr.isatty():
        return clean(message)
    return textwrap.fill(clean(message), shutil.get_terminal_size().columns, break_on_hyphens=False)


def _find_foreign_folder(error: Exception) -> str:
    """Return the folder on PYTHONPATH with the code that raised an error, or "" if the code is elsewhere."""
    import traceback

    file = Path(traceback.extract_tb(error.__traceback__)[-1].filename)
    folders = map(os.path.abspath, filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)))
    return next((place for place in folders if file.is_relative_to(place) and not PACKAGE.is_relative_to(place)), "")


def _explain_failed_write(error: OSError) -> str:
    """Return a sentence about a place that cannot be written to, or "" for other errors."""
    if error.filename and error.errno in _NO_PLACE:
        place = error.filename if error.errno == errno.ELOOP else Path(error.filename).parent
        return f"{place} cannot be written to: {reason_of(error)}."
    if error.errno in _FULL:  # Standard output has no file name.
        return f"the output cannot be written: {reason_of(error)}. Free some space and run this again"
    return ""


def main() -> None:
    """Run the command line. Every error is printed as a sentence and ends with a documented exit code."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # Answers may contain characters that the terminal cannot show.
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except (BrokenPipeError, SystemExit) as end:  # Click and Rich turn a BrokenPipeError into SystemExit(1).
        if not isinstance(end if isinstance(end, OSError) else end.__context__, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # The reader has closed the pipe, so end without a message.
        sys.exit(0)
    except InputError as error:
        print(_make_printable(error), file=sys.stderr)
        sys.exit(UNREADABLE)
    except Exception as error:
        if isinstance(error, OSError) and (message := _explain_failed_write(error)):
            print(_make_printable(message), file=sys.stderr)
            sys.exit(UNREADABLE)
        if os.environ.get("ATTN_TRACEBACK"):
            raise
        if folder := _find_foreign_folder(error):
            message = f"PYTHONPATH contains {folder}, and a package there cannot be used ({sentence_of(error)})"
            print(_make_printable(f"{message}: remove that folder from PYTHONPATH."), file=sys.stderr)
            sys.exit(UNREADABLE)
        message = f"{OURS}{_make_printable(sentence_of(error))}"
        print(f"{message}\nATTN_TRACEBACK=1 shows where.", file=sys.stderr)
        sys.exit(FAULT)


if __name__ == "__main__":
    main()
