"""Random file names: every file stays in its folder and with its owner."""

import time
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.classroom.course.plan import _COPY_SUFFIX
from autograder.classroom.inbox.owners import find_wrapper, parse_platform_name, parse_relative_path
from autograder.classroom.roster.ids import is_id, make_comparison_key, make_id
from autograder.classroom.roster.people import _list_name_words
from autograder.worker.reading.cells import read_cells

pytestmark = pytest.mark.slow

PIECES = ["_", "assignsubmission", "_assignsubmission_", "file", "_file_", "12345", "LATE_", "..", ".", "/", "\\", "C:"]
PIECES += ["copy ", "(1)", *"-[ \0\u202e\u0430\uff11", "one_query", ".ipynb", ".zip", "# %%", "a=["]
names = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join)
many = settings(derandomize=True, max_examples=500, deadline=None, database=None)


@many
@given(names)
def test_a_path_stays_below_its_folder(rest):
    path = parse_relative_path(rest)
    assert path is None or (".." not in path.parts and not path.is_absolute() and path.parts)


@many
@given(names)
def test_a_chosen_file_name_cannot_change_the_owner(chosen):
    chosen = chosen.replace("/", "").replace("\\", "")
    for platform, prefix in (("canvas", "lovelaceada_12345_678910_"), ("moodle", "Ada_12345_assignsubmission_file_")):
        results = parse_platform_name(prefix + chosen)
        if results is not None:
            assert (results[0].platform, results[0].key) == (platform, "12345")


@many
@given(names)
def test_below_a_learners_folder_no_name_decides(chosen):
    place = PurePosixPath("ada", *[part for part in chosen.split("/") if part] or ["x"])
    assert find_wrapper([place], lambda name: name == "ada") == ""
    assert parse_platform_name(*place.parts) is None


@many
@given(names)
def test_ids_contain_no_unsafe_characters(text):
    assert not is_id(text) or (text.isprintable() and "/" not in text and text not in (".", ".."))
    assert make_comparison_key(make_comparison_key(text)) == make_comparison_key(text)


@many
@given(names, st.integers(1, 2000))
def test_names_and_markers_of_any_length_are_read_at_once(piece, count):
    start = time.process_time()
    _COPY_SUFFIX.sub("", (piece * count)[:255])
    read_cells(f"# %% {piece * count}\nx = 1\n")
    assert time.process_time() - start < 1


def test_invisible_characters_are_not_part_of_ids_or_names():
    assert not any(map(is_id, ["a\u200bda", "a\u00adda", "Zoe\u0308"])) and is_id("Zo\u00eb")
    assert make_id("Zoe\u0308") == "Zo\u00eb" and is_id(make_id("x" * 300)) and is_id(make_id(f"{'x' * 99} y"))
    assert _list_name_words("Zoe\u0308 M\u00adu\u200bller") == _list_name_words("Zo\u00eb M\u00fcller")
    assert _list_name_words("\u0410\u043d\u043d\u0430 Lee") != _list_name_words("\u0411\u043e\u0440\u0438\u0441 Lee")
