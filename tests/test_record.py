"""Grading many answers into a record."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ATTN = str(Path(sys.executable).with_name("attn"))
RIGHT = "def single_dot_attention_score(a, b):\n    return float(sum(x * y for x, y in zip(a, b)))\n"


@pytest.fixture
def answers(tmp_path):
    (tmp_path / "ada.py").write_text(RIGHT)
    (tmp_path / "bob.py").write_text("def single_dot_attention_score(a, b):\n    import os\n    os._exit(0)\n")
    (tmp_path / "eve.ipynb").write_text("no notebook")
    return tmp_path


def grade(folder, *arguments):
    command = [ATTN, "grade", *arguments, "--chapter", "one_query", "--record", "record.jsonl"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return run, [json.loads(line) for line in (folder / "record.jsonl").read_text().splitlines()]


def test_each_answer_gets_a_line(answers):
    run, lines = grade(answers, "ada.py", "bob.py", "eve.ipynb")
    assert run.returncode == 2
    assert "eve.ipynb is not a notebook" in run.stderr
    assert [line["answer"] for line in lines] == ["ada.py", "bob.py", "eve.ipynb"]
    for line in lines:
        assert list(line) == ["answer", "chapter", "points", "max_points", "exercises", "sandbox", "key"]
        assert line["chapter"] == "one_query"
        assert line["points"] == sum(exercise["points"] for exercise in line["exercises"])
        assert line["max_points"] == sum(exercise["max_points"] for exercise in line["exercises"]) == 35
        assert len(line["exercises"]) == 7
    outcomes = [line["exercises"][0]["outcome"] for line in lines]
    assert outcomes == ["passed", "killed", "raised"]
    assert [line["points"] for line in lines] == [4, 0, 0]


def test_a_second_run_grades_only_what_is_new(answers):
    _, first = grade(answers, "ada.py")
    _, second = grade(answers, "ada.py", "bob.py")
    assert second[0] == first[0]
    assert [line["answer"] for line in second] == ["ada.py", "bob.py"]
    (answers / "ada.py").write_text(RIGHT.replace("x * y", "x + y"))
    _, third = grade(answers, "ada.py", "bob.py")
    assert [line["points"] for line in third] == [4, 0, 0]


def test_a_line_cut_in_the_middle_is_graded_again(answers):
    grade(answers, "ada.py", "bob.py")
    record = answers / "record.jsonl"
    os.truncate(record, record.stat().st_size - 40)
    run = subprocess.run(
        [ATTN, "grade", "ada.py", "bob.py", "--chapter", "one_query", "--record", "record.jsonl"],
        cwd=answers,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    first, broken, last = record.read_text().splitlines()
    assert json.loads(first)["answer"] == "ada.py"
    assert json.loads(last)["answer"] == "bob.py"
    with pytest.raises(ValueError, match=r"JSON|delimiter|Unterminated|Expecting"):
        json.loads(broken)


def test_a_missing_file_stops_before_anything_is_graded(answers):
    command = [ATTN, "grade", "ada.py", "nobody.py", "--chapter", "one_query", "--record", "record.jsonl"]
    run = subprocess.run(command, cwd=answers, capture_output=True, text=True)
    assert run.returncode == 2
    assert "nobody.py does not exist" in run.stderr
    assert not (answers / "record.jsonl").exists()


def test_hidden_inputs_come_from_the_secret(answers):
    """Another secret draws other inputs; the same secret draws the same, so that a regrade agrees."""
    (answers / "ada.py").write_text(
        "import sys\ndef dot_attention_score(a, b):\n    return [float(len(a)), float(a[0])]\n"
    )

    def messages(secret):
        (answers / "secret").write_text(secret)
        command = [ATTN, "check", "--answers", "ada.py", "--secret", "secret", "--json"]
        run = subprocess.run(command, cwd=answers, capture_output=True, text=True)
        return [test["message"] for test in json.loads(run.stdout)["tests"]]

    assert messages("one") == messages("one")
    assert messages("one")[1] != messages("two")[1]
