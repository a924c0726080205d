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
_KEYS = "arrows, PageUp, PageDown; / searches; Enter goes there; other keys lead back"
_STEPS = {"up": -1, "k": -1, "down": 1, "j": 1}


class Chooser:
    def __init__(self, watch: Watch) -> None:
        self.watch, self.query, self.types = watch, "", False
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
        typed = f"/{self.query}{'_' * self.types}" if self.types or self.query else ""
        foot = Text(typed or _KEYS, "" if typed else "dim")
        self.watch.screen.page([], lines[start : start + self._room] or ["Nothing is called so."], [Text(""), foot])

    def key(self, key: str) -> Callable | None:
        """Do what a key says; what takes the next one."""
        if key == "enter" and self.exercises:
            return self.watch.jump(self.exercises[self.at])
        if self.types and (len(key) == 1 or key == "backspace"):
            self._search(self.query + key if len(key) == 1 else self.query[:-1])
        elif key == "/":
            self.types = True
        elif key == "escape" and (self.types or self.query):
            self.types = False
            self._search("")
        elif key in ("page up", "page down", "home", "end"):
            step = self._room - 1
            to = {"page up": self.at - step, "page down": self.at + step, "home": 0, "end": len(self.exercises)}[key]
            self.at = max(0, min(to, len(self.exercises) - 1))
        elif key in _STEPS and self.exercises:
            self.at = (self.at + _STEPS[key]) % len(self.exercises)
        elif not self.types:
            return self.watch.show()
        self.show()
        return self.key

    @property
    def _room(self) -> int:
        return max(self.watch.screen.console.height - _MARGIN, 3)

    def _search(self, query: str) -> None:
        """Keep what holds these words in its line, or in the title of its chapter: a name, or "to do"."""
        self.query, self.at = query, 0
        self.exercises = [each for each in self.watch.exercises if query.lower() in self._words(each).lower()]

    def _words(self, exercise: Exercise) -> str:
        return f"{self.watch.folder.chapter_of(exercise).title} {self._line(exercise, False)}"

    def _line(self, exercise: Exercise, is_here: bool) -> Text:
        watch = self.watch
        found = watch.found.get(exercise.name)
        outcome = "passed" if exercise.name in watch.done else found.verdict.outcome if found else "unattempted"
        sign, plain, word, style = LOOKS[outcome]
        line = Text("> " if is_here else "  ", "bold" if is_here else "")
        line.append(f"{sign if watch.screen.unicode else plain} ", style)
        line.append(f"{exercise.name:28} ", "reverse" if is_here else "")
        return line.append(word, style)
