"""Grading many answers into a record."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import RecordError
from autograder.grading.record import Record
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
    command = [ATTN, "grade", *arguments, "--record", "record.jsonl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def grade(folder, *arguments):
    run = attn_grade(folder, *arguments, "--chapter", "one_query")
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
        exercises = [(exercise["exercise"], exercise["max_points"]) for exercise in line["exercises"]]
        assert exercises == [(each.name, each.points) for each in read_chapter("one_query").exercises]
        assert line["max_points"] == sum(points for _, points in exercises)
    outcomes = [line["exercises"][0]["outcome"] for line in lines]
    assert outcomes == ["passed", "killed", "raised"]
    assert [line["points"] for line in lines] == [4, 0, 0]


def test_lines_of_mistakes_are_looked_for_where_somebody_asks(answers):
    (answers / "ada.py").write_text(RIGHT.replace("zip(a, b)", "zip(a[1:], b[1:])"))
    (answers / "bob.py").write_text(RIGHT.replace("x * y", "x + y"))
    _, found = grade(answers, "bob.py")
    assert [exercise["line"] for exercise in found[0]["exercises"]] == [None] * 7
    (answers / "record.jsonl").unlink()
    _, found = grade(answers, "ada.py", "bob.py", "--locate")
    assert [[exercise["line"] for exercise in each["exercises"][:2]] for each in found] == [[None, None], [2, None]]
    assert found[1]["points"] == 0


def test_a_second_run_grades_only_what_is_new(answers):
    _, first = grade(answers, "ada.py")
    _, second = grade(answers, "ada.py", "bob.py")
    assert second[0] == first[0]
    assert [line["answer"] for line in second] == ["ada.py", "bob.py"]
    (answers / "ada.py").write_text(RIGHT.replace("x * y", "x + y"))
    _, third = grade(answers, "ada.py", "bob.py")
    assert [line["points"] for line in third] == [4, 0, 0]


def test_each_file_tells_its_chapter(answers):
    (answers / "all_queries.py").write_text(RIGHT)  # its name counts
    (answers / "x.py").write_text(
        f"{RIGHT}\nimport matplotlib.pyplot as plt\nclass SelfAttention:\n    pass\nBLOCK = 1\n"
    )
    (answers / "y.py").write_text("class SelfAttention:\n    pass\n")
    (answers / "readme.py").write_text("print('none')\n")
    for _ in range(2):  # the second time all of it is known
        run = attn_grade(answers, "ada.py", "readme.py", "all_queries.py", "x.py", "y.py")
        lines = [json.loads(line) for line in (answers / "record.jsonl").read_text().splitlines()]
        found = {line["answer"]: (line["chapter"], line["points"]) for line in lines}
        assert len(lines) == 4
        assert run.returncode == 2
        assert "readme.py does not tell which chapter it answers" in " ".join(run.stderr.split())
        assert found == {
            "ada.py": ("one_query", 4),
            "all_queries.py": ("all_queries", 0),
            "x.py": ("one_query", 4),  # as many of each: the earlier one
            "y.py": ("qkv", 0),
        }


def test_a_line_cut_in_the_middle_is_graded_again(answers):
    grade(answers, "ada.py", "bob.py")
    record = answers / "record.jsonl"
    os.truncate(record, record.stat().st_size - 40)
    run = attn_grade(answers, "ada.py", "bob.py", "--chapter", "one_query")
    assert run.returncode == 1
    first, broken, last = record.read_text().splitlines()
    assert json.loads(first)["answer"] == "ada.py"
    assert json.loads(last)["answer"] == "bob.py"
    with pytest.raises(ValueError, match=r"JSON|delimiter|Unterminated|Expecting"):
        json.loads(broken)


def test_a_missing_file_stops_before_anything_is_graded(answers):
    run = attn_grade(answers, "ada.py", "nobody.py", "--chapter", "one_query")
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


# The file itself ---------------------------------------------------------------------------------------------------


def line(answer, outcome="passed", chapter="one_query"):
    message = 'softmax("\u00e4\u2028") returned {"answer": "x"},\nexpected }'
    exercises = [{"exercise": "softmax", "outcome": outcome, "points": 1, "message": message}]
    return {"answer": answer, "chapter": chapter, "points": 1, "exercises": exercises, "key": f"key of {answer}"}


@pytest.fixture
def record(tmp_path):
    """A record of three lines, closed."""
    path = tmp_path / "record.jsonl"
    with Record(path) as record:
        for name in ("ada.py", "bob.py", "d\u00e9sir\u00e9.py"):
            record.append(line(name))
    return path


def test_a_record_cut_off_at_any_byte_goes_on(record):
    """Whatever was written of the last line, what stands before it stays, and what comes after it counts."""
    whole = record.read_bytes()
    *kept, last = whole.splitlines(keepends=True)
    kept = b"".join(kept)
    first, second, third = (json.loads(text) for text in whole.splitlines())
    for cut in range(len(last) + 1):
        record.write_bytes(kept + last[:cut])
        is_whole = cut >= len(last) - 1  # all but the newline
        with Record(record) as opened:
            assert list(opened.lines()) == [first, second, third][: 3 if is_whole else 2]
            assert ((third["answer"], third["key"]) in opened.outcomes_by_key()) == is_whole
            opened.append(third)
            assert list(opened.lines()) == [first, second, third, third][: 4 if is_whole else 3]
            opened.append(first)
        now = record.read_bytes()
        assert now.startswith(kept + last[:cut])
        assert now.endswith(b"\n")
        assert b"\n\n" not in now
        with Record(record) as opened:
            assert opened.latest("one_query") == {entry["answer"]: entry for entry in (first, second, third)}


def test_lines_that_are_not_ours_are_passed_over(record):
    whole = record.read_bytes()
    for strange in (b"", b"5", b"null", b"[]", b"{}", b"\xff\xfe", b'{"answer": "a.py"}', b"\0" * 50, b'"'):
        record.write_bytes(strange + b"\n" + whole)
        with Record(record) as opened:
            assert [entry["answer"] for entry in opened.lines()] == ["ada.py", "bob.py", "d\u00e9sir\u00e9.py"]


def test_the_last_line_of_an_answer_counts_for_its_chapter(record):
    with Record(record) as opened:
        opened.append(line("ada.py", "wrong"))
        opened.append(line("ada.py", "raised", "qkv"))
        assert opened.latest("one_query")["ada.py"]["exercises"][0]["outcome"] == "wrong"
        assert list(opened.latest("qkv")) == ["ada.py"]


def test_an_answer_that_changed_back_needs_grading_again(record):
    with Record(record) as opened:
        opened.append(line("ada.py", "wrong") | {"key": "other"})
        assert ("ada.py", "key of ada.py") not in opened.outcomes_by_key()
        assert opened.outcomes_by_key()["ada.py", "other"] == ["wrong"]
        opened.append(line("ada.py", chapter="qkv"))
        assert ("ada.py", "other") in opened.outcomes_by_key()


def test_a_fault_needs_grading_again(record):
    with Record(record) as opened:
        opened.append(line("eve.py", "fault"))
        assert ("eve.py", "key of eve.py") not in opened.outcomes_by_key()
        opened.append(line("eve.py", "wrong"))
        assert opened.outcomes_by_key()["eve.py", "key of eve.py"] == ["wrong"]
        opened.append(line("eve.py", "fault"))
        assert ("eve.py", "key of eve.py") not in opened.outcomes_by_key()


def test_a_disk_that_fills_up_in_the_middle_of_a_line(record, monkeypatch):
    before = record.read_bytes()
    with Record(record) as opened:
        write, room = opened.file.write, [60]

        class Full:
            """The file on a disk with a little room."""

            def __getattr__(self, name):
                return getattr(file, name)

            def write(self, data):
                if not room[0]:
                    raise OSError(28, os.strerror(28))
                count = write(data[: room[0]])
                room[0] -= count
                return count

        file, opened.file = opened.file, Full()
        with pytest.raises(RecordError, match=r"no space left on device. What it holds is safe: make room"):
            opened.append(line("eve.py"))
        assert len(record.read_bytes()) == len(before) + 60
        room[0] = 10_000
        opened.append(line("eve.py"))
        assert [entry["answer"] for entry in opened.lines()][-2:] == ["d\u00e9sir\u00e9.py", "eve.py"]
        opened.file = file


def test_a_record_has_one_writer(record):
    with Record(record), pytest.raises(RecordError, match="is being written by another run: wait for it to end"):
        Record(record)
    with Record(record):
        pass
