"""Finds answers that are more alike than the exercise explains. They prove nothing, but show where to look.

Token runs of code are compared. Runs of the stub, of the reference solution, or of many learners do not count.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from autograder.api import hash_runs, read_shared
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import write_output
from autograder.classroom.returns.pages import template
from autograder.classroom.returns.report.class_data import Author, ClassData

OWN = 24  # token runs that only this answer has, at least, to be compared
ALIKE = 0.5  # minimum degree of a shown pair
PAIRS = 25  # maximum number of shown pairs


@dataclass(frozen=True)
class Pair:
    one: Any
    other: Any
    # common share of their particular runs, from 0 to 1; rarer runs have more weight
    degree: float
    size: int  # common rare runs: with few of them, the degree means little
    shared: dict[str, set[int]]  # the most similar exercises, most first -> these runs


def similar_pairs(
    answers: dict, expected: dict, may_be: Callable[[Any, Any], bool] = lambda one, other: True
) -> list[Pair]:
    """Return the pairs worth a look, most similar first; similarity to sources in `expected` does not count."""
    expected_runs = {name: set().union(*(hash_runs(text, name) for text in texts)) for name, texts in expected.items()}
    whose = defaultdict(set)  # (exercise, run) -> learners
    for learner, exercises in answers.items():
        for exercise, its in exercises.items():
            for run in its - expected_runs.get(exercise, set()):
                whose[exercise, run].add(learner)
    common = max(4, len(answers) // 8)  # so many learners may have had the same idea independently
    # A run that two share is as rare as a run of one, and has the same weight.
    rare = {run: max(2, len(who)) for run, who in whose.items() if len(who) <= common}
    weights = {run: math.log((len(answers) + 2) / count) for run, count in rare.items()}
    own_weights: dict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    shared: dict[tuple, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for run, weight in weights.items():
        for learner in whose[run]:
            own_weights[learner] += weight
            counts[learner] += 1
        for pair in combinations(sorted(whose[run]), 2):
            shared[pair][run[0]] += weight
    pairs = []
    for (one, other), by_exercise in shared.items():
        both = sum(by_exercise.values())
        degree = both / (own_weights[one] + own_weights[other] - both)
        if degree >= ALIKE and min(counts[one], counts[other]) >= OWN and may_be(one, other):
            most = sorted(by_exercise, key=by_exercise.__getitem__, reverse=True)[:3]
            both_have = {name: answers[one][name] & answers[other][name] for name in by_exercise}
            rare_runs = {name: {run for run in both_have[name] if (name, run) in rare} for name in by_exercise}
            size = sum(map(len, rare_runs.values()))
            pairs.append(Pair(one, other, degree, size, {name: rare_runs[name] for name in most}))
    return sorted(pairs, key=lambda pair: (-pair.degree, pair.one, pair.other))[:PAIRS]


def write_side_by_side(path: Path, found: list[tuple[ClassData, list[Pair]]]) -> None:
    shown = [(data.assignment, [_both(data, pair) for pair in pairs]) for data, pairs in found]
    write_output(path, template("similar").render(assignments=shown))


def _both(data: ClassData, pair: Pair) -> dict[str, Any]:
    exercises = [
        {
            "name": name,
            "pieces": len(shared),
            "columns": [_lines(who, data.exercises[name], name, shared) for who in (pair.one, pair.other)],
        }
        for name, shared in pair.shared.items()
    ]
    return {"pair": pair, "exercises": exercises}


def _lines(author: Author, chapter: str, exercise: str, shared: set[int]) -> list[tuple[str, bool]]:
    with suppress(UnreadableAnswer):
        source, marked = read_shared(author.folder / f"{chapter}.ipynb", exercise, shared)
        return [(line, number in marked) for number, line in enumerate(source.splitlines(), 1)]
    return []
