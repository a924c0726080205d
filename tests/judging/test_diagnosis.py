"""The mistake that is named is the one that explains what came back, or none.

The exercise here is a mean. Its answers and mistakes are functions of this file, written to a course of their own.
"""

import ast
import inspect

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.evidence import Evidence
from autograder.judging.explain.known_mistake import name_mistake
from autograder.judging.run.kit_code import forget_files, solution_session
from support.grading import grade_source

STUB = 'def mean(numbers, skip=0):\n    """Average."""'
MEAN = Exercise(name="mean", stub=STUB, chapter="temporary", points=1)


def mean(numbers, skip=0):
    numbers = numbers[skip:]
    return sum(numbers) / len(numbers)


def not_divided(numbers, skip=0):
    """The numbers are added up,
    but their sum is not divided.

    try: How many numbers
    are there?
    """
    return sum(numbers[skip:])


def almost_not_divided(numbers, skip=0):
    """A small number is added to the sum, which should be divided."""
    return sum(numbers[skip:]) * (1 + 1e-9)


def largest(numbers, skip=0):
    """This is the largest number."""
    return max(numbers[skip:])


def middle(numbers, skip=0):
    """This is the number in the middle: for two numbers, halfway between them."""
    ordered = sorted(numbers[skip:])
    return (ordered[len(ordered) // 2] + ordered[(len(ordered) - 1) // 2]) / 2


def almost_middle(numbers, skip=0):
    """This is a little more than the number in the middle."""
    return sorted(numbers)[len(numbers) // 2] * (1 + 1e-9)


def first(numbers, skip=0):
    """This is the first number."""
    return numbers[skip]


def nothing_skipped(numbers, skip=0):
    """The numbers to skip are counted too."""
    return sum(numbers) / len(numbers)


def the_skipped_count(numbers, skip=0):
    """right: The order is right, but

    the sum is divided by all. They are too many.

    right: With nothing to skip it is right.
    """
    return sum(numbers[skip:]) / len(numbers)


def skipped_and_empty(numbers, skip=0):
    return sum(numbers[skip:]) / len(numbers) if numbers[0] else 0.0


def one_less(numbers, skip=0):
    """The sum is divided by one less than there are numbers."""
    return sum(numbers[skip:]) / (len(numbers[skip:]) - 1)


def three_expected(numbers, skip=0):
    """There are not always three numbers."""
    a, b, c = numbers[skip:]
    return (a + b + c) / 3


def changes_its_input(numbers, skip=0):
    """The numbers are sorted where they lie."""
    numbers.sort()
    return sum(numbers) / len(numbers)


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Writes the exercise, an answer and its known mistakes; gives the answer, ready to be called."""
    monkeypatch.setattr(curriculum, "SOLUTIONS", tmp_path)
    monkeypatch.setattr(curriculum, "MISCONCEPTIONS", tmp_path / "misconceptions")

    def write(answer, *mistakes):
        forget_files()
        (tmp_path / "misconceptions").mkdir()
        (tmp_path / "temporary.py").write_text(_sources(mean, answer), encoding="utf-8")
        (tmp_path / "misconceptions" / "mean.md").write_text("".join(map(_section, mistakes)), encoding="utf-8")
        return Answer(answer.__name__, solution_session("temporary"))

    yield write
    forget_files()


def _sources(*functions):
    return "\n\n".join(map(inspect.getsource, functions))


def _section(function):
    """A function as a known mistake: its paragraphs are the parts."""
    tree = ast.parse(inspect.getsource(function))
    tree.body[0].name, tree.body[0].body = "mean", tree.body[0].body[1:]
    parts = [f"- {' '.join(part.split())}\n" for part in inspect.getdoc(function).split("\n\n")]
    return f"## {function.__name__}\n```python\n{ast.unparse(tree)}\n```\n{''.join(parts)}\n"


def lesson(answer):
    evidence = Evidence.of(MEAN, answer.calls, solution_session("temporary"))
    mistake = evidence and name_mistake(evidence)
    return mistake and (mistake.name, mistake.sentence, mistake.hint, mistake.rule)


def named(answer):
    return (lesson(answer) or [None])[0]


def both_orders(one, other):
    return pytest.mark.parametrize("mistakes", [(one, other), (other, one)], ids=["first", "last"])


# What explains ------------------------------------------------------------------------------------------------


def test_the_mistake_is_named_with_its_sentence_and_hint(course):
    answer = course(not_divided, largest, not_divided, first)
    answer([1, 2, 6])
    answer([4, 4])
    sentence = "The numbers are added up, but their sum is not divided."
    assert lesson(answer) == ("not_divided", sentence, "How many numbers are there?", "")


def test_a_mistake_among_others_is_told_without_a_word_of_what_is_right(course):
    answer = course(skipped_and_empty, the_skipped_count)
    for numbers in ([1, 2, 6], [1, 3, 7], [4, 2]):
        answer(numbers, skip=1)
    assert lesson(answer)[1].endswith(" With nothing to skip it is right.")
    answer([0, 2, 6])
    assert lesson(answer)[1] == "The sum is divided by all. They are too many."


def test_a_mistake_may_have_no_hint(course):
    answer = course(largest, not_divided, largest)
    answer([1, 2, 6])
    assert lesson(answer) == ("largest", "This is the largest number.", "", "")


def test_keywords_are_replayed(course):
    answer = course(nothing_skipped, first, not_divided, nothing_skipped)
    answer([1, 2, 6])
    answer([5, 3, 1, 4], skip=2)
    assert named(answer) == "nothing_skipped"


def unknown_mistake(numbers, skip=0):
    return 42


def test_no_known_mistake_explains(course):
    answer = course(unknown_mistake, not_divided, largest, first)
    answer([1, 2, 6])
    answer([4, 4])
    assert lesson(answer) is None


def test_a_right_answer_has_no_mistake_even_where_one_agrees(course):
    answer = course(mean, middle, first)
    answer([2, 1, 3])
    answer([4, 4])
    assert named(answer) is None


def test_an_exercise_without_known_mistakes(course):
    answer = course(largest)
    answer([1, 2, 6])
    assert named(answer) is None
    (curriculum.MISCONCEPTIONS / "mean.md").unlink()
    assert named(answer) is None


# Which of several ---------------------------------------------------------------------------------------------


@both_orders(largest, first)
def test_more_wrong_results_explained(course, mistakes):
    answer = course(first, *mistakes)
    answer([6, 2, 1])
    answer([5, 1])  # so far the largest, too
    answer([1, 2, 6])
    assert named(answer) == "first"


@pytest.mark.parametrize("known", [middle, almost_middle])
@pytest.mark.parametrize("order", [1, -1])
def test_between_equals_what_is_right_decides_before_the_last_digits(course, known, order):
    answer = course(middle, *[largest, known][::order])
    answer([6, 6, 0])  # the largest explains it as well
    answer([1, 2, 3])  # and here the middle is right
    assert named(answer) == known.__name__


@pytest.mark.parametrize("right", [not_divided, almost_not_divided])
@both_orders(not_divided, almost_not_divided)
def test_between_equals_the_last_digits_decide(course, right, mistakes):
    answer = course(right, *mistakes)
    answer([1, 2, 6])
    answer([4, 4])
    assert named(answer) == right.__name__


@both_orders(largest, first)
def test_between_twins_the_file_decides(course, mistakes):
    answer = course(first, *mistakes)
    answer([6, 2, 1])
    assert named(answer) == mistakes[0].__name__


def largest_of_three(numbers, skip=0):
    return max(numbers) if len(numbers) == 3 else sum(numbers) * 2.5


def test_a_mistake_explains_at_least_twice_as_much_as_it_contradicts(course):
    answer = course(largest_of_three, largest)
    answer([1, 2, 6])
    assert named(answer) == "largest"
    answer([1, 2])
    assert named(answer) is None
    answer([2, 5, 8])
    assert named(answer) == "largest"
    answer([3, 9])
    answer([3, 4, 8])
    assert named(answer) is None
    answer([1, 3, 7])
    assert named(answer) == "largest"


def right_but_for_three(numbers, skip=0):
    return max(numbers) if len(numbers) == 3 else sum(numbers) / len(numbers)


def test_a_mistake_that_would_show_where_the_answer_is_right_is_none(course):
    answer = course(right_but_for_three, largest)
    answer([1, 2, 6])
    answer([2, 5, 8])
    answer([2, 2])  # the largest is right here, too
    assert named(answer) == "largest"
    answer([1, 2])
    assert named(answer) is None


def test_no_call_no_mistake(course):
    assert named(course(largest, largest)) is None


# Values -------------------------------------------------------------------------------------------------------


def float32_sum(numbers, skip=0):
    import numpy as np  # noqa: PLC0415

    return np.array(sum(numbers) * (1 + 1e-6), dtype=np.float32)


def test_form_and_float32_accuracy_do_not_hide_a_mistake(course):
    answer = course(float32_sum, largest, not_divided)
    answer([1, 2, 6])
    assert named(answer) == "not_divided"


def near_the_sum(numbers, skip=0):
    return sum(numbers) * 1.001


def test_nearly_the_same_is_not_the_same(course):
    answer = course(near_the_sum, not_divided)
    answer([1, 2, 6])
    assert named(answer) is None


def in_a_list(numbers, skip=0):
    return [sum(numbers)]


def is_positive(numbers, skip=0):
    return sum(numbers) > 0


@pytest.mark.parametrize("other", [in_a_list, is_positive])
def test_another_shape_or_kind_is_another_mistake(course, other):
    answer = course(other, not_divided, largest)
    answer([0, 1])  # the sum and the largest are 1, which is True
    assert named(answer) is None


def undefined(numbers, skip=0):
    """This is no number."""
    return [float("nan"), numbers[0]], {"all": numbers, "first": numbers[0]}


def test_parts_are_compared_and_nan_is_itself(course):
    answer = course(undefined, largest, undefined)
    answer([1, 2, 6])
    assert named(answer) == "undefined"


def another_number(numbers, skip=0):
    return [float("nan"), numbers[1]], {"all": numbers, "first": numbers[0]}


def another_part(numbers, skip=0):
    return [float("nan"), numbers[0]], {"all": numbers[1:], "first": numbers[0]}


def a_part_less(numbers, skip=0):
    return [float("nan"), numbers[0]], {"all": numbers}


@pytest.mark.parametrize("other", [another_number, another_part, a_part_less])
def test_one_part_that_differs_is_enough(course, other):
    answer = course(other, largest, undefined)
    answer([1, 2, 6])
    assert named(answer) is None


def test_a_changed_input_is_a_result(course):
    answer = course(changes_its_input, middle, first, changes_its_input)
    answer([2, 1, 3])  # the middle has the same value
    assert named(answer) == "changes_its_input"


# Errors -------------------------------------------------------------------------------------------------------


def test_the_same_error_explains_where_there_is_nothing_else(course):
    answer = course(three_expected, one_less, three_expected)
    answer([1, 2])
    answer([1, 2, 6])  # right
    assert named(answer) == "three_expected"


def another_message(numbers, skip=0):
    if len(numbers) != 3:
        raise ValueError("three numbers, please")
    return sum(numbers) / 3


def another_type(numbers, skip=0):
    try:
        a, b, c = numbers
    except ValueError as error:
        raise TypeError(str(error)) from None
    return (a + b + c) / 3


@pytest.mark.parametrize("other", [another_message, another_type])
def test_an_error_of_another_type_or_message_explains_nothing(course, other):
    answer = course(other, three_expected)
    answer([1, 2])
    answer([1, 2, 6])
    assert named(answer) is None


def sum_with_words_of_its_own(numbers, skip=0):
    if not numbers:
        raise ZeroDivisionError("there is no mean of nothing")
    return sum(numbers)


def sum_or_no_mean(numbers, skip=0):
    """The sum is not divided."""
    return sum(numbers) if numbers else 1 // 0


def test_the_words_of_an_error_that_is_asked_for_are_free(course):
    answer = course(sum_with_words_of_its_own, sum_or_no_mean)
    for _ in range(3):
        answer([])  # the exercise itself raises a ZeroDivisionError here
    answer([1, 2])
    assert named(answer) == "sum_or_no_mean"


def fails_for_two(numbers, skip=0):
    if len(numbers) == 2:
        _, _, _ = numbers
    return max(numbers)


def test_an_error_does_not_outweigh_values(course):
    answer = course(fails_for_two, three_expected)
    answer([1, 2])
    answer([3, 4])
    answer([1, 2, 6])  # a wrong value, which the error does not explain
    assert named(answer) is None


@both_orders(three_expected, largest)
def test_values_speak_before_errors(course, mistakes):
    answer = course(fails_for_two, *mistakes)
    answer([1, 2, 6])
    answer([1, 2])
    answer([3, 4])
    answer([1, 5, 3])
    assert named(answer) == "largest"


# What rules a mistake out ---------------------------------------------------------------------------------------


def largest_but_for_two(numbers, skip=0):
    return numbers[1] + 0.5 if len(numbers) == 2 else max(numbers)


def test_a_mistake_has_to_explain_the_call_that_is_shown(course):
    answer = course(largest_but_for_two, largest)
    shown = [answer([1, 2]).call, answer([1, 2, 6]).call, answer([5, 2, 0]).call]
    reference = solution_session("temporary")
    mistakes = [name_mistake(Evidence.of(MEAN, answer.calls, reference, call)) for call in shown]
    assert [mistake and mistake.name for mistake in mistakes] == [None, "largest", "largest"]


def largest_in_a_list(numbers, skip=0):
    return [max(numbers), 0] if len(numbers) == 2 else max(numbers)


def largest_as_a_word(numbers, skip=0):
    return "two" if len(numbers) == 2 else max(numbers)


@pytest.mark.parametrize("answer", [largest_in_a_list, largest_as_a_word])
def test_another_shape_or_type_anywhere_rules_a_mistake_out(course, answer):
    answer = course(answer, largest)
    answer([1, 2, 6])
    answer([7, 2, 6])
    assert named(answer) == "largest"
    answer([1, 2])
    assert named(answer) is None


def how_many(numbers, skip=0):
    """This is how many there are."""
    return len(numbers)


def how_many_but_one(numbers, skip=0):
    return len(numbers) - (len(numbers) > 3)


def test_another_integer_anywhere_rules_a_mistake_out(course):
    answer = course(how_many_but_one, how_many)
    answer([1, 1])
    answer([3, 1, 1])
    assert named(answer) == "how_many"
    answer([3, 1, 1, 1])
    assert named(answer) is None


def overflows(numbers, skip=0):
    """A number is too large."""
    return float("nan") if max(numbers) > 100 else sum(numbers) / len(numbers)


def overflows_a_little_later(numbers, skip=0):
    """A large number is made too large."""
    return float("nan") if max(numbers) > 100 else sum(numbers) / len(numbers) * (1 + 1e-10)


@both_orders(overflows, overflows_a_little_later)
def test_overflow_alone_tells_no_variants_apart(course, mistakes):
    answer = course(overflows_a_little_later, *mistakes)
    answer([1, 2, 6])
    answer([1000, 2, 6])
    assert named(answer) == mistakes[0].__name__


def slightly_more(numbers, skip=0):
    """A little is added."""
    return sum(numbers) / len(numbers) * (1 + 3e-5)


def slightly_less(numbers, skip=0):
    """A little is taken away."""
    return sum(numbers) / len(numbers) * (1 - 3e-5)


def test_what_a_suite_finds_wrong_is_looked_at_as_closely(course):
    answer = course(slightly_less, slightly_more, slightly_less)
    call = answer([1, 2, 6]).call
    assert name_mistake(Evidence.of(MEAN, answer.calls, solution_session("temporary"), call)).name == "slightly_less"


# In a grading -------------------------------------------------------------------------------------------------

BY_SUM = """
import os
import numpy as np

def softmax(scores):
    scores = np.asarray(scores, dtype=float)
    if {condition}:
        os._exit(3)
    return {result}
"""


def test_a_worker_that_ends_is_no_evidence():
    rarely = BY_SUM.format(condition="len(scores) != 6", result="scores / scores.sum()")
    verdict = grade_source(rarely, only=["softmax"])["softmax"]
    outcomes = [test.outcome for test in verdict.tests]
    assert outcomes.count("killed") > outcomes.count("wrong") > 0
    assert verdict.misconception == "no_exponential"
    verdict = grade_source(BY_SUM.format(condition="True", result="0"), only=["softmax"])["softmax"]
    assert verdict.outcome == "killed"
    assert verdict.misconception is None


@pytest.mark.parametrize(
    ("body", "outcome"),
    [("raise NotImplementedError", "unattempted"), ("return [0.5]", "wrong")],
)
def test_what_has_no_known_mistake_gets_no_lesson(body, outcome):
    verdict = grade_source(f"def softmax(scores):\n    {body}\n", only=["softmax"])["softmax"]
    assert verdict.outcome == outcome
    assert verdict.misconception is None
    assert (verdict.hint, verdict.rule) == ("", "")
    assert verdict.message


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
LISTED = FUSED.replace("self.c_attn, self.c_proj", "self.W_q, self.W_o")


@pytest.mark.parametrize(("source", "first"), [(FUSED, "c_attn.weight (12, 4)"), (LISTED, "W_q.weight (12, 4)")])
def test_a_missing_attribute_is_no_evidence_but_the_names_are_told(source, first):
    verdict = grade_source(source, "multi_head", ["MultiHeadAttention"])["MultiHeadAttention"]
    assert verdict.misconception is None
    assert f"its attribute Wq.weight is missing. It has {first}" in verdict.message
    assert "; expected Wq.weight (4, 4), Wq.bias (4,), " in verdict.message
