"""`attn start` creates a learner's folder and updates it to a newer version of the kit."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import parse_script, read_answer
from autograder.chapters.chapter import parse_chapter, read_chapter
from autograder.chapters.errors import InputError
from autograder.chapters.stubs import make_stub
from autograder.study.progress import Progress
from autograder.study.start.merge import CannotMerge, merge_scripts
from autograder.study.start.start import read_handouts, start
from autograder.worker.reading.cells import read_cells

CHAPTER = "exercises/one_query.py"
TEXT = (curriculum.SOLUTIONS / "one_query.py").read_text(encoding="utf-8")
SOFTMAX = read_chapter("one_query").get_exercise("softmax")
ADDED = '''

# %% [markdown]
# A new exercise follows.

# %% exercise="doubled" points=1
def doubled(x):
    """Twice x."""
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
'''


def make_newer_version():
    """Return the files of a later version: with different prose, a new import and exercise, and a reworded stub."""
    text = TEXT.replace("# # One query\n", "# # One query, anew\n", 1).replace(
        "import numpy as np\n", "import numpy as np\nimport math\n", 1
    )
    cell = next(cell for cell in read_cells(text) if cell.options.get("exercise") == "attend")
    text = text.replace(cell.raw, cell.raw.rstrip() + ADDED + "\n\n")
    text = text.replace('def softmax(scores):\n    """', 'def softmax(scores):\n    """Anew: ', 1)
    assert text.count("anew") + text.count("Anew") == 2
    texts = read_handouts()
    return texts | {CHAPTER: make_stub(parse_chapter("one_query", text)), "README.md": texts["README.md"] + "More.\n"}


def map_outcomes(outcomes):
    return {outcome.name: outcome.what for outcome in outcomes}


def write_answer(folder, body="    x = np.exp(scores - np.max(scores))\n    return x / x.sum()"):
    path = folder / CHAPTER
    before, name, after = path.read_text(encoding="utf-8").partition("def softmax(")
    stub = re.compile(r" *# TODO.*\n *raise NotImplementedError")
    path.write_text(before + name + stub.sub(body, after, count=1), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "mine"
    assert set(map_outcomes(start(made, read_handouts())).values()) == {"new"}
    return made


def test_a_new_folder_has_the_chapters_of_a_clone(folder):
    for name in curriculum.CHAPTERS:
        theirs = (curriculum.EXERCISES / f"{name}.py").read_text(encoding="utf-8")
        assert (folder / "exercises" / f"{name}.py").read_text(encoding="utf-8") == theirs
    for path in (curriculum.EXERCISES / "given").glob("*.[pt]*"):
        assert (folder / "exercises" / "given" / path.name).read_bytes() == path.read_bytes()
    assert {path.name for path in folder.iterdir()} == {
        "README.md",
        ".gitignore",
        ".vscode",
        ".editorconfig",
        "exercises",
    }


def test_a_second_time_changes_nothing(folder):
    write_answer(folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(map_outcomes(start(folder, read_handouts())).values()) == {"same"}
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_newer_version_replaces_untouched_files(folder):
    outcomes = map_outcomes(start(folder, make_newer_version()))
    assert {name for name, each in outcomes.items() if each == "renewed"} == {CHAPTER, "README.md"}
    assert (folder / CHAPTER).read_text(encoding="utf-8") == make_newer_version()[CHAPTER]
    assert set(map_outcomes(start(folder, make_newer_version())).values()) == {"same"}


def test_a_newer_version_is_merged_around_answers(folder):
    write_answer(folder)
    path = folder / CHAPTER
    own = "# %%\ndef helper(x):\n    return x + 1\n\n\n# %% [markdown]\n# My note.\n\n"
    at = path.read_text(encoding="utf-8").index('# %% exercise="softmax"')
    path.write_text(
        path.read_text(encoding="utf-8")[:at] + own + path.read_text(encoding="utf-8")[at:], encoding="utf-8"
    )
    mine = path.read_text(encoding="utf-8")
    (outcome,) = [each for each in start(folder, make_newer_version()) if each.what == "merged"]
    assert outcome.backup.read_text(encoding="utf-8") == mine
    text = path.read_text(encoding="utf-8")
    assert "# One query, anew" in text and "# # One query\n" not in text
    assert text.count("import math\n") == 1 and text.count("def doubled") == 1
    assert text.count("def helper") == text.count("# My note.") == text.count("def softmax(") == 1
    assert (
        text.index("def dot_attention_score")
        < text.index("def helper")
        < text.index("def softmax(")
        < text.index("def attend")
    )
    answer, before = read_answer(path), parse_script("", mine)
    for name in ("softmax", "helper"):
        assert answer.definitions[name][0].source == before.definitions[name][0].source
    assert set(before.definitions) | {"doubled"} == set(answer.definitions)
    assert set(map_outcomes(start(folder, make_newer_version())).values()) == {"same"}


def test_two_upgrades_keep_it_all(folder):
    write_answer(folder)
    start(folder, make_newer_version())
    write_once_more = (folder / CHAPTER).read_text(encoding="utf-8") + "\n# %%\nLAST = 1\n"
    (folder / CHAPTER).write_text(write_once_more, encoding="utf-8")
    start(folder, read_handouts())
    text = (folder / CHAPTER).read_text(encoding="utf-8")
    assert "np.exp(scores - np.max(scores))" in text and "LAST = 1" in text and "doubled" not in text


def test_deleted_cells_stay_deleted_and_the_order_stays(folder):
    path = folder / CHAPTER
    text = path.read_text(encoding="utf-8")
    prose = next(cell for cell in read_cells(text)[1:] if cell.kind == "markdown")
    path.write_text(text.replace(prose.raw, ""), encoding="utf-8")
    start(folder, make_newer_version())
    assert prose.source not in "\n".join(cell.source for cell in read_cells(path.read_text(encoding="utf-8")))


def test_an_answer_without_cells_of_its_own_is_kept(folder):
    path = folder / CHAPTER
    path.write_text("import numpy as np\n\n\ndef softmax(scores):\n    return np.exp(scores)\n", encoding="utf-8")
    start(folder, make_newer_version())
    answer = read_answer(path)
    assert "return np.exp(scores)" in answer.definitions["softmax"][0].source
    assert "doubled" in answer.definitions


def test_a_merge_that_would_lose_definitions_is_refused():
    stub = '# %% exercise="f" points=1\ndef f():\n    raise NotImplementedError\n'
    mine = "# %%\ndef f():\n    return 1\n\n\n# %%\ndef g():\n    return 2\n"
    later = stub + "\n# %%\ndef g():\n    return 3\n"
    with pytest.raises(CannotMerge, match="g"):
        merge_scripts(stub, mine, later)


def test_a_file_that_is_not_text_is_unchanged_and_an_empty_one_is_replaced(folder):
    for content, wanted in ((b"\xff\xfe broken", b"\xff\xfe broken"), (b"\n", make_newer_version()[CHAPTER].encode())):
        (folder / CHAPTER).write_bytes(content)
        start(folder, make_newer_version())
        assert (folder / CHAPTER).read_bytes() == wanted


def test_a_notebook_in_place_of_a_script_is_not_replaced(folder):
    (folder / CHAPTER).rename((folder / CHAPTER).with_suffix(".ipynb"))
    assert map_outcomes(start(folder, make_newer_version()))[CHAPTER] == "left"
    assert not (folder / CHAPTER).exists()


def test_files_of_unknown_origin_are_unchanged(tmp_path):
    (tmp_path / "README.md").write_text("Mine.")
    (tmp_path / "exercises").mkdir()
    (tmp_path / CHAPTER).write_text("# %%\nx = 1\n")
    results = map_outcomes(start(tmp_path, read_handouts()))
    assert results["README.md"] == results[CHAPTER] == "left"
    assert (tmp_path / "README.md").read_text() == "Mine."
    assert (tmp_path / CHAPTER).read_text() == "# %%\nx = 1\n"


def test_a_deleted_chapter_is_written_again(folder):
    (folder / CHAPTER).unlink()
    assert map_outcomes(start(folder, read_handouts()))[CHAPTER] == "new"


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
    outcomes = {outcome.name: outcome.what for outcome in start(tmp_path / "mine", read_handouts())}
    assert outcomes["exercises/one_query.py"] == outcomes[".vscode/settings.json"] == "left"
    assert outcomes["exercises/qkv.py"] == "new" and not list(outside.iterdir())


def test_nothing_is_kept_through_a_link(tmp_path, capsys):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / ".attn").symlink_to(outside)
    Progress(tmp_path / "exercises" / ".attn").change(lambda known: known.update(softmax={"hints": 1}))
    assert "cannot be saved: it is a link" in capsys.readouterr().err
    start(tmp_path, read_handouts())
    assert not list(outside.iterdir())
