"""Observations about a wrong result without a named mistake are true of the numbers, and are not made without evidence.

Labelled answers (``# told:`` in tests/answers) test the observations about whole answers.
"""

from dataclasses import replace

import numpy as np
import pytest

from autograder.chapters.chapter import read_chapter
from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import CallPair, Evidence
from autograder.judging.observe import observe
from autograder.judging.observe.comparison import ArrayPair, ShownCall
from autograder.judging.observe.observe import RULES_OF_ONE_SHAPE, RULES_OF_OTHER_SHAPES, find_clauses
from autograder.worker.values import Tensor
from support.grading import ANSWERS, verdict_on, write_answer
from support.quick import pick_quick

RNG = np.random.default_rng(7)
MATRIX = np.round(RNG.normal(size=(3, 4)), 2)
SQUARE, BATCH, VECTOR = RNG.normal(size=(4, 4)), RNG.normal(size=(2, 3, 4)), RNG.normal(size=5)
WEIGHTS = RNG.dirichlet(np.ones(4), size=3)
MASK = np.tri(4, dtype=bool)
RULES = dict.fromkeys([*RULES_OF_ONE_SHAPE, *RULES_OF_OTHER_SHAPES])


def describe_difference(got, expected, arguments=None):
    arguments = {name: np.asarray(value) for name, value in (arguments or {}).items()}
    with np.errstate(all="ignore"):
        pair = ArrayPair(np.asarray(got), np.asarray(expected), arguments)
        return [clause.text for clause in find_clauses(pair)]


@pytest.mark.parametrize(
    "example", [pytest.param(example, id=example.text) for rule in RULES for example in rule.examples]
)
def test_a_rule_gives_the_sentence_of_its_example(example):
    assert example.text in describe_difference(example.got, example.expected, example.arguments)
    assert describe_difference(example.expected, example.expected, example.arguments) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.find.__name__)
def test_every_rule_has_an_example(rule):
    assert rule.examples


@pytest.mark.parametrize("array", [MATRIX, SQUARE, BATCH, VECTOR, WEIGHTS, MASK, np.float64(3.0), np.arange(4)])
def test_correct_results_get_no_observation(array):
    assert describe_difference(array, array, {"x": array, "mask": array > 0}) == []


@pytest.mark.parametrize("seed", range(20))
def test_unrelated_numbers_get_no_observation(seed):
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=(2, 3, 4))
    assert describe_difference(one, other, {"x": rng.normal(size=(3, 4)), "y": rng.normal(size=(5, 4))}) == []


@pytest.mark.parametrize(
    ("got", "expected", "words"),
    [
        (np.array([2, 1, 0, 3]), np.array([0, 3, 1, 2]), "in other positions"),
        (WEIGHTS / 1.0003, WEIGHTS, "three digits"),
        (MATRIX * 1e-17, MATRIX, "expected one times"),
        (np.where(np.arange(4) % 2, MATRIX + 1, MATRIX), MATRIX, "only the"),  # Two columns are right everywhere.
        (BATCH + (np.arange(6).reshape(2, 3, 1) > 1), BATCH, "only the"),  # Only one of two matrices has right rows.
        (np.where(np.arange(4), SQUARE + 1, 1), np.where(np.arange(4), SQUARE, 1), "only the"),  # Ones prove nothing.
    ],
)
def test_a_relation_of_only_a_part_is_not_reported(got, expected, words):
    assert not [text for text in describe_difference(got, expected) if words in text]


ODD = [
    "'x' * 10", "None", "{}", "[]", "[[1], [1, 2]]", "[[['a', 1e300]]]", "float('inf')", "10**400", "2**200",
    "np.array([])", "np.full(4, 1e308)", "np.array([None, 1])", "1j", "print", "(i for i in [1])", "{1: [2]}",
    "np.zeros((1,) * 30)", "np.ones(300_000)", "['a', 1]", "b'x'", "np.float16(7)", "True", "object()", "[np.nan]",
]  # fmt: skip


PLACES = "softmax", "scaled_dot_product_attention", "causal_mask", "load_glove_embeddings", "attention_backward"


@pytest.mark.parametrize("name", pick_quick(PLACES))
def test_odd_results_cause_no_internal_error(name):
    for odd in (*ODD, "(np.zeros(3), 'x')", "(1, 2, 3)", "[np.zeros(2), None]", "{'a': 'b'}", "((), ())", "[[], []]"):
        verdict = verdict_on(write_answer(name, f"return {odd}"), name)
        assert verdict.outcome == "wrong" and "failed" not in verdict.explanation_error, (odd, verdict.message)


def test_a_failed_observer_costs_one_explanation_and_is_reported(monkeypatch):
    def broken(comparison):
        raise KeyError("a typing error")

    source = (ANSWERS / "one_query/calculate_attention_vector/wrong_turned_round.py").read_text(encoding="utf-8")
    monkeypatch.setattr(observe, "observe_arrays", broken)
    verdict = verdict_on(source, "calculate_attention_vector")
    assert (verdict.outcome, verdict.relation) == ("wrong", "")
    assert verdict.explanation_error.startswith("The grader failed (KeyError in autograder.judging.observe")


def test_zero_next_to_large_numbers_is_correct():
    weights = Tensor(np.array([[0.25, 0.75]]))
    calls = [Call("softmax_backward", (weights, Tensor(np.full((1, 2), 7.0)))) for _ in range(3)]
    for call, number in zip(calls, (1.0, 4e-7, 0.5), strict=True):
        call.value = Tensor(np.full((1, 2), number))
    right = [replace(call, value=Tensor(np.zeros((1, 2)))) for call in calls]
    pairs = [CallPair(*pair, is_wrong=True) for pair in zip(calls, right, strict=True)]
    comparison = ShownCall(Evidence(None, pairs, pairs[0]))
    assert [peer.is_wrong for peer in comparison.peers] == [True, False, True]


def test_a_correct_result_is_reported_only_for_changed_arguments():
    query, sentences = Tensor(VECTOR[:4]), Tensor(MATRIX)
    call = Call("rank_by_similarity", (query, sentences), value=(Tensor(np.array([0, 1, 2])), Tensor(VECTOR[:3])))
    changing = replace(call, changed=[1])
    exercise = read_chapter("pretrained").get_exercise("rank_by_similarity")
    pair = CallPair(changing, call, is_wrong=True)
    assert (
        observe.observe(Evidence(exercise, [pair], pair)).sentence
        == "Your code changes its argument `sentences`. Look for `+=`, `[...] =` and other operations in place."
    )
