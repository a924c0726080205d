"""Submitted files with unexpected names, and downloads of all platforms."""

import io
import json
import os
import time
import zipfile

import nbformat
import pytest

from autograder.chapters.chapter import read_chapter
from autograder.chapters.curriculum import SOLUTIONS
from autograder.chapters.errors import CourseError
from autograder.classroom.inbox import arrivals
from autograder.classroom.inbox.arrivals import find_notebooks
from autograder.classroom.inbox.downloads import collect_download
from autograder.classroom.release.restore import make_notebook
from autograder.worker.reading.notebooks import UNREADABLE, read_bare_cells
from support.course import EXERCISES, UNIT_OF, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

CHAPTERS = ("one_query", "all_queries")
UNIT = UNIT_OF["one_query"]


@pytest.fixture(scope="module")
def texts(released):
    return {chapter: nbformat.writes(solved(released.release(chapter))) for chapter in CHAPTERS}


def place_notebooks(folder, chapters, exercises=frozenset(EXERCISES)):
    """Create a submission's notebooks of chapters from its files, and return the sentences about them."""
    notes = find_notebooks(folder, {chapter: set(exercises) for chapter in chapters})
    return [sentence for sentences in notes.values() for sentence in sentences]


def read_sources(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


NAMES = """one_query(1).ipynb, One_Query.ipynb, one_query - Copy.ipynb, one_query - Copy (2).ipynb, one_query-1.ipynb,
one_query-Copy1.ipynb, One Query.ipynb, one_query.ipynb.txt, one_query.ipynb.json, ada_one_query.ipynb, Untitled3.ipynb,
attention-basics/one_query.ipynb"""


@pytest.mark.parametrize("name", NAMES.replace(",\n", ", ").split(", "))
def test_a_notebook_is_found_under_any_name(texts, tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(texts["one_query"], encoding="utf-8")
    notes = place_notebooks(tmp_path, CHAPTERS)
    assert notes == [f"one_query.ipynb was handed in as {name}"]
    assert read_sources(tmp_path / "one_query.ipynb") == read_sources(tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8") == texts["one_query"]
    missing = nbformat.read(tmp_path / "all_queries.ipynb", as_version=4)
    assert missing.metadata[UNREADABLE] == "the notebook all_queries.ipynb was not handed in"
    # The missing notebook may come later, under any name.
    (tmp_path / "homework.ipynb").write_text(texts["all_queries"], encoding="utf-8")
    assert "all_queries.ipynb was handed in as homework.ipynb" in place_notebooks(tmp_path, CHAPTERS)


def test_an_unreadable_original_stays_next_to_an_untouched_copy(released, tmp_path):
    (tmp_path / "one_query.ipynb").write_text("{", encoding="utf-8")
    nbformat.write(released.release("one_query"), tmp_path / "one_query (1).ipynb")
    assert "several files were handed in" in place_notebooks(tmp_path, ["one_query"])[0]
    assert (tmp_path / "one_query.ipynb").read_text(encoding="utf-8") == "{"


def test_the_fullest_of_several_copies_counts(released, texts, tmp_path):
    (tmp_path / "one_query (1).ipynb").write_text(texts["one_query"], encoding="utf-8")
    (tmp_path / "one_query (2).ipynb").write_text("{}", encoding="utf-8")
    (tmp_path / "one_query.txt").write_text("my thoughts", encoding="utf-8")
    assert place_notebooks(tmp_path, CHAPTERS) == ["one_query.ipynb was handed in as one_query (1).ipynb"]


@pytest.mark.parametrize("name", ["one_query (1).ipynb", "one_query_final.ipynb", "work/one_query.py"])
def test_an_untouched_original_never_beats_the_work(released, texts, tmp_path, name):
    original = nbformat.writes(released.release("one_query"))
    (tmp_path / "one_query.ipynb").write_text(original, encoding="utf-8")
    work = texts["one_query"] if name.endswith("ipynb") else (SOLUTIONS / "one_query.py").read_text(encoding="utf-8")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(work, encoding="utf-8")
    for _ in range(2):  # A second search finds the same.
        assert place_notebooks(tmp_path, ["one_query"]) == [
            f"one_query.ipynb was handed in as {name}",
            f"several files were handed in for one_query: {name} counts, and none of the others has more exercises "
            "started (one_query (set aside).ipynb)",
        ]
        assert "def softmax" in "".join(read_sources(tmp_path / "one_query.ipynb"))
        assert arrivals.is_copy(tmp_path / "one_query.ipynb")
    assert (tmp_path / "one_query (set aside).ipynb").read_text(encoding="utf-8") == original


def test_solved_exercises_of_a_release_do_not_count_as_work(texts, tmp_path):
    (tmp_path / "one_query.ipynb").write_text(texts["one_query"], encoding="utf-8")  # Its softmax is renamed below.
    (tmp_path / "one_query.py").write_text("def softmax(scores):\n    return scores / scores.sum()\n")
    code = "".join(read_sources(tmp_path / "one_query.ipynb")).replace("def softmax", "def other")
    (tmp_path / "one_query.ipynb").write_text(
        nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)]))
    )
    assert place_notebooks(tmp_path, ["one_query"], {"softmax"})[0] == "one_query.ipynb was handed in as one_query.py"


def test_swapped_and_merged_notebooks_count_by_their_contents(texts, tmp_path):
    asked = {chapter: {exercise.name for exercise in read_chapter(chapter).exercises} for chapter in CHAPTERS}
    for chapter, other in zip(CHAPTERS, reversed(CHAPTERS), strict=True):
        (tmp_path / f"{chapter}.ipynb").write_text(texts[other], encoding="utf-8")
    assert "one_query.ipynb contains the exercises of all_queries: renamed to" in " ".join(
        find_notebooks(tmp_path, asked)[""]
    )
    assert "def softmax" in "".join(read_sources(tmp_path / "one_query.ipynb"))
    both, other = (nbformat.reads(texts[chapter], as_version=4) for chapter in CHAPTERS)
    both.cells += other.cells
    (place := tmp_path / "in_one").mkdir()
    nbformat.write(both, place / "one_query.ipynb")
    assert find_notebooks(place, asked)["all_queries"] == ["all_queries.ipynb was handed in as one_query.ipynb"]


def test_among_equals_the_right_name_counts_and_the_other_is_named(texts, tmp_path):
    for name, text in (("one_query.ipynb", "scores"), ("copy of one_query.ipynb", "points")):
        (tmp_path / name).write_text(texts["one_query"].replace("scores = np", f"{text} = np"), encoding="utf-8")
    assert place_notebooks(tmp_path, ["one_query"]) == [
        "several files were handed in for one_query: one_query.ipynb counts, and none of the others has more "
        "exercises started (copy of one_query.ipynb)"
    ]
    assert not arrivals.is_copy(tmp_path / "one_query.ipynb")


def test_collecting_again_gives_the_same_result_after_setting_files_aside(released, texts, tmp_path):
    course = released.copy_to(tmp_path / "course")
    files = {
        "Ada_1_assignsubmission_file_one_query.ipynb": nbformat.writes(released.release("one_query")),
        "Ada_1_assignsubmission_file_one_query (1).ipynb": texts["one_query"],
    }
    zip_files(tmp_path / "all.zip", files)
    assert collect_download(course.kit, UNIT, tmp_path / "all.zip")["new"] == ["1"]
    place_notebooks(course.folder / "submitted" / "1" / UNIT, CHAPTERS)
    assert (course.folder / "submitted" / "1" / UNIT / "one_query (set aside).ipynb").exists()
    assert collect_download(course.kit, UNIT, tmp_path / "all.zip")["same"] == ["1"]


@pytest.mark.parametrize(
    "text", ["[]", "3", "null", '{"cells": 3}', '{"cells": [3]}', "[" * 100_000, '{"cells": [{}]}']
)
def test_anything_can_be_read(text):
    notebook = make_notebook(*read_bare_cells(text.encode()))
    assert "is not a readable notebook" in notebook.metadata[UNREADABLE]
    nbformat.validate(notebook)


def test_a_forged_reason_is_cut(texts):
    forged = json.loads(texts["one_query"]) | {"metadata": {UNREADABLE: "x" * 10_000}}
    assert len(read_bare_cells(json.dumps(forged).encode())[1]) < 1000


# Downloads --------------------------------------------------------------------------------------------------------


def zip_files(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def handed_in(course):
    folder = course.folder / "submitted"
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["Ada Lovelace_12345_assignsubmission_file_/one_query.ipynb"], ["12345/one_query.ipynb"]),
        (["Ada Lovelace_12345_assignsubmission_file/one_query (1).ipynb"], ["12345/one_query (1).ipynb"]),
        (["Course-Homework-99/Ada Lovelace_12345_assignsubmission_file_one_query.ipynb"], ["12345/one_query.ipynb"]),
        (["lovelaceada_LATE_777_888_one_query-1.ipynb", "hopper_778_889_all_queries.ipynb", "studenttest_1_2_x.ipynb"],
         ["777/one_query-1.ipynb", "778/all_queries.ipynb"]),
        (["ada/one_query.ipynb", "submitted/bo/attention-basics/one_query.ipynb"],
         ["ada/one_query.ipynb", "bo/one_query.ipynb"]),
    ],
)  # fmt: skip
def test_downloads_of_platforms(course, tmp_path, names, found):
    source = zip_files(tmp_path / "all.zip", dict.fromkeys(names, "{}") | {"__MACOSX/x/one_query.ipynb": "junk"})
    collected = collect_download(course.kit, UNIT, source)
    assert handed_in(course) == {f"{path.partition('/')[0]}/{UNIT}/{path.partition('/')[2]}" for path in found}
    assert len(collected["new"]) == len(found) and not [
        problem for problem in collected["problems"] if not problem.startswith(("marked late by Canvas", "studenttest"))
    ]
    assert collect_download(course.kit, UNIT, source)["same"] == collected["new"]
    zip_files(source, dict.fromkeys(names, "{} "))
    assert collect_download(course.kit, UNIT, source)["replaced"] == collected["new"]


def test_a_zip_file_of_a_learner_and_one_that_is_hostile(course, tmp_path):
    inner = io.BytesIO()
    zip_files(inner, {"one_query.ipynb": "{}", "../../escaped.ipynb": "{}"})
    files = {
        "A_1_assignsubmission_file_/work.zip": inner.getvalue(),
        "B_2_assignsubmission_file_/bomb.ipynb": b"0" * ((128 << 20) + 1),
        "C_3_assignsubmission_file_/timestamp.txt": "2000-01-01 00:00:00 UTC",
        "C_3_assignsubmission_file_/one_query.ipynb": "{}",
        "../../../D_4_assignsubmission_file_/one_query.ipynb": "{}",
        "nobody.ipynb": "{}",
        "E_5_assignsubmission_onlinetext_/onlinetext.html": "<p>please extend</p>",
    }
    collected = collect_download(course.kit, UNIT, zip_files(tmp_path / "all.zip", files))
    assert handed_in(course) == {f"1/{UNIT}/one_query.ipynb", f"3/{UNIT}/one_query.ipynb"}
    assert not list(tmp_path.rglob("escaped.ipynb"))
    message = "\n".join(collected["problems"])
    assert "bomb.ipynb: larger than 128 MB" in message and "nobody.ipynb: not read: its name" in message
    assert "escaped.ipynb: points outside the folder" in message and "D_4_assignsubmission_file_" in message
    assert "onlinetext.html: not read: its name does not say whose it is" in message and "typed into Moodle" in message


def test_a_file_that_is_not_a_download_is_refused(course, tmp_path):
    (tmp_path / "text.zip").write_text("no zip")
    for source, told in (
        (tmp_path / "text.zip", "is neither a zip file nor a folder"),
        (tmp_path / "nothing", "is not there"),
    ):
        with pytest.raises(CourseError, match=told):
            collect_download(course.kit, UNIT, source)
    with pytest.raises(CourseError, match=r"no file in .* can be matched to a learner"):
        collect_download(course.kit, UNIT, zip_files(tmp_path / "all.zip", {"a.ipynb": "{}"}))


def test_reading_files_next_to_a_notebook_has_a_time_limit(texts, tmp_path, monkeypatch):
    read = arrivals.read_file
    monkeypatch.setattr(arrivals, "MAX_SECONDS", 0.05)
    monkeypatch.setattr(arrivals, "read_file", lambda path, left: time.sleep(0.6) or read(path, left))
    for number in range(3):
        (tmp_path / f"n{number}.txt").write_text("def a(:\n" * (1 << 17))
    start = time.monotonic()
    notes = place_notebooks(tmp_path, CHAPTERS)
    assert time.monotonic() - start < 10
    assert [each for each in notes if "was not read: the files before it took" in each]
    assert (tmp_path / "one_query.ipynb").exists()


def test_a_file_name_that_is_not_utf_8_is_replaced(texts, tmp_path):
    os.mkdir(os.fsencode(tmp_path) + b"/\xfe")
    for name in (b"/\xff.ipynb", b"/\xff\xfe.txt", b"/\xfe/x.txt"):
        with open(os.fsencode(tmp_path) + name, "w") as file:
            file.write(texts["one_query"] if name.endswith(b"ipynb") else "words")
    os.mkfifo(os.fsencode(tmp_path) + b"/\xfe/\xff")
    notes = place_notebooks(tmp_path, ["one_query"])
    assert not list(tmp_path.rglob("*\udcff"))
    assert sum("is a new name, because the old one was not text" in each for each in notes) == 3
    assert "one_query.ipynb was handed in as \ufffd.ipynb" in notes and (tmp_path / "\ufffd" / "x.txt").exists()
