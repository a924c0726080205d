"""Answers that are more alike than the exercise makes them. It proves nothing: it says where to look.

Code is compared as a syntax tree without names, comments and layout, cut into overlapping runs of its nodes. What the
stub or the reference solution gives counts for nothing, and so does what many in the class write.
"""

import ast
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations

RUN = 6  # nodes in a row: about one expression
OWN = 24  # runs that an answer must have to itself before it is worth comparing
LONGEST = 20_000  # characters of a cell that is compared: an answer has a thousand
ALIKE = 0.5  # degree from which a pair is shown
PAIRS = 25  # that are still looked at


@dataclass(frozen=True)
class Pair:
    """Two learners whose answers are alike.

    Attributes
    ----------
    one, other : str
    degree : float
        Share of what is particular to them that both have, 0 to 1; what fewer in the class have weighs more.
    exercises : list of str
        Where they are alike, most first.
    """

    one: str
    other: str
    degree: float
    exercises: list


def similar_pairs(answers, expected):
    """The pairs worth a look, most alike first.

    Parameters
    ----------
    answers : dict
        Learner -> exercise -> the source of its cell.
    expected : dict
        Exercise -> sources that everybody may be like: the stub, the solution.

    Returns
    -------
    list of Pair
    """
    given = {name: set().union(*(runs(source, name) for source in sources)) for name, sources in expected.items()}
    whose = defaultdict(set)  # (exercise, run) -> learners
    for learner, sources in answers.items():
        for exercise, source in sources.items():
            for run in runs(source, exercise) - given.get(exercise, set()):
                whose[exercise, run].add(learner)
    common = max(4, len(answers) // 8)  # learners with the same idea: that many need not have met
    # What two share is as rare as what one has alone, and weighs the same.
    rare = {run: max(2, len(who)) for run, who in whose.items() if len(who) <= common}
    weights = {run: math.log((len(answers) + 2) / count) for run, count in rare.items()}
    own, counts, shared = Counter(), Counter(), defaultdict(Counter)
    for run, weight in weights.items():
        for learner in whose[run]:
            own[learner] += weight
            counts[learner] += 1
        for pair in combinations(sorted(whose[run]), 2):
            shared[pair][run[0]] += weight
    pairs = []
    for (one, other), by_exercise in shared.items():
        both = by_exercise.total()
        degree = both / (own[one] + own[other] - both)
        if degree >= ALIKE and min(counts[one], counts[other]) >= OWN:
            pairs.append(Pair(one, other, degree, [name for name, _ in by_exercise.most_common(3)]))
    return sorted(pairs, key=lambda pair: (-pair.degree, pair.one, pair.other))[:PAIRS]


def runs(source, name):
    """The runs of nodes in the definition of a name; none where there is no such definition to be read."""
    if len(source) > LONGEST:
        return set()
    try:
        body = ast.parse(source).body
        found = [node for node in body if getattr(node, "name", None) == name]
        nodes = [part for node in found for part in _nodes(node, _own_names(node))]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {hash(tuple(nodes[start : start + RUN])) for start in range(len(nodes) - RUN + 1)}


def _own_names(definition):
    """What the code itself names: arguments and whatever it assigns."""
    nodes = list(ast.walk(definition))
    assigned = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return assigned | {node.arg for node in nodes if isinstance(node, ast.arg)}


def _nodes(node, own):
    """Kinds of nodes and what they hold, in the order of the text."""
    yield type(node).__name__
    if isinstance(node, ast.Name):
        yield "name" if node.id in own else node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant):
        yield repr(node.value)[:80]
    for field, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        if field == "body" and children and _is_docstring(children[0]):
            children = children[1:]
        for child in children:
            if isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                yield from _nodes(child, own)


def _is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
