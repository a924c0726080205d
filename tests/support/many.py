"""Runs of `attn grade` in a folder of small answers, and checks of its results."""

import functools
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support.missing import require

ROOT = Path(__file__).resolve().parents[2]
SCORE = "def single_dot_attention_score(a, b):\n    return float(sum(x * y for x, y in zip(a, b))){}\n"
SCALE = "def scale(x):\n    return x\n"


class AnswerFolder:
    """A folder of answers to one_query and what was printed about them."""

    def __init__(self, folder):
        self.folder, self.record = folder, folder / "record.jsonl"
        self.names, self.temporary = [], folder / "temporary"
        self.temporary.mkdir()

    def hand_in(self, count, lines=""):
        """Write answers, of which every third is wrong and each begins with `lines`."""
        for number in range(count):
            name = f"answer{number:02}.py"
            score = SCORE.format(" + 1" if number % 3 == 0 else f" + 0 * {number}")
            (self.folder / name).write_text(f"{lines}\n{score}\n{SCALE * (number % 2)}")
            self.names.append(name)

    def environment(self):
        """Return environment variables for a process. Its children inherit PATH, where the folder identifies them."""
        marked = f"{os.environ['PATH']}:{self.folder}"
        return os.environ | {"PATH": marked, "PYTHONPATH": str(ROOT), "TMPDIR": str(self.temporary)}

    def start(self, command="grade", *options, **how):
        if "--no-sandbox" not in options:
            require("bubblewrap")
        words = [sys.executable, "-m", "autograder.cli.main", command, *self.names, "--chapter", "one_query"]
        environment = self.environment() | how.pop("env", {})
        words += options
        how = {"stderr": subprocess.PIPE, "text": True, "start_new_session": True, "env": environment} | how
        with self.record.open("wb") as output:
            return subprocess.Popen(words, cwd=self.folder, stdout=output, **how)

    def run(self, command="grade", *options, **how):
        process = self.start(command, *options, **how)
        _, errors = process.communicate(timeout=300)
        return process.returncode, errors

    def lines(self):
        return [drop_seconds(line) for line in self.raw_lines()]

    def raw_lines(self):
        results = []
        for text in self.record.read_bytes().splitlines() if self.record.exists() else ():
            try:
                results.append(json.loads(text))
            except ValueError:
                continue
        return results

    def has_grown_to(self, count, process):
        """Wait until `count` lines are printed or the run ends. Return whether it is still running."""
        while process.poll() is None:
            if self.record.exists() and self.record.read_bytes().count(b"\n") >= count:
                return True
            time.sleep(0.005)
        return False

    def processes(self):
        results, mark = {}, f":{self.folder}".encode()
        for file in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in file.read_bytes():
                    results[int(file.parent.name)] = file.with_name("cmdline").read_bytes().decode().split("\0")
            except OSError:  # The process has ended.
                continue
        return {number: words for number, words in results.items() if words != [""]}  # A zombie has no command line.

    def assert_nothing_is_left(self):
        """Assert that no process and no temporary file is left."""
        deadline = time.monotonic() + 30
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left
        assert not list(self.temporary.iterdir())


@functools.cache
def _lines_of(answers):
    with tempfile.TemporaryDirectory() as folder:
        course = AnswerFolder(Path(folder))
        for name, text in answers:
            (course.folder / name).write_text(text)
            course.names.append(name)
        assert course.run("grade", "--jobs", "2") == (1, "")
        assert len(set(course.lines())) == len(course.names)
        return tuple(course.lines())


def run_undisturbed(course):
    return _lines_of(tuple((name, (course.folder / name).read_text()) for name in course.names))


def drop_seconds(line):
    exercises = [{key: value for key, value in e.items() if key != "seconds"} for e in line["exercises"]]
    return json.dumps(line | {"exercises": exercises}, sort_keys=True)
