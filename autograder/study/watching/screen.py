"""The screen of `attn watch`. It shows one page at a time or, in plain mode, only adds lines."""

from collections.abc import Callable, Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.control import Control
from rich.padding import Padding
from rich.segment import ControlType, SegmentLines
from rich.text import Text

from autograder.chapters.text import clean
from autograder.views.lines import has_unicode

_ERASE = Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2))


class Screen:
    """A terminal that shows a page, notes and a status line. In plain mode, nothing is redrawn."""

    def __init__(self, console: Console, is_plain: bool) -> None:
        self.console, self.keys = console, False  # `keys`: whether keys can be pressed
        self.can_redraw = console.is_terminal and not console.is_dumb_terminal and not is_plain
        self.unicode = not is_plain and has_unicode(console)
        self._status, self._is_cut = "", False
        self._page: tuple[Sequence[RenderableType], Sequence[RenderableType], Sequence[RenderableType]] = (), (), ()
        self._below: list[RenderableType] = []  # notes below the page

    def show_page(
        self,
        header: Sequence[RenderableType],
        body: Sequence[RenderableType],
        foot: Sequence[RenderableType],
        is_whole: bool = False,
    ) -> None:
        """Show a new page. Unless `is_whole`, a body that does not fit on the screen is truncated."""
        self._page, self._status = (header, body, foot), ""
        self._below.clear()
        with self.console:  # Print all at once, so that nothing flickers.
            if self.can_redraw:
                self.console.control(_ERASE)
                self.console.clear()
            else:
                self.console.print()
            self._print(header)
            room = self.console.height - 1 - self._measure_height(header) - self._measure_height(foot)
            self._is_cut = self.can_redraw and not is_whole and self._measure_height(body) > max(room, 1)
            if self._is_cut:
                self._print_lines(body, max(room - 1, 1))
            else:
                self._print(body)
            self._print(foot)

    def redraw(self) -> None:
        """Show the page and the notes below it again, after another program has used the screen."""
        notes = [*self._below]
        self.show_page(*self._page)
        self._below = notes
        self._print(notes)

    def show_whole(self, extra_lines: Sequence[str]) -> None:
        if self._is_cut:
            self.show_page(*self._page, is_whole=True)
        elif not extra_lines:
            self.add_note("This is all of it.")
        self.add(extra_lines)

    def add(self, lines: Iterable[RenderableType]) -> None:
        parts = [Text(clean(line)) if isinstance(line, str) else line for line in lines]
        self._below += parts
        self._without_status(lambda: self._print(parts))

    def add_note(self, sentence: str) -> None:
        """Show a sentence below the page, until another page is shown."""
        text = Text(clean(sentence))
        self._below.append(text)
        self._without_status(lambda: self.console.print(text, soft_wrap=not self.can_redraw))

    def drop_notes(self) -> None:
        """Remove the notes below the page. Does nothing on a screen that cannot be redrawn."""
        if self.can_redraw and self._below:
            self.show_page(*self._page)

    def show_status(self, words: str = "") -> None:
        """Show words in a temporary last line. In plain mode, do nothing."""
        if self.can_redraw and words != self._status:
            self._status = words
            self.console.control(_ERASE)
            self.console.print(Text(clean(words)[: self.console.width - 1], "dim"), end="")

    def show_briefly(self, sentence: str) -> None:
        """Show a sentence until the next event, or as a note if the screen cannot be redrawn."""
        self.show_status(sentence) if self.can_redraw else self.add_note(sentence)

    def _without_status(self, show: Callable[[], object]) -> None:
        words = self._status
        self.show_status()
        show()
        self.show_status(words)

    def _print(self, parts: Iterable[RenderableType]) -> None:
        for part in parts:
            self.console.print(part)

    def _measure_height(self, parts: Sequence[RenderableType]) -> int:
        return len(self.console.render_lines(Group(*parts), pad=False)) if parts else 0

    def _print_lines(self, parts: Sequence[RenderableType], count: int) -> None:
        lines = self.console.render_lines(Group(*parts), pad=False)
        self.console.print(SegmentLines(lines[:count], new_lines=True), end="")
        self.console.print(Padding(Text(f"... {len(lines) - count} more lines: v shows them", "dim"), (0, 0, 0, 4)))
