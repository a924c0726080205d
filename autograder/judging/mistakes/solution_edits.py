"""Solutions with a mistake in them: edited, or written out."""

import ast
import itertools
import re
from collections.abc import Iterator, Mapping

from autograder.chapters.chapter import Exercise
from autograder.chapters.errors import ChapterError
from autograder.judging.mistakes.misconceptions import read_misconceptions
from autograder.worker.reading.definitions import definition_in, docstring_lines


class StaleEdit(Exception):
    """An edit of what is not in the solution, or is there more than once; its text says which."""


def source_with_mistake(exercise: Exercise, misconception: str) -> str:
    """An exercise's cell with this mistake in it; `StaleEdit` where its edit does not apply."""
    mistake = read_misconceptions(exercise.name)[misconception]
    if mistake.code is None:
        return apply_edits(exercise.solution, mistake.edits)
    first = _first_statement(mistake.code, exercise.name)
    described = _first_statement(exercise.stub, exercise.name)
    if first is None or described is None:
        raise ChapterError(f"{mistake.place}: {mistake.name} does not define {exercise.name}: write it out")
    docstring = exercise.stub.splitlines()[described.lineno - 1 : described.end_lineno]
    lines = mistake.code.splitlines()
    return "\n".join([*lines[: first.lineno - 1], *docstring, *lines[first.lineno - 1 :]])


def _first_statement(source: str, name: str) -> ast.stmt | None:
    """Of the definition of this name; None where the source has none."""
    try:
        definition = definition_in(ast.parse(source), name)
    except SyntaxError:
        return None
    return definition.body[0] if definition else None


def apply_edits(source: str, edits: Mapping[str, str]) -> str:
    """Return a solution with a mistake edited in: what is there is found exactly once, docstrings aside."""
    skipped = docstring_lines(source)
    changes: list[tuple[int, int, str, str]] = []
    for old, new in edits.items():
        places = [place for place in _places(old, source) if source.count("\n", 0, place[0]) + 1 not in skipped]
        if len(places) != 1:
            raise StaleEdit(f"`{old}`, which the solution has {len(places) or 'no'} times")
        changes.append((*places[0], new))
    changes.sort(reverse=True)
    if any(after[0] < before[1] for after, before in itertools.pairwise(changes)):
        raise StaleEdit("two edits of the same place")
    for start, end, indent, new in changes:
        before, after = source[:start], source[end:]
        if not new and before.endswith("\n" + indent) and after[:1] in ("\n", ""):
            before = before[: -len(indent) - 1]
        source = before + re.sub(r"\n(?=[^\n])", "\n" + indent, new) + after
    return source


def _places(old: str, source: str) -> Iterator[tuple[int, int, str]]:
    first, _, rest = old.partition("\n")
    for match in re.finditer(re.escape(first), source):
        line = source[source.rfind("\n", 0, match.start()) + 1 :]
        indent = line[: len(line) - len(line.lstrip(" "))]
        end = match.end()
        if rest:
            whole = re.sub(r"\n(?=[^\n])", "\n" + indent, "\n" + rest)
            if not source.startswith(whole, end):
                continue
            end += len(whole)
        yield match.start(), end, indent
