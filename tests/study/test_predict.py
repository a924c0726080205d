"""Every prediction question has an answer that the code returns, and replies to wrong predictions."""

import datetime
import json
import re
import subprocess
import sys

import pytest

from autograder.boundary.channel import close_zygotes
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import ChapterError, UnknownName
from autograder.chapters.stubs import get_stub_path
from autograder.questions import compute, computed
from autograder.questions.question import Question
from autograder.study import predict
from autograder.study.debug import BuggyFile
from autograder.study.progress import Progress

FIRST_SIX = ("one_query", "all_queries", "embeddings", "qkv", "additive", "multi_head")


@pytest.mark.parametrize("name", [*computed.list_quizzed_chapters(), *curriculum.UNITS])
def test_questions_are_computed_apart_and_explained(name):
    questions = computed.questions_on(name)
    assert len(questions) == 3 if name in curriculum.UNITS else 4 <= len(questions) <= 6
    assert len({known.question.asks for known in questions}) >= len(questions) - 1
    for known in questions:
        question = known.question
        assert question.asks.rstrip(")").endswith(("?", "."))
        assert question.because.endswith(".")
        answers = [known.right, *known.wrong]
        assert len(known.wrong) >= 2 or len(question.misconceptions) + len(question.slips) == 1
        for place, a in enumerate(answers):
            for b in answers[:place]:
                assert not computed._is_same(a, b) and not computed._is_same(b, a), (question.asks, a, b)
        for answer, reply in known.wrong.items():
            assert len(reply) > 20 and reply.endswith((".", "?")), (question.asks, answer)
            typed = answer if known.kind == "letter" else str(answer)
            assert known.find_reply(known.read(typed)) == reply
        assert known.is_right(known.read(str(known.right)))


@pytest.mark.parametrize("name", [*computed.list_quizzed_chapters(), *curriculum.UNITS])
def test_stored_answers_equal_the_computed_ones(name):
    """After you change a question, run `make drawings`, which computes and stores the answers again."""
    stored = json.loads(computed.VALUES.read_text(encoding="utf-8"))[name]
    questions = computed.load_questions(name)[1]
    for question, old, new in zip(questions, stored, compute.compute(name), strict=True):
        for one, other in zip(old, new, strict=True):
            assert tuple(one) == other if isinstance(one, list) else one == pytest.approx(other, rel=1e-4, abs=1e-5)
        assert not question.options or sum(new) == 1, question.asks


def test_an_uncomputed_question_names_the_command(monkeypatch):
    monkeypatch.setattr(computed, "_read_stored", lambda: {"one_query": [[1.0]]})
    with pytest.raises(ChapterError, match="make drawings"):
        computed.questions_on("one_query")


@pytest.mark.parametrize("chapter", computed.list_quizzed_chapters())
def test_a_wrong_choice_equals_the_result_of_its_misconception(chapter):
    for question in computed.questions_on(chapter):
        for test, reply in question.question.options.values():
            if match := computed.REFERENCE.fullmatch(reply):
                assert compute.run(question.question, chapter, test, mistake=match[0]) == [True]


def test_an_ended_computing_process_is_replaced():
    values = compute.compute("one_query")
    close_zygotes()
    assert compute.compute("one_query") == values


def test_the_first_six_chapters_have_questions():
    assert set(FIRST_SIX) <= set(computed.list_quizzed_chapters()) <= set(curriculum.CHAPTERS)
    with pytest.raises(UnknownName, match="one_query"):
        computed.questions_on("no_such_chapter")


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.25", 0.25), ("0,25", 0.25), (" 1/4 ", 0.25), ("25 %", 0.25), (".25", 0.25), ("-2", -2), ("≈ 0.25", 0.25)]
    + [("about 7", 7), ("7.", 7), ("1e3", 1000)]
    + [(text, None) for text in ("a quarter", "1/0", "", "(2, 3)", "__import__('os')", "1e999999", "--", "nan")],
)
def test_numbers_may_be_written_in_many_ways(text, number):
    results = computed._parse_number(text)
    assert results is None if number is None else results == pytest.approx(number)


@pytest.mark.parametrize(
    ("text", "shape"),
    [(text, (2, 3)) for text in ("(2, 3)", "2,3", "[2, 3]", "2x3", "2 × 3", "2 by 3", "torch.Size([2, 3])", "(2,3,)")]
    + [("(4,)", (4,)), ("4", (4,)), ("()", ()), ("two", None), ("", None), ("(n, d)", None), ("0.25", None)]
    + [("9" * 5000, None)],
)
def test_shapes_may_be_written_in_many_ways(text, shape):
    assert computed._parse_shape(text) == shape


def test_a_choice_may_be_a_letter_or_its_words():
    question = Question("?", ".", options={"Yes.": ("True", ""), "No.": ("False", "It is.")})
    known = computed.add_answers(question, [1.0, 0.0])
    read = [known.read(text) for text in ("a", "B)", "(a)", "no", "Yes.", "c", "")]
    assert read == ["a", "b", "a", "b", "a", None, None]
    assert (known.right, known.format_solution()) == ("a", "a) Yes.")


def run_conversation(chapter, *typed, progress=None):
    """Return the list of messages that `predict.ask` shows while these lines are typed."""
    messages, lines = [], iter(typed)

    def read(prompt):
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    with pytest.raises(EOFError):
        predict.ask(chapter, read, messages.append, progress)
    return messages


def test_a_wrong_prediction_is_explained_and_can_be_corrected():
    output = run_conversation("one_query", "(3, 4)", "4")
    assert any(line.startswith("No. This mistake gives that answer: ") for line in output)
    assert any(line.startswith("Yes. Each annotation gets one number.") for line in output)


def test_the_correct_answer_is_shown_after_two_tries_or_on_request():
    twice, at_once = run_conversation("one_query", "(9, 9)", "(8, 8)"), run_conversation("one_query", "")
    for told in (twice, at_once):
        place = told.index("It is (4,)")
        assert told[place + 1].startswith("Each annotation gets one number.")
    assert twice.count("No. The result is different.") == 2


def test_input_that_is_not_an_answer_costs_nothing():
    output = run_conversation("one_query", "a row", "(4,)")
    assert "A shape, such as (2, 3)." in output
    assert any(line.startswith("Yes.") for line in output)


def test_answered_questions_are_recorded_and_the_others_continue(tmp_path):
    progress, questions = Progress(tmp_path / ".attn"), computed.questions_on("one_query")
    rights = [str(question.right) for question in questions]
    run_conversation("one_query", "(9, 9)", rights[0], rights[1], progress=progress)
    assert progress.read() == {"one_query": {"predicted": [False, True]}}
    messages, typed = [], iter(rights[2:])
    firsts = predict.ask("one_query", lambda prompt: next(typed), messages.append, progress)
    assert messages[1:4] == ["You continue with number 3.", "", f"3 of {len(questions)}. {questions[2].question.asks}"]
    assert (firsts, messages[-1]) == (len(questions) - 1, f"{len(questions) - 1} of {len(questions)} on the first try.")
    assert run_conversation("one_query", progress=progress)[2].startswith("1 of "), "all are asked once more"


def make_progress(tmp_path, facts):
    progress = Progress(tmp_path / ".attn")
    progress.change(lambda known: known.update(facts))
    return progress


def test_two_questions_are_reviewed_on_a_later_day_wrong_ones_first(tmp_path):
    firsts = [True, False, True, True, False, True]
    facts = {"softmax": {"passed": "2026-01-01"}, "one_query": {"predicted": firsts}}
    progress, messages = make_progress(tmp_path, facts), []
    assert sorted(predict.choose_review_questions(progress)) == [("one_query", 1), ("one_query", 4)]
    questions = computed.questions_on("one_query")
    typed = iter([str(questions[number].right) for _, number in predict.choose_review_questions(progress)])
    predict.ask_review_questions(lambda prompt: next(typed), messages.append, progress)
    assert sum(line.startswith("Yes.") for line in messages) == 2
    assert progress.read()["one_query"]["predicted"] == [True] * 6
    assert predict.choose_review_questions(progress) == [], "not twice a day"


@pytest.mark.parametrize("facts", [{}, {"passed": "today"}, {"checks": 3}])
def test_no_question_is_reviewed_on_the_first_day(facts, tmp_path):
    if "passed" in facts:
        facts = {"passed": datetime.date.today().isoformat()}  # Tests may be collected before midnight.
    assert predict.choose_review_questions(make_progress(tmp_path, {"softmax": facts})) == []


def test_unasked_questions_are_reviewed_too_and_eof_ends_the_review(tmp_path):
    progress = make_progress(tmp_path, {"causal_mask": {"passed": "2026-01-01"}})
    assert {name for name, _ in predict.choose_review_questions(progress)} == {"all_queries"}

    def end(prompt):
        raise EOFError

    with pytest.raises(EOFError):
        predict.ask_review_questions(end, lambda line: None, progress)
    assert predict.choose_review_questions(progress) == []


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("(3, 4)\n4\n", "No. This mistake gives that answer:"),
        (
            "\n" * 6,
            "0 of 6 on the first try. The exercises show why: come back to these questions after them.\n"
            "Continue: attn next\n",
        ),
    ],
)
def test_the_command_predict_works(typed, told, tmp_path):
    command = [sys.executable, "-m", "autograder.cli.main", "predict", "one_query", "--answers", str(tmp_path)]
    ended = subprocess.run(command, input=typed, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert told in ended.stdout


@pytest.mark.parametrize("chapter", curriculum.CHAPTERS)
def test_a_chapter_says_how_to_predict_first_and_how_to_find_a_bug_at_its_end(chapter, tmp_path):
    stub = get_stub_path(chapter).read_text(encoding="utf-8")
    assert f"`attn predict {chapter}`" in stub
    (named,) = re.findall(r"`attn debug (\w+)`", stub)
    case = BuggyFile(read_chapter(chapter).get_exercise(named), tmp_path)
    case.write(0)
    assert re.search(f"(def|class) {named}", case.path.read_text("utf-8"))
