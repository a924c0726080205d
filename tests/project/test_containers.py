"""What Binder, an editor's container and the Dockerfile run is what README.md says."""

import json
import os
import re
import subprocess

import pytest

from autograder.chapters.curriculum import ROOT
from autograder.study.editor import SETTINGS

README = (ROOT / "README.md").read_text(encoding="utf-8")


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def plain(command):
    """A command without what a person has no need of: the answer to a question."""
    return command.replace(" --yes", "").strip()


def in_readme():
    fenced = re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    lines = [line.partition("  #")[0] for fence in fenced for line in fence.splitlines()]
    lines += [
        " ".join(found.split()) for found in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", README, flags=re.S))
    ]
    return {plain(part) for line in lines for part in (line, *line.split("&&"))}


def of_dockerfile():
    lines = re.findall(r"^RUN (.*)$", text("Dockerfile"), re.MULTILINE)
    (start,) = re.findall(r"^CMD (.*)$", text("Dockerfile"), re.MULTILINE)
    commands = [part for line in lines for part in line.split(" && ") if part != "apt-get update"]
    return [*commands, " ".join(json.loads(start))]


def of_binder():
    lines = text(".binder/postBuild").splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set "))]
    return [*commands, f"apt-get install {' '.join(text('.binder/apt.txt').split())}"]


def of_devcontainer():
    settings = json.loads(text(".devcontainer/devcontainer.json"))
    assert settings["build"] == {"dockerfile": "../Dockerfile", "context": "..", "target": "system"}
    assert "\nFROM debian:bookworm-slim AS system\n" in text("Dockerfile")
    return [settings["postCreateCommand"]]


@pytest.mark.parametrize("commands", [of_dockerfile, of_binder, of_devcontainer])
def test_they_run_what_the_readme_runs(commands):
    found = [plain(command) for command in commands()]
    assert found
    assert not set(found) - in_readme()


def test_binder_opens_chapters_as_notebooks_as_attn_lab_does():
    for script in (".binder/postBuild", ".binder/start"):
        assert os.access(ROOT / script, os.X_OK)
    command = [ROOT / ".binder" / "start", "printenv", "JUPYTER_CONFIG_PATH"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip().split(os.pathsep)[0] == str(SETTINGS)


def test_an_image_takes_no_environment_and_no_answers_along():
    ignored = text(".dockerignore").split()
    assert {".venv", ".git", "**/.attn"} <= set(ignored)
