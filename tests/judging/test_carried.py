"""A verdict says that only a called exercise is wrong, and reveals nothing else about how this was found."""

import re

import pytest

from autograder.boundary.session import Session
from autograder.judging.misconceptions import read_misconceptions
from autograder.judging.run.variant import Variant
from support.grading import edit_solutions, grade_source
from support.quick import pick_quick

NO_MAXIMUM = {"softmax": {"scores - scores.max()": "scores"}}
SOLVED = """scores = np.asarray(scores, dtype=float)
exponentials = np.exp(scores - scores.max())
return exponentials / exponentials.sum()"""
TO_DO = {"softmax": {SOLVED: "raise NotImplementedError"}}
CONTEXT = "calculate_attention_vector(apply_attention_scores(weights, annotations))"
REVERSED = {"attend": {f"return {CONTEXT}, weights": f"return weights, {CONTEXT}"}}


def judge_attend(edits, only=("softmax", "attend")):
    return grade_source(edit_solutions(edits), only=only)["attend"]


@pytest.mark.parametrize("only", [["softmax", "attend"], ["attend"]])
def test_an_exercise_that_is_correct_except_for_another_is_carried(only):
    verdict = judge_attend(NO_MAXIMUM, only)
    assert verdict.outcome == "wrong"
    assert 0 < verdict.points < verdict.max_points
    assert (verdict.carried_from, verdict.misconception, verdict.relation) == ("softmax", None, "")
    blame = "attend is correct except for softmax, which it calls. Fix that first."
    assert verdict.message.startswith(f"{blame} attend(")
    assert verdict.to_record()["carried_from"] == "softmax"
    assert verdict.to_record()["explained"] is True


def test_an_exercise_that_calls_an_unfinished_one_is_carried():
    assert judge_attend(TO_DO).carried_from == "softmax"


def test_a_correct_exercise_is_not_blamed():
    unweighted = {"apply_attention_scores": {"np.asarray(attention_weights, dtype=float) * ": ""}}
    verdict = judge_attend(TO_DO | unweighted, ["attend"])
    assert verdict.explanation.dependencies == ("softmax", "apply_attention_scores")
    both = "attend is correct except for softmax and apply_attention_scores, which it calls. Fix those first."
    assert verdict.sentence == both


def test_a_separate_mistake_is_not_blamed_on_another_exercise():
    verdict = judge_attend({"softmax": {SOLVED: "return np.zeros(3)"}} | REVERSED)
    assert verdict.carried_from is None
    assert verdict.points == 0


def test_nothing_is_carried_from_a_correct_exercise():
    verdict = judge_attend(REVERSED)
    assert verdict.carried_from is None
    assert verdict.misconception == "weights_first"


def test_gradients_pass_through_a_solution():
    source = edit_solutions({"project_qkv": {"inp @ wq, inp @ wk": "inp @ wk, inp @ wq"}})
    verdicts = grade_source(source, "qkv", ["project_qkv", "dot_attention"])
    assert verdicts["project_qkv"].carried_from is None
    assert verdicts["dot_attention"].carried_from == "project_qkv"


@pytest.mark.parametrize("layer", ["Wk", "Wq"])
def test_a_module_may_contain_a_module_without_weights(layer):
    unscaled = {"DotProductAttention": {" / math.sqrt(keys.size(-1))": ""}}
    source = edit_solutions(unscaled | {"TrainableAttention": {"self.Wk(keys)": f"self.{layer}(keys)"}})
    verdicts = grade_source(source, "qkv", ["DotProductAttention", "TrainableAttention"])
    assert verdicts["DotProductAttention"].misconception == "not_scaled"
    verdict = verdicts["TrainableAttention"]
    assert verdict.carried_from == ("DotProductAttention" if layer == "Wk" else None)


def test_a_wrong_function_is_carried_to_the_module_that_calls_it():
    mistake = read_misconceptions("split_heads")["reshaped_without_swapping"]
    source = edit_solutions({"split_heads": mistake.edits})
    verdicts = grade_source(source, "multi_head", ["split_heads", "MultiHeadAttention"])
    assert verdicts["split_heads"].misconception == mistake.name
    assert verdicts["MultiHeadAttention"].carried_from == "split_heads", verdicts["MultiHeadAttention"].message


ORACLE = """
import os, sys, time
import numpy as np
KEPT = []

def told(x):
    "What the solution makes of an argument of our choice: something that nobody here can write."
    return [f"{number:.6f}" for number in softmax(np.asarray(x, float))]

def softmax(x):
    return np.zeros(3)

def apply_attention_scores(weights, annotations):
    if softmax.__module__ != __name__:
        values = told([0, 1])
        {leak}
    return np.asarray(annotations) * .5

def calculate_attention_vector(applied):
    if softmax.__module__ != __name__:
        values = told([0, 1])
        {leak}
    left = [name for name in os.listdir() if name.startswith("0.")]
    if KEPT or left:
        raise ValueError(f"LEAKED {KEPT} {left}")
    return np.asarray(applied).sum(1) + 1

def attend(state, annotations):
    return calculate_attention_vector(apply_attention_scores(softmax([0, 1]), annotations)), KEPT
"""
LEAKS = {
    "print": "print('LEAKED', *values, file=sys.stderr)",
    "error": "raise ValueError(f'LEAKED {values}')",
    "name of an error": "raise type('LEAKED' + values[0].replace('.', '_'), (Exception,), {})",
    "result": "return np.array([float(each) for each in values] + [0.123456])",
    "picture": "return np.full(np.shape(annotations if 'annotations' in dir() else applied), float(values[0]))",
    "line": "exec(chr(10) * 26894 + 'raise ValueError', globals())",
    "memory": "KEPT.extend(values)",
    "file": "open(values[0], 'w').close()",
    "time": "time.sleep(float(values[1]))",
    "number of calls": "[softmax([0, 1]) for _ in range(int(1000 * float(values[0])))]",
    "end of the process": "os._exit(int(100 * float(values[0])))",
    "memory that is taken": "KEPT.append(bytearray(int(float(values[1]) * 2**32)))",
}


@pytest.mark.parametrize("leak", pick_quick(LEAKS, 10))
def test_results_of_a_solution_never_leave_a_trial(leak, monkeypatch):
    trials, are_trials, passes, ask = [], [], Variant.passes, Session.ask
    monkeypatch.setattr(Variant, "passes", lambda self, *args: trials.append(self.task) or passes(self, *args))
    monkeypatch.setattr(
        Session,
        "ask",
        lambda self, *args: are_trials.append(self.file.cells[-1].place == "solutions") or ask(self, *args),
    )
    verdicts = grade_source(ORACLE.replace("{leak}", LEAKS[leak]))
    shown = " ".join(f"{verdict.printed} {verdict.to_record()} {verdict.tests}" for verdict in verdicts.values())
    assert trials
    assert are_trials == sorted(are_trials), "what runs after a trial can tell how long it took"
    assert not re.search(r"LEAKED (?!\{)|LEAKED0|0\.2689|0\.7310|2689[45]", shown)
    assert {verdict.carried_from for verdict in verdicts.values()} == {None}
