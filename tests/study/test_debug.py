"""Every case of a bug hunt contains its misconception, and does not reveal it."""

import ast
import functools
import json
import re
import shutil
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import UnreadableAnswer
from autograder.judging.misconceptions import find_current_name, read_lesson, read_misconceptions, read_renamed
from autograder.study import debug, finish
from support.grading import EXERCISES, SECRET, grade_answers
from support.quick import pick_quick

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = [read_chapter(name) for name in curriculum.CHAPTERS]
SEEDS = {  # exercise -> mistakes in the notebooks from which the course was developed
    "softmax": ["no_maximum_subtracted", "float128"],
    "batched_softmax": ["one_sum_and_no_maximum"],
    "AdditiveAttention": ["query_i_with_key_i"],
    "SelfAttention": ["weights_as_plain_tensors", "first_and_last_axis_swapped"],
    "ConcatMultiHeadAttention": ["heads_in_a_list", "weights_as_plain_tensors"],
    "attend": ["context_of_the_scores"],
}


@functools.cache
def cases(exercise):
    texts = {name: debug.format_case(exercise, name) for name in read_misconceptions(exercise.name)}
    return {name: text for name, text in texts.items() if text}


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_cases_read_like_answers_and_hold_no_hint(exercise):
    known = {name for name in read_misconceptions(exercise.name) if name.count("_") > 1}  # Answers use shorter names.
    assert len(cases(exercise)) >= 0.7 * len(read_misconceptions(exercise.name)), "most can be answers of their own"
    assert set(SEEDS.get(exercise.name, ())) <= set(cases(exercise))
    contract = {node.name: node for node in ast.parse(exercise.stub).body if hasattr(node, "name")}[exercise.name]
    heads = set()
    for misconception, text in cases(exercise).items():
        node = next(node for node in ast.parse(text).body if getattr(node, "name", "") == exercise.name)
        assert type(node) is type(contract)
        assert ast.get_docstring(node) == ast.get_docstring(contract)
        if isinstance(node, ast.FunctionDef):
            assert [argument.arg for argument in node.args.args] == [argument.arg for argument in contract.args.args]
        spoken = " ".join(text.split())
        assert not [part for part in read_lesson(exercise.name, misconception) if part and part in spoken]
        assert not known & set(re.findall(r"\w+", text))
        heads.add(text.partition("\n")[0])
    assert len(heads) == len(cases(exercise)), "each case has digits of its own"


@pytest.mark.parametrize("chapter", pick_quick(CHAPTERS), ids=attrgetter("name"))
def test_a_written_case_fails_as_its_misconception(chapter):
    for exercise in chapter.exercises:
        names = list(cases(exercise))
        few = SEEDS.get(exercise.name) or [names[len(exercise.name) % len(names)]]
        if exercise.name == "plot_attention" or (exercise.name not in SEEDS and "class " in exercise.stub):
            continue  # These cases take seconds.
        answers = [parse_script(f"{name}.py", cases(exercise)[name]) for name in few]
        for name, verdicts in zip(few, grade_answers(answers, chapter.name, [exercise.name], SECRET), strict=True):
            verdict = verdicts[exercise.name]
            assert verdict.outcome in ("wrong", "raised")
            assert verdict.misconception == name


def test_a_mistake_is_found_by_a_name_of_an_earlier_release(tmp_path):
    names = {each: set(read_misconceptions(each)) for each in EXERCISES}
    assert [old for old, new in read_renamed().items() if not any(new in known for known in names.values())] == []
    assert find_current_name("split_heads", "graph_cut") == "result_detached" and not set(read_renamed()) & set.union(
        *names.values()
    )
    case = debug.BuggyFile(EXERCISES["softmax"], tmp_path)
    case.path.write_text(f"# (case {debug._hash_name('sign_turned_round')})\n")
    lessons = [read_lesson("softmax", name)[0] for name in ("sign_turned_round", "sign_flipped")]
    assert [case.list_mistake_lines()[0]] * 2 == lessons
    progress = {"softmax": {"mistakes": ["sign_turned_round", "sign_flipped", "gone"]}}
    assert len(dict.fromkeys(finish._yield_overcome_mistakes([EXERCISES["softmax"]], progress))) == 1


@pytest.mark.slow
def test_the_commands_of_debug_work(tmp_path):
    def attn(*arguments, types=""):
        command = [sys.executable, "-m", "autograder.cli.main", "debug", *arguments]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, input=types)
        assert ended.stderr == ("Aborted!\n" if types == "n\n" else "")
        return ended.returncode, " ".join(ended.stdout.split())

    (tmp_path / "exercises").mkdir()
    shutil.copy(ROOT / "exercises" / "one_query.py", tmp_path / "exercises")
    code, output = attn("softmax", types="n\n")
    assert code == 1 and "softmax is not done, and the file shows most of its solution" in output
    assert not (tmp_path / "debug").exists()
    assert attn("softmax", types="y\n")[0] == 0
    facts = json.loads((tmp_path / "exercises" / ".attn" / "progress.json").read_text())
    assert "gave_up" in facts["softmax"], "it counts as looked at, and nobody asks again"
    code, output = attn("softmax", "--seed", "0")
    assert code == 0 and "One mistake is in debug/softmax.py." in output
    code, output = attn("softmax", "--check")
    assert code == 1 and "Not repaired yet: debug/softmax.py " in f"{output} "  # The message must not reveal the line.
    assert "The exponentials of large scores" not in output and "attn debug softmax --give-up" in output
    code, output = attn("softmax", "--give-up")
    assert code == 0 and "The exponentials of large scores overflow" in output
    assert "The largest score should be subtracted" in output
    assert output.endswith("Repair it, then: attn debug softmax --check")

    path = tmp_path / "debug" / "softmax.py"
    head = path.read_text("utf-8").partition("\n")[0]
    path.write_text(f"{head}\nimport numpy as np\n\n{EXERCISES['softmax'].source}\n", encoding="utf-8")
    code, output = attn("softmax", "--check")
    assert code == 0 and "Repaired. This was the mistake: The exponentials of large scores overflow" in output
    code, output = attn()
    assert code == 0 and "softmax (debug/softmax.py)" in output and all(name in output for name in EXERCISES)


def test_an_edited_case_is_kept(tmp_path):
    case = debug.BuggyFile(read_chapter("one_query").get_exercise("softmax"), tmp_path)
    case.write(1)
    assert case.write(2) is None, "an untouched case is no loss"
    for number in (1, 2):
        case.path.write_text(f"# my work {number}\n", encoding="utf-8")
        kept = case.write(3)
        assert kept.read_text("utf-8") == f"# my work {number}\n"
    assert case.path.read_text("utf-8") == list(cases(case.exercise).values())[3]


def test_a_case_that_is_not_written_yet_or_has_lost_its_first_line_is_refused_or_unknown(tmp_path):
    case = debug.BuggyFile(EXERCISES["softmax"], tmp_path)
    for action in (case.judge, case.list_mistake_lines):
        with pytest.raises(UnreadableAnswer, match="attn debug softmax"):
            action()
    case.write(1)
    assert case.list_mistake_lines()
    case.path.write_text("x = 1\n", encoding="utf-8")
    assert case.list_mistake_lines() == []


def test_a_mistake_that_needs_more_than_the_chapter_is_left_out(tmp_path):
    exercise = read_chapter("efficient").get_exercise("KeyValueCache")
    names = list(read_misconceptions("KeyValueCache"))
    number = names.index("shared_by_all_caches")
    assert debug.format_case(exercise, names[number]) == ""
    case = debug.BuggyFile(exercise, tmp_path)
    case.write(number)
    assert case.path.read_text("utf-8") == debug.format_case(exercise, names[number + 1])
