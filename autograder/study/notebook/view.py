"""Verdicts in a notebook: cards with colours, pictures and hints to unfold, or the text that a terminal shows."""

import io
from collections.abc import Callable, Sequence

from autograder.study.folder import Judged
from autograder.views.card import card, prose
from autograder.views.terminal import Report


class Checked:
    """What a check in a notebook found."""

    def __init__(
        self,
        verdicts: list[Judged],
        look_for_lines: Callable[[list[Judged]], list[Judged]] | None = None,
        praise: Sequence[str] = (),
    ) -> None:
        self.verdicts, self.look_for_lines, self.praise = verdicts, look_for_lines, praise

    def find_lines(self) -> list[str]:
        """Look for the lines that mistakes are in; a sentence for each that is found, and shown from then on."""
        found = self.look_for_lines(self.verdicts) if self.look_for_lines else []
        return [f"{verdict.exercise}: {verdict.located.sentence}" for _, verdict in found]

    def __repr__(self) -> str:
        from rich.console import Console  # noqa: PLC0415  (only where there is no page)

        text = io.StringIO()
        # A kernel looks like a page to Rich, which would then print pages of its own.
        report = Report(Console(file=text, width=100, highlight=False, force_jupyter=False, force_terminal=False))
        for task, verdict in self.verdicts:
            report.add(task, verdict)
        report.finish()
        return "\n".join([text.getvalue().strip("\n"), *self.praise])

    def _repr_html_(self) -> str:
        """A card for each: every text in it is escaped."""
        cards = [card(verdict, task.chapter.exercise(verdict.exercise).hints) for task, verdict in self.verdicts]
        if self.praise:  # after a card, which brings the style
            sentences = "".join(f"<p>{prose(sentence)}</p>" for sentence in self.praise)
            cards.append(f'<section class="attn" style="border-color:#2e7d32">{sentences}</section>')
        return "".join(cards)
