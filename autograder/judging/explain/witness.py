"""Looks into the code for a mistake for which errors alone speak: many causes end in the same error."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from autograder.chapters.chapter import Exercise
from autograder.judging.explain.case import Running
from autograder.judging.explain.error_messages import explain_failure
from autograder.judging.mistakes.solution_edits import source_with_mistake
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.reading.definitions import definition_in, parse_source

_TRANSPOSITIONS = {"T", "mT", "t", "transpose", "swapaxes", "moveaxis", "rollaxis", "permute", "movedim", "einsum"}


def retract_unseen_mistake(case: Running) -> Explanation | None:
    """Say what the error means where nothing but errors names a mistake, and the code holds nothing of it."""
    verdict, answer = case.verdict, case.session.file
    failed = [test for test in verdict.tests if test.outcome != "passed"]
    if not (verdict.misconception and all(test.error for test in failed)):
        return None
    if _code_contains(answer, case.exercise, verdict.misconception):
        return None
    return explain_failure(case) or Explanation(Kind.ERROR, "")


def _code_contains(answer: AnswerFile, exercise: Exercise, misconception: str) -> bool:
    """Whether an answer calls and names what the mistake adds to the solution, or lacks some of what it takes out."""
    sources = exercise.solution, source_with_mistake(exercise, misconception)
    right, wrong = (Counter(_words(ast.parse(source))) for source in sources)
    names = answer.names_reached(exercise.name) & set(answer.definitions)
    cells = {name: parse_source(answer.definitions[name][0].source) for name in names}
    definitions = [definition_in(cell, name) or cell for name, cell in cells.items() if cell]
    words = Counter(_family(word) for definition in definitions for word in _words(definition))
    added, removed = (set(map(_family, difference)) for difference in (wrong - right, right - wrong))
    if added:
        return added <= words.keys()
    needed = Counter(map(_family, right.elements()))
    return not removed or any(words[word] < needed[word] for word in removed)


def _family(word: str) -> str:
    return "a transposition" if word.partition("(")[0] in _TRANSPOSITIONS else word


def _words(tree: ast.AST) -> Iterator[str]:
    """What is called, with how many arguments, the attributes and keywords that are named, and None."""
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
            yield f"{name}({len(node.args) + len(node.keywords)})"
        elif isinstance(node, ast.Attribute) and id(node) not in functions:
            yield node.attr
        elif isinstance(node, ast.keyword) and node.arg:
            yield f"{node.arg}="
        elif isinstance(node, ast.Constant) and node.value is None:
            yield "None"
