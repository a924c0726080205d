"""How outcomes look and what they are called, wherever they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # `attn list` starts without NumPy, which verdicts need
    from autograder.judging.verdict.verdict import ExerciseVerdict

# Outcome -> sign, sign without Unicode, word, style. The word is always there: nothing is said by colour alone.
LOOKS = {
    "passed": ("✓", "+", "done", "green"),
    "wrong": ("✗", "x", "wrong", "red"),
    "raised": ("✗", "x", "error", "red"),
    "timeout": ("✗", "x", "too slow", "red"),
    "memory": ("✗", "x", "out of memory", "red"),
    "killed": ("✗", "x", "ended itself", "red"),
    "forbidden": ("✗", "x", "shortcut", "red"),
    "fault": ("!", "!", "our fault", "magenta"),
    "unattempted": ("○", "o", "to do", "dim"),
}


def look_of(verdict: ExerciseVerdict) -> tuple[str, str, str, str]:
    """The look of a verdict; one that is right but for another exercise, and has its points all the same, says so."""
    sign, plain, word, style = LOOKS[verdict.outcome]
    has_points = verdict.carried_from and verdict.points == verdict.max_points
    return sign, plain, "carried" if has_points else word, style
