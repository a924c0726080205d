"""The known mistakes of an exercise, read from its file of misconceptions; nothing of it is run here.

A misconception is written in one of two forms: as a function or class in full, or as an edit of the solution, which is
a dictionary from what is there to what is written instead. Either has a docstring of three paragraphs: what such code
does, what to try to see it, and what should hold. One without takes that of the kind of its name
(`misconceptions/kinds.py`).
"""

import ast
import functools
import inspect
import itertools
import re
import textwrap
from dataclasses import dataclass

from autograder.chapters import curriculum

KINDS = "kinds"  # the file of them, beside those of the exercises

# What speaks well of all the rest: a sentence behind the first, or the beginning of the first.
_PRAISE = re.compile(
    r"\b(right|nearly|plausible|good|nothing (shows|complains)|(is|are|does nearly) the same|(are|is still) alike|"
    r"shapes? fits?|it works|the two agree|does not show|no NaN|falls all the same)\b"
)
_PRAISED_FIRST = re.compile(r"^(The|All|Its) [\w ]+ (is|are) right(, but|,? and) ")


@dataclass(frozen=True)
class Misconception:
    """One misconception.

    Attributes
    ----------
    name : str
    lesson : str
        Its docstring, or that of its kind; empty where there is none.
    edits : dict or None
        What is there -> what is written instead; None for a definition in full.
    """

    name: str
    lesson: str
    edits: dict | None = None

    @property
    def sentence(self):
        """What such code does, and where it looks right: the first paragraph, which tells no repair."""
        return self._paragraph(0)

    @property
    def sentence_alone(self):
        """The sentence of such code among other mistakes: nothing of what is right otherwise."""
        first, *others = re.split(r"(?<=[.!?]) (?=[A-Z`])", self.sentence)
        bare = _PRAISED_FIRST.sub("", first)
        return " ".join([bare[:1].upper() + bare[1:], *(each for each in others if not _PRAISE.search(each))])

    @property
    def hint(self):
        """What to try to see it: the second paragraph, or nothing."""
        return self._paragraph(1)

    @property
    def rule(self):
        """What should hold: the third paragraph, or nothing. It is the last hint."""
        return self._paragraph(2)

    def _paragraph(self, number):
        paragraphs = self.lesson.split("\n\n", 2)
        return " ".join(paragraphs[number].split()) if number < len(paragraphs) else ""


def read_misconceptions(name):
    """Name -> `Misconception` of the exercise of this name, in the order of its file; empty where there is no file."""
    known = read_kinds()
    return {
        each: Misconception(each, lesson or known.get(each, ""), edits)
        for each, lesson, edits in parse_file(text_of(name))
    }


def read_kinds():
    """Name -> docstring of the mistakes that many exercises know."""
    return _kinds_in(text_of(KINDS))


def text_of(name):
    """The file of misconceptions of an exercise, as it stands; empty where there is none."""
    path = curriculum.misconceptions_of(name)
    return path.read_text(encoding="utf-8") if path.exists() else ""


@functools.lru_cache(maxsize=1)
def _kinds_in(text):
    return {node.targets[0].id: _lesson(node) for node in ast.parse(text).body if isinstance(node, ast.Assign)}


@functools.lru_cache(maxsize=64)
def parse_file(text):
    """(name, docstring, edits or None) of every misconception in a file; what starts with an underscore is a helper."""
    found, body = [], ast.parse(text).body
    for node, below in itertools.zip_longest(body, body[1:]):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name[0] != "_":
            found.append((node.name, ast.get_docstring(node) or "", None))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and node.targets[0].id[0] != "_":
            edits = {_fragment(old): _fragment(new) for old, new in ast.literal_eval(node.value).items()}
            found.append((node.targets[0].id, _lesson(below), edits))
    return found


def _fragment(text):
    """Several lines may be written as a block of their own."""
    return textwrap.dedent(text).strip("\n") if "\n" in text else text


def _lesson(node):
    """The string of a statement that is one, or sets a name to one; empty where it is none."""
    text = getattr(getattr(node, "value", None), "value", None)
    return inspect.cleandoc(text) if isinstance(text, str) else ""
