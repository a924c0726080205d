"""Every submitted file is read within limits of time and memory, and affects only its owner."""

import os
import resource
import subprocess
import sys
import time

import pytest
from rich.console import Console

from autograder.boundary import reader
from autograder.chapters.chapter import read_chapter
from autograder.grading.executors import make_executor
from autograder.grading.many import GradingSettings, grade_answers
from support.hostile_files import GOOD, write_files, write_oddities

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("bubblewrap"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the graded paths, file name -> record, the seconds, the grader's growth in megabytes, and the outcome."""
    folder = tmp_path_factory.mktemp("handed_in")
    (folder / "solution.ipynb").write_text("{}")
    paths = write_files(folder) + write_oddities(folder, folder / "solution.ipynb")
    for number in range(0, len(paths), 5):  # Put honest answers in between.
        path = folder / f"honest{number}_good.py"
        path.write_text(GOOD)
        paths.insert(number, path)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    output, settings = [], GradingSettings(b"s", lambda: make_executor(1), Console(quiet=True))
    outcome = grade_answers(paths, "one_query", settings, output.append)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    lines = {line["answer"].rpartition("/")[2]: line for line in output}
    print(f"{len(paths)} files in {time.monotonic() - start:.1f} s, {grown} MB")
    return paths, lines, time.monotonic() - start, grown, outcome


def test_every_file_has_a_line(run):
    paths, lines, *_ = run
    assert set(lines) == {path.name for path in paths}
    assert not [line for line in lines.values() if any(each["outcome"] == "fault" for each in line["exercises"])]


def test_right_answers_get_their_points(run):
    _, lines, *_ = run
    results = {name: {each["exercise"]: each["points"] for each in line["exercises"]} for name, line in lines.items()}
    assert not [name for name, points in results.items() if "_good" in name and not points["softmax"]]
    assert not [name for name, points in results.items() if "_good" not in name and points["softmax"]]


def test_hostile_files_exceed_neither_the_time_nor_the_memory_limit(run):
    _, _, seconds, grown, _ = run
    assert seconds < 600  # No file blocks the run.
    assert grown < 600


@pytest.mark.parametrize("name", ["link.ipynb", "dangling.py", "device.py"])
def test_links_are_named_and_not_followed(run, name):
    *_, outcome = run
    assert any(f"{name} is a link" in sentence for sentence in outcome.unreadable)


def test_an_answer_that_is_slow_to_parse_affects_only_its_owner(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "SECONDS", 0.5)
    slow, good = tmp_path / "slow.py", tmp_path / "good.py"
    slow.write_text(
        "x = (" + "[" * 90 + "]" * 90 + ")\n" + "\n".join(f"a{n} = {{'b': [{n}] * 3}}" for n in range(40_000))
    )
    good.write_text(GOOD)
    lines, settings = [], GradingSettings(b"s", lambda: make_executor(1), Console(quiet=True))
    for path in (slow, good):
        grade_answers([path], "one_query", settings, lines.append)
    assert lines[0]["points"] == 0
    assert lines[1]["points"] > 0


def test_a_reader_that_is_killed_is_followed_by_another(tmp_path):
    path, chapter = tmp_path / "good.py", read_chapter("one_query")
    assert "softmax" in reader.read_submitted_answer(path, GOOD.encode(), chapter).definitions
    worker = reader._reader.worker
    worker.zygote.end_worker(worker.child)
    assert "softmax" in reader.read_submitted_answer(path, GOOD.encode(), chapter).definitions


def test_no_file_is_taken_for_a_module(tmp_path):
    """Processes of the pool start in the current folder, which may contain answers with any file name."""
    names = ("multiprocessing", "pickle", "socket", "signal", "threading", "tempfile", "numpy", "autograder")
    for name in names:
        (tmp_path / f"{name}.py").write_text(f"open('ran', 'a').write({name!r})\n{GOOD}")
    program = "import sys; sys.path.remove(''); from autograder.cli import main; main.main()"  # `attn` starts this way.
    words = ["grade", *(f"{name}.py" for name in names), "--chapter", "one_query", "--jobs", "2"]
    process = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert process.returncode == 0, process.stderr
    assert len(process.stdout.splitlines()) == len(names)
    assert not (tmp_path / "ran").exists()


def test_a_pool_leaves_the_environment_as_it_is():
    before = dict(os.environ)
    with make_executor(2) as pool:
        assert pool.submit(os.getpid).result() != os.getpid()
        assert pool.submit(os.getenv, "PYTHONSAFEPATH").result() == "1"
    assert dict(os.environ) == before
