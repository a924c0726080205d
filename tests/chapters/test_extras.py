"""Messages about missing libraries, and the commands that they name."""

import importlib.metadata
import re
import subprocess

import pytest

from autograder.chapters import curriculum, extras
from autograder.chapters.extras import EXTRAS

# These files may name the distribution, because they are about its releases or test its name.
NOT_TOLD = ("CHANGELOG.md", "docs/releases.md", "tests/")


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_library_is_brought_by_make_in_a_clone_and_by_name_elsewhere(extra, monkeypatch):
    monkeypatch.setattr(curriculum, "IS_CLONE", True)
    assert extras.explain_missing("x", extra) == f"x needs {EXTRAS[extra][0]}: make setup"
    monkeypatch.setattr(curriculum, "IS_CLONE", False)
    command = extras.explain_missing("x", extra).partition(": ")[2]
    assert command.startswith("pip install ") and "attention-exercises" not in command
    requirements = importlib.metadata.requires("attention-exercises")
    marked = [line for line in requirements if re.search(rf"extra == '{extra}'", line) and "python_version" not in line]
    needed = {re.match(r"[\w.-]+", line)[0] for line in marked} - {"attention-exercises"}
    assert needed <= set(re.findall(r"[a-z][\w-]+", command)) | ({"torch"} if extra == "pretrained" else set())


def test_nothing_that_a_person_reads_names_a_distribution_that_no_index_has():
    if not (curriculum.ROOT / ".git").exists():
        pytest.skip("not a clone")
    listed = subprocess.run(["git", "ls-files"], cwd=curriculum.ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.splitlines():
        if not name.startswith(NOT_TOLD) and (path := curriculum.ROOT / name).suffix in (".py", ".md", ".json", ""):
            text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            assert not re.search(r"pip install[^`\n]*attention[-_]exercises", text), name
