"""A verdict names the known mistake that best explains the results, or none.

The exercise here is a mean. Its answers and mistakes are rows of this file, written to a course of their own.
"""

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.evidence import Evidence
from autograder.judging.explain.known_mistake import find_known_mistake
from autograder.judging.run.kit_code import close_kit_workers, open_solution_session
from support.grading import verdict_on

MEAN = Exercise(name="mean", stub='def mean(numbers, skip=0):\n    """Average."""', chapter="temporary", points=1)
SUM, MAX, AVERAGE = "sum(numbers[skip:])", "max(numbers[skip:])", "sum(numbers) / len(numbers)"
OVERFLOWS = f"float('nan') if max(numbers) > 100 else {AVERAGE}"
PARTS = "[float('nan'), {}], {{'all': {}, 'first': numbers[0]}}"

# Mistake -> its expression or lines of code, and the other parts of its section in the file.
MISTAKES = {
    "not_divided": (SUM, "The numbers are added up, but their sum is not divided.", "try: How many numbers are there?"),
    "almost_not_divided": (f"{SUM} * (1 + 1e-9)", "A small number is added to the sum, which should be divided."),
    "largest": (MAX, "This is the largest number."),
    "middle": (
        "    ordered = sorted(numbers[skip:])\n"
        "    return (ordered[len(ordered) // 2] + ordered[(len(ordered) - 1) // 2]) / 2",
        "This is the number in the middle: for two numbers, halfway between them.",
    ),
    "almost_middle": (
        "sorted(numbers)[len(numbers) // 2] * (1 + 1e-9)",
        "This is a little more than the number in the middle.",
    ),
    "first": ("numbers[skip]", "This is the first number."),
    "nothing_skipped": (AVERAGE, "The numbers to skip are counted too."),
    "the_skipped_count": (
        f"{SUM} / len(numbers)",
        "right: The order is right, but",
        "the sum is divided by all. They are too many.",
        "right: With nothing to skip it is right.",
    ),
    "one_less": (f"{SUM} / (len(numbers[skip:]) - 1)", "The sum is divided by one less than there are numbers."),
    "three_expected": (
        "    a, b, c = numbers[skip:]\n    return (a + b + c) / 3",
        "There are not always three numbers.",
    ),
    "changes_its_input": (f"    numbers.sort()\n    return {AVERAGE}", "The numbers are sorted where they lie."),
    "undefined": (PARTS.format("numbers[0]", "numbers"), "This is no number."),
    "sum_or_no_mean": ("sum(numbers) if numbers else 1 // 0", "The sum is not divided."),
    "how_many": ("len(numbers)", "This is how many there are."),
    "overflows": (OVERFLOWS, "A number is too large."),
    "overflows_a_little_later": (f"{OVERFLOWS} * (1 + 1e-10)", "A large number is made too large."),
    "slightly_more": (f"{AVERAGE} * (1 + 3e-5)", "A little is added."),
    "slightly_less": (f"{AVERAGE} * (1 - 3e-5)", "A little is taken away."),
}
OTHER_ERROR = """\
    try:
        a, b, c = numbers
    except ValueError as error:
        raise TypeError(str(error)) from None
    return (a + b + c) / 3"""
FAILS_FOR_TWO = """\
    if len(numbers) == 2:
        _, _, _ = numbers
    return max(numbers)"""
OWN_WORDS = """\
    if not numbers:
        raise ZeroDivisionError("there is no mean of nothing")
    return sum(numbers)"""
FIRST = object()  # This expects the mistake that is first in the file, because the calls do not distinguish them.
# Title -> (answer, known mistakes), and steps: a list is a call, a tuple is a call with `skip`, and everything else is
# the mistake that must be named after the calls so far. Each story is true for both orders of the mistakes.
STORIES = {
    "keywords are replayed": (
        ("nothing_skipped", ("first", "not_divided", "nothing_skipped")),
        ([1, 2, 6], ([5, 3, 1, 4], 2), "nothing_skipped"),
    ),
    "none explains it": (("42", ("not_divided", "largest", "first")), ([1, 2, 6], [4, 4], None)),
    "a right answer, also where one agrees": (("mean", ("middle", "first")), ([2, 1, 3], [4, 4], None)),
    "no mistake is known": (("largest", ()), ([1, 2, 6], None)),
    "no call": (("largest", ("largest",)), (None,)),
    # Several mistakes explain the results.
    "more wrong results explained": (
        ("first", ("largest", "first")),
        ([6, 2, 1], [5, 1], FIRST, [1, 2, 6], "first"),
    ),
    "between equals what is right decides": (
        ("middle", ("largest", "middle")),
        ([6, 6, 0], FIRST, [1, 2, 3], "middle"),
    ),
    "it does so before the last digits": (
        ("middle", ("largest", "almost_middle")),
        ([6, 6, 0], [1, 2, 3], "almost_middle"),
    ),
    "between equals the last digits decide": (
        ("not_divided", ("not_divided", "almost_not_divided")),
        ([1, 2, 6], [4, 4], "not_divided"),
    ),
    "it explains at least twice as much as it contradicts": (
        (f"{MAX} if len(numbers) == 3 else {SUM} * 2.5", ("largest",)),
        ([1, 2, 6], "largest", [1, 2], None, [2, 5, 8], "largest", [3, 9], [3, 4, 8], None, [1, 3, 7], "largest"),
    ),
    "it would show where the answer is right": (
        (f"{MAX} if len(numbers) == 3 else {AVERAGE}", ("largest",)),
        ([1, 2, 6], [2, 5, 8], [2, 2], "largest", [1, 2], None),  # For [2, 2], the largest number is the mean.
    ),
    # Values are compared.
    "form and the accuracy of float32 hide nothing": (
        (
            "    import numpy as np\n    return np.array(sum(numbers) * (1 + 1e-6), dtype=np.float32)",
            ("largest", "not_divided"),
        ),
        ([1, 2, 6], "not_divided"),
    ),
    "nearly the same is not the same": ((f"{SUM} * 1.001", ("not_divided",)), ([1, 2, 6], None)),
    "parts are compared, and NaN is itself": (("undefined", ("largest", "undefined")), ([1, 2, 6], "undefined")),
    "a changed input is a result": (  # The middle number equals the mean.
        ("changes_its_input", ("middle", "first", "changes_its_input")),
        ([2, 1, 3], "changes_its_input"),
    ),
    # Errors are compared.
    "the same error, where there is nothing else": (
        ("three_expected", ("one_less", "three_expected")),
        ([1, 2], [1, 2, 6], "three_expected"),
    ),
    "an error with another message": (
        (
            "    if len(numbers) != 3:\n        raise ValueError('three numbers, please')\n    return sum(numbers) / 3",
            ("three_expected",),
        ),
        ([1, 2], [1, 2, 6], None),
    ),
    "an error of another type": ((OTHER_ERROR, ("three_expected",)), ([1, 2], [1, 2, 6], None)),
    "the words of an error that the exercise asks for are free": (
        (OWN_WORDS, ("sum_or_no_mean",)),
        ([], [], [], [1, 2], "sum_or_no_mean"),
    ),
    "an error does not outweigh a value": ((FAILS_FOR_TWO, ("three_expected",)), ([1, 2], [3, 4], [1, 2, 6], None)),
    "values speak before errors": (
        (FAILS_FOR_TWO, ("three_expected", "largest")),
        ([1, 2, 6], [1, 2], [3, 4], [1, 5, 3], "largest"),
    ),
    # Another shape, type or integer rules out a mistake, but overflow does not.
    "another shape anywhere": (
        (f"[{MAX}, 0] if len(numbers) == 2 else {MAX}", ("largest",)),
        ([1, 2, 6], [7, 2, 6], "largest", [1, 2], None),
    ),
    "another integer anywhere": (
        ("len(numbers) - (len(numbers) > 3)", ("how_many",)),
        ([1, 1], [3, 1, 1], "how_many", [3, 1, 1, 1], None),
    ),
    "overflow alone tells no variants apart": (
        ("overflows_a_little_later", ("overflows", "overflows_a_little_later")),
        ([1, 2, 6], [1000, 2, 6], FIRST),
    ),
}


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Write the exercise, an answer and its known mistakes. Return the answer, which can be called."""
    monkeypatch.setattr(curriculum, "SOLUTIONS", tmp_path)
    monkeypatch.setattr(curriculum, "MISCONCEPTIONS", tmp_path / "misconceptions")

    def write(answer, *mistakes):
        close_kit_workers()
        (tmp_path / "misconceptions").mkdir()
        right = _function("mean", f"{SUM} / len(numbers[skip:])")
        answer = _function("answer", "mean(numbers, skip)" if answer == "mean" else MISTAKES.get(answer, [answer])[0])
        (tmp_path / "temporary.py").write_text(f"{right}\n\n{answer}", encoding="utf-8")
        (tmp_path / "misconceptions" / "mean.md").write_text("".join(map(_section, mistakes)), encoding="utf-8")
        return Answer("answer", open_solution_session("temporary"))

    yield write
    close_kit_workers()


def _function(name, code):
    body = code if code.startswith("    ") else f"    return {code}"
    return f"def {name}(numbers, skip=0):\n{body}\n"


def _section(name):
    code, *parts = MISTAKES[name]
    return f"## {name}\n```python\n{_function('mean', code)}```\n" + "".join(f"- {part}\n" for part in parts) + "\n"


def lesson(answer):
    evidence = Evidence.collect(MEAN, answer.calls, open_solution_session("temporary"))
    mistake = evidence and find_known_mistake(evidence)
    return mistake and (mistake.name, mistake.sentence, mistake.hint, mistake.rule)


@pytest.mark.parametrize("order", [1, -1], ids=["forwards", "backwards"])
@pytest.mark.parametrize("title", STORIES)
def test_the_best_explanation_is_named(course, title, order):
    (source, mistakes), steps = STORIES[title]
    mistakes = mistakes[::order]
    answer = course(source, *mistakes)
    for step in steps:
        if isinstance(step, list):
            answer(step)
        elif isinstance(step, tuple):
            answer(step[0], skip=step[1])
        else:
            assert (lesson(answer) or [None])[0] == (mistakes[0] if step is FIRST else step)


# Sentences and hints ------------------------------------------------------------------------------------------


def test_the_mistake_is_named_with_its_sentence_and_hint(course):
    answer = course("not_divided", "largest", "not_divided", "first")
    answer([1, 2, 6])
    answer([4, 4])
    sentence = "The numbers are added up, but their sum is not divided."
    assert lesson(answer) == ("not_divided", sentence, "How many numbers are there?", "")


def test_a_mistake_among_others_does_not_claim_correct_results(course):
    answer = course(f"{SUM} / len(numbers) if numbers[0] else 0.0", "the_skipped_count")
    for numbers in ([1, 2, 6], [1, 3, 7], [4, 2]):
        answer(numbers, skip=1)
    assert lesson(answer)[1].endswith(" With nothing to skip it is right.")
    answer([0, 2, 6])
    assert lesson(answer)[1] == "The sum is divided by all. They are too many."


def test_an_exercise_needs_no_file_of_mistakes(course):
    answer = course("largest")
    answer([1, 2, 6])
    (curriculum.MISCONCEPTIONS / "mean.md").unlink()
    assert lesson(answer) is None


def test_a_mistake_has_to_explain_the_call_that_is_shown(course):
    answer = course(f"numbers[1] + 0.5 if len(numbers) == 2 else {MAX}", "largest")
    shown = [answer([1, 2]).call, answer([1, 2, 6]).call, answer([5, 2, 0]).call]
    reference = open_solution_session("temporary")
    mistakes = [find_known_mistake(Evidence.collect(MEAN, answer.calls, reference, call)) for call in shown]
    assert [mistake and mistake.name for mistake in mistakes] == [None, "largest", "largest"]


def test_findings_of_a_suite_are_compared_as_closely(course):
    answer = course("slightly_less", "slightly_more", "slightly_less")
    call = answer([1, 2, 6]).call
    evidence = Evidence.collect(MEAN, answer.calls, open_solution_session("temporary"), call)
    assert find_known_mistake(evidence).name == "slightly_less"


# During grading -----------------------------------------------------------------------------------------------

BY_SUM = """
import os
import numpy as np

def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    if {condition}:
        os._exit(3)
    return {result}
"""


def test_an_ended_worker_is_not_evidence():
    rarely = BY_SUM.format(condition="len(scores) != 6", result="scores / scores.sum()")
    verdict = verdict_on(rarely, "softmax")
    outcomes = [test.outcome for test in verdict.tests]
    assert outcomes.count("killed") > outcomes.count("wrong") > 0
    assert verdict.misconception == "no_exponential"
    verdict = verdict_on(BY_SUM.format(condition="True", result="0"), "softmax")
    assert verdict.outcome == "killed"
    assert verdict.misconception is None


FUSED = """
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)

    def forward(self, queries, keys, values, mask=None):
        return self.c_proj(self.c_attn(queries)[..., : queries.shape[-1]]), torch.zeros(1)
"""


def test_a_missing_attribute_is_not_evidence_but_is_named():
    verdict = verdict_on(FUSED, "MultiHeadAttention")
    assert verdict.misconception is None
    assert "was created without Wq.weight (4, 4), Wq.bias (4,), " in verdict.message
    assert ". Its other parameters: c_attn.weight (12, 4)" in verdict.message
