"""A list of all exercises that one can move in: `g` in `attn watch`."""

from rich.text import Text

from autograder.views.looks import LOOKS

_MARGIN = 4  # lines of the screen that are not the list's


class Chooser:
    """The list, and the keys that move in it.

    Parameters
    ----------
    watch : autograder.study.watching.watch.Watch
    """

    def __init__(self, watch):
        self.watch, self.exercises = watch, watch.exercises
        self.at = self.exercises.index(watch.current) if watch.current in self.exercises else 0
        self.show()

    def show(self):
        """Show the part of the list around where one is."""
        lines, chapter, here = [], None, 0
        for number, exercise in enumerate(self.exercises):
            if exercise.chapter != chapter:
                chapter = exercise.chapter
                lines.append(Text(self.watch.folder.chapter_of(exercise).title, "bold"))
            if number == self.at:
                here = len(lines)
            lines.append(self._line(exercise, number == self.at))
        room = max(self.watch.screen.console.height - _MARGIN, 3)
        start = max(0, min(here - room // 2, len(lines) - room))
        keys = Text("up and down move, Enter goes there, any other key leads back", "dim")
        self.watch.screen.page([], lines[start : start + room], [Text(""), keys])

    def key(self, key):
        """Do what a key says; what takes the next one."""
        if key == "enter":
            self.watch.jump(self.exercises[self.at])
        elif key in ("up", "k", "down", "j"):
            self.at = (self.at + (1 if key in ("down", "j") else -1)) % len(self.exercises)
            self.show()
            return self.key
        else:
            self.watch.show()
        return None

    def _line(self, exercise, is_here):
        watch = self.watch
        found = watch.found.get(exercise.name)
        outcome = "passed" if exercise.name in watch.done else found.verdict.outcome if found else "unattempted"
        sign, plain, word, style = LOOKS[outcome]
        line = (
            Text()
            .append("> " if is_here else "  ", "bold")
            .append(f"{sign if watch.screen.unicode else plain} ", style)
        )
        line.append(f"{exercise.name:28} ", "reverse" if is_here else "")
        return line.append(word, style)
