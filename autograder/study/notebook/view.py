"""Verdicts in a notebook: cards with colours, pictures and hints to unfold, or the text that a terminal shows."""

import io

from autograder.views.card import card
from autograder.views.terminal import Report


class Checked:
    """What a check in a notebook found.

    Parameters
    ----------
    verdicts : list of (Task, ExerciseVerdict)
    look_for_lines : callable, optional
        Takes these, and gives those whose mistake is in a line that it has found.
    """

    def __init__(self, verdicts, look_for_lines=None):
        self.verdicts, self.look_for_lines = verdicts, look_for_lines

    def find_lines(self):
        """Look for the lines that mistakes are in; a sentence for each that is found, and shown from then on."""
        found = self.look_for_lines(self.verdicts) if self.look_for_lines else []
        return [f"{verdict.exercise}: {verdict.located.sentence}" for _, verdict in found]

    def __repr__(self):
        from rich.console import Console  # noqa: PLC0415  (only where there is no page)

        text = io.StringIO()
        # A kernel looks like a page to Rich, which would then print pages of its own.
        report = Report(Console(file=text, width=100, highlight=False, force_jupyter=False, force_terminal=False))
        for task, verdict in self.verdicts:
            report.add(task, verdict)
        report.finish()
        return text.getvalue().strip("\n")

    def _repr_html_(self):
        """A card for each: every text in it is escaped."""
        return "".join(card(verdict, task.chapter.exercise(verdict.exercise).hints) for task, verdict in self.verdicts)
