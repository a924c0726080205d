"""Collection from nbgrader's exchange, to which learners can write: links are not followed, and no work is lost."""

import os

import pytest

from autograder.classroom import summary
from autograder.classroom.course.times import parse_timestamp
from support.course import UNIT_OF
from support.late import LazyModule

exchange = LazyModule("autograder.classroom.inbox.exchange")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

UNIT = UNIT_OF["one_query"]
FIRST, SECOND = "2026-11-22 04:00:00 UTC", "2026-11-23 04:00:00 UTC"


@pytest.fixture
def inbound(course, tmp_path):
    root = tmp_path / "exchange"
    course.open_exchange(root, UNIT)
    return next(root.rglob("inbound"))


def collect(course, inbound):
    kit = course.kit
    exchange.use_exchange(kit, inbound.parents[1])
    return exchange.collect(kit, [UNIT])


def hand_in(inbound, name, content=b"{}", when=FIRST):
    folder = inbound / f"{name}+{UNIT}+{when}"
    folder.mkdir()
    (folder / "timestamp.txt").write_text(when)
    (folder / "one_query.ipynb").write_bytes(content)
    return folder


def test_collected_learners_missing_in_the_roster_are_reported(course, inbound):
    (course.folder / "roster.csv").write_text("id,name\nada,Ada Lovelace\n")
    hand_in(inbound, "ada")
    hand_in(inbound, "zz99")
    _, problems = collect(course, inbound)
    assert [problem for problem in problems if "not in the roster" in problem] == [
        "zz99 is not in the roster: if the learner is, correct the id there"
    ]
    assert collect(course, inbound)[1] == []


def test_an_odd_folder_does_not_stop_collecting(course, inbound):
    hand_in(inbound, "honest", b"honest")
    for name in ("odd+{}+no time", "odd+{}+", "a+b+c+{}+2026-13-99 99:00:00 UTC", ".hidden+{}+2026-11-22 04:00:00 UTC"):
        (inbound / name.format(UNIT)).mkdir()
    (inbound / f"file+{UNIT}+2026-11-22 04:00:00 UTC").write_text("no folder")
    counts, problems = collect(course, inbound)
    assert counts[UNIT][0] == 1
    assert len(problems) >= 3


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives folders away")
def test_a_folder_of_another_user_is_not_collected(course, inbound):
    hand_in(inbound, "ada", b"honest")
    forged = hand_in(inbound, "ada", b"forged", SECOND)
    os.chown(forged, 65534, 65534)
    _, problems = collect(course, inbound)
    assert (course.folder / "submitted" / "ada" / UNIT / "one_query.ipynb").read_bytes() == b"honest"
    assert any("it belongs to nobody" in problem for problem in problems)


@pytest.mark.parametrize("text", ["no time", "1" * 10_000_000, "2026-11-22 04:00:00 /etc/passwd", "9999-12-31"])
def test_a_forged_timestamp_file_has_no_effect(course, inbound, text):
    folder = hand_in(inbound, "mallory")
    (folder / "timestamp.txt").write_text(text)
    hand_in(inbound, "honest", b"old")
    assert collect(course, inbound)[0][UNIT] == (2, 0, 2)
    hand_in(inbound, "honest", b"honest", SECOND)
    hand_in(inbound, "mallory", b"newer", SECOND)
    assert collect(course, inbound) == ({UNIT: (0, 2, 2)}, [])
    for student, content in (("honest", b"honest"), ("mallory", b"newer")):
        there = course.folder / "submitted" / student / UNIT
        assert (there / "one_query.ipynb").read_bytes() == content
        assert parse_timestamp((there / "timestamp.txt").read_text()).day == 23


def test_a_blocked_submission_does_not_stop_the_others(course, inbound, tmp_path):
    submitted = course.folder / "submitted"
    submitted.mkdir()
    (submitted / "a_link").symlink_to(tmp_path)
    (submitted / "a_file").write_text("")
    (submitted / "inner" / UNIT).mkdir(parents=True)
    (submitted / "inner" / UNIT).rmdir()
    (submitted / "inner" / UNIT).symlink_to(inbound)
    for student in ("a_file", "a_link", "honest", "inner"):
        hand_in(inbound, student, b"honest")
    _, problems = collect(course, inbound)
    assert sorted(problem.partition("+")[0] for problem in problems) == ["a_file", "a_link"]
    for student in ("honest", "inner"):
        assert (submitted / student / UNIT / "one_query.ipynb").read_bytes() == b"honest"
    assert not (tmp_path / UNIT).exists() and len(list(inbound.iterdir())) == 4


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives files away")
def test_a_hard_link_to_a_foreign_file_is_not_collected(course, inbound, tmp_path):
    (tmp_path / "neighbours.ipynb").write_bytes(b"right")
    os.chown(tmp_path / "neighbours.ipynb", 65534, 65534)
    folder = hand_in(inbound, "mallory")
    (folder / "one_query.ipynb").unlink()
    os.link(tmp_path / "neighbours.ipynb", folder / "one_query.ipynb")
    _, problems = collect(course, inbound)
    assert any("not the learner's file" in problem for problem in problems)
    assert not (course.folder / "submitted" / "mallory" / UNIT / "one_query.ipynb").exists()


def test_a_path_as_time_zone_is_refused(tmp_path):
    (tmp_path / "zone").write_bytes(b"TZif" + b"\0" * 16 + b"\xff" * 24)  # Reading this zone raises ValueError.
    assert parse_timestamp(f"2026-11-22 04:00:00 {tmp_path}/zone") is None
    assert parse_timestamp(f"2026-11-22 04:00:00 ../../..{tmp_path}/zone") is None
    for text in ("2026-11-22 04:00:00.123456 UTC", "2026-11-22 06:00:00 +0200", "2026-11-22 05:00:00 Europe/Berlin"):
        assert parse_timestamp(text).hour == 4


def test_many_problems_of_one_learner_are_shortened(capsys):
    summary.show_problems([*(f"mallory: pipe {number} left out" for number in range(100)), "bo: looks like ada"])
    text = capsys.readouterr().out
    assert "bo: looks like ada" in text and "pipe 38 " in text and "pipe 39 " not in text and "and 61 more" in text
