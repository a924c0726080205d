"""The terminal view of `attn check`: what is done, what is wrong and why, what comes next."""

import numpy as np
from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Group
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from autograder.show import clean, show

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
PICTURE_CELLS = 8  # rows and columns of a matrix that are still worth drawing


class Report:
    """Prints verdicts as they come and a summary at the end."""

    def __init__(self, console):
        self.console, self.unicode = console, (console.encoding or "").lower().startswith("utf")
        self.verdicts, self.chapter = [], None
        self._blank = False  # whether the last line printed is empty

    def add(self, task, verdict):
        """Show one exercise."""
        if task.chapter is not self.chapter:
            self.chapter = task.chapter
            gap = "" if self._blank else "\n"
            self._print_path(Text.assemble(gap, (task.chapter.title, "bold"), (f"  {task.answer.path}", "dim")))
        self.verdicts.append((task, verdict))
        self.console.print(self._line(verdict))
        self._blank = verdict.outcome not in ("passed", "unattempted")
        if self._blank:
            self.console.print(Padding(_explanation(verdict), (0, 0, 1, 4), expand=False))
        elif verdict.outcome == "unattempted" and not task.answer.place_of(verdict.exercise):
            self.console.print(Padding(Text(verdict.message, "dim"), (0, 0, 0, 4), expand=False))

    def finish(self):
        """Show the totals and the next step."""
        done = sum(verdict.outcome == "passed" for _, verdict in self.verdicts)
        points = sum(verdict.points for _, verdict in self.verdicts)
        possible = sum(verdict.max_points for _, verdict in self.verdicts)
        if not self._blank:
            self.console.print()
        if self.console.is_terminal:
            width = min(40, self.console.width)
            bar = ProgressBar(possible or 1, points, width, complete_style="green", finished_style="green")
            self.console.print(bar, "\n", sep="", end="")
        total = len(self.verdicts)
        self.console.print(f"{done} of {total} exercise{'s' * (total != 1)} done, {points} of {possible} points")
        for step in self._next_steps():
            self._print_path(step)

    def _print_path(self, text):
        """A line with a path in it: in a pipe it stays whole, however long."""
        self.console.print(text, soft_wrap=not self.console.is_terminal)

    def _line(self, verdict):
        sign, plain, word, style = LOOKS[verdict.outcome]
        name_width = max(len(exercise.name) for exercise in self.chapter.exercises)
        points = f"{verdict.points}/{verdict.max_points}"
        line = Text(f"  {sign if self.unicode else plain} ", style)
        line.append(f"{verdict.exercise:{name_width}} ", "" if verdict.outcome == "unattempted" else "bold")
        line.append(f"{points:>6}  ", "dim")
        line.append(word, style)
        return line

    def _next_steps(self):
        wrong = [pair for pair in self.verdicts if pair[1].outcome not in ("passed", "unattempted", "fault")]
        to_do = [pair for pair in self.verdicts if pair[1].outcome == "unattempted"]
        for label, pairs, verb in (("Fix", wrong, ""), ("Next", to_do, "write ")):
            if pairs:
                task, verdict = pairs[0]
                place = task.answer.place_of(verdict.exercise) or task.answer.path
                yield Text.assemble((f"{label}: ", "bold"), f"{verb}{verdict.exercise} in ", (place, "cyan"))
        if not wrong and not to_do:
            yield Text("Everything here is done.", "green")


def _explanation(verdict):
    """Why an exercise is wrong: the call, got and expected, a picture where it is small, and the lesson."""
    test = verdict.speaking
    parts = [Text(clean(test.call), "cyan")] if test.call else []
    picture = _picture(test.mismatch) if test.mismatch else None
    parts += [Text(clean(test.finding)), picture] if picture else [Text(clean(test.finding))]
    if verdict.lesson:
        parts.append(Text(clean(verdict.lesson), "bold"))
    if verdict.hint:
        parts.append(Text(f"Hint: {clean(verdict.hint)}", "italic"))
    return Group(*parts)


def _picture(mismatch):
    """Yours and expected side by side, differing cells marked; None where they are not small arrays."""
    try:
        yours, expected = np.atleast_2d(np.asarray(mismatch.got)), np.atleast_2d(np.asarray(mismatch.expected))
    except ValueError:
        return None
    for array in (yours, expected):
        if (
            array.dtype.kind not in "bifu"
            or array.ndim != 2
            or not 0 < max(array.shape) <= PICTURE_CELLS
            or 0 in array.shape
        ):
            return None
    if yours.size == expected.size == 1 and mismatch.rung == "values":
        return None  # one number: the sentence has said it
    different = np.zeros(yours.shape, bool)
    if yours.shape == expected.shape:
        different = ~np.isclose(yours.astype(float), expected.astype(float), 1e-5, 1e-8, equal_nan=True)
    grids = [_grid("yours", yours, different, "red"), _grid("expected", expected, None, "green")]
    return Columns(grids, padding=(0, 4))


def _grid(title, array, different, style):
    table = Table(
        title=title, title_justify="left", title_style="dim", box=None, show_header=False, padding=(0, 1, 0, 0)
    )
    texts = [[show(item) for item in row] for row in array]
    for _ in range(array.shape[1]):
        table.add_column(justify="right", no_wrap=True)
    for number, row in enumerate(texts):
        marked = [different is not None and different[number, column] for column in range(len(row))]
        table.add_row(
            *(
                Text(f"{text}{'*' if mark else ''}", f"bold {style}" if mark else "")
                for text, mark in zip(row, marked, strict=True)
            )
        )
    table.width = None if texts else cell_len(title)
    return table
