"""`attn lab` opens chapters as notebooks, and for teachers nbgrader's tools, and names missing packages."""

import json
import os

import pytest

from autograder.chapters import curriculum
from autograder.chapters.errors import InputError, UnreadableAnswer
from autograder.study import editor


@pytest.fixture
def started(monkeypatch):
    calls = []
    monkeypatch.setattr(editor.signal, "signal", lambda *_: None)
    monkeypatch.setattr(editor.subprocess, "call", lambda command, cwd, env: calls.append((command, cwd, env)) or 0)
    return calls


@pytest.mark.parametrize("is_course", [False, True])
def test_lab_loads_teacher_tools_and_configuration_only_in_a_course(started, tmp_path, is_course):
    (tmp_path / "nbgrader_config.py").write_text("")  # Somebody may have handed in this file.
    assert editor.open_lab(tmp_path, is_course) == 0
    ((command, folder, environment),) = started
    assert "sys.path.remove('')" in command[2] and f"--ServerApp.root_dir={tmp_path}" in command
    assert folder == (tmp_path if is_course else editor.SETTINGS)
    paths = environment["JUPYTER_CONFIG_PATH"].split(os.pathsep)
    viewers = json.loads((editor.SETTINGS / "labconfig" / "default_setting_overrides.json").read_text())
    assert paths[0] == str(editor.SETTINGS) and "Jupytext Notebook" in json.dumps(viewers)
    assert (str(editor.SETTINGS / "without_nbgrader") in paths) == (not is_course)


def test_code_below_prose_is_marked_as_code(started, tmp_path, capsys):
    path = tmp_path / "one_query.py"
    path.write_text("# %% [markdown]\n# Prose.\n\ndef mine(x):\n    return x\n")
    editor.open_lab(tmp_path, False)
    assert "\n# %%\ndef mine(x):" in path.read_text() and "added `# %%` above this code" in capsys.readouterr().out


def test_a_missing_folder_is_named(started, tmp_path):
    with pytest.raises(UnreadableAnswer, match="nowhere is not a folder: attn lab DIR"):
        editor.open_lab(tmp_path / "nowhere", False)
    assert not started


@pytest.mark.filterwarnings("ignore:.*click.utils:DeprecationWarning")  # Importing typer emits it.
def test_a_folder_without_chapters_is_refused_before_the_book_is_made(monkeypatch, tmp_path, capsys):
    from autograder.cli.learner import book  # noqa: PLC0415

    monkeypatch.setattr(curriculum, "SITE", tmp_path / "site")
    with pytest.raises(InputError, match="contains no chapter file"):
        book(opened=False, answers=tmp_path)
    assert capsys.readouterr().out == "" and not (tmp_path / "site").exists()
