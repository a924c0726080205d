"""Solutions with a mistake in them: edited, or with a definition in full in their place."""

import ast
import itertools
import re

from autograder.judging.misconceptions import read_misconceptions, text_of
from autograder.worker.reading.definitions import definition_in, docstring_lines


class StaleEdit(Exception):
    """An edit of what is not in the solution, or is there more than once; its text says which."""


def mistaken(exercise, misconception):
    """The source of an exercise's cell as somebody would have written it who makes this mistake.

    Raises
    ------
    StaleEdit
        Where it is an edit that does not apply.
    """
    edits = read_misconceptions(exercise.name)[misconception].edits
    return _in_full(exercise, misconception) if edits is None else edited(exercise.solution, edits)


def _in_full(exercise, misconception):
    """A definition under the name of the exercise, with the docstring of the exercise in place of the lesson."""
    node = definition_in(ast.parse(text := text_of(exercise.name)), misconception)
    described = definition_in(ast.parse(exercise.stub), exercise.name)
    lines, told = text.splitlines()[: node.end_lineno], described.body[0]
    first = node.body[0]
    body = lines[first.end_lineno if ast.get_docstring(node) is not None else first.lineno - 1 :] or ["    pass"]
    head = lines[node.lineno - 1 : first.lineno - 1]
    source = [*head, *exercise.stub.splitlines()[told.lineno - 1 : told.end_lineno], *body]
    return re.sub(rf"\b{misconception}\b", exercise.name, "\n".join(source))


def edited(source, edits):
    """The source of a solution with a mistake edited in.

    What is there has to be found exactly once, docstrings aside. Its lines after the first, and those written instead,
    are indented as the line in which it begins. A line of which nothing is left goes.

    Raises
    ------
    StaleEdit
        Where an edit does not apply.
    """
    skipped, changes = docstring_lines(source), []
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


def _places(old, source):
    """(start, end, indent of the line) of everywhere a fragment is found."""
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
