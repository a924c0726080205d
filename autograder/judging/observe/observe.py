"""Observations about a wrong result: its relation to the expected one, to the arguments, and to other results.

They work for every exercise, without any text by its author. They describe the numbers, not the cause.
"""

from collections.abc import Callable

import numpy as np

from autograder.judging.ask.evidence import Evidence
from autograder.judging.observe import across_calls, arguments, numbers, places, results
from autograder.judging.observe.clause import Clause, Pair, Rule, Strength, is_significant
from autograder.judging.observe.comparison import Part, ShownCall
from autograder.judging.values.same import are_equal
from autograder.judging.verdict.finding import Explanation, Kind

MAX_ELEMENTS = 200_000  # larger arrays would take too long to compare
MAX_OTHER_CALLS = 8  # other wrong calls that are examined
MIN_SHARE = 0.6  # share of other wrong calls in which a statement must hold

# The most telling first.
RULES_OF_ONE_SHAPE: tuple[Rule, ...] = (
    numbers.find_single_value,
    places.find_reordered_axis,
    places.find_moved_values,
    places.find_unmasked_numbers,
    numbers.find_rounding,
    numbers.find_constant_factor,
    numbers.find_score_variant,
    numbers.find_axis_sums,
    places.find_partly_correct,
)
RULES_OF_OTHER_SHAPES: tuple[Rule, ...] = (places.find_moved_values, places.find_sub_array)


def find_clauses(pair: Pair) -> list[Clause]:
    """Return the statements that hold for the result, but not for the expected one, the most specific first."""
    if not (0 < pair.expected.size < MAX_ELEMENTS and 0 < pair.got.size < MAX_ELEMENTS):
        return []
    rules = RULES_OF_OTHER_SHAPES
    if pair.got.shape == pair.expected.shape:  # Nearly equal arrays may only be rounded.
        rules = (numbers.find_rounding,) if are_equal(pair.got, pair.expected) else RULES_OF_ONE_SHAPE
    holding = [(rule, clause) for rule in rules for clause in rule(pair)]
    right = Pair(pair.expected, pair.expected, pair.arguments)
    vacuous = {clause.key for rule in {rule for rule, _ in holding} for clause in rule(right)}
    return [clause for _, clause in holding if clause.key not in vacuous]


def observe_arrays(shown: ShownCall) -> str:
    """Return a statement about a wrong array of the shown call that other wrong calls confirm; empty if none."""
    for part in shown.find_wrong_parts(shown.evidence.shown):
        holding = find_clauses(Pair(part.got, part.expected, shown.arguments(shown.call)))
        if shown.call.is_harnessed:  # A training step changes only later digits.
            holding = [clause for clause in holding if clause.key != numbers.FIRST_DIGITS]
        if not holding:
            continue
        # What holds for the same result in other wrong calls; few numbers mean nothing.
        elsewhere = [
            {clause.key for clause in find_clauses(Pair(other.got, other.expected, shown.arguments(peer.call)))}
            for peer in shown.other_wrong[:MAX_OTHER_CALLS]
            for other in shown.find_wrong_parts(peer)
            if other.number == part.number
            and (is_significant(other.expected) or not is_significant(part.expected))
            and numbers.are_weights(other.expected) == numbers.are_weights(part.expected)
        ]
        for clause in holding:
            support = sum(clause.key in keys for keys in elsewhere)
            is_plain = clause.strength is Strength.PLAIN
            if is_plain or (support == len(elsewhere) and (support or _is_confirmed(clause, part, shown))):
                return part.format_sentence(clause.text)
            if not clause.spans_all_calls and clause.key == clause.text and support >= MIN_SHARE * len(elsewhere) > 0:
                first, question, rest = clause.text.partition(". ")
                where = f"in {support + 1} of {len(elsewhere) + 1} calls that fail"
                return part.format_sentence(f"{first}, {where}{question}{rest}")
    return ""


def _is_confirmed(clause: Clause, part: Part, shown: ShownCall) -> bool:
    """Return whether the shown call alone is enough evidence for a statement."""
    if clause.spans_all_calls or (clause.strength is Strength.WEAK and shown.other_wrong):
        return False
    got = part.got.astype(bool) if part.expected.dtype == bool else part.got
    is_enough = is_significant(part.expected) and (is_significant(got) or (got == got.flat[0]).all())
    return bool(is_enough)


Observer = Callable[[ShownCall], str]

# The first observer to return a sentence wins; the vague one comes last.
OBSERVERS: tuple[Observer, ...] = (
    results.describe_other_form,
    results.compare_named_results,
    results.compare_word_lists,
    observe_arrays,
    arguments.find_other_arguments,
    results.list_correct_results,
    across_calls.find_pattern,
)


def observe(evidence: Evidence) -> Explanation | None:
    """Return an observation on the result, on a mutated argument, or both; None if there is nothing to say."""
    if not evidence.is_small:
        return None
    shown = ShownCall(evidence)
    changed = [shown.parameters[at] for at in shown.call.changed if at < len(shown.parameters)]
    sentences = [f"Your code changes its argument `{changed[0]}`. Work on a copy."] if changed else []
    if not across_calls.is_only_mutation(shown.call, shown.expected):
        with np.errstate(all="ignore"):
            for observer in OBSERVERS:
                evidence.budget.require_time()
                if sentence := observer(shown):
                    sentences.insert(0, sentence)
                    break
    return Explanation(Kind.OBSERVATION, " ".join(sentences)) if sentences else None
