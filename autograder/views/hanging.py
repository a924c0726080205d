"""Lines that go on further to the right where they are too long for the terminal."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.text import Text


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
