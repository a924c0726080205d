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
        "lesson", "relation", "cause", "line", "call", "finding", "picture", "hint", "whole" (the call, where it was
        told in short) or "printed".
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
        told, picture = verdict.told, picture_of(test.mismatch)
        whole = test.call if ("call", test.call) not in told else ""
        said = [each for each in told if each[0] != "hint"]
        said += [("picture", picture.summary if picture else "", picture), ("hint", verdict.hint), ("whole", whole)]
    printed = verdict.printed.expandtabs(4).replace("\r\n", "\n").strip("\n").rstrip()
    words = [Word(*each) for each in (*said, ("printed", printed))]
    return [Word(word.kind, clean(word.text), word.picture) for word in words if word.text]


def sentences_of(verdict):
    """The same as plain sentences, without picture and prints; call and finding are one."""
    words = {word.kind: word.text for word in words_of(verdict)}
    if "finding" in words:
        words["finding"] = f"{words.pop('call', '')} {words['finding']}".strip()
    return [text for kind, text in words.items() if kind not in ("picture", "whole", "printed")]


def where_of(verdict):
    """Where in the answer to look, as (place, line), where that is known: the line of the mistake, or of the error."""
    if verdict.located:
        return verdict.located.place, verdict.located.line
    error = verdict.speaking and verdict.speaking.error
    return error["where"][-1][:2] if error and error["where"] else None
