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
    command = [sys.executable, "-m", "autograder.cli.main", "course", "grade", "--jobs", "2"]
    options = {"cwd": tmp_path / "course", "env": BARE, "start_new_session": True, "text": True}
    chance, kills, seconds = random.Random(11), 0, 3.0  # duration of a complete run, which is measured again each time
    while kills < KILLS:
        shutil.rmtree(tmp_path / "course", ignore_errors=True)
        course, code = begun.copy_to(tmp_path / "course"), -signal.SIGKILL
        while code < 0:
            start = time.monotonic()
            run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
            if kills < KILLS:
                time.sleep(chance.uniform(0.3, 1.0) * seconds)
                if run.poll() is None:
                    kills += 1
                    os.kill(run.pid if kills % 2 else -run.pid, signal.SIGKILL)  # Kill it alone or with its group.
            output, code = run.communicate(timeout=120)[0], run.returncode
            with sqlite3.connect(course.folder / "gradebook.db", timeout=30) as database:
                assert database.execute("pragma integrity_check").fetchone() == ("ok",)
            results = course.read_everything()
            assert all(results[place][0] == expected[place][0] for place in results)
            for path in (course.folder / "verdicts").rglob("*.json"):
                assert path.read_bytes().endswith(b"}\n")
        seconds = time.monotonic() - start
        assert code == 0, output
        assert course.read_everything() == expected
        assert len(list((course.folder / "verdicts").rglob("*.json"))) == len(
            list(course.folder.glob("submitted/*/*/*.ipynb"))
        )
