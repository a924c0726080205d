"""The first commands of README.md, in a fresh clone on a machine with only Python, make and git."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.boundary import sandbox
from autograder.chapters.curriculum import CHAPTERS, ROOT
from support.missing import require

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not shutil.which("make"), reason="Windows needs no make")]

SCREEN = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n[Learners]")[0]
SECONDS = 1200  # limit for the installation, on a slow connection
WORD_SECONDS = 120  # time limit for the first output of a command that waits for input
FEW_TESTS = "tests/project/test_install.py tests/chapters/test_cells.py"  # `make test` runs only these, not this file.
HOW_TO_REACH_AN_INDEX = re.compile(r"(PIP|UV)_|(https?|no)_proxy$|SSL_CERT", re.IGNORECASE)
COREUTILS = (
    "awk basename cat chmod cp cut date dirname echo env expr false find head id kill ln ls mkdir mktemp mv nproc "
    "printf pwd readlink rm rmdir sed sh sleep sort tail test touch tr true uname wc"
)  # awk, find and sed are not coreutils.


def commands():
    fences = re.findall(r"^```\n(.*?)^```", SCREEN, re.MULTILINE | re.DOTALL)
    fenced = [line.partition("#")[0].strip() for fence in fences for line in fence.splitlines()]
    rows = re.findall(r"^\| \*\*.*$", SCREEN, re.MULTILINE)
    return [*fenced, *(c for row in rows for c in re.findall(r"`((?:make|attn|\.venv/bin/\w+) [^`]+)`", row))]


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Return a function that runs commands in a fresh clone, with few programs and variables, outside `.venv`."""
    folder = tmp_path_factory.mktemp("newcomer")
    programs = folder / "programs"
    programs.mkdir()
    python = programs / "python3"  # A link would lead the sandbox to a folder that it hides.
    python.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).resolve()}" "$@"\n')
    python.chmod(0o755)
    for name in ("make", "git", "bwrap", *COREUTILS.split()):  # The documents ask teachers to install bubblewrap.
        if path := shutil.which(name):
            (programs / name).symlink_to(path)
    environment = {name: value for name, value in os.environ.items() if HOW_TO_REACH_AN_INDEX.match(name)}
    cache = subprocess.run([sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True, check=False)
    environment |= {"PATH": str(programs), "HOME": str(folder), "PIP_CACHE_DIR": cache.stdout.strip()}
    uv = shutil.which("uv") or Path(sys.executable).with_name("uv")
    environment["UV_CACHE_DIR"] = subprocess.check_output([uv, "cache", "dir"], text=True).strip()
    environment |= {"PYTEST_ADDOPTS": f"{FEW_TESTS} -n 0", "BROWSER": "true", "LANG": "C.UTF-8"}
    environment |= {"PIP_NO_COMPILE": "1", "UV_COMPILE_BYTECODE": "0"}  # Python compiles only what it imports.
    reach = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder / "tried")]
    require("index", subprocess.run([*reach, "filelock"], check=False).returncode == 0)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "clone")], check=True)
    command = ["git", "ls-files", "--modified", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():  # Uncommitted files are tested, too.
        (folder / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / "clone" / name)

    def run(command, until=None):
        """Run a command, interrupt it when it prints `until`, and return its exit code, output and seconds."""
        start, said = time.monotonic(), folder / "said.txt"
        with said.open("w") as stream:
            process = subprocess.Popen(
                ["/bin/sh", "-c", command], cwd=folder / "clone", env=environment, stdin=subprocess.DEVNULL,
                stdout=stream, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        try:
            while until and process.poll() is None and time.monotonic() - start < WORD_SECONDS:
                if until in said.read_text():
                    os.killpg(process.pid, signal.SIGINT)
                    break
                time.sleep(0.2)
            code = process.wait(WORD_SECONDS if until else SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        seconds = time.monotonic() - start
        print(f"{seconds:6.1f} s  {command}")
        return code, said.read_text(), seconds

    run.folder = folder / "clone"
    return run


# Command -> texts that its output must contain. In `WAITS`, command -> text at which the test interrupts it.
SAID = {
    "make check": ("some 300 MB", "Ready.", "nothing is written yet"),
    "make book": ("Building the pages of the book", "The book is at "),
    "make watch": ("Next: write single_dot_attention_score",),
    "make lab": ("?token=",),
    ".venv/bin/attn start ../attention": (f"{len(CHAPTERS)} chapters", "cd ../attention && attn book"),
    "make demo DIR=demo": ("What to look at:", "attn lab demo"),
    "make course": ("Next: hand out the folders",),
    ".venv/bin/attn stubs --check softmax": ("Everything is consistent.",),
    "make test": ("1.6 GB on disk", " passed"),
}
WAITS = {"make book": "The book is at ", "make watch": "Next: write", "make lab": "?token="}


def test_the_first_screen_is_true(shell):
    """This is one test, because each command needs the ones before it."""
    assert set(commands()) == set(SAID)
    for command in commands():
        if command == "make demo DIR=demo" and not sandbox.is_available():
            continue
        code, said, _ = shell(command, WAITS.get(command))
        assert "Traceback" not in said and code in ((0, 130, -2) if command in WAITS else (0,)), f"{command}\n{said}"
        missing = [words for words in SAID[command] if words not in said]
        assert not missing, f"{command}\n{said}"
    assert (shell.folder.parent / "attention" / "README.md").exists()
    said = shell("make check")[1]
    assert "nothing is written yet" in said and len(said.splitlines()) < 30, "a second time nothing is installed"
