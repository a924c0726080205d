"""The owners of the submissions in a download, which no learner can fake with file names."""

from pathlib import PurePosixPath

import pytest

from autograder.classroom.inbox.downloads import collect_download
from autograder.classroom.inbox.owners import parse_platform_name, parse_relative_path
from autograder.classroom.roster.ids import is_id, make_comparison_key
from support.attacked import zipped
from support.course import UNIT_OF

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

UNIT = UNIT_OF["one_query"]


def collect(course, tmp_path, members):
    source = tmp_path / "download"
    if isinstance(members, dict):
        for name, content in members.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(content)
    else:
        source.write_bytes(zipped(members))
    problems = collect_download(course.kit, UNIT, source)["problems"]
    folder = course.folder / "submitted"
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}, problems


def make_broken_zips():
    good = zipped([("one_query.ipynb", bytes(5000))])
    stored = bytearray(zipped([("one_query.ipynb", bytes(range(256)) * 40)]))
    stored[45:90] = bytes(45)
    name = zipped([("\u00e9x.ipynb", b"x")]).replace("\u00e9".encode(), b"\xff\xfe")
    return {"deflate": bytes(stored), "name": name, "directory": b"PK" + b"x" * 100 + good[-22:]}


@pytest.mark.parametrize("kind", make_broken_zips())
@pytest.mark.parametrize("in_folder", [False, True])
def test_a_broken_zip_affects_only_its_owner(course, tmp_path, kind, in_folder):
    broken = make_broken_zips()[kind]
    members = [("a_1_2_one_query.ipynb", b"honest"), ("lovelaceada_3_4_hw.zip", broken)]
    if in_folder:
        members = {"1/one_query.ipynb": b"honest", "3/hw.zip": broken}
    results, problems = collect(course, tmp_path, members)
    assert results[f"1/{UNIT}/one_query.ipynb"] == b"honest"
    assert any("hw.zip" in problem for problem in problems)


def test_too_large_files_count_for_a_learners_size_limit(course, tmp_path):
    """If they did not, unpacking a zip file with two hundred of them would take minutes."""
    huge = bytes((128 << 20) + 1)
    bomb = zipped([("a.bin", huge), ("b.bin", huge), ("one_query.ipynb", b"late")])
    results, problems = collect(
        course, tmp_path, [("a_1_2_one_query.ipynb", b"honest"), ("lovelaceada_3_4_hw.zip", bomb)]
    )
    assert results == {f"1/{UNIT}/one_query.ipynb": b"honest"}
    assert sum("is larger" in problem or "larger than 128 MB" in problem for problem in problems) == 1
    assert any("hw.zip: contains more than a submission may; the rest is skipped" in problem for problem in problems)


def test_ids_that_look_alike_are_left_out(course, tmp_path):
    alike = {
        "\u0430da/one_query.ipynb": b"forged",
        "\u00e4da/one_query.ipynb": b"forged",
        "ada/one_query.ipynb": b"honest",
    }
    results, problems = collect(course, tmp_path, alike | {"a\u200bda/one_query.ipynb": b"forged"})
    assert results == {f"ada/{UNIT}/one_query.ipynb": b"honest"}
    assert sum("looks like ada" in problem for problem in problems) == 2


def test_files_of_git_do_not_count_for_the_file_limit(course, tmp_path):
    history = {f"ada/.git/objects/{number:03}": b"x" for number in range(300)}
    results, problems = collect(course, tmp_path, history | {"ada/one_query.ipynb": b"honest"})
    assert (results, problems) == ({f"ada/{UNIT}/one_query.ipynb": b"honest"}, [])


def test_a_learners_folder_that_is_a_link_is_not_written_through(course, tmp_path):
    submitted, elsewhere = course.folder / "submitted", tmp_path / "elsewhere"
    elsewhere.mkdir()
    submitted.mkdir()
    (submitted / "ada").symlink_to(elsewhere)
    _, problems = collect(course, tmp_path, {"ada/one_query.ipynb": b"x", "bo/one_query.ipynb": b"honest"})
    assert any("ada cannot be written: it is a link" in problem for problem in problems)
    assert (submitted / "bo" / UNIT / "one_query.ipynb").read_bytes() == b"honest"
    assert not list(elsewhere.iterdir())


def test_parts_of_names():
    assert parse_platform_name("a_\uff11\uff12_3_x.ipynb") is None, "digits of other scripts are no number of Canvas's"
    assert parse_platform_name("a_1_2_x.ipynb", "below") is None, "Canvas makes no folders"
    for name in ("a_1_2_b_3_assignsubmission_file_x.ipynb", "A_1_assignsubmission_file_B_2_assignsubmission_file_x.py"):
        assert parse_platform_name(name) is None, "a platform's name in a platform's name has two owners"
    assert not any(map(parse_relative_path, ["a\\..\\b", "C:x", ""]))
    assert parse_relative_path("a/b.ipynb") == PurePosixPath("a/b.ipynb")
    assert not any(map(is_id, ["", ".x", "-x", "a/b", "a\\b", " a", "a\u202e", "x" * 101]))
    assert {*map(make_comparison_key, ("\uff21DA", "\u0430da"))} == {make_comparison_key("ada")} != {"adam"}
