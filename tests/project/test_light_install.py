"""The first two units and self-study, from README's `pip install .` alone: no torch, no nbgrader, no clone."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_install import install

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.extras import EXTRAS
from autograder.chapters.stubs import FIRST_CELL
from autograder.classroom.returns.gradescope import make_constraints as pinned_versions
from support.missing import require

pytestmark = pytest.mark.slow
SECONDS = 600  # limit for pip on a slow connection


def run(*command, cwd, seconds=120, **environment):
    """Return the exit code and output of a command, run outside this virtualenv."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    process = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env=kept | {"COLUMNS": "200"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=seconds,
        check=False,
    )
    return process.returncode, process.stdout


@pytest.fixture(scope="module")
def attn(tmp_path_factory):
    """Return a function that runs `attn` in a learner's folder, with only the kit and its dependencies installed."""
    folder = tmp_path_factory.mktemp("light")
    uv, environment = shutil.which("uv") or Path(sys.executable).with_name("uv"), folder / "environment"
    listed = subprocess.check_output([sys.executable, "-m", "pip", "config", "list"], text=True)
    message = install.uv_environment(listed) | {"UV_CONSTRAINT": str(folder / "constraints.txt")}
    (folder / "constraints.txt").write_text(pinned_versions(), encoding="utf-8")
    assert run(uv, "venv", "--python", sys.executable, environment, cwd=folder)[0] == 0
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    pip = uv, "pip", "install", "--python", programs / Path(sys.executable).name
    require("index", run(*pip, "filelock", cwd=folder, **message)[0] == 0)
    assert "`pip install .`" in (curriculum.ROOT / "README.md").read_text(encoding="utf-8")
    code, sentence = run(*pip, curriculum.ROOT, cwd=folder, seconds=SECONDS, **message)
    assert code == 0, sentence
    program = programs / "attn"
    assert run(program, "start", "x", cwd=folder)[0] == 0

    def call(*arguments, code=0):
        results, sentence = run(program, *arguments, cwd=folder / "x")
        assert results == code, sentence
        assert "internal error" not in sentence and "Traceback" not in sentence
        return sentence

    call.folder, call.python = folder / "x", programs / Path(sys.executable).name
    return call


def test_a_light_install_has_no_extras(attn):
    packages = [package for _, packages, _ in EXTRAS.values() for package in packages.split()]
    code = f"import importlib.util as u; print([name for name in {packages} if u.find_spec(name)])"
    assert run(attn.python, "-c", code, cwd=attn.folder) == (0, "[]\n")


def test_a_new_folder_is_checked_and_every_solution_of_the_first_units_passes(attn):
    exercises = sum(len(read_chapter(name).exercises) for name in curriculum.CHAPTERS)
    assert f"0 of {exercises} exercises done" in attn("check")
    for unit in ("attention-basics", "words-and-pictures"):
        for chapter in curriculum.UNITS[unit]:
            shutil.copy(curriculum.SOLUTIONS / f"{chapter}.py", attn.folder / "exercises")
            points = sum(exercise.points for exercise in read_chapter(chapter).exercises)
            assert f"{points} of {points} points" in attn("check", chapter)


def test_commands_with_missing_packages_say_what_to_install(attn):
    torch = "pip install torch"
    assert torch in attn("check", "qkv", code=2)
    assert "pip install nbgrader jupytext" in attn("course", "new", "c", code=2)
    assert "attn lab needs JupyterLab and Jupytext: pip install jupyterlab jupytext" in attn("lab", code=2)
    shutil.copy(curriculum.SOLUTIONS / "qkv.py", attn.folder)
    assert torch in attn("grade", "qkv.py", "--no-sandbox", code=2)
    assert torch in attn("grade", "qkv.py", "--chapter", "qkv", "--no-sandbox", code=2)


def test_the_book_is_there_with_its_pictures_and_without_torch(attn):
    attn("book", "--build", "site")
    page = (attn.folder / "site" / "write.html").read_text(encoding="utf-8")
    matches = re.findall(r'src="(pictures/write/[^"]+)"', page)
    assert matches and all((attn.folder / "site" / path).stat().st_size for path in matches)
    assert 'class="prediction"' in page
    assert "questions. Enter shows the answer" in attn("predict", "write")


def test_a_missing_torch_does_not_affect_other_answers(attn):
    shutil.copy(curriculum.SOLUTIONS / "one_query.py", attn.folder / "exercises")
    shutil.copy(curriculum.SOLUTIONS / "qkv.py", attn.folder / "exercises")
    output = attn("check", code=2)
    assert "softmax                       8/8  done" in output
    assert "Not checked: qkv needs PyTorch: pip install torch" in output
    shutil.copy(curriculum.EXERCISES / "qkv.py", attn.folder / "exercises")


def test_a_missing_import_only_affects_exercises_that_use_it(attn):
    path = attn.folder / "exercises" / "one_query.py"
    path.write_text("import torch\n\n" + (curriculum.SOLUTIONS / "one_query.py").read_text(encoding="utf-8"))
    assert "8/8  done" in attn("check", "softmax")


def test_a_notebook_with_commands_of_ipython_needs_none(attn):
    cells = [f"{FIRST_CELL}\n!ls\n%timeit 1", read_chapter("one_query").get_exercise("softmax").solution]
    cells = [{"cell_type": "code", "metadata": {}, "source": f"{source}\n"} for source in cells]
    cells[1]["source"] = f"import numpy as np\n{cells[1]['source']}"
    (attn.folder / "one_query.ipynb").write_text(json.dumps({"nbformat": 4, "cells": cells}), encoding="utf-8")
    assert "8 of 8 points" in attn("check", "softmax", "--answers", "one_query.ipynb")
