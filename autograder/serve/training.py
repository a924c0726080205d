"""A process that trains the learner's language model (`python -m given.training`), and its progress for a page."""

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import InputError
from autograder.chapters.extras import require_libraries
from autograder.chapters.files import write_file
from autograder.chapters.text import clean
from autograder.study.finish import read_training_log, render_training
from autograder.study.folder import Folder

CHAPTER = "write"
POLL_SECONDS = 1.0
_TRACEBACK_LINE = re.compile(r'^  File "(.+\.py)", line (\d+)', re.MULTILINE)


class TextTraining:
    """One training run at a time, on *Alice in Wonderland* or on the learner's own text."""

    def __init__(self, folder: Folder, notify_pages: Callable[[], None]) -> None:
        self.folder, self.notify_pages = folder, notify_pages
        self.process: subprocess.Popen[bytes] | None = None
        self.name, self.started_at, self.status_message = "alice", 0.0, ""

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def describe(self) -> dict[str, Any]:
        """Return the data for a page: the progress of the run, its error, and text that the model has generated."""
        log = read_training_log(self._get_saved_path(".json"), self.started_at) if self.is_running else {}
        counts = {"steps": len(log.get("losses", [])), "of": log.get("steps", 0)}
        sample = render_training(self.folder.path)
        return {"is_running": self.is_running, "told": self.status_message, "wrote": sample, **counts}

    def begin(self, text: str) -> None:
        """Start training on `text` (if empty, on *Alice*). An interrupted run is resumed, a finished one repeated."""
        if self.is_running:
            raise InputError("A training run is in progress: stop it first")
        chapter, states = read_chapter(CHAPTER), self.folder.read_states()
        require_libraries(chapter.libraries, chapter.name)
        if missing := [name for name in chapter.names if states[name] == "to do"]:
            raise InputError(f"Still to write in {self.folder.find_file(chapter.exercises[0])}: {', '.join(missing)}")
        self.name = "my_text" if text else "alice"
        log = read_training_log(self._get_saved_path(".json"))
        if len(log.get("losses", [])) >= log.get("steps", 0):
            self._get_saved_path(".pt").unlink(missing_ok=True)
        command = [sys.executable, "-m", "given.training"]
        if text:
            # A truncated text may end with half a surrogate pair, which UTF-8 cannot encode.
            write_file(self.folder.path / "my_text.txt", text.encode("utf-8", "replace"))
            command.append("my_text.txt")
        self.started_at, self.status_message = time.time(), ""
        environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
        options = {"cwd": self.folder.path, "env": environment, "stdin": DEVNULL, "stdout": DEVNULL, "stderr": PIPE}
        self.process = subprocess.Popen(command, **options)
        self.follower = threading.Thread(target=self._report_progress, args=(self.process,), daemon=True)
        self.follower.start()

    def stop(self) -> None:
        if self.process is not None and self.is_running:
            self.status_message = "Stopped. It will continue from its last saved step."
            self.process.terminate()

    def _report_progress(self, process: subprocess.Popen[bytes]) -> None:
        """Notify the pages every second until the process ends."""
        stderr: bytes | None = None
        while stderr is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                stderr = process.communicate(timeout=POLL_SECONDS)[1]
            self.notify_pages()
        if process.returncode and not self.status_message:
            self.status_message = _explain_end(stderr.decode("utf-8", "replace"), self.folder.path.resolve())
        self.notify_pages()

    def _get_saved_path(self, suffix: str) -> Path:
        return self.folder.path / "writing" / f"{self.name}{suffix}"


def _explain_end(output: str, folder: Path) -> str:
    """Return the error that ended a training run, with the file and line of the last frame in the learner's folder."""
    last = clean(output.strip().rpartition("\n")[2]) or "The training ended without an error message."
    frames = [(Path(path).resolve(), line) for path, line in _TRACEBACK_LINE.findall(output)]
    places = [f", in {path.name}:{line}" for path, line in frames if path.parent == folder]
    return f"{last.rstrip('.:')}{places[-1] if places else ''}."
