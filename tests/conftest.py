"""How the tests are spread over cores, and the course that several files share."""

import os
import signal

import pytest

import autograder.classroom  # noqa: F401  (before nbformat, which takes two seconds longer without it)
from support import missing

TOGETHER = {  # files that count processes, and files whose set-up is dear: each group runs on one core, in order
    "processes": ("test_boundary", "test_faults", "test_cluster", "test_hostile", "test_sandbox"),
    "attacked": ("test_attacked",),
    "batch": ("test_batch",),
    "reading": ("test_reading",),
    "regrade": ("test_regrade",),
    "whole answers": ("test_answers", "test_misconceptions"),  # by chapter, where they are told one
}

FIRST = ("test_fresh_clone", "test_light_install", "test_wheel")  # they wait for downloads while others compute


def pytest_configure():
    """Ctrl-C ends what tests start, even where a shell runs the tests in the background and has it ignored."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers():
    """Two more than cores: half of the time tests wait, for a deadline to pass or for a process to end."""
    return 2 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist looks for the marks
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.stem not in FIRST)
    for item in items:
        stem = item.path.stem
        group = next((name for name, files in TOGETHER.items() if stem in files), None)
        if stem.startswith("test_course"):  # they share one course
            group = "course"
        if group == "whole answers":
            group = _chapter_of(item)
        if group:
            item.add_marker(pytest.mark.xdist_group(group))


def _chapter_of(item):
    """The chapter whose answers a test judges; the workers for it are started once then."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return given.get("chapter") or getattr(given.get("exercise"), "chapter", None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            missing.require(name)


def pytest_terminal_summary(terminalreporter):
    if lines := list(missing.summary(terminalreporter.stats.get("skipped", []))):
        terminalreporter.section("not run here")
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture
def no_sandbox(monkeypatch):
    """A computer without bubblewrap; no process that started on one is left."""
    from autograder.boundary import sandbox, zygotes  # noqa: PLC0415

    zygotes.close_zygotes()
    monkeypatch.setattr(sandbox, "is_available", lambda: False)
    yield
    zygotes.close_zygotes()


@pytest.fixture
def kit_alone():
    """For tests with chapters of a course's own: what comes after finds the kit's alone."""
    from autograder.chapters import curriculum  # noqa: PLC0415

    yield
    curriculum.open_home(None)


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The kit in an environment of its own, from a wheel."""
    from support.wheel import Installed  # noqa: PLC0415

    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def released(tmp_path_factory, worker_id):
    """A course that has been built, to be read or copied; one process builds it for all."""
    from filelock import FileLock  # noqa: PLC0415

    from support.course import Course, new  # noqa: PLC0415  (imports nbgrader)

    own = tmp_path_factory.getbasetemp()
    built = (own if worker_id == "master" else own.parent) / "released"
    with FileLock(f"{built}.lock"):
        if not built.exists():
            new(own / "released anew").folder.rename(built)
    return Course(built).copied_to(tmp_path_factory.mktemp("teacher") / "course")


@pytest.fixture(scope="session")
def graded(released, tmp_path_factory):
    """A course in which everybody has been graded and has feedback."""
    from support.submissions import FILES, NAMES, SUBMISSIONS  # noqa: PLC0415

    course = released.copied_to(tmp_path_factory.mktemp("graded") / "course")
    for chapter, write in SUBMISSIONS:
        student = write.__name__
        notebook = write(course.release(chapter))
        course.submit(student, notebook, chapter, FILES.get(student, {}), NAMES.get(student))
    course.found = {(each.student, each.assignment): each for each in course.grade()}
    assert not any(course.pages().values())
    return course
