"""A class under attack: every hostile file is somebody's submission, and every honest learner gets the points."""

import json
import os
import resource
import time

import pytest

from autograder.classroom.incoming.arrivals import place_all
from support.course import UNIT_OF, points_of, solved
from support.hostile_files import FILES, notebook

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # nbgrader and what it imports

CHAPTER = "one_query"
UNIT = UNIT_OF[CHAPTER]
HONEST = 156


def attack(course, student, make):
    folder = course.folder / "submitted" / student / UNIT
    folder.mkdir(parents=True)
    make(folder)


def written(name, content):
    data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    return lambda folder: (folder / f"{CHAPTER}{os.path.splitext(name)[1]}").write_bytes(data)


def other_attacks(course):
    """Name -> what makes the folder of a submission."""
    text, secret = notebook("x = 1"), course.folder / "secret"
    source = next((course.folder / "source").rglob(f"{CHAPTER}.ipynb"))
    place = f"{CHAPTER}.ipynb"
    return {
        "many_copies": lambda folder: (folder / f"one_query {'copy ' * 18}x.ipynb").write_text(text),
        "pipe": lambda folder: os.mkfifo(folder / place),
        "solutions": lambda folder: (folder / place).symlink_to(source),
        "dangling": lambda folder: (folder / place).symlink_to(course.folder / "written_through.txt"),
        "folder": lambda folder: (folder / place).mkdir(),
        "secret": lambda folder: ((folder / place).write_text(text), (folder / "notes.txt").symlink_to(secret)),
        "time_pipe": lambda folder: ((folder / place).write_text(text), os.mkfifo(folder / "timestamp.txt")),
        "time_long": lambda folder: (
            (folder / place).write_text(text),
            (folder / "timestamp.txt").write_text("1" * 10_000_000),
        ),
        "odd_name": lambda folder: open(os.fsencode(folder) + b"/\xff\xfe.ipynb", "wb").close(),
        "neighbour": lambda folder: (folder / place).symlink_to(f"../../honest0/{UNIT}/{place}"),
    }


@pytest.fixture(scope="module")
def graded(released, tmp_path_factory):
    course = released.copied_to(tmp_path_factory.mktemp("attacked") / "course")
    for number in range(HONEST):
        course.submit(f"honest{number}", solved(course.release(CHAPTER)), CHAPTER)
    attacks = {name.replace(".", "_"): written(name, content) for name, content in FILES.items()}
    attacks |= other_attacks(course)
    for name, make in attacks.items():
        attack(course, f"x_{name}", make)
    (course.folder / "submitted" / "x_linked").symlink_to(course.folder / "submitted" / "honest1")
    untouched = {path: path.read_bytes() for path in (course.folder / "source").rglob("*") if path.is_file()}
    untouched |= {path: path.read_bytes() for path in [course.folder / "secret"]}
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    told = place_all(course.kit, [UNIT])
    submissions = {each.student: each for each in course.grade(jobs=2)}
    seconds, grown = time.monotonic() - started, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    print(f"{len(submissions)} submissions in {seconds:.0f} s, the grader grew by {grown} MB")
    return course, submissions, told, untouched, seconds, grown


def test_the_honest_get_their_points(graded):
    course, submissions, *_ = graded
    for number in range(HONEST):
        assert submissions[f"honest{number}"].status == "graded"
        assert course.scores(f"honest{number}", CHAPTER) == points_of(CHAPTER)


def test_nobody_is_a_fault_of_ours_and_all_are_looked_at(graded):
    _, submissions, *_ = graded
    assert len(submissions) >= len(FILES) + HONEST
    assert not {name: each.problems for name, each in submissions.items() if each.status == "faulted"}


def test_nobody_gets_what_is_somebody_elses(graded):
    course, submissions, told, untouched, *_ = graded
    secret = (course.folder / "secret").read_bytes()
    for step in ("autograded", "submitted", "feedback"):
        for path in (course.folder / step).glob("x_*/**/*"):
            if path.is_file() and not path.is_relative_to(course.folder / "submitted" / "x_linked"):
                content = path.read_bytes()
                assert secret not in content and b"BEGIN SOLUTION" not in content, path
    for name in ("x_solutions", "x_neighbour", "x_secret"):
        record = course.folder / "verdicts" / name / UNIT / f"{CHAPTER}.json"
        assert json.loads(record.read_text())["points"] == 0
    assert all(path.read_bytes() == content for path, content in untouched.items())
    assert not (course.folder / "written_through.txt").exists()
    assert sum("was a link" in sentence for sentence in told) == 4
    assert submissions["x_linked"].status == "refused"


def test_it_ends_in_time_and_the_grader_stays_small(graded):
    *_, seconds, grown = graded
    assert seconds < 600
    assert grown < 800
