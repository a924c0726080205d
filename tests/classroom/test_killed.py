"""`attn course grade`, killed at any moment: nothing is lost or duplicated. ATTN_KILLS=50 makes it fifty kills.

`test_refused.py` kills the other commands, at each step.
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

from support.course import BARE, change, solved
from support.missing import require

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

KILLS = int(os.environ.get("ATTN_KILLS", "1"))
CHAPTER = "one_query"


class CommandKiller:
    """A command that is run again and again, and killed at random times."""

    def __init__(self, folder, *words):
        self.folder, self.chance, self.kills = folder, random.Random(11), 0
        self.command = [sys.executable, "-m", "autograder.cli.main", "course", *map(str, words)]
        self.seconds = 3.0  # duration of a complete run, which is measured again each time

    def until_done(self, check):
        """Kill runs until one completes. `check` what each left, and return the last one's exit code and output."""
        while True:
            start = time.monotonic()
            options = {"cwd": self.folder, "env": BARE, "start_new_session": True, "text": True}
            run = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
            if self.kills < KILLS:
                time.sleep(self.chance.uniform(0.3, 1.0) * self.seconds)
                if run.poll() is None:
                    self.kills += 1
                    os.kill(run.pid if self.kills % 2 else -run.pid, signal.SIGKILL)  # Kill it alone or with its group.
            output = run.communicate(timeout=120)[0]
            check()
            if run.returncode >= 0:
                self.seconds = time.monotonic() - start
                return run.returncode, output


def test_killed_grading_loses_nothing(released, tmp_path):
    require("bubblewrap")
    begun = released.copy_to(tmp_path / "begun")
    for number in range(5):
        notebook = solved(begun.release(CHAPTER))
        if number % 2:
            change(notebook, "softmax", "exp(", "exp2(")
        begun.submit(f"s{number}", notebook, CHAPTER)
    course = begun.copy_to(tmp_path / "expected")
    course.grade()
    expected = course.read_everything()
    killer = CommandKiller(tmp_path / "course", "grade", "--jobs", "2")

    def check():
        with sqlite3.connect(course.folder / "gradebook.db", timeout=30) as database:
            assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        results = course.read_everything()
        assert all(results[place][0] == expected[place][0] for place in results)
        for path in (course.folder / "verdicts").rglob("*.json"):
            assert path.read_bytes().endswith(b"}\n")

    while killer.kills < KILLS:
        shutil.rmtree(killer.folder, ignore_errors=True)
        course = begun.copy_to(killer.folder)
        code, output = killer.until_done(check)
        assert code == 0, output
        assert course.read_everything() == expected
        assert len(list((course.folder / "verdicts").rglob("*.json"))) == len(
            list(course.folder.glob("submitted/*/*/*.ipynb"))
        )
