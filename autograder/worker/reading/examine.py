"""What a grader has to know about an answer, found out once: nothing of the answer's text is parsed after that."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from .answers import AnswerFile, CodeCell, Sought
from .shortcuts import find_shortcut

MAX_DEFINED = 2000  # names that are told: far more than anybody writes
MAX_NAME = 200


@dataclass(frozen=True)
class Examined(AnswerFile):
    """An answer without its leftover stubs, of which all that `AnswerFile` reads in the text was found out before."""

    found: dict = field(default_factory=dict)  # as from `examine`

    @property
    def definitions(self) -> dict[str, tuple[CodeCell, int]]:
        """Name -> (cell, line in it) of everything defined at the top level; the last one counts."""
        return {name: (self.cells[at], line) for name, (at, line) in self.found["definitions"].items()}

    def is_untouched(self, exercise: Sought) -> bool:
        """Whether what the file has under the exercise's name is still the stub."""
        return exercise.name in self.found["untouched"]

    def without_leftover_stubs(self, exercises: Iterable[Sought]) -> "Examined":
        """Itself: they are gone."""
        return self

    def names_reached(self, name: str) -> set[str]:
        """The exercises that one's definition leads to, itself included."""
        return set(self.found["reached"].get(name, ()))

    def shortcut(self, exercise: Sought) -> tuple[str, str] | None:
        """The first use of something that the exercise bans, as (name, place), or None."""
        return self.found["shortcuts"].get(exercise.name)


def examine(answer: AnswerFile, exercises: Sequence[Sought]) -> dict:
    """What there is to know about an answer to a chapter with these exercises.

    Plain data: ``kept``, the numbers of the cells that are no leftover stubs; ``definitions``, name -> (number among
    those, line in it); ``untouched``, names of exercises; ``shortcuts``, exercise -> (name, place); ``reached``,
    exercise -> the exercises that its definition leads to.
    """
    kept = answer.without_leftover_stubs(exercises)
    numbers = {id(cell): number for number, cell in enumerate(answer.cells)}
    places = {id(cell): number for number, cell in enumerate(kept.cells)}
    wanted = {exercise.name for exercise in exercises}
    names = sorted(kept.definitions, key=lambda name: name not in wanted)[:MAX_DEFINED]
    shortcuts = {each.name: find_shortcut(kept, each) for each in exercises}
    return {
        "kept": [numbers[id(cell)] for cell in kept.cells],
        "definitions": {
            name: (places[id(kept.definitions[name][0])], kept.definitions[name][1])
            for name in names
            if len(name) <= MAX_NAME
        },
        "reached": {name: sorted(wanted & kept.names_reached(name)) for name in wanted},
        "untouched": [each.name for each in exercises if kept.is_untouched(each)],
        "shortcuts": {name: (found.name[:MAX_NAME], found.place) for name, found in shortcuts.items() if found},
    }
