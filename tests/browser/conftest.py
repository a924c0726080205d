"""JupyterLab, started like `make lab`, and Debian's Chromium, in a temporary home folder."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import expect

from autograder.boundary.sandbox import GIVEN
from autograder.classroom.course.new import create_course
from autograder.classroom.release.notebooks import build_source_notebook
from support import browser
from support.missing import require

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180  # seconds until something appears on a busy machine


@pytest.fixture(scope="module")
def chromium():
    with browser.chromium() as running:
        yield running


@pytest.fixture(scope="session")
def site(book):
    return book


@pytest.fixture(scope="module")
def opened(chromium, site):
    """Yield a function that opens a page of the book. Then check that no page used the network or raised an error."""
    contexts, wrong = [], []

    def open_page(name, width=1280, scheme="light", at=None, context=None):
        if context is None:
            contexts.append(chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme))
        page = (context or contexts[-1]).new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: wrong.append(request.url) if _is_outside(request.url) else None)
        page.goto(at or f"{site.as_uri()}/{name}.html")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture
def home(tmp_path):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "MAKE", "MFLAGS"))}
    return kept | {
        "HOME": str(tmp_path / "home"),
        "JUPYTER_CONFIG_DIR": str(tmp_path / "home/config"),
        "JUPYTER_DATA_DIR": str(tmp_path / "home/data"),
        "JUPYTER_RUNTIME_DIR": str(tmp_path / "home/runtime"),
        "IPYTHONDIR": str(tmp_path / "home/ipython"),
        "BROWSER": "true",  # a command that does nothing, because the tests open the browser
    }


@pytest.fixture
def course(tmp_path):
    folder, exchange = tmp_path / "course", tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)  # nbgrader requires that everybody can submit.
    create_course(folder)
    with (folder / "nbgrader_config.py").open("a", encoding="utf-8") as config:
        config.write(f"c.Exchange.root = {str(exchange)!r}\n")
    source = folder / "source" / "attention-basics"
    source.mkdir(parents=True)
    nbformat.write(build_source_notebook("one_query"), source / "one_query.ipynb")
    shutil.copytree(GIVEN, source / GIVEN.name, ignore=shutil.ignore_patterns("__pycache__"))  # Drawing cells use it.
    return folder


@pytest.fixture
def learner(tmp_path):
    folder = tmp_path / "learner"
    folder.mkdir()
    exchange = f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n"
    config = f'c = get_config()\nc.CourseDirectory.course_id = "attention"\n{exchange}'
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    return folder


@pytest.fixture
def nbgrader(home):
    def run(folder, *arguments):
        command = [ROOT / ".venv/bin/nbgrader", *arguments]
        process = subprocess.run(command, cwd=folder, env=home, capture_output=True, text=True, timeout=PATIENCE)
        assert process.returncode == 0, process.stderr

    return run


@pytest.fixture
def open_lab(home, tmp_path):
    """Return a context manager that opens a folder in JupyterLab by `make lab` or a command, and yields the page."""
    require("setup")
    expect.set_options(timeout=PATIENCE * 1000)

    @contextmanager
    def open_folder(folder, *command):
        # Make must take .venv as it is, because a test must not install anything.
        command = command or ("make", "--directory", ROOT, "--assume-old", ".venv/all", "lab", f"DIR={folder}")
        with browser.chromium(env=home) as running, _server(command, folder, home) as address:
            page = running.new_page(viewport={"width": 1280, "height": 2000})
            page.set_default_timeout(PATIENCE * 1000)
            asked = []
            page.route(_is_outside, lambda route: (asked.append(route.request.url), route.abort()))  # Stay offline.
            try:
                page.goto(address)
                yield page
                # nbconvert's pages ask for MathJax, and show a formula's source without it.
                assert not [address for address in asked if "/mathjax/" not in address]
            except Exception:
                page.screenshot(path=tmp_path / "failed.png")
                print(f"What the browser showed: {tmp_path / 'failed.png'}")
                raise

    return open_folder


def _is_outside(address):
    return address.startswith("http") and not address.startswith(("http://localhost:", "http://127.0.0.1:"))


@contextmanager
def _server(command, folder, home):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = Path(home["HOME"]) / "server.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("w") as stream:
        server = subprocess.Popen(
            command,
            cwd=folder,
            env=home | {"JUPYTER_PORT": str(port)},
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    try:
        yield _address(server, Path(home["JUPYTER_RUNTIME_DIR"]), log)
    finally:
        with suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(server.pid, signal.SIGTERM)  # The server ends its kernels.
            server.wait(30)
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _address(server, runtime, log):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        for path in runtime.glob("jpserver-*.json"):
            try:
                data = json.loads(path.read_text())
                return f"{data['url']}lab?token={data['token']}"
            except ValueError:  # The file is incomplete.
                pass
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")
