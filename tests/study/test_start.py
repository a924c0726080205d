"""`attn start` creates a learner's folder and updates it to a newer version of the kit."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import find_answer, read_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import InputError, UnreadableAnswer
from autograder.study.progress import Progress
from autograder.study.start import read_handouts, start, summarise

CHAPTER = "exercises/one_query.py"


def make_newer_version(title="# # One query, anew"):
    """Return the files of a later version, in which a chapter's title and the README differ."""
    texts = read_handouts()
    chapter = texts[CHAPTER].replace("# # One query", title, 1)
    return texts | {CHAPTER: chapter, "README.md": texts["README.md"] + "More.\n"}


def write_answer(folder):
    path = folder / CHAPTER
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("raise NotImplementedError", "return 1.0", 1), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "mine"
    assert set(start(made, read_handouts()).values()) == {"new"}
    return made


def test_a_new_folder_has_the_chapters_of_a_clone(folder):
    for name in curriculum.CHAPTERS:
        theirs = (curriculum.EXERCISES / f"{name}.py").read_text(encoding="utf-8")
        assert (folder / "exercises" / f"{name}.py").read_text(encoding="utf-8") == theirs
    for path in (curriculum.EXERCISES / "given").glob("*.[pt]*"):
        assert (folder / "exercises" / "given" / path.name).read_bytes() == path.read_bytes()
    names = {"README.md", ".gitignore", ".vscode", ".editorconfig", "exercises"}
    assert {path.name for path in folder.iterdir()} == names


def test_a_second_time_changes_nothing(folder):
    write_answer(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(start(folder, read_handouts()).values()) == {"same"}
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_newer_version_replaces_untouched_files(folder):
    outcomes = start(folder, make_newer_version())
    assert {name for name, each in outcomes.items() if each == "renewed"} == {CHAPTER, "README.md"}
    assert (folder / CHAPTER).read_text(encoding="utf-8") == make_newer_version()[CHAPTER]
    assert set(start(folder, make_newer_version()).values()) == {"same"}


def test_changed_files_are_kept_and_their_new_version_is_next_to_them(folder):
    write_answer(folder)
    path, new_version = folder / CHAPTER, folder / f"{CHAPTER}.new"
    mine = path.read_bytes()
    outcomes = start(folder, make_newer_version())
    assert {name for name, each in outcomes.items() if each == "kept"} == {CHAPTER}
    lines = list(summarise(folder, outcomes))
    assert f"kept as it is: {path}. Its new version is {new_version}" in lines
    assert "Copy what you want from each .new file into your own file, then delete it." in lines
    assert path.read_bytes() == mine and new_version.read_text() == make_newer_version()[CHAPTER]
    assert set(start(folder, make_newer_version()).values()) == {"same"}
    new_version.unlink()
    assert set(start(folder, make_newer_version()).values()) == {"same"} and not new_version.exists()


def test_a_second_upgrade_keeps_what_was_written_into_the_new_version(folder):
    write_answer(folder)
    start(folder, make_newer_version())
    new_version = folder / f"{CHAPTER}.new"
    new_version.write_text("my work")
    start(folder, make_newer_version("# # Once more"))
    assert "# # Once more" in new_version.read_text()
    (backup,) = (folder / "exercises" / ".attn" / "backups").iterdir()
    assert backup.read_text() == "my work"


def test_a_new_version_is_not_an_answer(folder):
    write_answer(folder)
    start(folder, make_newer_version())
    (folder / CHAPTER).unlink()
    assert find_answer(folder / "exercises", read_chapter("one_query")) is None
    with pytest.raises(UnreadableAnswer, match="neither a script"):
        read_answer(folder / f"{CHAPTER}.new")


def test_a_file_that_is_not_text_is_unchanged_and_an_empty_one_is_replaced(folder):
    for content, wanted in ((b"\xff\xfe broken", b"\xff\xfe broken"), (b"\n", make_newer_version()[CHAPTER].encode())):
        (folder / CHAPTER).write_bytes(content)
        start(folder, make_newer_version())
        assert (folder / CHAPTER).read_bytes() == wanted


def test_a_notebook_in_place_of_a_script_is_not_replaced(folder):
    (folder / CHAPTER).rename((folder / CHAPTER).with_suffix(".ipynb"))
    assert start(folder, make_newer_version())[CHAPTER] == "left"
    assert not (folder / CHAPTER).exists()


def test_files_of_unknown_origin_are_unchanged(tmp_path):
    (tmp_path / "README.md").write_text("Mine.")
    (tmp_path / "exercises").mkdir()
    (tmp_path / CHAPTER).write_text("# %%\nx = 1\n")
    results = start(tmp_path, read_handouts())
    assert results["README.md"] == results[CHAPTER] == "kept"
    assert (tmp_path / "README.md").read_text() == "Mine."
    assert (tmp_path / CHAPTER).read_text() == "# %%\nx = 1\n"


def test_the_kit_itself_and_a_file_are_refused(tmp_path):
    with pytest.raises(InputError, match="attn watch"):
        start(curriculum.ROOT, read_handouts())
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        start(tmp_path / "file", read_handouts())


def attn_start(tmp_path, **environment):
    command, given = [sys.executable, "-m", "attn", "start", "my work"], os.environ | environment
    return subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True, env=given, timeout=60
    ).stdout


def test_start_reports_what_it_has_done(tmp_path):
    message = attn_start(tmp_path)
    assert "13 chapters" in message and "cd 'my work' && attn book" in message
    assert "Nothing was changed" in attn_start(tmp_path)
    (tmp_path / "my work" / CHAPTER).unlink()
    assert f"new: my work/{CHAPTER}" in attn_start(tmp_path)


def test_without_an_activated_environment_the_command_says_how(tmp_path):
    programs = Path(sys.executable).parent
    assert f"so that it knows attn: . {programs}/activate\nNow: cd" in attn_start(tmp_path, PATH="/usr/bin")
    assert "so that it knows" not in attn_start(tmp_path, PATH=f"{programs}:/usr/bin")


def test_pipes_and_links_are_skipped_without_blocking(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "mine" / "exercises").mkdir(parents=True)
    os.mkfifo(tmp_path / "mine" / "exercises" / "one_query.py")
    (tmp_path / "mine" / ".vscode").symlink_to(outside)
    (tmp_path / "mine" / "README.md").write_text("Mine.")
    (tmp_path / "mine" / "README.md.new").symlink_to(outside / "README.md")
    outcomes = start(tmp_path / "mine", read_handouts())
    assert outcomes["exercises/one_query.py"] == outcomes[".vscode/settings.json"] == "left"
    assert outcomes["README.md"] == "left" and outcomes["exercises/qkv.py"] == "new" and not list(outside.iterdir())


def test_nothing_is_kept_through_a_link(tmp_path, capsys):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / ".attn").symlink_to(outside)
    Progress(tmp_path / "exercises" / ".attn").change(lambda known: known.update(softmax={"hints": 1}))
    assert "cannot be saved: it is a link" in capsys.readouterr().err
    start(tmp_path, read_handouts())
    assert not list(outside.iterdir())
