"""Explaining a verdict ends when the time is used up or a step fails, and never changes the points."""

import time

import pytest

from autograder.boundary.session import AnswerSession
from autograder.boundary.zygote import WorkerFailure
from autograder.judging import budget as budget_module
from autograder.judging import judge as judge_module
from autograder.judging.budget import Budget, BudgetExhausted
from autograder.judging.explain import pipeline
from autograder.judging.verdict.finding import Cost
from autograder.judging.verdict.verdict import SPENT_SENTENCE, ExerciseVerdict
from support.grading import verdict_on

WRONG = "import numpy as np\ndef softmax(scores):\n    return {}\n"
UNSCALED = "np.exp(np.asarray(scores, dtype=float))"
MANY_NUMBERS = "np.concatenate([np.arange(150_000.) * 1.0001, scores]).tolist()"
DEEP = f"""
import numpy as np
def helper():
    x = {"+".join(["1"] * 2000)}
    raise NotImplementedError
def softmax(scores):
    e = np.exp(scores)
    raise NotImplementedError
"""


def judge_source(source):
    return verdict_on(source, "softmax")


def test_time_counts_while_it_is_entered_and_while_a_worker_is_waited_for():
    budget = Budget(10)
    sum(range(10**6))
    assert budget.seconds_left == 10
    with budget:
        sum(range(10**6))
        assert budget.seconds_left < 10
        with budget.charge_elapsed_time(AnswerSession()) as seconds:
            assert seconds <= 10
            time.sleep(0.2)
    assert budget.seconds_left < 9.8
    budget.require_time()
    with pytest.raises(BudgetExhausted):
        Budget(0).require_time()
    with pytest.raises(BudgetExhausted), Budget(0).charge_elapsed_time(AnswerSession()):
        pass


def test_after_the_time_limit_the_points_stand_and_it_is_reported(monkeypatch):
    complete = judge_source(WRONG.format(UNSCALED))
    assert complete.misconception
    monkeypatch.setattr(judge_module, "Budget", lambda: Budget(0))
    monkeypatch.setattr("autograder.judging.grader.Budget", lambda *_: Budget(0))
    cut = judge_source(WRONG.format(UNSCALED))
    assert [test.to_record() for test in cut.tests] == [test.to_record() for test in complete.tests]
    assert (cut.misconception, cut.explanation_error) == (None, SPENT_SENTENCE)
    assert cut.message.startswith(f"{SPENT_SENTENCE} softmax(")
    assert cut.to_record()["explained"] is False


@pytest.mark.slow
@pytest.mark.parametrize(
    "value",
    [
        MANY_NUMBERS,
        "{str(i): float(scores[0]) + i for i in range(90_000)}",
        "[[x] for x in range(36_000)]",
        "np.ones((2000, 2000), np.float16).view(np.matrix)",
    ],
)
def test_a_large_result_takes_no_longer_to_explain_than_there_is(value, monkeypatch):
    monkeypatch.setattr("autograder.judging.grader.Budget", lambda *_: Budget(2))
    start = time.thread_time()
    verdict = judge_source(WRONG.format(value))
    assert verdict.outcome == "wrong"
    assert time.thread_time() - start < 12


def test_an_internal_error_costs_no_points_and_quotes_nothing_of_the_answer(monkeypatch):
    def fails(*_):
        raise RecursionError("\x1b[31m of the answer")

    complete = judge_source(WRONG.format(UNSCALED))
    monkeypatch.setattr(pipeline, "EXPLAINERS", (pipeline.Explainer(fails, pipeline.Case, Cost.REPLIES),))
    verdict = judge_source(WRONG.format(UNSCALED))
    assert [test.to_record() for test in verdict.tests] == [test.to_record() for test in complete.tests]
    assert verdict.explanation_error.startswith("The grader failed (RecursionError in autograder.judging.")
    assert "\x1b" not in verdict.message


def test_an_answer_that_cannot_be_judged_has_a_verdict_that_says_so(monkeypatch):
    monkeypatch.setattr(judge_module.ExerciseRun, "_judge_attempt", lambda *_: [][0])
    verdict = judge_source(WRONG.format(UNSCALED))
    assert (verdict.outcome, verdict.points, len(verdict.tests) > 1) == ("fault", 0, True)
    assert verdict.message.startswith("The grader failed (IndexError in autograder.judging.judge")


def test_a_worker_that_cannot_start_ends_the_run():
    with pytest.raises(WorkerFailure), ExerciseVerdict("one_query", "softmax", []).isolate_failures(Budget()):
        raise WorkerFailure("the worker did not start")


def test_nested_budgets_count_time_once():
    budget, start = Budget(10), time.thread_time()
    with budget:
        sum(range(10**6))
        with budget:
            sum(range(10**6))
        sum(range(10**6))
    assert 10 - budget.seconds_left == pytest.approx(time.thread_time() - start, rel=0.05, abs=1e-3)


def test_a_deep_sum_next_to_two_stubs_is_judged():
    verdict = judge_source(DEEP)
    assert (verdict.outcome, verdict.explanation_error) == ("raised", "")
    assert "of the stub (answer.py, line 8)" in verdict.message
    assert budget_module.EXPLAINING_SECONDS <= 20
