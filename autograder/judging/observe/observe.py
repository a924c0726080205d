"""A sentence or two on what a wrong result has to do with the expected one, with the arguments and with other results.

An observation, for every exercise and without anything that its author wrote. It is no verdict: it says what the
numbers show, not why.
"""

import warnings
from collections.abc import Callable

import numpy as np

from autograder.judging.ask.evidence import Evidence
from autograder.judging.budget import Spent
from autograder.judging.observe import across_calls, arguments, arrays, results
from autograder.judging.observe.comparison import Comparison
from autograder.judging.verdict.explanation import Explanation, Kind

Observer = Callable[[Comparison], str]

# The first that says something is heard: the last ones are vague, or dear.
OBSERVERS: tuple[Observer, ...] = (
    across_calls.one_result_for_another,
    results.right_in_another_form,
    results.results_under_names,
    results.words_beside_words,
    arrays.arrays_beside_arrays,
    arguments.right_for_other_arguments,
    results.some_results_right,
    arrays.vague_of_arrays,
    across_calls.shared_by_wrong_calls,
)


class ObserverFault(RuntimeWarning):
    """An observer of ours failed: that costs an answer this one sentence, and fails the tests."""


def observe(evidence: Evidence) -> Explanation | None:
    """One sentence on what shows, and one on an argument that is overwritten."""
    sentence = _sentences(evidence) if evidence.shown in evidence.calls and evidence.is_small else ""
    return Explanation(Kind.OBSERVATION, sentence) if sentence else None


def _sentences(evidence: Evidence) -> str:
    comparison = Comparison(evidence)
    changed = [comparison.parameters[at] for at in evidence.shown.changed if at < len(comparison.parameters)]
    changes = f"It changes {changed[0]} while it works." if changed else ""
    if across_calls.only_changes(comparison.call, comparison.right):
        return changes
    with np.errstate(all="ignore"):
        sentences = (_sentence(observer, comparison) for observer in OBSERVERS)
        return " ".join(filter(None, (next(filter(None, sentences), ""), changes)))


def _sentence(observer: Observer, comparison: Comparison) -> str:
    try:
        comparison.evidence.budget.check()
        return observer(comparison)
    except Spent:
        raise
    except Exception as fault:
        place = f"{comparison.exercise.name}, {observer.__module__}.{observer.__name__}"
        warnings.warn(f"{place}: {type(fault).__name__}: {fault}", ObserverFault, stacklevel=1)
        return ""
