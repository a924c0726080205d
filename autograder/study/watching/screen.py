"""What `attn watch` shows: one screen a verdict, or in plain mode lines that only ever follow one another."""

import contextlib

from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from autograder.chapters.text import clean
from autograder.views.terminal import explanation, line_of

KEYS = (("h", "hint"), ("s", "solution"), ("n", "next"), ("l", "list"), ("p", "picture"), ("q", "quit"))
MANY = 8
_GLAD = ("Well done.", "That is it.", "Right, all of it.", "Good work.", "Just so.")


class Screen:
    """The terminal.

    Parameters
    ----------
    console : rich.console.Console
    plain : bool
        Nothing is redrawn, and no sign stands for a word.

    Attributes
    ----------
    keys : bool
        Whether somebody can type.
    """

    def __init__(self, console, plain):
        self.console, self.keys = console, False
        self.redraw = console.is_terminal and not plain
        self.unicode = not plain and (console.encoding or "").lower().startswith("utf")

    def busy(self, words):
        """Say what is going on, for as long as it takes."""
        return self.console.status(words) if self.redraw else contextlib.nullcontext()

    def verdicts(self, found):
        """What a save has come to: each exercise in a line, the first that is wrong explained.

        Of more than would leave room for an explanation, those that passed are left out.

        Parameters
        ----------
        found : list of (Task, ExerciseVerdict)
        """
        self._clear()
        width, chapter, explained = max(len(verdict.exercise) for _, verdict in found), None, False
        for task, verdict in found:
            if task.chapter is not chapter:
                chapter = task.chapter
                self.console.print(Text.assemble((chapter.title, "bold"), (f"  {clean(task.answer.path)}", "dim")))
            if verdict.outcome != "passed" or len(found) <= MANY:
                self.console.print(line_of(verdict, width, self.unicode))
            if verdict.outcome == "unattempted":
                self.console.print(Padding(Text(clean(verdict.message), "dim"), (0, 0, 0, 4)))
            elif verdict.outcome != "passed" and not explained:
                self.console.print(Padding(explanation(verdict), (0, 0, 0, 4), expand=False))
                explained = True
        self.console.print()

    def glad(self, names, count, finished):
        """A good word for exercises that were not done before.

        Parameters
        ----------
        names : list of str
        count : int
            How many are done in all, so that the words change.
        finished : list of str
            Titles of the chapters that are done with them.
        """
        what = " and ".join(names) if len(names) < 3 else f"{len(names)} exercises"
        self.console.print(Text(f"{_GLAD[count % len(_GLAD)]} {what}: done.", "bold green"))
        for title in finished:
            self.console.print(Text(f"With it the chapter is done: {title}.", "green"))

    def lines(self, lines, clear=False):
        """Some lines, or other things that Rich can print."""
        if clear:
            self._clear()
        for line in lines:
            self.console.print(clean(line) if isinstance(line, str) else line)

    def note(self, sentence):
        """One sentence, where the learner may have named what is in it."""
        self.console.print(Text(clean(sentence)), soft_wrap=not self.redraw)

    def footer(self, done, total, step):
        """How far the course is, where to go on, and the keys."""
        told = f"{done} of {total} exercises done"
        if self.redraw and not self.console.no_color:  # without colours the rest of the bar is blank
            row = Table.grid(padding=(0, 1))
            row.add_row(ProgressBar(total, done, 30, complete_style="green", finished_style="green"), told)
            self.console.print(row)
        else:
            self.console.print(told)
        self.console.print(Text(clean(step), "bold"))
        if self.keys:
            self.console.print(Text("  ".join(f"{key} {word}" for key, word in KEYS), "dim"))

    def _clear(self):
        if self.redraw:
            self.console.clear()
        else:
            self.console.print()
