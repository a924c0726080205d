"""The promises of the sandbox, and the behaviour without one, for root and for other users."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest

from autograder.boundary import sandbox
from autograder.boundary.channel import close_zygotes, start_worker
from autograder.chapters import curriculum
from autograder.chapters.errors import CourseError, MissingSandboxError
from support.late import LazyModule
from support.missing import require

steps = LazyModule("autograder.classroom.seam")

pytestmark = pytest.mark.slow

ANSWER = curriculum.ROOT / "tests" / "answers" / "one_query" / "products.py"
NOBODY = 65534
needs_bubblewrap = pytest.mark.needs("bubblewrap")


def attn(*arguments, path=None, python=(sys.executable,), cwd=None):
    environment = {"PATH": path or os.defpath, "HOME": str(cwd or "/nonexistent"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(curriculum.ROOT), *sandbox.find_package_folders()])
    environment |= {"COLUMNS": "200"} | ({"TMPDIR": str(cwd)} if cwd else {})
    command = [*python, "-W", "ignore", "-m", "autograder.cli.main", *map(str, arguments)]
    done = subprocess.run(command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def no_bubblewrap(tmp_path):
    (tmp_path / "bin").mkdir()
    assert shutil.which("bwrap", path=str(tmp_path / "bin")) is None
    return str(tmp_path / "bin")


@pytest.fixture
def ordinary():
    """Yield the command with which an ordinary user runs Python, and their folder. Skip if there is no such Python."""
    home = Path(tempfile.mkdtemp(prefix="attn-test-", dir="/var/tmp"))
    try:
        if os.getuid() != 0:
            yield {"python": (sys.executable,), "cwd": home}
            return
        require("setpriv")
        become = (shutil.which("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        os.chown(home, NOBODY, NOBODY)
        # Choose a Python of this version that NOBODY can run, unlike pyenv's in root's home. It must also read ANSWER.
        system = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
        for python in (sys.executable, system):
            trial = f"open({str(ANSWER)!r}); open({os.path.realpath(python)!r})"
            if Path(python).exists() and not subprocess.run([*become, python, "-c", trial], check=False).returncode:
                yield {"python": (*become, python), "cwd": home}
                return
        pytest.skip("an ordinary user can read no Python of this version, or not this folder")
    finally:
        shutil.rmtree(home)


def grade(*options, cwd, **how):
    code, output = attn("grade", ANSWER, "--chapter", "one_query", *options, cwd=cwd, **how)
    lines = [line for line in output.splitlines() if line.startswith("{")]
    return code, output, json.loads(lines[0]) if lines else None


@needs_bubblewrap
def test_doctor_finds_that_all_holds():
    code, output = attn("doctor")
    assert code == 0, output
    assert "All promises hold." in output
    assert output.count(" yes ") > 15


@needs_bubblewrap
def test_doctor_finds_that_all_holds_for_an_ordinary_user(ordinary):
    code, output = attn("doctor", **ordinary)
    assert code == 0, output
    assert "All promises hold." in output


def test_doctor_says_what_does_not_hold_without_bubblewrap(no_bubblewrap, tmp_path):
    code, output = attn("doctor", path=no_bubblewrap, cwd=tmp_path)
    assert code == 1
    assert "do not hold: see docs/security.md" in output
    assert " no " in output


def assert_grades_only_when_told_to(**how):
    code, output, line = grade(**how)
    assert (code, line) == (2, None), output
    assert "bubblewrap is missing" in output
    assert "--no-sandbox" in output
    code, output, line = grade("--no-sandbox", **how)
    assert code == 0, output
    assert line["sandbox"] == "none"
    assert line["points"] == line["max_points"] > 0


def test_grading_without_bubblewrap_must_be_allowed(no_bubblewrap, tmp_path):
    assert_grades_only_when_told_to(path=no_bubblewrap, cwd=tmp_path)


def test_ordinary_users_do_not_grade_without_bubblewrap(no_bubblewrap, ordinary):
    assert_grades_only_when_told_to(path=no_bubblewrap, **ordinary)


@needs_bubblewrap
def test_an_ordinary_user_grades_in_the_sandbox(ordinary):
    code, output, line = grade(**ordinary)
    assert code == 0, output
    assert line["sandbox"] == "bubblewrap"
    assert line["points"] == line["max_points"] > 0


@needs_bubblewrap
def test_a_kit_below_usr_is_hidden_too(monkeypatch, tmp_path):
    """Docker images often have a project in /usr/src/app, and the sandbox shows /usr."""
    system, root = tmp_path / "usr", tmp_path / "usr" / "src" / "app"
    for folder in (root / "autograder" / "suites", root / "given", system / "lib"):
        folder.mkdir(parents=True)
    for file in (
        root / "secret",
        root / "autograder" / "suites" / "suite.py",
        root / "given" / "words",
        system / "lib" / "x",
    ):
        file.write_text("here")
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    monkeypatch.setattr(sandbox, "_SYSTEM", (*sandbox._SYSTEM, str(system)))
    monkeypatch.setattr(sandbox, "KIT", root)
    monkeypatch.setattr(sandbox, "GIVEN", root / "given")
    close_zygotes()
    worker = start_worker(())
    source = "import os\n\ndef is_file(path):\n    return os.path.isfile(path)\n"
    worker.ask(["load", [("answer.py", 1, source)], False], 20)
    results = {
        path: worker.ask(["call", "is_file", [str(system / path)], {}], 20)["value"]
        for path in ("lib/x", "src/app/given/words", "src/app/secret", "src/app/autograder/suites/suite.py")
    }
    worker.close()
    close_zygotes()
    assert list(results.values()) == [True, True, False, False]


@needs_bubblewrap
def test_python_may_be_called_by_a_relative_path(tmp_path):
    """A path such as ``../.venv/bin/python`` is relative to a folder that the sandbox does not have."""
    code, output, line = grade(python=(os.path.relpath(sys.executable, tmp_path),), cwd=tmp_path)
    assert code == 0, output
    assert line["sandbox"] == "bubblewrap"


def test_nbgrader_grading_without_bubblewrap_must_be_allowed(no_sandbox, monkeypatch):
    about = {"notebook": "no_chapter", "student": "somebody", "assignment": "none"}
    resources = {"nbgrader": about, "metadata": {"path": "nowhere", "name": "no_chapter"}}
    step = steps.GradeAnswers()
    monkeypatch.setattr(step.log, "disabled", True)
    with pytest.raises(MissingSandboxError, match=r"GradeAnswers\.no_sandbox"):
        step.preprocess(nbformat.v4.new_notebook(), resources)
    with pytest.raises(CourseError, match="cannot be read"):  # The next step looks for the course.
        steps.GradeAnswers(no_sandbox=True, log=step.log).preprocess(nbformat.v4.new_notebook(), resources)


def test_a_file_name_in_colour_reaches_no_terminal(tmp_path):
    for name in ("\x1b[31mred.py", "\x1b[31mred.ipynb"):
        (tmp_path / name).write_bytes(b"\xff\xfe")
        options = ("--chapter", "one_query", "--no-sandbox")
        for arguments in (("grade", tmp_path / name, *options), ("check", "--answers", tmp_path / name)):
            code, output = attn(*arguments, cwd=tmp_path)
            assert code == 2, output
            assert "red" in output
            assert "\x1b" not in output
