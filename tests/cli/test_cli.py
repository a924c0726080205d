"""The output and the exit codes of the command line."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from support.quick import pick_quick
from support.terminal import PseudoTerminal

ROOT = Path(__file__).resolve().parents[2]
ATTN = str(Path(sys.executable).with_name("attn"))
TOTAL = sum(len(read_chapter(name).exercises) for name in curriculum.CHAPTERS)

MIXED = """
import numpy as np

def single_dot_attention_score(a, b):
    return float(np.dot(a, b))

def softmax(scores):
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum()

def attend(state, annotations):
    raise NotImplementedError
"""


def attn(*arguments, cwd=ROOT, **environment):
    return subprocess.run(
        [ATTN, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, env=os.environ | environment
    )


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MIXED)
    return path


@pytest.mark.slow
@pytest.mark.needs("setup")
def test_make_check_does_all_solutions_and_installs_nothing():
    run = subprocess.run(["make", "check", "ANSWERS=solutions"], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0
    assert f"{TOTAL} of {TOTAL} exercises done" in run.stdout
    assert "pip" not in run.stdout + run.stderr


def test_a_file_is_graded_for_the_exercises_it_defines(mixed):
    run = attn("check", "--answers", mixed)
    assert run.returncode == 1
    output = re.findall(r"^  \S (\w+) +([\d.]+/\d+) +(.+?)\s*$", run.stdout, re.MULTILINE)
    assert output == [
        ("single_dot_attention_score", "4/4", "done"),
        ("softmax", "4.5/8", "wrong"),
        ("attend", "0/6", "to do"),
    ]
    assert "softmax([927, 397, 148, 929])" in run.stdout
    assert "subtract the same number from all scores" in run.stdout
    assert re.search(rf"Fix: softmax in {re.escape(str(mixed))}:8", run.stdout.replace("\n", " "))
    assert "Traceback" not in run.stdout + run.stderr


def test_json_lines_are_the_documented_objects(mixed):
    run = attn("check", "--answers", mixed, "--json")
    objects = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 1
    assert [thing["exercise"] for thing in objects] == ["single_dot_attention_score", "softmax", "attend"]
    for thing in objects:
        assert list(thing) == [
            "chapter", "exercise", "outcome", "points", "max_points", "misconception", "message", "seconds", "tests",
            "relation", "line", "carried_from", "explained", "fingerprint",
        ]  # fmt: skip
        assert thing["points"] == sum(test["points"] for test in thing["tests"])
        assert all(set(test) == {"name", "outcome", "points", "message"} for test in thing["tests"])
    assert objects[1]["misconception"] == "no_maximum_subtracted"
    assert objects[2]["outcome"] == "unattempted"


@pytest.mark.parametrize(
    ("arguments", "mentions"),
    [
        (["softmaks"], "Did you mean softmax"),
        (["--answers", "nowhere"], "nowhere"),
        (["--answers", "README.md"], "neither a script (.py) nor a notebook"),
        (["--answers", "docs"], "contains no chapter file"),
        (["--answers", "other.py"], "other.py defines no exercise"),
        (["--secret", "nowhere"], "nowhere"),
    ],
)
def test_unreadable_input_is_named(tmp_path, arguments, mentions):
    (tmp_path / "README.md").write_text("# no answer\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "other.py").write_text("x = 1\n")
    if "--answers" not in arguments:
        arguments = [*arguments, "--answers", str(ROOT / "exercises")]
    run = attn("check", *arguments, cwd=tmp_path)
    assert run.returncode == 2
    assert mentions in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.slow
def test_a_broken_suite_is_an_internal_error(tmp_path):
    for name in ("autograder", "solutions", "exercises"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    suite = tmp_path / "autograder" / "suites" / "test_softmax.py"
    suite.write_text(suite.read_text() + "\n\n@pytest.mark.points(1)\ndef test_broken(answer):\n    1 / 0\n")
    command = [sys.executable, "-m", "autograder.cli.main", "check", "softmax", "--answers", "solutions"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 3
    assert "our fault" in run.stdout and "ZeroDivisionError" in run.stdout
    suite.write_text("import nothing_of_that_name\n")
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 3
    assert "test_softmax.py" in run.stderr and "Traceback" not in run.stderr


def test_a_numpy_chapter_never_imports_torch(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import sys\ndef single_dot_attention_score(a, b):\n    return 'torch' in sys.modules\n")
    program = (
        "import sys\nfrom autograder.cli.main import main\n"
        f"sys.argv = ['attn', 'check', '--json', '--answers', {str(path)!r}]\n"
        "try:\n    main()\nfinally:\n    print('torch' in sys.modules)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    verdict, imported = run.stdout.splitlines()
    assert imported == "False"
    assert "returned False" in verdict or "returned booleans" in verdict


def test_the_list_never_imports_numpy():
    program = "from autograder.cli.main import app\napp(['list'], standalone_mode=False)\n"
    program += "import sys\nprint('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] == "False", run.stderr


def in_a_terminal(*arguments, columns=80, **environment):
    terminal = PseudoTerminal(ATTN, *arguments, cwd=ROOT, COLUMNS=str(columns), **environment)
    try:
        terminal.wait_for(r"\d+ points\n")
        return terminal.raw
    finally:
        terminal.close()


@pytest.mark.slow
def test_colours_are_used_only_in_terminals_that_want_them(mixed):
    coloured = re.compile(r"\x1b\[[\d;]*3\d")
    assert coloured.search(in_a_terminal("check", "--answers", mixed))
    assert not coloured.search(in_a_terminal("check", "--answers", mixed, NO_COLOR="1"))
    assert "\x1b" not in attn("check", "--answers", mixed).stdout


@pytest.mark.parametrize("columns", pick_quick([40, 60, 80]))
def test_narrow_terminals_are_respected(mixed, columns):
    text = re.sub(
        r"\x1b\[[\d;?]*[a-zA-Z]|\x1b\]8;[^\x1b]*\x1b\\", "", in_a_terminal("check", "--answers", mixed, columns=columns)
    )
    lines = [line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n")]  # A spinner overwrites its line.
    assert max(map(len, lines)) <= columns
    for word in ("softmax", "wrong", "yours", "expected"):
        assert word in text


def test_a_terminal_without_unicode_gets_ascii_symbols(mixed):
    message = "Zoë … " * 40
    mixed.write_text(f"{MIXED}\n\ndef normalize_by_sum(scores):\n    raise ValueError({message!r})\n", encoding="utf-8")
    run = attn("check", "--answers", mixed, PYTHONIOENCODING="ascii")
    assert run.returncode == 1 and "raised ValueError: Zo? ? Zo?" in run.stdout
    assert "  x softmax" in run.stdout and "  + single_dot" in run.stdout


# Faults of the environment ----------------------------------------------------------------------------------------

REFUSED = '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n'


def test_a_bubblewrap_that_the_system_refuses_is_quoted_and_one_that_is_missing_installed(mixed, tmp_path):
    (tmp_path / "bwrap").write_text(REFUSED)
    (tmp_path / "bwrap").chmod(0o755)
    run = attn("grade", mixed, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert run.returncode == 2 and "setting up uid map: Permission denied" in run.stderr, run.stderr
    assert "docs/security.md" in run.stderr and "install" not in run.stderr.replace("is installed", "")
    assert "AppArmor" in (ROOT / "docs" / "security.md").read_text()
    (tmp_path / "bwrap").unlink()
    run = attn("grade", mixed, PATH=str(tmp_path))
    assert run.returncode == 2 and "apt-get install bubblewrap" in run.stderr, run.stderr


def test_a_package_of_another_python_is_named_by_its_folder(mixed, tmp_path):
    (tmp_path / "other" / "numpy").mkdir(parents=True)
    (tmp_path / "other" / "numpy" / "__init__.py").write_text("raise ImportError('numpy.core.multiarray')")
    run = attn("check", "softmax", "--answers", mixed, PYTHONPATH=str(tmp_path / "other"))
    assert run.returncode == 2 and f"PYTHONPATH contains {tmp_path / 'other'}" in run.stderr, run.stderr
    assert "remove that folder from PYTHONPATH" in run.stderr and "internal error" not in run.stderr


def test_a_container_whose_root_may_not_become_anybody_else_checks_all_the_same(mixed):
    namespace = ["unshare", "--user", "--map-root-user"]
    if shutil.which("unshare") is None or subprocess.run([*namespace, "true"], capture_output=True).returncode:
        pytest.skip("this system has no user namespaces")
    run = subprocess.run([*namespace, ATTN, "check", "softmax", "--answers", mixed], capture_output=True, text=True)
    assert run.returncode == 1 and "Traceback" not in run.stderr, run.stderr
    assert "softmax" in run.stdout


def test_a_read_only_home_does_not_prevent_a_check(mixed):
    run = attn("check", "softmax", "--answers", mixed, HOME="/proc/nowhere", XDG_STATE_HOME="/proc/nowhere")
    assert run.returncode == 1 and "Traceback" not in run.stderr, run.stderr


@pytest.mark.parametrize("command", [("list",), ("doctor",)])  # The first prints text, the second a Rich table.
def test_a_closed_pipe_is_not_an_error(command):
    reading, writing = os.pipe()
    os.close(reading)
    run = subprocess.run([ATTN, *command], stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, text=True, check=False)
    os.close(writing)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("name", ["grade", "doctor", "course", "stubs"])
def test_a_command_that_is_imported_later_has_its_own_sentence_in_the_help(name):
    sentence, _, _ = " ".join(attn(name, "--help").stdout.split("\n\n")[1].split()).partition(". ")
    assert f" {name} {sentence.rstrip('.')}." in " ".join(attn("--help").stdout.split())
