"""How outcomes look and what they are called, wherever they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
