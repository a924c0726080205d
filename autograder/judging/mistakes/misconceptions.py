"""The known mistakes of an exercise, read from its file in `misconceptions/`; nothing of it is run here.

A mistake is an edit of the solution, or the exercise written out with the mistake in it. One without a word takes those
of the kind of its name (`misconceptions/kinds.md`).
"""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograder.chapters import curriculum
from autograder.chapters.errors import ChapterError
from autograder.judging.mistakes.sections import read_sections

KINDS_FILE = "kinds"  # the file of them, beside those of the exercises
LABELS = ("right", "try", "rule")


@dataclass(frozen=True)
class Misconception:
    """One known mistake, and what a learner is told of it."""

    name: str
    place: str  # file:line
    edits: Mapping[str, str]  # what is there -> what is written instead; empty where it is written out
    code: str | None = None
    sentences: tuple[tuple[bool, str], ...] = ()  # whether it says what looks right, and a sentence
    hint: str = ""  # what to try to see it
    rule: str = ""  # what should hold: the last hint

    @property
    def sentence(self) -> str:
        """What such code does, and where it looks right; it tells no repair."""
        return " ".join(words for _, words in self.sentences)

    @property
    def sentence_alone(self) -> str:
        """The sentence of such code among other mistakes: nothing of what is right otherwise."""
        words = " ".join(words for is_right, words in self.sentences if not is_right)
        return words[:1].upper() + words[1:]


def read_misconceptions(name: str) -> dict[str, Misconception]:
    """The mistakes of the exercise of this name, in the order of its file; empty where there is no file."""
    kinds, mistakes = read_kinds(), dict[str, Misconception]()
    for mistake in _read(text_of(name), f"misconceptions/{name}.md"):
        if bool(mistake.edits) == bool(mistake.code):
            problem = f"{mistake.name} needs either edits or code: write what such an answer has"
            raise ChapterError(f"{mistake.place}: {problem}")
        kind = mistake if mistake.sentences else kinds.get(mistake.name, mistake)
        mistakes[mistake.name] = replace(mistake, sentences=kind.sentences, hint=kind.hint, rule=kind.rule)
    return mistakes


def lesson_of(exercise: str, misconception: str, is_all: bool = True) -> tuple[str, str, str]:
    """What a misconception tells the learner: its sentence, its hint and its rule; the last two may be empty.

    Where it is not all that is wrong, nothing is said to be right.
    """
    mistake = read_misconceptions(exercise)[misconception]
    return mistake.sentence if is_all else mistake.sentence_alone, mistake.hint, mistake.rule


def read_kinds() -> dict[str, Misconception]:
    """The mistakes that many exercises know, without edits."""
    return {kind.name: kind for kind in _read(text_of(KINDS_FILE), f"misconceptions/{KINDS_FILE}.md")}


def text_of(name: str) -> str:
    """The file of misconceptions of an exercise, as it stands; empty where there is none."""
    path = curriculum.misconceptions_of(name)
    return path.read_text(encoding="utf-8") if path.exists() else ""


@functools.lru_cache(maxsize=64)
def _read(text: str, file: str) -> list[Misconception]:
    mistakes = []
    for section in read_sections(text, file, LABELS):
        sentences = tuple((label == "right", words) for label, words in section.parts if label in ("", "right"))
        hint, rule = (" ".join(words for label, words in section.parts if label == part) for part in ("try", "rule"))
        mistake = Misconception(section.name, section.place, section.edits, section.code, sentences, hint, rule)
        mistakes.append(mistake)
    return mistakes
