"""Lines of a terminal, with paths to click on, indented further where they are too long; and how outcomes look."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.style import Style
from rich.text import Text

from autograder.chapters.text import clean

if TYPE_CHECKING:  # `attn list` starts without NumPy, which verdicts need
    from autograder.judging.verdict.verdict import ExerciseVerdict


class Look(NamedTuple):
    """The word is always there: nothing is said by colour alone."""

    sign: str
    plain: str  # the sign without Unicode
    word: str
    style: str

    def mark(self, unicode: bool) -> tuple[str, str]:
        """The sign before a name, as Rich takes a part of a text."""
        return f"{self.sign if unicode else self.plain} ", self.style


LOOKS = {
    "passed": Look("✓", "+", "done", "green"),
    "wrong": Look("✗", "x", "wrong", "red"),
    "raised": Look("✗", "x", "error", "red"),
    "timeout": Look("✗", "x", "too slow", "red"),
    "memory": Look("✗", "x", "out of memory", "red"),
    "killed": Look("✗", "x", "ended itself", "red"),
    "forbidden": Look("✗", "x", "shortcut", "red"),
    "fault": Look("!", "!", "our fault", "magenta"),
    "unattempted": Look("○", "o", "to do", "dim"),
}


def look_of(verdict: ExerciseVerdict) -> Look:
    """The look of a verdict; one that is right but for another exercise, and has its points all the same, says so."""
    look = LOOKS[verdict.outcome]
    return (
        look._replace(word="waits for another")
        if verdict.carried_from and verdict.points == verdict.max_points
        else look
    )


def has_unicode(console: Console) -> bool:
    return (console.encoding or "").lower().startswith("utf")


def link(place: str, console: Console, style: str = "") -> Text:
    """A file, or ``file:line``, as text with a link (OSC 8); without one in a pipe, a plain or a colourless view."""
    text, (path, _, line) = Text(clean(place), style), place.rpartition(":")
    path, line = (path, line) if line.isdecimal() else (place, "")
    if console.is_terminal and console.color_system and not console.no_color and os.path.isfile(path):
        at = f"#{line}" if line and os.environ.get("TERM_PROGRAM") == "vscode" else ""  # others take it for a name
        text.stylize(Style(link=Path(path).resolve().as_uri() + at))
    return text


@dataclass(frozen=True)
class Hanging:
    """A line of text, and the column at which it goes on; whole in a pipe, where nothing is wrapped."""

    line: Text
    column: int

    def __str__(self) -> str:
        return self.line.plain

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        first, *more = [self.line] if options.no_wrap else self.line.wrap(console, options.max_width, overflow="fold")
        yield first
        if more:
            rest = self.line[len(first) :]
            rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
            yield Padding(rest, (0, 0, 0, min(self.column, options.max_width // 2)), expand=False)
