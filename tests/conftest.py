"""Distribution of the tests over cores, and fixtures that several files share."""

import gc
import os
import signal
import socket

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before importing NumPy and torch, because tests already use all cores

import autograder.classroom  # noqa: F401  (before nbformat, which takes two seconds longer without it)
from autograder.chapters import curriculum
from support import missing

FIRST = (  # These files start first, because they wait for downloads or take long on one core.
    "test_fresh_clone", "test_course", "test_light_install", "test_course_release", "test_wheel", "test_book_pages",
    "test_book_writing", "test_figures", "test_attacked", "test_learner", "test_formgrader", "test_hostile",
)  # fmt: skip
JUDGING = ("content", "judging", "study")  # folders in which a chapter's tests share its workers and suites
# Fixtures that are created once for all processes.
SHARED = [("session", name) for name in ("released", "book", "site", "nothing_left_open")]


@pytest.hookimpl(tryfirst=True)  # This runs before pytest-xdist reads the option.
def pytest_cmdline_main(config):
    """Let pytest-xdist, if it is used, keep tests of a group on one core. Raises `UsageError` with --answers."""
    if config.getoption("answers", None):
        raise pytest.UsageError("the kit's own tests run without --answers: run hidden suites with another command")
    if config.getoption("numprocesses", None):
        config.option.dist = "loadgroup"
    config.option.loadgroup = hasattr(config, "workerinput")  # The processes of pytest-xdist read this option.


def pytest_configure(config):
    """Let Ctrl-C end the processes of tests, even if a shell runs the tests in the background and ignores it there."""
    config.addinivalue_line("filterwarnings", "error")
    gc.set_threshold(50_000, 20, 20)  # Most garbage of verdicts has no cycles.
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Return one process more than there are cores: some tests only wait, but each process must collect all tests."""
    return 1 + (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@pytest.hookimpl(tryfirst=True)  # This runs before pytest-xdist reads the marks.
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: FIRST.index(item.path.stem) if item.path.stem in FIRST else len(FIRST))
    for item in items:
        if isinstance(item, pytest.Function) and (group := _group_of(item)):  # a hidden test is another kind of item
            item.add_marker(pytest.mark.xdist_group(group))


def _group_of(item):
    """Return the name of a test's group, which runs on one core: a chapter, fixtures that are made once, or None."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    if item.path.parent.name in JUDGING and (chapter := _chapter_of(given.values())):
        return chapter
    scopes = {}
    for name, (*_, fixture) in item._fixtureinfo.name2fixturedefs.items():
        if fixture.baseid.startswith("tests") and (fixture.scope, name) not in SHARED:
            scopes.setdefault(fixture.scope, []).append(name)
    if "session" in scopes:
        return " ".join(scopes["session"])
    if "module" in scopes:  # Each parameter of a fixture has its own group.
        return " ".join([item.path.stem, *(str(given[name]) for name in scopes["module"] if name in given)])
    return None


def _chapter_of(values):
    from support.grading import EXERCISES  # noqa: PLC0415

    for value in values:
        name = value[0] if isinstance(value, tuple) and value else getattr(value, "name", value)
        if isinstance(name, str) and (name in curriculum.CHAPTERS or name in EXERCISES):
            return EXERCISES[name].chapter if name in EXERCISES else name
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            missing.require(name)


@pytest.fixture(scope="session", autouse=True)
def nothing_left_open():
    """Fail the last test of this process if the kit has left a socket open that it does not close at exit."""
    from autograder.boundary import channel, reader, zygote  # noqa: PLC0415
    from autograder.judging.run import kit_code  # noqa: PLC0415

    yield
    for close in (kit_code.close_kit_workers, reader._reader.close, channel.close_zygotes):  # They run at exit, too.
        close()
    gc.collect()
    workers = [each for each in gc.get_objects() if issubclass(type(each), (channel.Worker, zygote.Zygote))]
    sockets = [value for each in workers for value in vars(each).values() if issubclass(type(value), socket.socket)]
    assert not [each for each in sockets if each.fileno() != -1]


@pytest.fixture
def no_sandbox(monkeypatch):
    """Simulate a computer without bubblewrap, and end all processes that were started with it."""
    from autograder.boundary import channel, sandbox  # noqa: PLC0415

    channel.close_zygotes()
    monkeypatch.setattr(sandbox, "is_available", lambda: False)
    yield
    channel.close_zygotes()


@pytest.fixture
def restore_kit_chapters():
    """Remove a course's own chapters after a test, so that later tests find only the kit's."""
    yield
    curriculum.open_home(None)


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """Install the kit from a wheel into a new environment, and return this `InstalledWheel`."""
    from support.wheel import InstalledWheel  # noqa: PLC0415

    return InstalledWheel(tmp_path_factory.mktemp("installed"))


def _once(tmp_path_factory, worker_id, name, make):
    """Return the folder `name`, which the first process that needs it creates with `make` for all processes."""
    from filelock import FileLock  # noqa: PLC0415

    own = tmp_path_factory.getbasetemp()
    made = (own if worker_id == "master" else own.parent) / name
    with FileLock(f"{made}.lock"):
        if not made.exists():
            make(own / f"{name} anew")
            (own / f"{name} anew").rename(made)
    return made


@pytest.fixture(scope="session")
def released(tmp_path_factory, worker_id):
    from support.course import Course, new  # noqa: PLC0415  (imports nbgrader)

    built = _once(tmp_path_factory, worker_id, "released", new)
    return Course(built).copy_to(tmp_path_factory.mktemp("teacher") / "course")


@pytest.fixture(scope="session")
def book(tmp_path_factory, worker_id):
    from autograder.book.site_build import build  # noqa: PLC0415

    return _once(tmp_path_factory, worker_id, "book", build)
