"""`pytest exercises/`: the hidden tests as items, with the verdicts of `attn check`, in terminals and in editors."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autograder.chapters.chapter import read_chapter
from autograder.chapters.stubs import make_stub

BIN = Path(sys.executable).parent
CHAPTER = read_chapter("one_query")
NAIVE = ("np.exp(scores - scores.max())", "np.exp(scores)")
ENDS_PYTHON = "\n\n# %%\nraise SystemExit('this file was run by pytest itself')\n"
# A short form of the adapter in VS Code's Python extension: it builds its tree from `items`, climbs from each item
# through classes to the file, and sends an `AssertionError` as a failure, anything else as an error.
ADAPTER = """
import json, pathlib, pytest
said = {"tree": [], "results": {}}
def name_of(node): return "::".join([str(node.path), *node.nodeid.split("::")[1:]])
def pytest_exception_interact(node, call, report):
    value = "failure" if call.excinfo.typename == "AssertionError" else "error"
    said["results"].setdefault(name_of(node), [value, report.longreprtext])
def pytest_runtest_makereport(item, call):
    if call.when == "call" and not call.excinfo:
        said["results"][name_of(item)] = ["success", ""]
def pytest_sessionfinish(session):
    for item in session.items:
        classes, node = [], item.parent
        while isinstance(node, pytest.Class):
            classes, node = [name_of(node), *classes], node.parent
        said["tree"].append([str(node.path), *classes, name_of(item), item.location[1] + 1])
    pathlib.Path("said.json").write_text(json.dumps(said))
"""


def make_answer_text(solved=(), **replacements):
    """Return a chapter's file in which some exercises are solved and some solutions are changed."""
    text = make_stub(CHAPTER)
    for name in (*solved, *replacements):
        exercise = CHAPTER.get_exercise(name)
        source = exercise.source.replace(*replacements[name]) if name in replacements else exercise.source
        assert name not in replacements or source != exercise.source
        text = text.replace(exercise.stub, source)
    return text


def pytest_in(folder, *arguments, code=None):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COLUMNS"))}
    command = [sys.executable, "-m", "pytest", *arguments]
    process = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    assert code in (None, process.returncode), process.stdout + process.stderr
    assert "Traceback" not in process.stdout and "autograder/study" not in process.stdout
    return process.stdout + process.stderr


@pytest.fixture(scope="module")
def learner(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learner")
    (folder / "exercises").mkdir()
    endless = ("return", "import time\n    while True:\n        time.sleep(1)\n    return")
    text = make_answer_text(["normalize_by_sum"], softmax=NAIVE, apply_attention_scores=endless)
    (folder / "exercises" / "one_query.py").write_text(text + ENDS_PYTHON)
    return folder


@pytest.fixture(scope="module")
def run(learner):
    """Return pytest's output, and (exercise, test) -> (outcome, properties, element) from its JUnit report."""
    shown = pytest_in(learner, "exercises/one_query.py", "-rs", "--junitxml=told.xml", code=1)
    cases = {}
    for case in ElementTree.parse(learner / "told.xml").iter("testcase"):
        properties = {each.get("name"): each.get("value") for each in case.iter("property")}
        outcome = next((child.tag for child in case if child.tag != "properties"), "passed")
        cases[case.get("classname"), case.get("name")] = outcome, properties, case
    return shown, cases


def split_blocks(shown):
    """Return test name -> its block of the output, for each failed test."""
    parts = shown.partition("= FAILURES =")[2].partition("short test summary")[0].split("\n_")
    return {part.strip("_").partition(" ")[2].partition(" ")[0]: part for part in parts[1:]}


def test_verdicts_and_progress_are_those_of_a_check(run, learner, tmp_path):
    shutil.copy(learner / "exercises" / "one_query.py", tmp_path)
    command = [BIN / "attn", "check", "--json", "--answers", "."]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120).stdout
    outcomes = {"passed": "passed", "unattempted": "skipped"}
    records = [*map(json.loads, checked.splitlines())]
    assert len(run[1]) == sum(len(record["tests"]) for record in records), "an item for each hidden test"
    for record in records:
        for test in record["tests"]:
            outcome, properties, _ = run[1][f"exercises.one_query.{record['exercise']}", f"test_{test['name']}"]
            assert outcome == outcomes.get(test["outcome"], "failure")
            assert float(properties["points"]) == test["points"]
            assert properties["misconception"] == (record["misconception"] or "")
    kept = [json.loads((at / ".attn" / "progress.json").read_text()) for at in (learner / "exercises", tmp_path)]
    for facts in (facts for progress in kept for facts in progress.values()):
        facts.pop("time", facts.pop("seconds", None))
    assert kept[0] == kept[1] and "passed" in kept[0]["normalize_by_sum"]


def test_a_failing_test_shows_the_message_of_the_check(run):
    shown = split_blocks(run[0])
    large = shown["softmax::test_large_scores"]
    for part in (
        "infinity divided by infinity is",
        "softmax([",
        "yours",
        "target",
        "Hint 1 of 4: What does",
        "attn hint",
    ):
        assert part in large
    place, _, line = large.strip().splitlines()[-1].partition(": ")[0].rpartition(":")
    assert (place, line.isdigit()) == ("exercises/one_query.py", True)
    other = shown["softmax::test_very_large_scores"]
    assert "softmax([-20000" in other and "More on softmax: test_large_scores" in other and "Hint" not in other
    assert "Perhaps a loop never ends" in shown["apply_attention_scores::test_example"]
    assert "still to do" in run[0] and "exercises/one_query.py" in run[0].partition("SKIPPED")[2].splitlines()[0]


def test_nothing_of_a_suite_is_shown(run):
    suites = [suite.read_text() for suite in Path("autograder/suites").resolve().glob("test_*.py")]
    lines = {line.strip() for suite in suites for line in suite.splitlines() if len(line.strip()) > 30}
    assert lines and not [line for line in run[0].splitlines() if line.strip() in lines]


def test_options_of_pytest_work(tmp_path):
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "one_query.py").write_text(make_answer_text(softmax=NAIVE))
    for arguments, summary in (
        (["exercises", "-k", "softmax and large"], "2 failed, 42 deselected"),
        (["exercises", "-x", "--durations=1"], "1 failed, 3 passed, 17 skipped"),
        (["exercises", "--lf", "-n2"], "2 failed"),
        (["exercises/one_query.py::softmax::test_example"], "1 passed"),
    ):
        assert summary in pytest_in(tmp_path, "-q", *arguments).splitlines()[-1]
    kept = json.loads((tmp_path / "exercises" / ".attn" / "progress.json").read_text())
    assert kept["softmax"]["checks"] == 4, "each run is one check, on however many cores"


def test_editors_find_tests_and_run_one(tmp_path, learner):
    """The test uses the hooks and the names of VS Code's adapter, without VS Code."""
    shutil.copytree(learner / "exercises", tmp_path / "exercises")
    (tmp_path / "adapter.py").write_text(ADAPTER)
    options = ["-q", "-p", "adapter", f"--rootdir={tmp_path}"]
    pytest_in(tmp_path, *options, "--collect-only", "exercises", code=0)
    tree = json.loads((tmp_path / "said.json").read_text())["tree"]
    assert {len(branch) for branch in tree} == {4}
    (branch,) = [branch for branch in tree if branch[2].endswith("softmax::test_large_scores")]
    file, exercise, name, line = branch
    assert Path(file) == tmp_path / "exercises" / "one_query.py" and exercise == f"{file}::softmax"
    assert Path(file).read_text().splitlines()[line - 1] == "def softmax(scores):"
    pytest_in(tmp_path, *options, name, code=1)
    results = json.loads((tmp_path / "said.json").read_text())["results"]
    value, text = results.pop(name)
    assert value == "failure" and text.startswith("The exponentials of large scores overflow") and not results


def test_a_suite_is_run_on_answers(tmp_path):
    suite = Path("autograder/suites/test_softmax.py").resolve()
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n\n" + CHAPTER.get_exercise("softmax").source.replace(*NAIVE) + ENDS_PYTHON
    )
    shown = pytest_in(tmp_path, "-q", suite, "--answers", "mine.py", code=1)
    assert "mine.py:" in shown and shown.splitlines()[-1].startswith("2 failed, 7 passed")
    for options in ([], ["-n2"]):
        shown = pytest_in(tmp_path, "-q", suite, *options)
        assert "test_softmax.py is a hidden suite: name the answers to run it on with --answers FILE" in shown
    shown = pytest_in(tmp_path, "-q", suite, "--answers", "absent.py", code=2)
    assert "absent.py does not exist in" in shown
    shown = pytest_in(".", "-q", suite, "tests/project/test_language.py", "--answers", "solutions", code=4)
    assert "ERROR: the kit's own tests run without --answers" in shown


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / ".attn").mkdir()
    (tmp_path / "one_query.py").write_bytes(b"x = '\xe9'\n")
    (tmp_path / "mine.ipynb").write_text("{")
    shown = pytest_in(tmp_path, "-q", "mine.ipynb", "one_query.py", code=2)
    assert "one_query.py is not text in UTF-8" in shown and "mine.ipynb is not a notebook" in shown


def test_the_plugin_ignores_other_projects(tmp_path):
    (tmp_path / "write.py").write_text("raise SystemExit('not to be run')")
    (tmp_path / "suites").mkdir()
    for name in ("suites/test_softmax.py", "nn.py"):
        (tmp_path / name).write_text(
            "def softmax(scores):\n    return scores\n\ndef test_it():\n    assert softmax(1)\n"
        )
    assert pytest_in(tmp_path, "-q", "nn.py", "suites", code=0).splitlines()[-1].startswith("2 passed")
    loads = "import autograder.study.pytest_plugin, sys; print([m for m in sys.modules if m.startswith('autograder.')])"
    process = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "['autograder.study', 'autograder.study.pytest_plugin']"
