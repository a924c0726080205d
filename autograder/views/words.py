"""What is said of a verdict, in its order: one place for the terminal, the card, and plain text.

The mistake comes first, because it is what a learner needs; then what shows it.
"""

from dataclasses import dataclass

from autograder.chapters.text import clean
from autograder.views.pictures import picture_of


@dataclass(frozen=True)
class Word:
    """One thing to say.

    Attributes
    ----------
    kind : str
        "lesson", "hint", "cause", "call", "finding", "relation", "picture" or "printed".
    text : str
        Clean text; for a picture, its summary.
    picture : autograder.views.pictures.Picture or None
    """

    kind: str
    text: str
    picture: object = None


def words_of(verdict):
    """All there is to say of a verdict, in order.

    Parameters
    ----------
    verdict : autograder.judging.verdict.ExerciseVerdict

    Returns
    -------
    list of Word
        Of a pass, what the answer printed and nothing else.
    """
    test, said = verdict.speaking, []
    if test is not None:
        picture = picture_of(test.mismatch)
        said = [
            ("lesson", verdict.lesson),
            ("hint", verdict.hint),
            ("cause", _cause(verdict)),
            ("call", test.call),
            ("finding", test.finding),
            ("relation", getattr(verdict, "relation", "")),
            ("picture", picture.summary if picture else "", picture),
        ]
    printed = verdict.printed.expandtabs(4).replace("\r\n", "\n").strip("\n")
    words = [Word(*each) for each in (*said, ("printed", printed))]
    return [Word(word.kind, clean(word.text), word.picture) for word in words if word.text]


def sentences_of(verdict):
    """The same as plain sentences, without picture and prints; call and finding are one."""
    words = {word.kind: word.text for word in words_of(verdict)}
    found = f"{words.pop('call', '')} {words.pop('finding', '')}".strip()
    order = ("lesson", "hint", "cause")
    return [text for text in (*(words.get(kind, "") for kind in order), found, words.get("relation", "")) if text]


def _cause(verdict):
    name = getattr(verdict, "carried_from", None)
    return f"This comes from {name}: mend that first." if name else ""
