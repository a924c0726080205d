"""Opens what a learner works on: the editor at a line, the book in the browser."""

import os
import shlex
import subprocess
import webbrowser
from pathlib import Path

from autograder.chapters.extras import missing, sentence

_GOTO = ("code", "codium", "cursor", "windsurf")  # editors that take --goto file:line
_COLON = ("subl", "zed", "hx", "micro")  # those that take file:line; all others take +line file


def editor_command(editor, path, line):
    """What opens a file at a line, as a list of words.

    Parameters
    ----------
    editor : str
        As in ``$EDITOR``: a program, and perhaps its options.
    path, line : str
    """
    command = shlex.split(editor)
    name = Path(command[0]).stem
    if name in _GOTO:
        return [*command, "--goto", f"{path}:{line}"]
    return [*command, f"{path}:{line}"] if name in _COLON else [*command, f"+{line}", path]


def open_in_editor(place, keyboard, tell):
    """Open ``$VISUAL`` or ``$EDITOR`` at a place, and wait until it gives the terminal back.

    Parameters
    ----------
    place : str
        As ``file:line``.
    keyboard : autograder.study.watching.keys.Keyboard
    tell : callable
        Takes a sentence for the learner.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        return tell("No editor is set: put `export EDITOR=nano`, or another one, into your shell's profile.")
    path, _, line = place.rpartition(":")
    try:
        with keyboard.lent():
            subprocess.run(editor_command(editor, path, line), check=False)
    except (OSError, ValueError, IndexError) as error:
        tell(f"The editor {editor!r} cannot be started: {error}.")


def open_in_browser(path, anchor=""):
    """Open a file in the browser; a sentence that says what was done."""
    if not path.is_file():
        needs = f" ({sentence('it', 'book')})" if missing("book") else ""
        return f"There is no {path} yet: `attn book` writes the book, once, in some minutes{needs}."
    address = path.resolve().as_uri() + anchor
    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    return f"Opened in the browser: {path}" if opened else f"Open this in a browser: {address}"
