"""A list of all exercises that one can move and search in: `g` in `attn watch`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.text import Text

from autograder.chapters.chapter import Exercise
from autograder.views.looks import LOOKS

if TYPE_CHECKING:
    from autograder.study.watching.watch import Watch

_MARGIN = 4  # lines of the screen that are not the list's
_KEYS = "letters search; arrows, PageUp, PageDown; Enter goes there; Escape leads back"


class Chooser:
    def __init__(self, watch: Watch) -> None:
        self.watch, self.query = watch, ""
        self.exercises, self.at = watch.exercises, 0
        if watch.current in self.exercises:
            self.at = self.exercises.index(watch.current)
        self.show()

    def show(self) -> None:
        lines: list[Text] = []
        chapter, here = None, 0
        for number, exercise in enumerate(self.exercises):
            if exercise.chapter != chapter:
                chapter = exercise.chapter
                lines.append(Text(self.watch.folder.chapter_of(exercise).title, "bold"))
            if number == self.at:
                here = len(lines)
            lines.append(self._line(exercise, number == self.at))
        start = max(0, min(here - self._room // 2, len(lines) - self._room))
        foot = Text(f"{self.query}_") if self.query else Text(_KEYS, "dim")
        self.watch.screen.page([], lines[start : start + self._room] or ["Nothing is called so."], [Text(""), foot])

    def key(self, key: str) -> Callable | None:
        """Do what a key says; what takes the next one."""
        count, page = len(self.exercises), self._room - 1
        steps = {"up": -1, "down": 1, "page up": -page, "page down": page, "home": -count, "end": count}
        if key == "enter" and self.exercises:
            return self.watch.jump(self.exercises[self.at])
        if key == "escape" and not self.query:
            return self.watch.show()
        if key in steps:
            self.at = max(0, min(self.at + steps[key], count - 1))
        else:
            typed = {"escape": "", "backspace": self.query[:-1]}.get(key, self.query + key * (len(key) == 1))
            self._search(typed.lstrip("/"))
        self.show()
        return self.key

    @property
    def _room(self) -> int:
        return max(self.watch.screen.console.height - _MARGIN, 3)

    def _search(self, query: str) -> None:
        """Keep what holds these words in its line, or in the title of its chapter: a name, or "to do"."""
        self.query, self.at = query, 0
        self.exercises = [
            exercise for exercise in self.watch.exercises if query.lower() in self._words(exercise).lower()
        ]

    def _words(self, exercise: Exercise) -> str:
        return f"{self.watch.folder.chapter_of(exercise).title} {self._line(exercise, False)}"

    def _line(self, exercise: Exercise, is_here: bool) -> Text:
        watch = self.watch
        finding = watch.findings.get(exercise.name)
        outcome = "passed" if exercise.name in watch.done else finding.verdict.outcome if finding else "unattempted"
        sign, plain, word, style = LOOKS[outcome]
        line = Text("> " if is_here else "  ", "bold" if is_here else "")
        line.append(f"{sign if watch.screen.unicode else plain} ", style)
        line.append(f"{exercise.name:28} ", "reverse" if is_here else "")
        return line.append(word, style)
