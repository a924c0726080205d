"""Clickable paths in terminal lines, and the appearance of outcomes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.style import Style
from rich.text import Text

from autograder.chapters.text import clean

if TYPE_CHECKING:  # because `attn list` must start without NumPy, which verdicts import
    from autograder.judging.verdict.verdict import ExerciseVerdict


class OutcomeStyle(NamedTuple):
    """The appearance of an outcome. The word is always shown, because not everybody sees the colour."""

    sign: str
    plain: str  # the sign for terminals without Unicode
    word: str
    style: str

    def mark(self, unicode: bool) -> tuple[str, str]:
        """Return the sign to print before a name, with its style, to be passed to `Text.assemble`."""
        return f"{self.sign if unicode else self.plain} ", self.style


LOOKS = {
    "passed": OutcomeStyle("✓", "+", "done", "green"),
    "wrong": OutcomeStyle("✗", "x", "wrong", "red"),
    "raised": OutcomeStyle("✗", "x", "error", "red"),
    "timeout": OutcomeStyle("✗", "x", "too slow", "red"),
    "memory": OutcomeStyle("✗", "x", "out of memory", "red"),
    "killed": OutcomeStyle("✗", "x", "ended itself", "red"),
    "forbidden": OutcomeStyle("✗", "x", "shortcut", "red"),
    "fault": OutcomeStyle("!", "!", "our fault", "magenta"),
    "unattempted": OutcomeStyle("○", "o", "to do", "dim"),
}


def look_of(verdict: ExerciseVerdict) -> OutcomeStyle:
    """Return the style of a verdict's outcome. If only a called exercise is wrong, its word is "blocked by another"."""
    look = LOOKS[verdict.outcome]
    return (
        look._replace(word="blocked by another")
        if verdict.carried_from and verdict.points == verdict.max_points
        else look
    )


def has_unicode(console: Console) -> bool:
    return (console.encoding or "").lower().startswith("utf")


def make_link(place: str, console: Console, style: str = "") -> Text:
    """Return a file or ``file:line`` as text. If the console shows colours, the text links to the file (OSC 8)."""
    text, (path, _, line) = Text(clean(place), style), place.rpartition(":")
    path, line = (path, line) if line.isdecimal() else (place, "")
    if console.is_terminal and console.color_system and not console.no_color and os.path.isfile(path):
        # Other terminals would interpret the line number as a part of the file's name.
        fragment = f"#{line}" if line and os.environ.get("TERM_PROGRAM") == "vscode" else ""
        text.stylize(Style(link=Path(path).resolve().as_uri() + fragment))
    return text
