"""A sentence or two on what a wrong result has to do with the expected one, with the arguments and with other results.

An observation, for every exercise and without anything that its author wrote. It is no verdict: it says what the
numbers show, not why.
"""

from collections.abc import Callable

import numpy as np

from autograder.judging.ask.evidence import Evidence
from autograder.judging.observe import across_calls, arguments, arrays, results
from autograder.judging.observe.comparison import Comparison
from autograder.judging.verdict.explanation import Explanation, Kind

Observer = Callable[[Comparison], str]

# The first that says something is heard: the last one is vague.
OBSERVERS: tuple[Observer, ...] = (
    results.right_in_another_form,
    results.results_under_names,
    results.words_beside_words,
    arrays.compare_arrays,
    arguments.right_for_other_arguments,
    results.some_results_right,
    across_calls.shared_by_wrong_calls,
)


def observe(evidence: Evidence) -> Explanation | None:
    """One sentence on what shows, and one on an argument that is overwritten."""
    if not evidence.is_small:
        return None
    comparison = Comparison(evidence)
    changed = [comparison.parameters[at] for at in comparison.call.changed if at < len(comparison.parameters)]
    sentences = [f"Your code changes its argument `{changed[0]}`. Work on a copy."] if changed else []
    if not across_calls.only_changes(comparison.call, comparison.right):
        with np.errstate(all="ignore"):
            for observer in OBSERVERS:
                evidence.budget.check()
                if sentence := observer(comparison):
                    sentences.insert(0, sentence)
                    break
    return Explanation(Kind.OBSERVATION, " ".join(sentences)) if sentences else None
