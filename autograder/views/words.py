"""The parts of a verdict's text, in order, for the terminal, the card, and plain text.

The mistake comes first, because learners need it most. The evidence for it follows.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.chapters.chapter import read_chapter
from autograder.chapters.text import clean
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.views.picture import Picture, make_picture


@dataclass(frozen=True)
class MessagePart:
    """One part of a verdict's text, with its kind.

    Kinds are "lesson", "relation", "cause", "line", "call", "finding", "picture", "hint", "whole" (the whole call, if
    it was shortened), "stopped" and "printed". In the last two, the first line says where it happened.
    """

    kind: str
    text: str  # cleaned text; for a picture, its summary
    picture: Picture | None = None


def list_parts(verdict: ExerciseVerdict) -> list[MessagePart]:
    test = verdict.shown_test
    words: list[MessagePart] = []
    if test is not None:
        pairs, picture = verdict.texts, make_picture(test.mismatch)
        words += [MessagePart(kind, text) for kind, text in pairs if kind != "hint"]
        words += [MessagePart("picture", picture.summary, picture)] if picture else []
        words.append(MessagePart("hint", verdict.hint))
        words.append(MessagePart("whole", test.call if ("call", test.call) not in pairs else ""))
    words.append(MessagePart("stopped", verdict.stopped))
    if output := verdict.printed.expandtabs(4).replace("\r\n", "\n").strip("\n").rstrip():
        words.append(MessagePart("printed", f"Your code printed{verdict.printed_where}:\n{output}"))
    return [replace(word, text=clean(word.text)) for word in words if word.text]


def list_own_hints(verdict: ExerciseVerdict) -> list[str]:
    """Return the hints on the mistake: what to try, where to look, and the rule."""
    hints = verdict.hint, verdict.change.hint if verdict.change else "", verdict.rule
    return list(dict.fromkeys(filter(None, hints)))


def merge_hints(mistake_hints: Sequence[str], exercise_hints: Sequence[str]) -> list[str]:
    """Return the hints on the mistake, then the exercise's hints after the last one that repeats a mistake's hint."""
    own_sentences = set[str]().union(*map(_split_hint, mistake_hints))
    numbers = [number for number, hint in enumerate(exercise_hints, 1) if _split_hint(hint) & own_sentences]
    last_number = max(numbers, default=0)
    return [*mistake_hints, *exercise_hints[last_number:]]


def label_hints(count: int) -> str:
    """Return the label of the first of `count` hints, which is shown with the verdict."""
    return f"Hint 1 of {count}:" if count > 1 else "Hint:"


def _split_hint(hint: str) -> set[str]:
    return {sentence for sentence in re.split(r"(?<=[.?!])\s+", " ".join(hint.split())) if sentence}


def sentences_of(verdict: ExerciseVerdict) -> list[str]:
    """Return a verdict's text as plain sentences, without picture and output. Call and finding form one sentence."""
    words = {word.kind: word.text for word in list_parts(verdict)}
    if "finding" in words:
        words["finding"] = f"{words.pop('call', '')} {words['finding']}".strip()
    return [text for kind, text in words.items() if kind not in ("picture", "whole", "printed")]


def find_place(verdict: ExerciseVerdict) -> tuple[str, int] | None:
    """Return (file or cell, line) of the mistake or, if unknown, of the error's last frame in the exercise's code."""
    if verdict.change:
        return verdict.change.place, verdict.change.line
    error = verdict.shown_test.error if verdict.shown_test else None
    other_names = {*read_chapter(verdict.chapter).names} - {verdict.exercise}
    steps = list(itertools.takewhile(lambda step: step[2] not in other_names, error["where"] if error else ()))
    return (steps[-1][0], steps[-1][1]) if steps else None
