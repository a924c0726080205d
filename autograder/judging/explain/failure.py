"""Explanations of errors of Python, NumPy and torch, for learners who write attention.

A sentence is returned only if the message has a single cause. It is built from the type, message and line of the error,
after the answer has run. *friendly-traceback* explains many more errors of Python, but it needs live frames in the
answer's process, and does not understand arrays and tensors. The rows are in `error_messages.txt`.
"""

from __future__ import annotations

import difflib
import functools
import re
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.extras import IMPORTS
from autograder.chapters.text import clean, join_words
from autograder.judging.ask.call import Call, read_parameters
from autograder.judging.explain.case import Case
from autograder.judging.explain.misfit import Operand, explain_broadcast, explain_product
from autograder.judging.observe.comparison import name_arrays
from autograder.judging.values.same import find_texts
from autograder.judging.values.show import format_value
from autograder.judging.verdict.finding import Explanation, Kind
from autograder.worker.operands import MIN_LIKENESS

ALIASES = {"numpy": "np", "matplotlib": "plt", "seaborn": "sns"}
LIBRARIES = {"numpy": "NumPy", "matplotlib": "Matplotlib", "seaborn": "seaborn", "torch": "PyTorch"}
MAX_SHAPES_LENGTH = 183  # characters in an explanation of a shape error
MAX_CONDITION_LENGTH = 60  # characters of a quoted `if` condition
_ABOUT_SHAPES = "shapes: "  # prefix of table rows whose sentence is followed by the arguments' shapes
_NOWHERE = ("", 0, "", "")  # `Failure.place` if no line of the answer raised the error


def read_symbolic_shapes(stub: str) -> dict[str, str]:
    """Return argument -> symbolic shape, read from docstring lines like ``queries : Tensor, shape (..., n_q, d)``."""
    shapes: dict[str, str] = {}
    for names, shape in re.findall(r"^ +(\w+(?:, \w+)*) : [^\n]*?shapes? (\([^)]*\))", stub, re.MULTILINE):
        shapes |= dict.fromkeys(names.split(", "), shape)
    return shapes


@dataclass(frozen=True)
class Failure:
    """One error, the line that raised it, and the call in which it was raised (None while the file was run).

    Rows of `error_messages.txt` refer to the properties and methods. Each returns a phrase or a whole sentence, which
    is empty if the cause is uncertain.
    """

    kind: str
    message: str
    place: tuple[str, int, str, str]  # file or cell, line number, definition, and the line itself
    exercise: Exercise
    call: Call | None = None
    operation: str = ""  # operator or function that failed; empty if unknown
    operands: tuple[Operand, ...] = ()
    groups: tuple[str, ...] = ()  # groups of the matched pattern

    @classmethod
    def from_error(cls, error: dict, exercise: Exercise, call: Call | None = None) -> Failure:
        operation, operands = error.get("operation") or ("", [])
        named_operands = tuple((clean(source).replace("`", "'"), shape) for source, shape in operands)
        place = error["where"][-1] if error["where"] else _NOWHERE
        return cls(error["type"], error["message"], place, exercise, call, clean(operation), named_operands)

    @property
    def line(self) -> str:
        return self.place[3]

    @property
    def conversion(self) -> str:
        """Return a phrase on how to convert a list to a tensor or an array, whichever the chapter uses."""
        uses_torch = "torch" in read_chapter(self.exercise.chapter).libraries
        tensor = "convert it to a tensor first, with torch.tensor or torch.stack"
        return tensor if uses_torch else "convert it to an array first, with np.asarray"

    @property
    def product(self) -> str:
        return explain_product(self.operation, list(self.operands), self.kind, self.message)

    @property
    def broadcast(self) -> str:
        return explain_broadcast(self.operation, list(self.operands), self.kind, self.message)

    @property
    def index_beyond_axis(self) -> str:
        index, axis, size = map(int, self.groups)
        end = f"first index is -{size}" if index < 0 else f"last index is {size - 1}"
        shapes = [array.shape for array in self._name_arrays().values()]
        is_other_longer = any(shape[axis : axis + 1] == (size,) and max(shape) > index >= 0 for shape in shapes)
        limit = f"axis {axis} has size {size}, so its {end}" if size else f"axis {axis} is empty"
        return f"Index {index} is out of range: {limit}." + " Is another axis meant?" * is_other_longer

    @property
    def subject(self) -> str:
        """Return the source text of the operation's first operand, or "This array" if it is unknown."""
        name = self.operands[0][0] if self.operands and self.operands[0][1] is not None else ""
        return f"`{name}`" if name else "This array"

    @property
    def target(self) -> str:
        name = re.match(r"([\w.]+)\[.*\] *=(?!=)", self.line)
        return f"`{clean(name[1])}`" if name else "an array"

    @property
    def missing_name(self) -> str:
        name, suggestion = self.groups
        undefined = f"`{name}` is not defined"
        if name == "self":
            return f"{undefined}: `self` must be the first parameter of every method."
        if name in ALIASES:
            return f"{undefined}: after `{IMPORTS[ALIASES[name]]}` it is called `{ALIASES[name]}`."
        if name in IMPORTS:
            return f"{undefined}: add `{IMPORTS[name]}`, or run the cell that contains it."
        if name in read_chapter(self.exercise.chapter).names:
            return f"{undefined}: it is an exercise of this chapter, but it comes later or is not in this file."
        for chapter in curriculum.CHAPTERS:
            if name in read_chapter(chapter).names:
                return (
                    f"{undefined}: it is an exercise of {chapter}. Chapters do not share code, so define it here again."
                )
        code = re.sub(r"""(["']).*?\1""", "", self.line)
        made_with, parameters = self._read_parameters()
        if name in made_with and name not in parameters:
            return f"{undefined} here: only `__init__` has this parameter. Store it as `self.{name}`."
        words = [word for word in re.findall(r"[A-Za-z_]\w*", code) if word != name]
        is_called = f"{name}(" in code  # Only then is Python's suggestion of a built-in function likely.
        match = next(iter(difflib.get_close_matches(name, [*parameters, *words], 1, MIN_LIKENESS)), "")
        if match or (suggestion and is_called):
            return f"{undefined}. Did you mean `{match or suggestion}`?"
        if not parameters or is_called:
            return f"{undefined} before this line."
        names = join_words([f"`{word}`" for word in parameters])
        return f"{undefined}. The parameter{'s are' if len(parameters) > 1 else ' is'} called {names}."

    def _read_parameters(self) -> tuple[list[str], list[str]]:
        """Return the exercise's parameters in two lists: those of `__init__`, and those of the called function."""
        call, name = self.call, self.exercise.name
        if call is None:
            return [], []
        names = [parameter for parameter in read_parameters(self.exercise.stub, name, call) if parameter.isidentifier()]
        return (read_parameters(self.exercise.stub, name, call.maker) if call.maker else []), names

    @property
    def missing_attribute(self) -> str:
        name = self.groups[0]
        if name in read_chapter(self.exercise.chapter).names:
            return f"`{name}` is a function of this chapter, not a method: call it without `self.`."
        return f"There is no `self.{name}`. Does `__init__` assign to exactly this name?"

    @property
    def other_word(self) -> str:
        """Return a sentence if PyTorch got NumPy's parameter name (`axis`, `keepdims`), or NumPy got PyTorch's."""
        word, uses_torch = self.groups[0], "torch" in read_chapter(self.exercise.chapter).libraries
        of_numpy, of_torch = ("axis", "dim") if word in ("axis", "dim") else ("keepdims", "keepdim")
        if word != (of_numpy if uses_torch else of_torch):
            return ""
        return f"This function has no parameter `{word}`: NumPy calls it `{of_numpy}`, PyTorch `{of_torch}`."

    @property
    def missing_module(self) -> str:
        name = self.groups[0].partition(".")[0]
        if name in curriculum.CHAPTERS:
            return f"{name} is another chapter. Chapters do not share code, so define what you need here again."
        if name in LIBRARIES:
            need = "needs it" if name in read_chapter(self.exercise.chapter).libraries else "does not need it"
            return f"{LIBRARIES[name]} is not installed here. This chapter {need}."
        *names, last_name = LIBRARIES.values()
        modules = f"Python's own modules, {', '.join(names)} and {last_name}"
        return f"There is no module {self.groups[0]}. Answers can import {modules}."

    @property
    def missing_self(self) -> str:
        """Return a question about a missing `self` if the instance was used as an argument; otherwise ""."""
        name = self.exercise.name
        match = re.search(rf"'{name}'|must be Tensor, not {name}\b", self.message)
        if not (match and self.exercise.stub.startswith("class")):
            return ""
        return f"You use an object of the class {name} as an argument. Is `self` the first parameter of its methods?"

    @property
    def missing_key(self) -> str:
        """Return a sentence about a missing key: braces in it, a similar key, or which dictionary lacks it."""
        key = self.message.strip("'\"")
        if re.search(r"\{\w+\}", key):
            return "This key contains braces. Is the `f` before the string missing?"
        args = self.call.args if self.call else ()
        keys = [key for arg in args if isinstance(arg, dict) for key in arg if isinstance(key, str)]
        words = [word for arg in args if not isinstance(arg, dict) for text in find_texts(arg) for word in text.split()]
        key_text = format_value(key)
        if keys and key in words and not {key, key.lower()} & {*keys}:
            return f"{key_text} is not in the dictionary that you were given. Unknown words reach this line."
        match = difflib.get_close_matches(key, keys, 1, MIN_LIKENESS) if key not in keys else ()
        return f"There is no such key. Did you mean {format_value(match[0])}?" if match else ""

    def _name_arrays(self) -> dict[str, np.ndarray]:
        """Return name -> array among the call's arguments, or {} if a harness may have made some of them."""
        if self.call is None or self.call.kind != "call" or self.call.is_harnessed:
            return {}
        return name_arrays(self.call, read_parameters(self.exercise.stub, self.exercise.name, self.call))

    def describe_arguments(self, room: int) -> str:
        """Return a sentence with the arguments' shapes and, if `room` characters are enough, their symbolic shapes."""
        if any(shape for _, shape in self.operands):
            return ""
        shapes = {name: f"{name} is {array.shape}" for name, array in self._name_arrays().items() if array.ndim}
        letters = {name: f" for {axes}" for name, axes in read_symbolic_shapes(self.exercise.stub).items()}
        full_text = ", ".join(f"{shape}{letters.get(name, '')}" for name, shape in shapes.items())
        text = full_text if len(full_text) <= room else ", ".join(shapes.values())
        return f"Shapes: {text}." if text else ""

    def explain_own_statement(self) -> str:
        """Return a sentence on whether this error is expected, if a `raise` or `assert` of the answer caused it."""
        file, number, definition, line = self.place
        match = re.match(r"(?:(?:el)?if (.*?): *)?(raise|assert)\b", line)
        condition, statement = match.groups() if match else ("", "")
        if not (statement == "raise" or (statement == "assert" and self.kind == "AssertionError")):
            return ""
        if self.kind == "NotImplementedError" and definition.isidentifier():
            return f"`{definition[:80]}` is still to do: {file}:{number}."
        to_raise = self.call and self.call.to_raise
        if self.call is None:
            return f"Your own `{statement}` runs before anything is called."
        if to_raise == self.kind:
            return self.explain_right_type()
        if to_raise:
            return f"An error is expected here, but of type {to_raise}, not the {self.kind} of your `{statement}`."
        reason = ""
        if condition and len(condition) < MAX_CONDITION_LENGTH and "`" not in condition:
            reason = f", because `{condition}` is true"
        return f"Your own `{statement}` ends this call{reason}. It should return a result."

    def explain_right_type(self) -> str:
        is_right = self.call is not None and self.call.to_raise == self.kind
        return f"A {self.kind} is expected here, but its message does not name the wrong value." if is_right else ""

    def explain_parameters(self) -> str:
        """Return a sentence if the call failed because the answer's parameters differ from the exercise's."""
        name, is_class = self.exercise.name, self.exercise.stub.startswith("class")
        match = re.match(rf"{name}(\.\w+)?\(\) (takes|missing|got an unexpected)(.*)", self.message)
        if self.line or self.kind != "TypeError" or not match:
            return ""
        if is_class and re.match(r" no arguments| 1 positional argument but \d+ were given", match[3]):
            return (
                "The class does not take its arguments. Does `__init__` have two underscores on each side, "
                "and all parameters after `self`?"
            )
        difference = "Your parameters differ from those of the exercise"
        if "were given" in self.message and is_class:
            return f"{difference}. Is `self` the first one, and are all the others there?"
        return f"{difference}. Keep the `def` line of the stub."


@dataclass(frozen=True)
class ErrorRow:
    """A row of the table: patterns of error types and messages, code that raises the error, and the explanation."""

    error: str
    pattern: str
    example: str
    sentence: str

    def explain(self, failure: Failure) -> str:
        match = re.search(self.pattern, f"{failure.message}\n{failure.line}")
        if not (match and re.fullmatch(self.error, failure.kind)):
            return ""
        failure = replace(failure, groups=match.groups(""))
        text = self.sentence.removeprefix(_ABOUT_SHAPES).format(*map(clean, failure.groups), failure=failure)
        if text and self.sentence.startswith(_ABOUT_SHAPES):
            text = f"{text} {failure.describe_arguments(MAX_SHAPES_LENGTH - len(text))}".strip()
        return text


@functools.cache
def read_error_rows() -> tuple[ErrorRow, ...]:
    """Return the rows of error_messages.txt in order. Callers use the first that matches and yields a sentence."""
    rows = []
    text = re.sub(
        "^#.*\n", "", Path(__file__).with_name("error_messages.txt").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    for block in text.strip().split("\n\n"):
        head, *lines = block.splitlines()
        error, _, pattern = head.partition(": ")
        example = textwrap.dedent("\n".join(line for line in lines if line.startswith("    ")))
        rows.append(ErrorRow(error, pattern, example, " ".join(line for line in lines if not line.startswith("    "))))
    return tuple(rows)


def explain_error(error: dict, exercise: Exercise, call: Call | None = None) -> str:
    """Return a sentence about an error, or "" if none fits. `call` is None if it was raised while the file ran."""
    failure = Failure.from_error(error, exercise, call)
    if text := failure.explain_own_statement() or failure.explain_right_type() or failure.explain_parameters():
        return text
    return next((text for row in read_error_rows() if (text := row.explain(failure))), "")


def explain_failure(case: Case) -> Explanation | None:
    """Return the failed test's own reason, or an explanation of its error, or None if there is neither."""
    test = case.shown_test
    sentence = test.reason
    if not sentence and test.error and test.outcome != "unattempted":
        sentence = explain_error(test.error, case.exercise, test.shown_call)
    return Explanation(Kind.ERROR, sentence) if sentence else None
