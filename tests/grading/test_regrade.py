"""Grading again after a suite or an answer has changed: what is proposed, and what is applied."""

import json
import os
import signal
from pathlib import Path

import pytest
from rich.console import Console

from autograder.chapters.curriculum import SELF_STUDY
from autograder.grading import executors, regrade
from autograder.grading.many import Settings
from autograder.judging.judge import Trial
from support.many import Class, copy_of_the_kit

pytestmark = pytest.mark.slow

SUITE = Path("autograder") / "suites" / "test_single_dot_attention_score.py"
STRICTER = """

@pytest.mark.points(1)
def test_of_odd_names(answer):
    answer([2.0, 3.0], [4.0, 5.0]).equals(23.0).satisfies(lambda value: {}, "a score that nobody reaches")
"""
NOTHING_APPLIED = "Nothing is applied yet: the same command with --apply does it.\n"


@pytest.fixture
def course(tmp_path):
    """A graded class of six with a kit of its own: answers 0 and 3 are wrong."""
    (tmp_path / "kit").mkdir()
    (tmp_path / "class").mkdir()
    course = Class(tmp_path / "class", copy_of_the_kit(tmp_path / "kit"))
    course.hand_in(6)
    assert course.run("grade", "--jobs", "1") == (1, "", "")
    return course


@pytest.fixture
def proposed(course):
    """Where verdicts wait."""
    return course.folder / "record.jsonl.proposed"


def mend_suite(course, addition=STRICTER):
    suite = course.kit / SUITE
    suite.write_text(suite.read_text() + addition)


def mend_answer(course, name):
    file = course.folder / name
    file.write_text(file.read_text().replace(" + 1", ""))


def points(line):
    return line["exercises"][0]["points"]


def test_where_nothing_has_changed(course, proposed):
    before = course.record.read_bytes()
    nothing = "0 scores of an exercise would change.\n"
    assert course.run("regrade", "--jobs", "1") == (0, nothing + NOTHING_APPLIED, "")
    assert course.run("regrade", "--jobs", "1", "--apply") == (0, f"{nothing}0 new lines in record.jsonl.\n", "")
    assert course.record.read_bytes() == before
    assert not proposed.exists()


def test_a_changed_answer(course, proposed):
    """Who changes and why is said first; nothing else is graded, and nothing is written before --apply."""
    before, (name, other) = course.record.read_bytes(), course.names[:2]
    mend_answer(course, name)
    shown = (
        f"{name}: single_dot_attention_score 0 -> 4 of 4 (every test passes now)\n"
        "1 score of an exercise would change.\n"
    )
    assert course.run("regrade", "--jobs", "1") == (0, shown + NOTHING_APPLIED, "")
    assert course.record.read_bytes() == before
    assert [json.loads(line)["answer"] for line in proposed.read_text().splitlines()] == [name]

    waiting = proposed.read_text()
    assert course.run("regrade", "--jobs", "1", "--apply") == (0, f"{shown}1 new line in record.jsonl.\n", "")
    assert course.record.read_bytes() == before + waiting.encode()  # not graded again meanwhile
    assert not proposed.exists()
    assert [points(line) for line in course.raw_lines() if line["answer"] == name] == [0, 4]  # the last one counts
    assert len([line for line in course.raw_lines() if line["answer"] == other]) == 1
    assert course.run("regrade", "--jobs", "1")[1].startswith("0 scores")
    assert course.run("grade", "--jobs", "1")[0] == 1  # answer 3 is wrong still
    assert course.record.read_bytes() == before + waiting.encode()


def test_a_changed_suite(course):
    """All are graded again; those whose points stay get a line and are not shown."""
    before = course.record.read_bytes()
    mend_suite(course)
    suite = course.kit / SUITE
    suite.write_text(suite.read_text().replace("points(1)\ndef test_of", "points(0)\ndef test_of"))
    assert course.run("regrade", "--jobs", "1")[1].startswith("0 scores")
    suite.write_text(suite.read_text().replace("points(1.5)", "points(2.5)"))
    code, output, errors = course.run("regrade", "--jobs", "2")
    assert (code, errors) == (0, "")
    *changes, total, note = output.splitlines()
    assert total == "4 scores of an exercise would change."
    assert note + "\n" == NOTHING_APPLIED
    right = [name for number, name in enumerate(course.names) if number % 3]
    assert [change.partition(": ")[0] for change in changes] == right  # in the order of the answers
    for change in changes:
        assert ": single_dot_attention_score 4 -> 5 of " in change
        assert "should return a score that nobody reaches" in change
    assert course.record.read_bytes() == before
    assert course.run("regrade", "--jobs", "2", "--apply")[1].endswith("\n6 new lines in record.jsonl.\n")
    latest = {line["answer"]: line for line in course.raw_lines()}
    assert len(course.raw_lines()) == 12
    assert [points(latest[name]) for name in course.names] == [0, 5, 5, 0, 5, 5]


def test_a_change_that_is_taken_back(course, proposed):
    """What was proposed under a suite that is no longer there is neither shown nor applied."""
    before, code = course.record.read_bytes(), (course.kit / SUITE).read_text()
    twice = code.replace("points(1.5)", "points(2.5)")
    (course.kit / SUITE).write_text(twice)
    assert course.run("regrade", "--jobs", "1")[1].startswith(f"{course.names[1]}: ")
    assert proposed.exists()
    mend_suite(course)
    assert course.run("regrade", "--jobs", "1")[1].startswith(f"{course.names[1]}: ")
    (course.kit / SUITE).write_text(twice)
    assert course.run("regrade", "--jobs", "1")[1].count(" 4 -> 5 of 5 (every test passes now)\n") == 4
    (course.kit / SUITE).write_text(code)
    nothing = "0 scores of an exercise would change.\n0 new lines in record.jsonl.\n"
    assert course.run("regrade", "--jobs", "1", "--apply") == (0, nothing, "")
    assert course.record.read_bytes() == before
    assert not proposed.exists()


def test_an_answer_that_is_new_gets_a_line_and_no_change(course):
    course.hand_in(7)
    course.names = course.names[-7:]
    nothing = "0 scores of an exercise would change.\n"
    assert course.run("regrade", "--jobs", "1", "--apply") == (0, f"{nothing}1 new line in record.jsonl.\n", "")
    assert [line["answer"] for line in course.raw_lines()] == course.names


def test_a_record_that_is_not_there(course):
    course.record.unlink()
    said = "record.jsonl does not exist: attn grade makes a record\n"
    assert course.run("regrade", "--jobs", "1") == (2, "", said)
    assert not course.record.exists()


def propose(course, secret=SELF_STUDY):
    """What `attn regrade` proposes, in this process."""
    paths, make = [Path(name) for name in course.names], lambda: executors.local(1)
    return regrade.propose(paths, "one_query", course.record, Settings(secret, make, Console(quiet=True)))


def test_one_odd_answer_refuses_nobody_else(course, monkeypatch):
    """Where the grader fails over one answer, the others are proposed all the same."""
    (odd, *others), judge = course.names, Trial._judge

    def fails_over_one(self):
        if self.session.file.path == odd:
            raise RecursionError
        judge(self)

    monkeypatch.chdir(course.folder)
    monkeypatch.setattr(Trial, "_judge", fails_over_one)
    lines, _, failed = propose(course, b"another secret")
    assert [line["answer"] for line in lines] == others and failed == [odd]


def test_a_file_that_changes_while_it_is_graded_again(course, monkeypatch):
    """It is proposed as it was graded, and the next regrade looks at it again."""
    monkeypatch.chdir(course.folder)
    (name, *_), real = course.names, regrade.grade_answers

    def change_then_grade(*arguments):
        mend_answer(course, name)
        return real(*arguments)

    (course.folder / name).write_text((course.folder / name).read_text() + "# later\n")
    monkeypatch.setattr(regrade, "grade_answers", change_then_grade)
    lines, changes, failed = propose(course)
    assert [line["answer"] for line in lines] == [each.answer for each in changes] == [name] and not failed


def test_a_fault_of_ours_is_not_proposed(course, proposed):
    before = course.record.read_bytes()
    mend_suite(course, "\n\n@pytest.mark.points(1)\ndef test_of_ours(answer):\n    raise OSError\n")
    code, output, errors = course.run("regrade", "--jobs", "1", "--apply")
    assert (code, output) == (3, "0 scores of an exercise would change.\n0 new lines in record.jsonl.\n")
    assert errors.count("could not be graded, through no fault of its author") == len(course.names)
    assert course.record.read_bytes() == before


def test_an_interrupted_proposal_goes_on(course, proposed):
    before = course.record.read_bytes()
    suite = course.kit / SUITE
    slower = "    import time\n    time.sleep(0.3)\n"
    code = suite.read_text() + f"\n\n@pytest.mark.points(1)\ndef test_slowly(answer):\n{slower}"
    suite.write_text(code)
    record, course.record = course.record, proposed
    for count in (1, 3):
        run = course.start("regrade", "--jobs", "1", "--record", "record.jsonl")
        assert course.has_grown_to(count, run)
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate(timeout=60)
    held = course.lines()
    assert 3 <= len(held) < len(course.names)
    code, output, errors = course.run("regrade", "--jobs", "1", "--record", "record.jsonl")
    assert (code, errors) == (0, "")
    assert output.count(" of 5 (") == 6  # whoever was wrong gets the new point as well
    assert course.lines()[: len(held)] == held
    assert [line["answer"] for line in course.raw_lines()] == course.names  # each once
    assert record.read_bytes() == before
