"""Observations about a wrong result: its relation to the expected one, to the arguments, and to other results.

They work for every exercise, without any text by its author. They describe the numbers, not the cause.
"""

import itertools
from collections import Counter
from dataclasses import replace
from typing import TypeGuard

import numpy as np

from autograder.chapters.text import join_words
from autograder.judging.ask.evidence import Evidence, have_same_outcome
from autograder.judging.observe import rules
from autograder.judging.observe.comparison import (
    ArrayPair,
    Clause,
    Rule,
    ShownCall,
    WrongArray,
    is_significant,
    read_result_names,
)
from autograder.judging.values.same import are_equal, to_arrays
from autograder.judging.values.show import format_value
from autograder.judging.verdict.finding import Explanation, Kind

MAX_ELEMENTS = 200_000  # limit for the size of an array, because comparing larger ones would take too long
MAX_WORDS = 5  # limit for the words that are listed in one sentence
MAX_OTHER_CALLS = 8  # limit for the other wrong calls that are examined
_MUTATION = "Your code changes its argument `{}`. Look for `+=`, `[...] =` and other operations in place."

# Rules whose statements reveal the most come first.
RULES_OF_ONE_SHAPE: tuple[Rule, ...] = (
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
            is_confirmed = support == len(other_keys) and (support or _is_confirmed(clause, part, shown))
            if clause.is_certain or is_confirmed:
                return part.format_sentence(clause.text)
    return ""


def _is_confirmed(clause: Clause, part: WrongArray, shown: ShownCall) -> bool:
    """Return whether the shown call alone is enough evidence for a statement."""
    if clause.is_weak and shown.other_wrong_calls:
        return False
    got = part.got.astype(bool) if part.expected.dtype == bool else part.got
    is_enough = is_significant(part.expected) and (is_significant(got) or (got == got.flat[0]).all())
    return bool(is_enough)


def compare_named_results(shown: ShownCall) -> str:
    """Return a sentence if a wrong result equals another expected one, or has its shape; "" if none does."""
    if not shown.evidence.shown.both_returned:
        return ""
    got, expected = (_name_results(value, shown) for value in (shown.call.value, shown.expected.value))
    names = [name for name in expected if name in got and not are_equal(got[name], expected[name])]
    for name, other in itertools.product(names, expected):
        if name != other and is_significant(expected[other]) and are_equal(got[name], expected[other]):
            is_twice = other in got and are_equal(got[other], expected[other])
            cause = "Do you compute both in the same way?" if is_twice else "Are the results in the correct order?"
            return f"You return {other} where {name} is expected. {cause}"
    shapes = [[array.shape for array in arrays.values()] for arrays in (got, expected)]
    is_pair = isinstance(shown.expected.value, tuple) and len(expected) == 2
    if is_pair and shapes[0] == shapes[1][::-1] != shapes[1]:
        return f"The shapes would be correct if the two results were swapped. Do you return {next(iter(got))} first?"
    return ""


def _name_results(value: object, shown: ShownCall) -> dict[str, np.ndarray]:
    """Return the arrays in a result by name of the result or by key, or {} if some are not arrays."""
    results = {format_value(key): part for key, part in value.items()} if isinstance(value, dict) else {}
    if isinstance(value, tuple) and isinstance(shown.expected.value, tuple):
        names = read_result_names(shown.exercise.stub, len(shown.expected.value))
        results = dict(zip(map(_quote, names), value, strict=False))
    return dict(zip(results, to_arrays(results.values()) or (), strict=False))


def compare_words(shown: ShownCall) -> str:
    """Return a sentence on words that a returned list lacks, or that it should not contain; "" if there are both."""
    got, expected = shown.call.value, shown.expected.value
    pairs = zip(got, expected, strict=False) if isinstance(got, tuple) and isinstance(expected, tuple) else ()
    for one, other in (*pairs, (got, expected)):
        if _are_words(one) and _are_words(other):
            missing, extra = Counter(other) - Counter(one), Counter(one) - Counter(other)
            words = list(map(format_value, (missing or extra).elements()))
            if bool(missing) != bool(extra) and len(words) <= MAX_WORDS:
                names, verb = join_words(words), "is" if len(words) == 1 else "are"
                should_not = f"The result should not contain {names}."
                return f"{names} {verb} missing from the returned words." if missing else should_not
    return ""


def _are_words(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _quote(name: str) -> str:
    return f"`{name}`" if name.isidentifier() else name


def list_correct_results(shown: ShownCall) -> str:
    """Return a sentence on which of several results are correct in every call; "" if all or none are."""
    expected = shown.expected.value
    count = len(expected) if isinstance(expected, tuple) else 0
    names = read_result_names(shown.exercise.stub, count)
    replies = [(_results_of(peer.call.value), _results_of(peer.expected.value)) for peer in shown.peers]
    checks = [
        list(map(are_equal, got, target)) if len(got) == count else [False] * count
        for got, target in replies
        if len(target) == count > 1
    ]
    flags = list(map(all, zip(*checks, strict=True)))
    if all(flags) or not any(flags) or shown.part not in ("", *names):  # A harness's parts have other names.
        return ""
    quoted = list(map(_quote, names))
    correct, wrong = (
        join_words([name for name, is_right in zip(quoted, flags, strict=True) if is_right is kind])
        for kind in (True, False)
    )
    return f"The numbers in {correct} are correct in every call, but those in {wrong} are not."


def _results_of(value: object) -> list:
    return list(value) if isinstance(value, (tuple, list)) else []


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
            for observer in (compare_named_results, compare_words, observe_arrays, list_correct_results):
                evidence.budget.require_time()
                if sentence := observer(shown):
                    sentences.insert(0, sentence)
                    break
    return Explanation(Kind.OBSERVATION, " ".join(sentences)) if sentences else None
