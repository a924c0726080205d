"""`attn course grade` and `attn course collect`, killed at any moment: nothing is lost, and nothing is there twice.

One kill each; ATTN_KILLS=50 makes it fifty.
"""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from support.course import BARE, UNIT_OF, change, solved
from support.missing import require

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader and what it imports

KILLS = int(os.environ.get("ATTN_KILLS", "1"))
CHAPTER = "one_query"
UNIT = UNIT_OF[CHAPTER]


class Killer:
    """Gives a command again and again, and kills it at moments that nobody knows beforehand."""

    def __init__(self, folder, *words):
        self.folder, self.chance, self.kills = folder, random.Random(11), 0
        self.command = [sys.executable, "-m", "autograder.cli.main", "course", *map(str, words)]
        self.seconds = 3.0  # of a run that nobody kills; measured anew by each

    def until_done(self, check):
        """Kill runs until one gets through, and look at what each has left; the last one's output."""
        while True:
            started = time.monotonic()
            run = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env=BARE,
                start_new_session=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if self.kills < KILLS:
                time.sleep(self.chance.uniform(0.3, 1.0) * self.seconds)
                if run.poll() is None:
                    self.kills += 1
                    os.kill(run.pid if self.kills % 2 else -run.pid, signal.SIGKILL)  # alone, or with all it started
            output = run.communicate(timeout=120)[0]
            check()
            if run.returncode >= 0:
                self.seconds = time.monotonic() - started
                return run.returncode, output


def test_grading(released, tmp_path):
    require("bubblewrap")
    begun = released.copied_to(tmp_path / "begun")
    for number in range(5):
        notebook = solved(begun.release(CHAPTER))
        if number % 2:
            change(notebook, "softmax", "exp(", "exp2(")
        begun.submit(f"s{number}", notebook, CHAPTER)
    course = begun.copied_to(tmp_path / "expected")
    course.grade()
    expected = course.everything()
    killer = Killer(tmp_path / "course", "grade", "--jobs", "2")

    def check():
        with sqlite3.connect(course.folder / "gradebook.db", timeout=30) as database:
            assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        found = course.everything()
        assert all(found[place][0] == expected[place][0] for place in found)
        for path in (course.folder / "verdicts").rglob("*.json"):
            assert path.read_bytes().endswith(b"}\n")

    while killer.kills < KILLS:
        shutil.rmtree(killer.folder, ignore_errors=True)
        course = begun.copied_to(killer.folder)
        code, output = killer.until_done(check)
        assert code == 0, output
        assert course.everything() == expected
        assert len(list((course.folder / "verdicts").rglob("*.json"))) == len(
            list(course.folder.glob("submitted/*/*/*.ipynb"))
        )


STUDENTS = [f"s{number:02}" for number in range(40)]


def contents(word):
    return {"one_query.ipynb": word, "all_queries.ipynb": word, "given/data.txt": word, "z.txt": word}


def folders(place, word):
    for student in STUDENTS:
        for name, content in contents(word).items():
            (place / student / name).parent.mkdir(parents=True, exist_ok=True)
            (place / student / name).write_text(content)


def inbound(place, word):
    for student in STUDENTS:
        when = f"2026-11-2{ {'old': 1, 'new': 2}[word] } 04:00:00 UTC"
        for name, content in (contents(word) | {"timestamp.txt": when}).items():
            path = place / "attention" / "inbound" / f"{student}+{UNIT}+{when}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)


@pytest.mark.parametrize(("hand_in", "option"), [(folders, "--from"), (inbound, "--exchange")])
def test_collecting(released, tmp_path, hand_in, option):
    begun, place = released.copied_to(tmp_path / "begun"), tmp_path / "place"
    if hand_in is inbound:
        begun.open_exchange(place, UNIT)
    hand_in(place, "old")
    begun.does("collect", UNIT, option, place)
    hand_in(place, "new")
    killer = Killer(tmp_path / "course", "collect", UNIT, option, place)
    submitted = killer.folder / "submitted"

    def words(folder):
        return {name: (folder / name).read_text() for name in contents("") if (folder / name).is_file()}

    def check():
        for student in STUDENTS:
            there = [words(folder) for folder in (submitted / student).iterdir()]
            assert any(found in (contents("old"), contents("new")) for found in there), student

    while killer.kills < KILLS:
        shutil.rmtree(killer.folder, ignore_errors=True)
        course = begun.copied_to(killer.folder)
        code, output = killer.until_done(check)
        assert code == 0, output
        assert sorted(path.name for path in submitted.iterdir()) == STUDENTS
        assert all([path.name for path in (submitted / student).iterdir()] == [UNIT] for student in STUDENTS)
        assert all(words(submitted / student / UNIT) == contents("new") for student in STUDENTS)
        assert not (course.folder / ".collecting").exists()
        with course.kit.gradebook() as gradebook:
            assert hand_in is not folders or sorted(student.id for student in gradebook.students) == STUDENTS
