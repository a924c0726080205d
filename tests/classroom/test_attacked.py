"""A class with hostile submissions, in which honest learners get their points."""

import json
import resource
import time

import nbformat
import pytest

from support import attacked
from support.attacked import CHAPTER, FORMS, PLACE, UNIT
from support.course import points_of, solved

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("bubblewrap"),
    pytest.mark.filterwarnings("ignore"),  # Importing nbgrader emits warnings.
]
HONEST = 6


def class_of(course, most):
    right = nbformat.writes(solved(course.release(CHAPTER))).encode()
    honest = {f"honest-{number}": {PLACE: right} for number in range(HONEST)}
    attacks = attacked.build_files(most) | attacked.oddities(course)
    names = [*attacks]
    for number, learner in enumerate(honest):
        names.insert(number * len(attacks) // (HONEST - 1), learner)
    return {name: (honest | attacks)[name] for name in ["honest-0", *(each for each in names if each != "honest-0")]}


def collect_members(course, form, members, place):
    if form is attacked.exchange:
        course.open_exchange(place, UNIT)
    else:
        place.mkdir()
    option, ids = form(members, place)
    output = course.does("collect", UNIT, *option)
    return output, ids


def list_outside_files(course):
    paths = [course.folder / "secret", course.folder / "course.toml", *(course.folder / "source").rglob("*")]
    return {path: path.read_bytes() for path in paths if path.is_file()}


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form is not attacked.exchange], ids=lambda form: form.__name__
)
def test_collecting(released, tmp_path, form):
    course = released.copy_to(tmp_path / "course")
    members, untouched = class_of(course, most=200_000), list_outside_files(course)
    _, ids = collect_members(course, form, members, tmp_path / "place")
    submitted = course.folder / "submitted"
    for learner, handed in members.items():
        if learner.startswith("honest"):
            assert (submitted / ids[learner] / UNIT / PLACE).read_bytes() == handed[PLACE]
    assert {path.name for path in submitted.iterdir()} <= set(ids.values())
    assert {path.relative_to(submitted).parts[1] for path in submitted.glob("*/*")} == {UNIT}
    assert not [path for path in submitted.rglob("*") if path.is_symlink() or not (path.is_file() or path.is_dir())]
    assert_nothing_leaked(course, submitted, untouched)
    with course.kit.open_gradebook() as gradebook:
        assert {student.id for student in gradebook.students} <= set(ids.values())


def assert_nothing_leaked(course, folder, untouched):
    secret = (course.folder / "secret").read_bytes()
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert secret not in content and b"BEGIN SOLUTION" not in content, path
    assert list_outside_files(course) == untouched
    assert not (course.folder / "written_through.txt").exists()


def is_bytes(content):
    return isinstance(content, bytes)


@pytest.fixture(scope="module")
def graded(released, tmp_path_factory):
    """Collect the class through an exchange, and run `attn course grade` and `attn course feedback`.

    Files that an exchange would refuse are unpacked into `submitted/` as well.
    """
    folder = tmp_path_factory.mktemp("attacked")
    course = released.copy_to(folder / "course")
    members, untouched = class_of(course, most=200_000), list_outside_files(course)  # test_reading.py has larger files.
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    output, _ = collect_members(course, attacked.exchange, members, folder / "place")
    no_files = {who: what for who, what in attacked.oddities(course).items() if not all(map(is_bytes, what.values()))}
    for learner, handed in no_files.items():
        attacked.write(course.folder / "submitted" / f"z{learner}" / UNIT, handed)
    (course.folder / "submitted" / "x-linked").symlink_to(course.folder / "submitted" / "honest-1")
    submissions = {each.student: each for each in course.grade(jobs=2)}
    pages = course.pages()
    seconds, grown = time.monotonic() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10
    print(f"{len(submissions)} submissions in {seconds:.0f} s, the grader grew by {grown} MB")
    return course, members, submissions, pages, output, untouched, seconds, grown


def test_the_honest_get_their_points(graded):
    course, _, submissions, pages, *_ = graded
    for number in range(HONEST):
        assert submissions[f"honest-{number}"].status.name == "GRADED"
        assert course.scores(f"honest-{number}", CHAPTER) == points_of(CHAPTER)
        assert not pages[UNIT, f"honest-{number}"]


def test_every_hostile_submission_is_graded_without_an_internal_fault(graded):
    _, members, submissions, pages, *_ = graded
    assert set(members) <= set(submissions)
    assert not {name: each.problems for name, each in submissions.items() if each.status.name == "FAULTED"}
    assert not {student: reason for student, reason in pages.items() if reason}


def test_no_submission_gets_files_of_another_learner(graded):
    course, _, submissions, _, output, untouched, *_ = graded
    for step in ("submitted", "autograded", "feedback"):
        assert_nothing_leaked(course, course.folder / step, untouched)
    for name in ("y-solutions", "y-neighbour", "y-secret", "zy-solutions", "zy-neighbour", "zy-secret", "y-zip-link"):
        record = course.folder / "verdicts" / name / UNIT / f"{CHAPTER}.json"
        assert json.loads(record.read_text())["points"] == 0
    output = " ".join(output.split())
    assert "y-all-solutions" in output and output.count("is a link; skipped") == 1
    assert output.count("skipped") >= 10
    messages = [
        f"{each.student}: {sentence}"
        for each in submissions.values()
        for sentence in each.problems
        if "was a link" in sentence
    ]
    assert len(messages) == 5, messages
    assert submissions["x-linked"].status.name == "REFUSED"


def test_hostile_files_exceed_neither_the_time_nor_the_memory_limit(graded):
    *_, seconds, grown = graded
    assert seconds < 600  # much longer than needed, even on a busy machine
    assert grown < 800
