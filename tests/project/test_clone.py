"""The targets of the Makefile, and the files that git ignores, in a new clone."""

import re
import shutil
import subprocess

import pytest

from autograder.chapters.curriculum import ROOT

GROUPS = ["To learn:", "To teach:", "To write exercises, or change the kit:"]
# Files that commands in README.md and docs/ write into the clone.
MADE = (
    "course/gradebook.db", "course/report.html", "course/secret", "demo/report.html", "exchange/attention/inbound",
    "attention/exercises/one_query.py", "exercises/.attn/progress.json", "debug/softmax.py", "build/book/index.html",
    "dist/attention_exercises.whl", "grades.jsonl", "grades.csv", "canvas.csv", "moodle.csv", "import.csv",
    "report.csv", "overview.csv", "worksheet.csv", "participants.csv", "students.csv", "moodle.zip", "back.zip",
    "gradescope.zip", "classroom.yml",
)  # fmt: skip


@pytest.mark.skipif(not shutil.which("make"), reason="Windows needs no make")
def test_make_without_a_target_lists_all_targets_and_those_for_learners_first():
    said = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.startswith("  make help      this list\n") and re.findall(r"^(\S.*:)$", said, re.MULTILINE) == GROUPS
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1].split()
    assert sorted(re.findall(r"^  make ([\w-]+) ", said, re.MULTILINE)) == sorted(phony)


@pytest.mark.skipif(not shutil.which("git") or not (ROOT / ".git").exists(), reason="not a clone")
def test_git_ignores_the_output_of_commands():
    command = ["git", "check-ignore", "--no-index", "--stdin"]
    process = subprocess.run(command, cwd=ROOT, input="\n".join(MADE), capture_output=True, text=True, check=False)
    assert process.stdout.split() == list(MADE)
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    assert tracked.stdout == "", "what belongs to the kit is not left out"


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.stem)
def test_a_page_with_commands_says_how_to_activate_the_environment(path):
    page = path.read_text(encoding="utf-8")
    if re.search(r"^(?:\$ )?attn ", page, re.MULTILINE):
        assert "activate" in page and ".venv" in page
