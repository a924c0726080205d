"""`attn grade` prints one line for each answer."""

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.chapters.chapter import read_chapter
from autograder.grading.record import make_record
from support.missing import require

pytestmark = pytest.mark.slow

ATTN = str(Path(sys.executable).with_name("attn"))
RIGHT = "def single_dot_attention_score(a, b):\n    return float(sum(x * y for x, y in zip(a, b)))\n"


@pytest.fixture
def answers(tmp_path):
    (tmp_path / "ada.py").write_text(RIGHT)
    (tmp_path / "bob.py").write_text("def single_dot_attention_score(a, b):\n    import os\n    os._exit(0)\n")
    (tmp_path / "eve.ipynb").write_text("no notebook")
    return tmp_path


def attn_grade(folder, *arguments):
    require("bubblewrap")
    run = subprocess.run([ATTN, "grade", *arguments], cwd=folder, capture_output=True, text=True)
    return run, [json.loads(line) for line in run.stdout.splitlines()]


def grade(folder, *arguments):
    return attn_grade(folder, *arguments, "--chapter", "one_query")


def test_totals_have_two_decimals():
    verdicts = [SimpleNamespace(points=0.1, max_points=0.1, to_record=dict)] * 3
    line = make_record("ada.py", read_chapter("one_query"), verdicts, "")
    assert (line["points"], line["max_points"]) == (0.3, 0.3)


def test_each_answer_gets_a_line(answers):
    run, lines = grade(answers, "ada.py", "bob.py", "eve.ipynb")
    assert run.returncode == 2
    assert "eve.ipynb is not a notebook" in run.stderr
    assert [line["answer"] for line in lines] == ["ada.py", "bob.py", "eve.ipynb"]
    for line in lines:
        assert list(line) == ["answer", "chapter", "points", "max_points", "exercises", "sandbox"]
        assert line["chapter"] == "one_query"
        exercises = [(exercise["exercise"], exercise["max_points"]) for exercise in line["exercises"]]
        assert exercises == [(each.name, each.points) for each in read_chapter("one_query").exercises]
        assert line["max_points"] == sum(points for _, points in exercises)
    assert [line["exercises"][0]["outcome"] for line in lines] == ["passed", "killed", "raised"]
    assert [line["points"] for line in lines] == [4, 0, 0]


def test_the_chapter_of_each_file_is_recognised(answers):
    (answers / "all_queries.py").write_text(RIGHT)  # The file's name selects the chapter.
    (answers / "x.py").write_text(f"{RIGHT}\nclass SelfAttention:\n    pass\nBLOCK = 1\n")
    (answers / "y.py").write_text("class SelfAttention:\n    pass\n")
    (answers / "readme.py").write_text("print('none')\n")
    (answers / "broken.ipynb").write_text("no notebook")
    run, lines = attn_grade(answers, "ada.py", "readme.py", "all_queries.py", "x.py", "y.py", "broken.ipynb")
    assert run.returncode == 2
    said = " ".join(run.stderr.split())
    assert "readme.py defines no exercise" in said and "broken.ipynb is not a notebook" in said
    assert {line["answer"]: (line["chapter"], line["points"]) for line in lines} == {
        "ada.py": ("one_query", 4),
        "all_queries.py": ("all_queries", 0),
        "x.py": ("one_query", 4),  # It answers one exercise of each of two chapters, so the earlier chapter counts.
        "y.py": ("qkv", 0),
    }


def test_a_missing_file_stops_before_anything_is_graded(answers):
    run, lines = grade(answers, "ada.py", "nobody.py")
    assert (run.returncode, lines) == (2, [])
    assert "nobody.py does not exist" in run.stderr


def test_hidden_inputs_come_from_the_secret(answers):
    """With one secret, inputs are drawn alike, so that grading again gives the same result."""
    (answers / "ada.py").write_text(
        "import sys\ndef dot_attention_score(a, b):\n    return [float(len(a)), float(a[0])]\n"
    )

    def read_messages(secret):
        (answers / "secret").write_text(secret)
        command = [ATTN, "check", "--answers", "ada.py", "--secret", "secret", "--json"]
        run = subprocess.run(command, cwd=answers, capture_output=True, text=True)
        return [test["message"] for test in json.loads(run.stdout)["tests"]]

    assert read_messages("one") == read_messages("one")
    assert read_messages("one")[1] != read_messages("two")[1]
