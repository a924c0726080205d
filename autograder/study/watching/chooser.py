"""A list of all exercises that one can move and search in: `g` in `attn watch`."""

from collections.abc import Callable

from rich.text import Text

from autograder.chapters.chapter import Exercise
from autograder.study.watching.state import State, TakesKey
from autograder.views.looks import LOOKS

_MARGIN = 4  # lines of the screen that are not the list's
_KEYS = "letters search; arrows, PageUp, PageDown; Enter goes there; Escape leads back"


class Chooser:
    """`choose` is told the exercise, or None where there is to be no other one."""

    def __init__(self, state: State, choose: Callable[[Exercise | None], None]) -> None:
        self.state, self.choose, self.query = state, choose, ""
        self.exercises = state.exercises
        self.at = self.exercises.index(state.current) if state.current in self.exercises else 0
        self.show()

    def show(self) -> None:
        lines: list[Text] = []
        chapter, here = None, 0
        for number, exercise in enumerate(self.exercises):
            if exercise.chapter != chapter:
                chapter = exercise.chapter
                lines.append(Text(self.state.folder.chapter_of(exercise).title, "bold"))
            if number == self.at:
                here = len(lines)
            lines.append(self._line(exercise, number == self.at))
        start = max(0, min(here - self._room // 2, len(lines) - self._room))
        foot = Text(f"{self.query}_") if self.query else Text(_KEYS, "dim")
        self.state.screen.page([], lines[start : start + self._room] or ["Nothing is called so."], [Text(""), foot])

    def key(self, key: str) -> TakesKey | None:
        """Do what a key says; what takes the next one."""
        count, page = len(self.exercises), self._room - 1
        steps = {"up": -1, "down": 1, "page up": -page, "page down": page, "home": -count, "end": count}
        if key == "enter" and self.exercises:
            return self.choose(self.exercises[self.at])
        if key == "escape" and not self.query:
            return self.choose(None)
        if key in steps:
            self.at = max(0, min(self.at + steps[key], count - 1))
        else:
            typed = {"escape": "", "backspace": self.query[:-1]}.get(key, self.query + key * (len(key) == 1))
            self._search(typed.lstrip("/"))
        self.show()
        return self.key

    @property
    def _room(self) -> int:
        return max(self.state.screen.console.height - _MARGIN, 3)

    def _search(self, query: str) -> None:
        """Keep what holds these words in its line, or in the title of its chapter: a name, or "to do"."""
        self.query, self.at = query, 0
        self.exercises = [
            exercise
            for exercise in self.state.exercises
            if query.lower() in f"{self.state.folder.chapter_of(exercise).title} {self._line(exercise, False)}".lower()
        ]

    def _line(self, exercise: Exercise, is_here: bool) -> Text:
        finding = self.state.findings.get(exercise.name)
        is_done = exercise.name in self.state.done
        outcome = "passed" if is_done else finding.verdict.outcome if finding else "unattempted"
        look = LOOKS[outcome]
        name, pointer = (f"{exercise.name:28} ", "reverse" if is_here else ""), ("> ", "bold") if is_here else "  "
        return Text.assemble(pointer, look.mark(self.state.screen.unicode), name, (look.word, look.style))
