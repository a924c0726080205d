"""Binder and the kit's container image: how chapters are opened, and which files are left out."""

import os
import subprocess

from autograder.chapters.curriculum import ROOT
from autograder.study.editor import SETTINGS


def test_binder_opens_chapters_as_notebooks_as_attn_lab_does():
    for script in (".binder/postBuild", ".binder/start"):
        assert os.access(ROOT / script, os.X_OK)
    command = [ROOT / ".binder" / "start", "printenv", "JUPYTER_CONFIG_PATH"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert process.stdout.strip().split(os.pathsep)[0] == str(SETTINGS)


def test_an_image_contains_no_environment_and_no_answers():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {".venv", ".git", "**/.attn"} <= set(ignored)
