"""Search for pairs of answers that are more similar than the exercise explains. A pair is not proof of copying.

A run is six consecutive syntax-tree nodes. Runs in the stub, the solution or many answers are not compared.
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
from autograder.classroom.returns.pages import load_template
from autograder.classroom.returns.report.class_data import Author, ClassData

MIN_RARE_RUNS = 24  # an answer with fewer rare runs is not compared
MIN_DEGREE = 0.5  # a pair that is less similar is not shown
MAX_PAIRS = 25


@dataclass(frozen=True)
class SimilarAnswers:
    one: Any
    other: Any
    # Share of the rare runs that occur in both answers, from 0 to 1. Rarer runs have more weight.
    degree: float
    size: int  # number of rare runs that occur in both
    shared: dict[str, set[int]]  # exercise -> rare runs that occur in both; the most similar exercise first


def find_similar_pairs(
    answers: dict, expected: dict, are_compared: Callable[[Any, Any], bool] = lambda one, other: True
) -> list[SimilarAnswers]:
    """Return similar pairs, the closest first. `answers`: author -> exercise -> runs. `expected`: sources to ignore."""
    expected_runs = {name: set().union(*(hash_runs(text, name) for text in texts)) for name, texts in expected.items()}
    learners_with = defaultdict(set)
    for learner, exercises in answers.items():
        for exercise, answer_runs in exercises.items():
            for run in answer_runs - expected_runs.get(exercise, set()):
                learners_with[exercise, run].add(learner)
    # A run is not rare if more learners than this have it: they may have had the same idea independently.
    common = max(4, len(answers) // 8)
    # A run that only one learner has gets the same weight as one that two learners have.
    rare = {run: max(2, len(authors)) for run, authors in learners_with.items() if len(authors) <= common}
    weights = {run: math.log((len(answers) + 2) / count) for run, count in rare.items()}
    own_weights: dict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    shared_weights: dict[tuple, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for run, weight in weights.items():
        for learner in learners_with[run]:
            own_weights[learner] += weight
            counts[learner] += 1
        for pair in combinations(sorted(learners_with[run]), 2):
            shared_weights[pair][run[0]] += weight
    pairs = []
    for (one, other), by_exercise in shared_weights.items():
        total = sum(by_exercise.values())
        degree = total / (own_weights[one] + own_weights[other] - total)
        is_similar = degree >= MIN_DEGREE and min(counts[one], counts[other]) >= MIN_RARE_RUNS
        if is_similar and are_compared(one, other):
            top = sorted(by_exercise, key=by_exercise.__getitem__, reverse=True)[:3]
            both_have = {name: answers[one][name] & answers[other][name] for name in by_exercise}
            rare_runs = {name: {run for run in both_have[name] if (name, run) in rare} for name in by_exercise}
            size = sum(map(len, rare_runs.values()))
            pairs.append(SimilarAnswers(one, other, degree, size, {name: rare_runs[name] for name in top}))
    return sorted(pairs, key=lambda pair: (-pair.degree, pair.one, pair.other))[:MAX_PAIRS]


def write_side_by_side(path: Path, classes: list[tuple[ClassData, list[SimilarAnswers]]]) -> None:
    assignments = [(data.assignment, [_make_view(data, pair) for pair in pairs]) for data, pairs in classes]
    write_output(path, load_template("similar").render(assignments=assignments))


def _make_view(data: ClassData, pair: SimilarAnswers) -> dict[str, Any]:
    exercises = [
        {
            "name": name,
            "pieces": len(runs),
            "columns": [_read_lines(author, data.exercises[name], name, runs) for author in (pair.one, pair.other)],
        }
        for name, runs in pair.shared.items()
    ]
    return {"pair": pair, "exercises": exercises}


def _read_lines(author: Author, chapter: str, exercise: str, runs: set[int]) -> list[tuple[str, bool]]:
    """Return (line, whether it contains a shared run) of each line of an answer."""
    with suppress(UnreadableAnswer):
        source, marked_lines = read_shared(author.folder / f"{chapter}.ipynb", exercise, runs)
        return [(line, number in marked_lines) for number, line in enumerate(source.splitlines(), 1)]
    return []
