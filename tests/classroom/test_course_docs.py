"""docs/teacher.md walks from nothing to feedback: its commands are given, one after the other."""

import re
import shlex
import shutil
import zipfile
from pathlib import Path

import pytest

from autograder.chapters import curriculum
from support.course import Course, points_of, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader and what it imports

PAGE = (curriculum.ROOT / "docs" / "teacher.md").read_text(encoding="utf-8")
UNIT = "attention-basics"


def commands(heading):
    """The commands of the first console under a heading."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    fence = re.search(r"```console\n(.*?)```", section, re.DOTALL)[1]
    return [shlex.split(line.removeprefix("$ "), comments=True) for line in fence.splitlines()]


def test_the_walk_from_nothing_to_feedback(tmp_path, monkeypatch):
    monkeypatch.setattr(curriculum, "UNITS", {UNIT: curriculum.UNITS[UNIT]})
    here, course = Course(tmp_path), Course(tmp_path / "course")
    (tmp_path / "exchange").mkdir()
    walk = commands("From nothing to feedback")
    assert [words[2] for words in walk] == ["new", "build", "release", "collect", "collect", "grade", "feedback"]
    for attn, course_word, *words in walk:
        assert (attn, course_word) == ("attn", "course")
        if words[0] == "collect":
            learners_submit(course, tmp_path)
        code, printed = here.attn(*words)
        assert code == 0, printed
    for student in ("ada", "4711"):
        assert course.scores(student, "one_query") == points_of("one_query")
        assert "of 35 points" in course.read(student, "one_query") or "35" in course.read(student, "one_query")
    assert len(list((tmp_path / "exchange" / "attention" / "feedback").glob("*.html"))) == 2  # ada's


def learners_submit(course, folder):
    """Ada through the exchange, Bo through Moodle."""
    release, place = course.folder / "release" / UNIT, folder / "exchange" / "attention"
    assert (place / "outbound" / UNIT / "one_query.ipynb").exists()
    ada = place / "inbound" / f"ada+{UNIT}+2026-10-05 11:00:00 UTC+x"
    shutil.copytree(release, ada, dirs_exist_ok=True)
    (ada / "timestamp.txt").write_text("2026-10-05 11:00:00 UTC")
    (ada / "submission_secret.txt").write_text("abc")
    text = _solved_text(course)
    (ada / "one_query.ipynb").write_text(text, encoding="utf-8")
    with zipfile.ZipFile(folder / "moodle.zip", "w") as archive:
        archive.writestr("Bo Ek_4711_assignsubmission_file_/one_query (2).ipynb", text)


def _solved_text(course):
    import nbformat  # noqa: PLC0415

    return nbformat.writes(solved(course.release("one_query")))


def test_the_gradebook_command_is_the_one_that_is_tested():
    """tests/classroom/test_course_postgresql.py has the server that this address stands for."""
    assert commands("The gradebook") == [
        ["attn", "course", "new", "course", "--db", "postgresql://teacher@localhost/grades"]
    ]


def test_make_has_the_commands():
    makefile = Path(curriculum.ROOT / "Makefile").read_text(encoding="utf-8")
    for name in ("release", "collect", "grade", "feedback"):
        assert f"`make {name}`" in PAGE
        assert f"$(BIN)/attn course {name}" in makefile.partition(f"\n{name}: ")[2].partition("\n\n")[0]
