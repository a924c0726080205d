"""Observations about a wrong result: its relation to the expected one, to the arguments, and to other results.

They work for every exercise, without any text by its author. They describe the numbers, not the cause.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from autograder.judging.ask.evidence import Evidence, have_same_outcome
from autograder.judging.observe import results, rules
from autograder.judging.observe.comparison import (
    ArrayPair,
    Clause,
    Rule,
    ShownCall,
    Strength,
    WrongArray,
    is_significant,
)
from autograder.judging.values.same import are_equal
from autograder.judging.verdict.finding import Explanation, Kind

MAX_ELEMENTS = 200_000  # limit for the size of an array, because comparing larger ones would take too long
MAX_OTHER_CALLS = 8  # limit for the other wrong calls that are examined
MIN_SHARE = 0.6  # share of other wrong calls in which a statement must be true
_MUTATION = "Your code changes its argument `{}`. Look for `+=`, `[...] =` and other operations in place."

# Rules whose statements reveal the most come first.
RULES_OF_ONE_SHAPE: tuple[Rule, ...] = (
    rules.find_reordered_axis,
    rules.find_moved_values,
    rules.find_unmasked_numbers,
    rules.find_rounding,
    rules.find_constant_factor,
    rules.find_axis_sums,
    rules.find_partly_correct,
)
RULES_OF_OTHER_SHAPES: tuple[Rule, ...] = (rules.find_moved_values, rules.find_sub_array)


def find_clauses(pair: ArrayPair) -> list[Clause]:
    """Return the statements that are true of the result and not of the expected one. The most specific comes first."""
    if not (0 < pair.expected.size < MAX_ELEMENTS and 0 < pair.got.size < MAX_ELEMENTS):
        return []
    chosen_rules = RULES_OF_OTHER_SHAPES
    if pair.got.shape == pair.expected.shape:  # If the arrays are nearly equal, only rounding is examined.
        chosen_rules = (rules.find_rounding,) if are_equal(pair.got, pair.expected) else RULES_OF_ONE_SHAPE
    true_clauses = [(rule, clause) for rule in chosen_rules for clause in rule(pair)]
    expected_pair = ArrayPair(pair.expected, pair.expected, pair.arguments)
    vacuous = {clause.key for rule in {rule for rule, _ in true_clauses} for clause in rule(expected_pair)}
    return [clause for _, clause in true_clauses if clause.key not in vacuous]


def observe_arrays(shown: ShownCall) -> str:
    """Return a statement about a wrong array of the shown call that other wrong calls confirm; "" if there is none."""
    for part in shown.find_wrong_parts(shown.evidence.shown):
        clauses = find_clauses(ArrayPair(part.got, part.expected, shown.arguments(shown.call)))
        if shown.call.is_harnessed:  # A training step changes only the last digits, so equal first digits mean nothing.
            clauses = [clause for clause in clauses if clause.key != rules.FIRST_DIGITS]
        if not clauses:
            continue
        # Statements about the same result in other wrong calls. Results with few numbers are no evidence.
        other_keys = [
            {clause.key for clause in find_clauses(ArrayPair(match.got, match.expected, shown.arguments(peer.call)))}
            for peer in shown.other_wrong_calls[:MAX_OTHER_CALLS]
            for match in shown.find_wrong_parts(peer)
            if match.number == part.number
            and (is_significant(match.expected) or not is_significant(part.expected))
            and rules.are_weights(match.expected) == rules.are_weights(part.expected)
        ]
        for clause in clauses:
            support = sum(clause.key in keys for keys in other_keys)
            is_plain = clause.strength is Strength.PLAIN
            if is_plain or (support == len(other_keys) and (support or _is_confirmed(clause, part, shown))):
                return part.format_sentence(clause.text)
            if not clause.spans_all_calls and clause.key == clause.text and support >= MIN_SHARE * len(other_keys) > 0:
                first, question, rest = clause.text.partition(". ")
                extent = f"in {support + 1} of the {len(other_keys) + 1} calls that fail"
                return part.format_sentence(f"{first}, {extent}{question}{rest}")
    return ""


def _is_confirmed(clause: Clause, part: WrongArray, shown: ShownCall) -> bool:
    """Return whether the shown call alone is enough evidence for a statement."""
    if clause.spans_all_calls or (clause.strength is Strength.WEAK and shown.other_wrong_calls):
        return False
    got = part.got.astype(bool) if part.expected.dtype == bool else part.got
    is_enough = is_significant(part.expected) and (is_significant(got) or (got == got.flat[0]).all())
    return bool(is_enough)


Observer = Callable[[ShownCall], str]

# The first sentence that an observer returns is used, so vague observers come last.
OBSERVERS: tuple[Observer, ...] = (
    results.describe_wrong_type,
    results.compare_named_results,
    results.compare_word_lists,
    observe_arrays,
    results.list_correct_results,
    results.find_pattern,
)


def observe(evidence: Evidence) -> Explanation | None:
    """Return an observation on the result, on mutated arguments, or on both; None if nothing was observed."""
    if not evidence.is_small:
        return None
    shown = ShownCall(evidence)
    changed_names = [shown.parameters[i] for i in shown.call.changed if i < len(shown.parameters)]
    sentences = [_MUTATION.format(changed_names[0])] if changed_names else []
    call, expected = shown.call, shown.expected
    is_only_mutation = call.changed != expected.changed and have_same_outcome(
        replace(call, changed=expected.changed), expected
    )
    if not is_only_mutation:
        with np.errstate(all="ignore"):
            for observer in OBSERVERS:
                evidence.budget.require_time()
                if sentence := observer(shown):
                    sentences = [sentence, *(mutation.replace(" changes", " also changes") for mutation in sentences)]
                    break
    return Explanation(Kind.OBSERVATION, " ".join(sentences)) if sentences else None
