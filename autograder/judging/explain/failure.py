"""An error that an answer met, with what a sentence about it may be made of."""

from __future__ import annotations

import builtins
import difflib
import re
from dataclasses import dataclass

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.judging.ask.call import Call
from autograder.judging.observe.comparison import arrays_of, parameters_of
from autograder.judging.values.leaves import texts_in
from autograder.judging.values.show import show
from autograder.worker.suggestions import MIN_LIKENESS

IMPORTS = {  # what the course calls a library -> the line that names it so
    "np": "import numpy as np",
    "numpy": "import numpy",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "math": "import math",
    "plt": "import matplotlib.pyplot as plt",
    "sns": "import seaborn as sns",
}
LIBRARIES = {"numpy": "NumPy", "matplotlib": "Matplotlib", "seaborn": "seaborn", "torch": "PyTorch"}
MAX_CONDITION_LENGTH = 60  # characters of an `if` that a `raise` stands behind
_NOWHERE = ("", 0, "", "")  # an error that no line of the answer raised


def named_shapes(stub: str) -> dict[str, str]:
    """Name of an argument -> its shape in letters, from the docstring: ``queries : Tensor, shape (..., n_q, d)``."""
    shapes: dict[str, str] = {}
    for names, shape in re.findall(r"^ +(\w+(?:, \w+)*) : [^\n]*?shapes? (\([^)]*\))", stub, re.MULTILINE):
        shapes |= dict.fromkeys(names.split(", "), shape)
    return shapes


@dataclass(frozen=True)
class Failure:
    """One error, the line that raised it, and the call that met it (None while the file was run).

    Its properties and methods are what rows of `error_messages` name: parts of a sentence, or, where it takes more
    than a pattern, the whole of it, which is empty where nothing can be said for sure.
    """

    kind: str
    message: str
    place: tuple[str, int, str, str]  # file or cell, number of the line, what it defines, the line itself
    exercise: Exercise
    call: Call | None = None
    groups: tuple[str, ...] = ()  # of the row's pattern

    @classmethod
    def of(cls, error: dict, exercise: Exercise, call: Call | None = None) -> Failure:
        return cls(error["type"], error["message"], error["where"][-1] if error["where"] else _NOWHERE, exercise, call)

    @property
    def line(self) -> str:
        return self.place[3]

    @property
    def conversion(self) -> str:
        """How a list becomes something to calculate with, in this chapter."""
        uses_torch = "torch" in read_chapter(self.exercise.chapter).libraries
        tensor = "make a tensor of it first, with torch.tensor or torch.stack"
        return tensor if uses_torch else "make an array of it first, with np.asarray"

    @property
    def missing_name(self) -> str:
        name, suggestion = self.groups
        if name == "self":
            return "`self` is not among the parameters: it is the first of every method."
        if name in IMPORTS:
            return f"The line `{IMPORTS[name]}` is missing, or its cell was not run."
        if name in read_chapter(self.exercise.chapter).names:
            return f"{name} is an exercise of this chapter, and nothing above defines it."
        for chapter in curriculum.CHAPTERS:
            if name in read_chapter(chapter).names:
                alone = "every chapter stands alone, so write what you need of it here"
                return f"{name} is an exercise of {chapter}; {alone}."
        code = re.sub(r"""(["']).*?\1""", "", self.line)
        words = re.findall(r"[A-Za-z_]\w*", f"{code} {self.exercise.stub.partition(':')[0]}")
        others = [word for word in words if word != name]
        if hasattr(builtins, suggestion) and f"{name}(" not in code:
            suggestion = ""  # like a function of Python's own, and nothing is called here
        near = next(iter(difflib.get_close_matches(name, others, 1, MIN_LIKENESS)), suggestion)
        is_of_a_loop = re.search(rf"\bfor\b[^:]*\b{name}\b[^:]* in\b", code)  # no slip: asked too early
        if near and not is_of_a_loop:
            return f"Perhaps {near} is meant."
        return f"Nothing gives {name} a value before this line."

    @property
    def other_word(self) -> str:
        """What an argument for an axis is called in the chapter's library, where another calls it otherwise."""
        word, uses_torch = self.groups[0], "torch" in read_chapter(self.exercise.chapter).libraries
        of_numpy, of_torch = ("axis", "dim") if word in ("axis", "dim") else ("keepdims", "keepdim")
        if word != (of_numpy if uses_torch else of_torch):
            return ""
        return f"This function knows no argument of that name: NumPy calls it `{of_numpy}`, and PyTorch `{of_torch}`."

    @property
    def missing_module(self) -> str:
        name = self.groups[0].partition(".")[0]
        if name in curriculum.CHAPTERS:
            return f"{name} is another chapter, and every chapter stands alone: write what you need of it here."
        if name in LIBRARIES:
            need = "needs it" if name in read_chapter(self.exercise.chapter).libraries else "does without it"
            return f"{LIBRARIES[name]} is not installed here, and this chapter {need}."
        *others, last = LIBRARIES.values()
        modules = f"Python's own modules, {', '.join(others)} and {last}"
        return f"{self.groups[0]} is not there: answers have {modules}."

    @property
    def missing_self(self) -> str:
        """A method whose first parameter, the object itself, was taken for an argument."""
        name = self.exercise.name
        match = re.search(rf"'{name}'|must be Tensor, not {name}\b", self.message)
        if not (match and self.exercise.stub.startswith("class")):
            return ""
        return f"An object of the class {name} stands here: is `self` the first parameter of its methods?"

    @property
    def missing_key(self) -> str:
        """A key with braces in it, a word that is in no dictionary that came in, or one that is nearly there."""
        key = self.message.strip("'\"")
        if re.search(r"\{\w+\}", key):
            return "There are braces in this key: is an `f` missing in front of the string?"
        args = self.call.args if self.call else ()
        keys = [key for arg in args if isinstance(arg, dict) for key in arg if isinstance(key, str)]
        words = [word for arg in args if not isinstance(arg, dict) for text in texts_in(arg) for word in text.split()]
        if keys and key in words and not {key, key.lower()} & {*keys}:
            return f"{show(key)} is in no dictionary that came in: words that are unknown get as far as this line."
        if key in keys:
            return f"{show(key)} is a key of the dictionary that came in, and another one is asked here."
        near = difflib.get_close_matches(key, keys, 1, MIN_LIKENESS)
        return f"There is no such key; the one that comes nearest is {show(near[0])}." if near else ""

    @property
    def letter_of_two_lengths(self) -> str:
        """Which letter of NumPy's `einsum` has two lengths: its message names the shapes of the operands alone."""
        equation = re.search(r"""["']([A-Za-z., ]+)->""", self.line)
        shapes = [[*map(int, re.findall(r"\d+", shape))] for shape in re.findall(r"(\([^)]*\))->", self.message)]
        lengths: dict[str, int] = {}
        for letters, shape in zip(equation[1].replace(" ", "").split(",") if equation else [], shapes, strict=False):
            front, _, back = letters.partition("...")
            for letter, length in (*zip(front, shape, strict=False), *zip(back[::-1], shape[::-1], strict=False)):
                if 1 != lengths.setdefault(letter, length) != length != 1:
                    both = f"{lengths[letter]} and {length}"
                    return f"In the equation, the letter {letter} stands for axes of two lengths, {both}."
        return ""

    def arguments(self, room: int) -> str:
        """The shapes that came in, beside those that the exercise names where there is room for them."""
        if self.call is None or self.call.kind != "call":
            return ""
        if self.call.is_harnessed:  # some of them may be the harness's
            return ""
        stub = self.exercise.stub
        arrays = arrays_of(self.call, parameters_of(stub, self.exercise.name, self.call))
        shapes = {name: f"{name} {array.shape}" for name, array in arrays.items() if array.ndim}
        letters = {name: f" for {axes}" for name, axes in named_shapes(stub).items()}
        whole = ", ".join(f"{shape}{letters.get(name, '')}" for name, shape in shapes.items())
        text = whole if len(whole) <= room else ", ".join(shapes.values())
        return f"What came in: {text}." if text else ""

    def own_statement(self) -> str:
        """What to say of an error that the answer raises itself: whether one is asked for here, and which."""
        file, number, definition, line = self.place
        match = re.match(r"(?:(?:el)?if (.*?): *)?(raise|assert)\b", line)
        condition, statement = match.groups() if match else ("", "")
        if not (statement == "raise" or (statement == "assert" and self.kind == "AssertionError")):
            return ""
        if self.kind == "NotImplementedError" and definition.isidentifier():
            return f"`{definition[:80]}` is still to do: {file}:{number}."
        sentence, to_raise = f"This `{statement}` is the answer's own", self.call and self.call.to_raise
        if self.call is None:
            return f"{sentence}, and it runs before anything is called."
        if to_raise == self.kind:
            return f"{sentence}. {self.right_type()}"
        if to_raise:
            return f"{sentence}. To raise is right here, but {to_raise} is asked for."
        if condition and len(condition) < MAX_CONDITION_LENGTH and "`" not in condition:
            sentence = f"{sentence}, where `{condition}` is true"
        return f"{sentence}, and what is asked for here is a result, not an error."

    def right_type(self) -> str:
        is_right = self.call is not None and self.call.to_raise == self.kind
        return f"A {self.kind} is right here; its message is not." if is_right else ""

    def other_parameters(self) -> str:
        """An answer that takes other arguments than the exercise gives it, which fails before a line of it runs."""
        name, is_class = self.exercise.name, self.exercise.stub.startswith("class")
        match = re.match(rf"{name}(\.\w+)?\(\) (takes|missing|got an unexpected)(.*)", self.message)
        if self.line or self.kind != "TypeError" or not match:
            return ""
        if is_class and re.match(r" no arguments| 1 positional argument but \d+ were given", match[3]):
            return (
                "Nothing here takes the arguments that the class is made with: is `__init__` written with two "
                "underscores on each side, and are all parameters there, after `self`?"
            )
        others = "Its parameters are not those of the exercise"
        if "were given" in self.message and is_class:
            return f"{others}: is `self` the first of them, and are all others there?"
        return f"{others}: take the `def` line as it was given."
