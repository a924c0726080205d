"""Wrong answers without a name are grouped by what they do."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters.answers import script_answer
from autograder.chapters.errors import RecordError
from autograder.grading.record import lines_of, unnamed
from support.grading import grade_answers, verdict_on

DOUBLED = "import numpy as np\n\ndef normalize_by_sum(scores):\n    return np.asarray(scores) * 3 / np.sum(scores)\n"
OTHERWISE = """
import numpy as np

def normalize_by_sum(scores):
    total = sum(scores)
    return [3 * score / total for score in scores]
"""
SQUARED = DOUBLED.replace("* 3", "** 3")
NAMED = DOUBLED.replace("* 3 / np.sum(scores)", "/ np.linalg.norm(scores)")


def record_of(source):
    return verdict_on(source, "normalize_by_sum").record()


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    path = tmp_path_factory.mktemp("unnamed") / "grades.jsonl"
    sources = {"ada.py": DOUBLED, "ben.py": OTHERWISE, "cem.py": SQUARED, "dora.py": NAMED}
    lines = [
        {"answer": name, "chapter": "one_query", "key": "k", "exercises": [record_of(source)]}
        for name, source in sources.items()
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + '\n{"answer": "cut o', encoding="utf-8")
    return path


def test_the_same_replies_have_one_fingerprint_however_they_are_written():
    doubled, otherwise, squared, named = map(record_of, (DOUBLED, OTHERWISE, SQUARED, NAMED))
    assert re.fullmatch("[0-9a-f]{16}", doubled["fingerprint"])
    assert doubled["fingerprint"] == otherwise["fingerprint"] != squared["fingerprint"]
    assert named["misconception"] and named["fingerprint"] == ""
    assert record_of(DOUBLED.replace("* 3", ""))["fingerprint"] == "", "a right answer has none"
    missing = record_of(DOUBLED.replace("np.sum", "total_of"))
    assert missing["outcome"] == "raised" and missing["fingerprint"] == "", "what is not defined says nothing"


def test_the_same_when_verdicts_are_remembered_in_a_class():
    answers = [script_answer("answer.py", source) for source in (DOUBLED, SQUARED, DOUBLED, OTHERWISE)]
    found = [
        each["normalize_by_sum"].record()["fingerprint"] for each in grade_answers(answers, only=["normalize_by_sum"])
    ]
    assert found[0] == found[2] == found[3] == record_of(DOUBLED)["fingerprint"]
    assert found[1] != found[0]


def test_groups_come_largest_first(record):
    groups = unnamed((line["answer"], line["chapter"], each) for line in lines_of(record) for each in line["exercises"])
    assert [group.answers for group in groups] == [["ada.py", "ben.py"], ["cem.py"]]
    assert "times 3" in groups[0].relation


def test_the_command_shows_a_group_with_one_example(record):
    command = [Path(sys.executable).with_name("attn"), "unnamed", record, "--most", "1"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "3 wrong answers without a name, in 2 groups."
    assert lines[2] == "2 answers to normalize_by_sum (one_query), such as ada.py"
    observed = "  The result is the expected one times 3. normalize_by_sum("
    assert lines[3].startswith(observed)
    assert lines[-1] == "1 more: --most 2 shows all."
    assert "cem.py" not in run.stdout


def test_a_file_of_verdicts_counts_too_and_what_is_no_record_is_refused(record, tmp_path):
    lines = lines_of(record)
    verdicts = tmp_path / "one_query.json"
    verdicts.write_text(json.dumps(lines[0], indent=1), encoding="utf-8")
    assert lines_of(verdicts) == lines[:1]
    (tmp_path / "notes.txt").write_text("no record", encoding="utf-8")
    with pytest.raises(RecordError, match="is no record"):
        lines_of(tmp_path / "notes.txt")
    with pytest.raises(RecordError, match="cannot be read"):
        lines_of(tmp_path / "absent.jsonl")


def test_an_older_record_has_no_fingerprints_and_no_groups():
    old = {"exercise": "softmax", "outcome": "wrong", "misconception": None, "message": "", "points": 0}
    assert unnamed([("ada.py", "one_query", old)]) == []
