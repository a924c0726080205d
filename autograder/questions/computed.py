"""Questions with their answers, right and wrong, as the chapter's solutions and misconceptions compute them.

They do so in a worker of the kit's own. Nothing a learner types is run.
"""

import importlib
import math
import re
from dataclasses import dataclass

from autograder.chapters import curriculum
from autograder.chapters.errors import UnknownName
from autograder.judging.mistakes.misconceptions import lesson_of
from autograder.judging.run.kit_code import evaluate
from autograder.questions.question import Question

RELATIVE, ABSOLUTE = 0.02, 0.005  # how far a guessed number may be off
_REFERENCE = re.compile(r"(\w+)\.(\w+)")
FORMS = {"number": "A number, such as 0.25.", "shape": "A shape, such as (2, 3).", "letter": "One of the letters."}


@dataclass(frozen=True)
class Known:
    """A question with everything computed.

    Attributes
    ----------
    kind : str
        "number", "shape" or "letter".
    right : float, tuple or str
    wrong : dict
        Wrong answer -> what is replied to it.
    choices : dict of str -> str
        Letter -> statement, where there is a choice.
    """

    question: Question
    kind: str
    right: object
    wrong: dict
    choices: dict

    def read(self, text):
        """What was typed, as an answer; None where it is none of this kind."""
        return {"number": _number, "shape": _shape, "letter": self._letter}[self.kind](text.strip())

    def is_right(self, answer):
        return _same(answer, self.right)

    def reply(self, answer):
        """What is said to a wrong answer."""
        return next((reply for wrong, reply in self.wrong.items() if _same(answer, wrong)), "")

    def solution(self):
        """The right answer as it could be typed."""
        if self.kind == "letter":
            return f"{self.right}) {self.choices[self.right]}"
        return str(self.right) if self.kind == "shape" else f"{self.right:.4g}"

    def _letter(self, text):
        letter = text.lower().strip("().: ")
        by_words = next((key for key, words in self.choices.items() if words.lower().strip(".") == letter), None)
        return letter if letter in self.choices else by_words


def questions_on(name):
    """The questions of a chapter, or those at the end of a unit, computed; `UnknownName` where there are none."""
    chapter, questions = uncomputed(name)
    return [compute(question, chapter) for question in questions]


def uncomputed(name):
    """The chapter whose solutions the questions of this name need, and the questions; it takes no time."""
    chapter = curriculum.UNITS[name][-1] if name in curriculum.UNITS else name
    try:
        module = importlib.import_module(f"autograder.questions.{chapter}")
    except ModuleNotFoundError:
        raise UnknownName(f"There are no questions on {name} yet. Try one of {', '.join(with_questions())}.") from None
    return chapter, module.QUESTIONS if name == chapter else module.TRANSFER


def with_questions():
    """Chapters that have questions."""
    return [name for name in curriculum.CHAPTERS if (curriculum.QUESTIONS / f"{name}.py").exists()]


def compute(question, chapter):
    """A question with its answers, right and wrong."""
    if question.options:
        values = run(question, chapter, *(test for test, _ in question.options.values()))
        letters = dict(zip("abcdefgh", question.options, strict=False))
        right = next(letter for letter, value in zip(letters, values, strict=True) if value)
        replies = {letter: _told(question.options[words][1]) for letter, words in letters.items() if letter != right}
        return Known(question, "letter", right, replies, letters)
    right, *slips = run(question, chapter, question.right, *question.slips)
    wrong = {}
    for reference in question.misconceptions:
        (value,) = run(question, chapter, question.right, mistake=reference)
        wrong[value] = _told(reference)
    wrong |= {value: _told(reply) for value, reply in zip(slips, question.slips.values(), strict=True)}
    return Known(question, "shape" if isinstance(right, tuple) else "number", right, wrong, {})


def run(question, chapter, *expressions, mistake=None):
    """The values of expressions after the question's own code: tuples and floats.

    Parameters
    ----------
    question : autograder.questions.question.Question
    chapter : str
    *expressions : str
    mistake : str, optional
        ``exercise.misconception``: what is made instead of the exercise.
    """
    return evaluate(chapter, question.given, expressions, mistake and mistake.split("."))


def _told(reply):
    """A reply, or the sentence of the misconception that it names."""
    if not (match := _REFERENCE.fullmatch(reply)):
        return reply
    return f"One gets there like this: {lesson_of(*match.groups())[0]}"


def _same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= RELATIVE * abs(other) + ABSOLUTE
    return one == other


def _number(text):
    """A number in one of the ways people write it: 0.25, 0,25, 1/4, 25 %."""
    text = re.sub(r"^(about|ca\.?|=|≈|~)\s*", "", text.strip().lower()).replace("−", "-")
    text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    parts = re.fullmatch(r"([^/%]+)(?:/([^/%]+))?(%?)", text.replace(" ", ""))
    try:
        value = float(parts[1]) / float(parts[2] or 1) if parts else math.nan
    except (ValueError, ZeroDivisionError):
        return None
    return (value / 100 if parts[3] else value) if math.isfinite(value) else None


def _shape(text):
    """A shape in one of the ways people write it: (2, 3), [2,3], 2x3, 2 by 3."""
    text = re.sub(r"^(a )?(shape|tuple|torch\.size)\s*", "", text.lower())
    if not re.fullmatch(r"[\d\s,x×*()\[\]by]{,100}", text):  # Python makes no number of 5,000 digits
        return None
    numbers = re.findall(r"\d+", text)
    return tuple(map(int, numbers)) if numbers or text in ("()", "[]") else None
