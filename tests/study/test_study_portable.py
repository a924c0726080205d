"""Self-study without fork, POSIX signals and the modules that only POSIX has, as on Windows.

The worker does not have them, either. Windows itself can only be tested on a machine that has it.
"""

import json
import os
import subprocess
import sys
import threading
import types
from pathlib import Path

import pytest

from autograder.chapters.chapter import read_chapter
from autograder.chapters.stubs import make_stub
from autograder.study.watching import events

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120  # limit, which is not reached even on a busy machine

TAKE_AWAY = """
import os, shutil, signal, socket, sys
for name in ("fcntl", "termios", "tty", "resource", "pwd", "grp", "pyseccomp", "landlock"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "killpg", "setsid", "getuid", "getgid", "pread", "memfd_create", "sysconf", "getpgrp"):
    delattr(os, name)
for name in ("send_fds", "recv_fds", "AF_UNIX"):
    delattr(socket, name)

def socketpair():  # as Windows makes one
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = socket.create_connection(server.getsockname())
        return one, server.accept()[0]

socket.socketpair = socketpair
for name in ("SIGHUP", "SIGCHLD", "SIGCONT", "SIGTSTP"):
    delattr(signal, name)
"""
GRADER = f"""
{TAKE_AWAY}
shutil.which = lambda *arguments, **options: None  # no bubblewrap
from autograder.boundary import sandbox
from autograder.judging.ask import call as asking

def command(*arguments, **more):
    python, *flags, worker, settings = known(*arguments, **more)
    run_worker = f"import runpy; runpy.run_path({{worker!r}}, run_name='__main__')"
    return [python, *flags, "-c", {TAKE_AWAY!r} + run_worker, settings]

known, sandbox.build_command = sandbox.build_command, command
asking.CALL_SECONDS = float(os.environ.get("CALL_SECONDS", asking.CALL_SECONDS))
from autograder.cli.main import main
main()
"""
# Exercise -> (part of its solution, the replacement, the expected outcome).
SPOILED = {
    "softmax": ("exponentials = np.exp(scores - scores.max())", "exponentials = np.exp(scores)", "wrong"),
    "normalize_by_sum": ("    return scores /", "    import os; os._exit(3)\n    return scores /", "killed"),
    "apply_attention_scores": ("    return np.asarray", "    print(annotations)\n    return np.asarray", "passed"),
}


@pytest.fixture
def exercises(tmp_path):
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "one_query.py").write_text(make_stub(read_chapter("one_query")))
    return tmp_path / "exercises"


def attn(exercises, *arguments, start=subprocess.run, **options):
    command = [sys.executable, "-c", GRADER, *arguments]
    return start(command, cwd=exercises.parent, text=True, stdin=subprocess.DEVNULL, **options)


def test_answers_are_judged_as_anywhere(exercises):
    text, chapter = (ROOT / "solutions" / "one_query.py").read_text(), read_chapter("one_query")
    for name, (good, bad, _) in SPOILED.items():
        source = chapter.get_exercise(name).source
        assert good in source
        text = text.replace(source, source.replace(good, bad))
    (exercises / "one_query.py").write_text(text)
    run = attn(exercises, "check", *SPOILED, "--json", capture_output=True)
    output = {each["exercise"]: each for each in map(json.loads, run.stdout.splitlines())}
    assert run.returncode == 1, run.stderr
    assert [output[name]["outcome"] for name in SPOILED] == [wanted for *_, wanted in SPOILED.values()]
    assert output["softmax"]["misconception"] == "no_maximum_subtracted"
    known = json.loads((exercises / ".attn" / "progress.json").read_text())
    assert [name for name, facts in known.items() if "passed" in facts] == ["apply_attention_scores"]


def test_an_endless_loop_is_ended(exercises):
    (exercises / "one_query.py").write_text("def softmax(scores):\n    while True: pass\n")
    environment = os.environ | {"CALL_SECONDS": "0.5"}
    run = attn(exercises, "check", "softmax", "--json", capture_output=True, env=environment)
    assert json.loads(run.stdout)["outcome"] == "timeout", run.stderr


def test_watch_answers_a_save(exercises):
    process = attn(exercises, "watch", "softmax", start=subprocess.Popen, stdout=subprocess.PIPE)
    patience = threading.Timer(SECONDS, process.kill)
    patience.start()
    try:
        for line in process.stdout:
            assert "\x1b" not in line and "q quit" not in line
            if line.startswith("Next: write softmax"):
                softmax = read_chapter("one_query").get_exercise("softmax")
                file = exercises / "one_query.py"
                file.write_text(file.read_text().replace(softmax.stub, softmax.source))
            if line.startswith("Everything is done"):
                break
        else:
            raise AssertionError("watch ended before the answer was right")
    finally:
        patience.cancel()
        process.kill()
        process.wait()
        process.stdout.close()


def test_windows_keys_are_read(monkeypatch):
    typed = list("h\xe0Hq")  # An arrow key is pressed between two letters.
    console = types.SimpleNamespace(kbhit=lambda: bool(typed), getwch=lambda: typed.pop(0))
    monkeypatch.setitem(sys.modules, "msvcrt", console)
    monkeypatch.setattr(events, "termios", None)
    monkeypatch.setattr(events.os, "isatty", lambda number: True)
    monkeypatch.setattr(events.sys, "stdin", types.SimpleNamespace(fileno=lambda: 0))
    with events.open_keyboard() as keyboard:
        assert [keyboard.read(0.01) for _ in range(4)] == [["h"], [], ["q"], []]
