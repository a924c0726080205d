"""The line of a mistake is only reported if a small edit of it makes the whole suite pass."""

import time
from dataclasses import replace

import pytest

from autograder.boundary.reader import examine_notebook
from autograder.chapters.answers import Task, parse_notebook, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.budget import Budget
from autograder.judging.grader import Grader
from autograder.judging.verdict.finding import Explanation, Kind
from autograder.views.card import to_card
from autograder.views.words import find_place, sentences_of
from support.grading import EXERCISES, SECRET, edit_solutions, write_answer

NUMPY = "import numpy as np\n\n\n"
TORCH = "import math\nimport torch\nfrom torch import nn\n\n\n"
SECONDS = 30.0  # This is enough on a busy machine, too.

SOFTMAX = """def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.{sum}()
"""
INDENTED = """def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    total = 0
    for a, b in zip(dec_hidden_state, enc_hidden_state):
        total += a * b
        return total
"""
IN_A_HELPER = """def hide(scores, mask):
    return scores.masked_fill(mask == 1, -1e30)


class DotProductAttention(nn.Module):
    def forward(self, queries, keys, values, mask=None):
        scores = queries @ keys.transpose(-1, -2) / math.sqrt(queries.shape[-1])
        if mask is not None:
            scores = hide(scores, mask)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask, 0)
        return weights @ values, weights
"""
# Exercise -> (answer, part of the wrong line or None if none is found, what to look at in this line).
WRONG = {
    "softmax": (NUMPY + SOFTMAX.format(sum="mean"), ".mean()", "which function it calls"),
    "single_dot_attention_score": (NUMPY + INDENTED, "        return", "its indentation"),
    "causal_mask": (write_answer("causal_mask", "return np.random.rand(n, n) < 0.5"), None, ""),
    "scaled_dot_product_attention": (
        edit_solutions({"scaled_dot_product_attention": {"np.shape(key)[-1]": "np.shape(key)[0]"}}),
        "np.shape(key)[0]",
        "a number in it",
    ),
    "merge_heads": (
        edit_solutions({"merge_heads": {"x.transpose(-3, -2)": "x.transpose(-2, -1)"}}),
        "return x.transpose(-2, -1)",
        "which axes are swapped",
    ),
    "DotProductAttention": (TORCH + IN_A_HELPER, "mask == 1", "its comparison"),
}


def judge_answer(name, answer):
    chapter = read_chapter(EXERCISES[name].chapter)
    task, grader = Task(answer, chapter, (chapter.get_exercise(name),)), Grader.for_chapter(chapter.name, SECRET)
    (verdict,) = grader.grade(task)
    return grader, task, verdict


def locate_mistake(name, answer, seconds=SECONDS):
    grader, task, verdict = judge_answer(name, answer)
    verdict.explanation = None  # The search must run even if the mistake has a name.
    grader.locate_mistake(task, verdict, Budget(seconds))
    return verdict


@pytest.mark.parametrize("name", WRONG)
def test_the_mistaken_line_is_found_or_not_mentioned(name):
    source, mistake, what = WRONG[name]
    verdict = locate_mistake(name, parse_script("answer.py", source))
    assert verdict.outcome in ("wrong", "raised")
    if mistake is None:
        assert (verdict.change, verdict.to_record()["line"]) == (None, None)
        return
    (line,) = (number for number, text in enumerate(source.splitlines(), start=1) if mistake in text)
    assert (verdict.to_record()["line"], verdict.change.what) == (line, what)
    assert verdict.to_record()["explained"] is True
    assert f"One small change in line {line} makes every test pass. {name}" in verdict.message
    assert find_place(verdict) == ("answer.py", line)
    assert f"One small change in line {line} makes every test pass." in sentences_of(verdict)
    assert what not in verdict.message  # The part to look at is shown only on request.
    assert f"In line {line}, look at {what}." in to_card(verdict)


def test_lines_that_an_edit_adds_are_shown_where_it_adds_them():
    source = "def normalize_by_sum(scores):\n    return scores / scores.sum()\n"
    change = locate_mistake("normalize_by_sum", parse_script("answer.py", NUMPY + source)).change
    assert change.was == "    return scores / scores.sum()"
    assert change.becomes == f"    scores = np.asarray(scores)\n{change.was}"


def test_in_a_notebook_it_is_a_line_of_a_cell():
    sources = ["import numpy as np", "# a note\n" + SOFTMAX.format(sum="mean")]
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    answer = parse_notebook("mine.ipynb", {"nbformat": 4, "cells": cells})
    verdict = locate_mistake("softmax", answer)
    assert "One small change in line 5 of cell 2 makes every test pass. softmax(" in verdict.message
    assert find_place(verdict) == ("cell 2", 5)


def test_a_submission_is_never_parsed_for_its_line(monkeypatch):
    chapter = read_chapter("one_query")
    cells = parse_script("answer.py", NUMPY + SOFTMAX.format(sum="mean")).cells
    answer = examine_notebook("answer.ipynb", cells, chapter)
    monkeypatch.setattr("autograder.judging.explain.line.find_edits_of_answer", None)
    verdict = locate_mistake("softmax", answer)
    assert find_place(verdict) is None and not verdict.explanation_error


def test_an_edit_that_uses_a_banned_function_is_not_reported():
    source = """def dot_attention(inp, wq, wk, wv):
    q, k, v = inp @ wq, inp @ wk, inp @ wv
    weights = torch.log_softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)
    return weights @ v, weights
"""
    answer = parse_script("answer.py", TORCH + source)
    grader, task, verdict = judge_answer("dot_attention", answer)
    verdict.explanation = None
    banned = replace(verdict)
    assert grader.locate_mistake(task, verdict, Budget(SECONDS))
    assert verdict.change.line == 8
    banning = tuple(replace(each, bans=("softmax",)) for each in task.chapter.exercises)
    task = replace(task, chapter=replace(task.chapter, exercises=banning))
    assert not grader.locate_mistake(task, banned, Budget(SECONDS))


def test_several_distant_edits_are_not_reported():
    far = "\n".join(f"    unused_{number} = {number}" for number in range(8))
    source = f"""def normalize_by_sum(scores):
    scores = np.asarray(scores, dtype=float)
    total = scores.sum() + 1
{far}
    return scores / (total - 0)
"""
    answer = parse_script("answer.py", NUMPY + source)
    assert locate_mistake("normalize_by_sum", answer).change is None
    near = parse_script("answer.py", NUMPY + source.replace(far, "    unused = 1"))
    assert locate_mistake("normalize_by_sum", near).change.where == "lines 6 to 8"


def test_an_edit_that_ends_the_process_costs_the_others_nothing():
    source = """import os


def normalize_by_sum(scores):
    if len(scores) > 10**6:
        os._exit(1)
    scores = np.asarray(scores, dtype=float)
    return scores / scores.max()
"""
    change = locate_mistake("normalize_by_sum", parse_script("answer.py", NUMPY + source)).change
    assert (change.where, change.what) == ("line 11", "which function it calls")


@pytest.mark.parametrize(
    "loop",
    [
        "while len(scores) != 0: pass",
        "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
    ],
    ids=["endless", "catches everything"],
)
def test_hanging_edits_end_at_the_time_limit(loop):
    source = f"""def normalize_by_sum(scores):
    if len(scores) > 10**6:
        {loop.replace(chr(10), chr(10) + "    ")}
    scores = np.asarray(scores, dtype=float)
    return scores / scores.max()
"""
    grader, task, verdict = judge_answer("normalize_by_sum", parse_script("answer.py", NUMPY + source))
    verdict.explanation = None
    points, start = verdict.points, time.monotonic()
    grader.locate_mistake(task, verdict, Budget(0.6))
    assert time.monotonic() - start < 10  # Without a limit, a dozen edits take five seconds each.
    assert verdict.points == points


@pytest.mark.parametrize(
    ("source", "explanation", "seconds"),
    [
        (SOFTMAX.format(sum="sum"), None, SECONDS),
        (SOFTMAX.format(sum="mean"), Explanation(Kind.MISTAKE, "It overflows.", name="no_maximum_subtracted"), SECONDS),
        (
            SOFTMAX.format(sum="mean"),
            Explanation(Kind.DEPENDENCY, "It is correct except for attend.", dependencies=("attend",)),
            SECONDS,
        ),
        (SOFTMAX.format(sum="mean"), None, 0),
    ],
    ids=["right", "named", "carried", "no time"],
)
def test_an_explained_answer_is_not_searched(source, explanation, seconds, monkeypatch):
    monkeypatch.setattr("autograder.judging.explain.line._EditSearch", None)  # A search would fail.
    grader, task, verdict = judge_answer("softmax", parse_script("answer.py", NUMPY + source))
    verdict.explanation = explanation
    assert not grader.locate_mistake(task, verdict, Budget(seconds))
    assert (verdict.explanation, verdict.explanation_error) == (explanation, "")


def test_the_time_limit_holds_for_all_edits_together():
    grader, task, verdict = judge_answer("softmax", parse_script("answer.py", NUMPY + SOFTMAX.format(sum="mean")))
    verdict.explanation, budget = None, Budget(SECONDS)
    assert grader.locate_mistake(task, replace(verdict), budget)
    assert budget.seconds_left < SECONDS - 0.01
    budget = Budget(0.001)
    while budget.seconds_left > 0:
        grader.locate_mistake(task, replace(verdict), budget)
    assert not grader.locate_mistake(task, verdict, budget)
