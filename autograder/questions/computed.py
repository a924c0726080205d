"""Questions with their right and wrong answers, which `compute.py` has computed, so that torch is not needed."""

import functools
import importlib
import json
import math
import re
from dataclasses import dataclass

from autograder.chapters import curriculum
from autograder.chapters.errors import ChapterError, UnknownName
from autograder.judging.misconceptions import read_lesson
from autograder.questions.question import Question

VALUES = curriculum.QUESTIONS / "values.json"  # chapter or unit -> for each question the values of its expressions
RELATIVE, ABSOLUTE = 0.02, 0.005  # tolerances for a predicted number
REFERENCE = re.compile(r"(\w+)\.(\w+)")
FORMS = {"number": "A number, such as 0.25.", "shape": "A shape, such as (2, 3).", "letter": "One of the letters."}


@dataclass(frozen=True)
class SolvedQuestion:
    """A question with its computed answers.

    Attributes
    ----------
    kind : str
        "number", "shape" or "letter".
    right : float, tuple or str
    wrong : dict
        Wrong answer -> reply.
    choices : dict of str -> str
        Letter -> statement; empty if there is nothing to choose from.
    """

    question: Question
    kind: str
    right: object
    wrong: dict
    choices: dict

    def read(self, text):
        """Parse an answer as it was typed; return None if it is not a number, shape or letter, as the question asks."""
        return {"number": _parse_number, "shape": _parse_shape, "letter": self._find_letter}[self.kind](text.strip())

    def is_right(self, answer):
        return _is_same(answer, self.right)

    def find_reply(self, answer):
        return next((reply for wrong_answer, reply in self.wrong.items() if _is_same(answer, wrong_answer)), "")

    def format_solution(self):
        """Return the right answer in the form in which it can be typed."""
        if self.kind == "letter":
            return f"{self.right}) {self.choices[self.right]}"
        return str(self.right) if self.kind == "shape" else f"{self.right:.4g}"

    def _find_letter(self, text):
        letter = text.lower().strip("().: ")
        by_words = next((key for key, words in self.choices.items() if words.lower().strip(".") == letter), None)
        return letter if letter in self.choices else by_words


def questions_on(name):
    """Return the questions on a chapter or unit with their answers. Raises `ChapterError` if these are not computed."""
    questions, values_list = load_questions(name)[1], _read_stored().get(name, [])
    if len(questions) != len(values_list):
        raise ChapterError(f"Not all answers to the questions on {name} are computed yet: make drawings")
    return [add_answers(question, values) for question, values in zip(questions, values_list, strict=True)]


@functools.cache
def _read_stored():
    read = json.loads(VALUES.read_text(encoding="utf-8")) if VALUES.exists() else {}
    return {
        name: [[tuple(value) if isinstance(value, list) else value for value in values] for values in lists]
        for name, lists in read.items()
    }


def load_questions(name):
    """Return the name of the chapter whose solutions are needed, and the questions on a chapter or unit."""
    chapter = curriculum.UNITS[name][-1] if name in curriculum.UNITS else name
    try:
        module = importlib.import_module(f"autograder.questions.{chapter}")
    except ModuleNotFoundError:
        raise UnknownName(
            f"There are no questions on {name} yet. Try one of {', '.join(list_quizzed_chapters())}."
        ) from None
    return chapter, module.QUESTIONS if name == chapter else module.TRANSFER


def list_quizzed_chapters():
    return [name for name in curriculum.CHAPTERS if (curriculum.QUESTIONS / f"{name}.py").exists()]


def add_answers(question, values):
    """Return a question with its answers, right and wrong, from the values of its expressions in `compute`'s order."""
    if question.options:
        letters = dict(zip("abcdefgh", question.options, strict=False))
        correct = next(letter for letter, value in zip(letters, values, strict=True) if value)
        replies = {
            letter: _explain_reply(question.options[words][1]) for letter, words in letters.items() if letter != correct
        }
        return SolvedQuestion(question, "letter", correct, replies, letters)
    correct, *wrong_values = values
    replies = [*question.misconceptions, *question.slips.values()]
    reply_of = {value: _explain_reply(reply) for value, reply in zip(wrong_values, replies, strict=True)}
    return SolvedQuestion(question, "shape" if isinstance(correct, tuple) else "number", correct, reply_of, {})


def _explain_reply(reply):
    """Return a reply, or the sentence of the misconception that it names."""
    if not (match := REFERENCE.fullmatch(reply)):
        return reply
    return f"This mistake gives that answer: {read_lesson(*match.groups())[0]}"


def _is_same(answer, expected):
    if isinstance(answer, float) and isinstance(expected, float):
        return abs(answer - expected) <= RELATIVE * abs(expected) + ABSOLUTE
    return answer == expected


def _parse_number(text):
    """Parse a number in one of the ways people write it: 0.25, 0,25, 1/4, 25 %."""
    text = re.sub(r"^(about|ca\.?|=|≈|~)\s*", "", text.strip().lower()).replace("−", "-")
    text = re.sub(r"(?<=\d),(?=\d)", ".", text)
    parts = re.fullmatch(r"([^/%]+)(?:/([^/%]+))?(%?)", text.replace(" ", ""))
    try:
        value = float(parts[1]) / float(parts[2] or 1) if parts else math.nan
    except (ValueError, ZeroDivisionError):
        return None
    return (value / 100 if parts[3] else value) if math.isfinite(value) else None


def _parse_shape(text):
    """Parse a shape in one of the ways people write it: (2, 3), [2,3], 2x3, 2 by 3."""
    text = re.sub(r"^(a )?(shape|tuple|torch\.size)\s*", "", text.lower())
    if not re.fullmatch(r"[\d\s,x×*()\[\]by]{,100}", text):  # Python refuses to convert 5,000 digits
        return None
    numbers = re.findall(r"\d+", text)
    return tuple(map(int, numbers)) if numbers or text in ("()", "[]") else None
