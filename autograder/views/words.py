"""What is said of a verdict, in its order: one place for the terminal, the card, and plain text.

The mistake comes first, because it is what a learner needs; then what shows it.
"""

import itertools
from dataclasses import dataclass

from autograder.chapters.chapter import read_chapter
from autograder.chapters.text import clean
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.views.pictures import Picture, picture_of


@dataclass(frozen=True)
class Word:
    """One thing to say, whose kind says what it does.

    "lesson", "relation", "cause", "line", "call", "finding", "picture", "hint", "whole" (the call, where it was told in
    short), "stopped" or "printed", whose first line says where.
    """

    kind: str
    text: str  # clean; for a picture, its summary
    picture: Picture | None = None


def words_of(verdict: ExerciseVerdict) -> list[Word]:
    """All there is to say of a verdict, in order.

    Of a pass, what was stopped beside it, and what the answer printed.
    """
    test, said = verdict.speaking, []
    if test is not None:
        told, picture = verdict.told, picture_of(test.mismatch)
        whole = test.call if ("call", test.call) not in told else ""
        said = [each for each in told if each[0] != "hint"]
        said += [("picture", picture.summary if picture else "", picture), ("hint", verdict.hint), ("whole", whole)]
    said.append(("stopped", verdict.stopped))
    printed = verdict.printed.expandtabs(4).replace("\r\n", "\n").strip("\n").rstrip()
    if printed or verdict.printed_where:
        said.append(("printed", f"Your code printed{verdict.printed_where}{':' if printed else '.'}\n{printed}"))
    words = [Word(*each) for each in said]
    return [Word(word.kind, clean(word.text), word.picture) for word in words if word.text]


def sentences_of(verdict: ExerciseVerdict) -> list[str]:
    """The same as plain sentences, without picture and prints; call and finding are one."""
    words = {word.kind: word.text for word in words_of(verdict)}
    if "finding" in words:
        words["finding"] = f"{words.pop('call', '')} {words['finding']}".strip()
    return [text for kind, text in words.items() if kind not in ("picture", "whole", "printed")]


def where_of(verdict: ExerciseVerdict) -> tuple[str, int] | None:
    """Where in the answer to look, as place and line, where that is known: the line of the mistake, or of the error.

    Of an error that is the last line before the answer goes into another exercise, which may well be right.
    """
    if verdict.located:
        return verdict.located.place, verdict.located.line
    error = verdict.speaking and verdict.speaking.error
    others = {each.name for each in read_chapter(verdict.chapter).exercises} - {verdict.exercise}
    own = list(itertools.takewhile(lambda step: step[2] not in others, error["where"] if error else ()))
    return tuple(own[-1][:2]) if own else None
