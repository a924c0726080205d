"""Paths that one can click on, where the terminal is one."""

import os
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.text import Text

from autograder.chapters.text import clean


def linked(place: str, console: Console, style: str = "") -> Text:
    """A file, or ``file:line``, as text with a link (OSC 8); without one in a pipe, a plain or a colourless view."""
    text, (path, _, line) = Text(clean(place), style), place.rpartition(":")
    path, line = (path, line) if line.isdecimal() else (place, "")
    if console.is_terminal and console.color_system and not console.no_color and os.path.isfile(path):
        at = f"#{line}" if line and os.environ.get("TERM_PROGRAM") == "vscode" else ""  # others take it for a name
        text.stylize(Style(link=Path(path).resolve().as_uri() + at))
    return text
