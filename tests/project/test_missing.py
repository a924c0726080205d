"""Tests without their requirements are skipped and reported, or fail with CI=true. A mount namespace hides programs."""

import os
import shutil
import subprocess
import sys

import pytest

from autograder.chapters.curriculum import ROOT
from support import missing

LACKS = "tests/hostile/test_sandbox.py::test_an_ordinary_user_grades_in_the_sandbox"
SAID = "needs bubblewrap, and leave to use it: apt-get install bubblewrap"


def run_without_programs(**environment):
    command = [ROOT / ".ci" / "bare", sys.executable, "-m", "pytest", "-qrs", "-n0", "-p", "no:cacheprovider", LACKS]
    kept = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    process = subprocess.run(command, cwd=ROOT, env=kept | environment, capture_output=True, text=True, timeout=300)
    return process.returncode, process.stdout + process.stderr


can_hide = pytest.mark.skipif(
    sys.platform != "linux"
    or not shutil.which("unshare")
    or subprocess.run(["unshare", "--mount", "mount", "--make-rprivate", "/"], capture_output=True).returncode != 0,
    reason="hides programs in a mount namespace, which only root may make",
)


@can_hide
@pytest.mark.slow
def test_missing_programs_are_named_in_the_last_lines():
    code, output = run_without_programs()
    assert code == 0, output
    assert any(line.startswith("SKIPPED [1] ") and line.endswith(SAID) for line in output.splitlines())


def test_an_existing_program_is_never_skipped(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    missing.require("index", True)
    with pytest.raises(pytest.skip.Exception, match="a package index: pip config set"):
        missing.require("index", False)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="a package index"):
        missing.require("index", False)
