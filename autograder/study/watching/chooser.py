"""The list of what is done and what is to do, to move in: `l` in `attn watch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from autograder.study.listing import rows

if TYPE_CHECKING:
    from autograder.study.watching.watch import TakesKey, Watch

_MARGIN = 4  # lines of the screen that are not the list's
_KEYS = Text("arrows move; Enter goes there; any other key leads back", "dim")


class Chooser:
    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        chapters = {exercise.chapter for exercise in watch.exercises}
        self.rows = list(rows(watch.folder, watch.folder.states(), chapters, watch.current, watch.screen.unicode))
        self.places = [at for at, (exercise, _) in enumerate(self.rows) if exercise in watch.exercises]
        self.at = next((at for at in self.places if self.rows[at][0] is watch.current), self.places[0])
        self.show()

    def show(self) -> None:
        room = max(self.watch.screen.console.height - _MARGIN, 3)
        start = max(0, min(self.at - room // 2, len(self.rows) - room))
        lines = [Text("> " if number == self.at else "  ", "bold") + line for number, (_, line) in enumerate(self.rows)]
        self.watch.screen.page([], lines[start : start + room], [Text(""), _KEYS])

    def key(self, key: str) -> TakesKey | None:
        """Do what a key says; what takes the next one."""
        exercise, _ = self.rows[self.at]
        if key in ("up", "down"):
            at = self.places.index(self.at) + (1 if key == "down" else -1)
            self.at = self.places[max(0, min(at, len(self.places) - 1))]
            self.show()
            return self.key
        if key == "enter" and exercise:
            self.watch.jump(exercise)
        else:
            self.watch.show()
        return None
