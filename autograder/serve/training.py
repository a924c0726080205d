"""The learner's language model in training, as `python -m given.training` does it, with its progress for a page."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.chapters.answers import read_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import InputError
from autograder.chapters.extras import require_libraries
from autograder.chapters.files import write_whole
from autograder.chapters.text import clean
from autograder.study.folder import Folder
from autograder.study.writing import log_of, writing_of

CHAPTER = "write"
LOOK_SECONDS = 1.0
_PLACE = re.compile(r'^  File "(?:.*[\\/])?(.+\.py)", line (\d+)', re.MULTILINE)


class Training:
    """One training at a time, on Alice or on a text of the learner's own."""

    def __init__(self, folder: Folder, changed: Callable[[], None]) -> None:
        self.folder, self.changed = folder, changed
        self.process: subprocess.Popen[str] | None = None
        self.name, self.began, self.told = "alice", 0.0, ""

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def view(self) -> dict[str, Any]:
        """Return what a page shows of it: how far it is, what went wrong, and what the model writes."""
        log = log_of(self._saved(".json"), self.began) if self.is_running else {}
        counts = {"steps": len(log.get("losses", [])), "of": log.get("steps", 0)}
        return {"is_running": self.is_running, "told": self.told, "wrote": writing_of(self.folder.path), **counts}

    def begin(self, text: str) -> None:
        """Train on this text, or on Alice if it is empty; a training of the same that was cut short goes on."""
        if self.is_running:
            raise InputError("A training is going on: stop it first")
        chapter = read_chapter(CHAPTER)
        require_libraries(chapter.libraries, chapter.name)
        answer = read_answer(self.folder.file_of(chapter.exercises[0]))
        states = self.folder.states()
        if missing := [name for name in chapter.names if states[name] == "to do"]:
            raise InputError(f"Still to write in {answer.path}: {', '.join(missing)}")
        text = text.encode("utf-8", "replace").decode("utf-8")  # a cut may leave half a pair of surrogates
        self.name, own = ("my_text", self.folder.path / "my_text.txt") if text else ("alice", None)
        log = log_of(self._saved(".json"))
        is_other = own is not None and not (own.exists() and own.read_text("utf-8") == text)
        if is_other or len(log.get("losses", [])) >= log.get("steps", 0):
            self._saved(".pt").unlink(missing_ok=True)
        if own and is_other:
            write_whole(own, text)
        command = [sys.executable, "-m", "given.training", *([own.name] if own else [])]
        threads = {"OMP_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
        self.began, self.told = time.time(), ""
        self.process = subprocess.Popen(
            command,
            cwd=self.folder.path,
            env=os.environ | threads,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        self.follower = threading.Thread(target=self._follow, args=(self.process,), daemon=True)
        self.follower.start()

    def stop(self) -> None:
        if self.process is not None and self.is_running:
            self.told = "Stopped. It goes on from the last hundred steps."
            self.process.terminate()

    def _follow(self, process: subprocess.Popen[str]) -> None:
        while True:
            try:
                _, said = process.communicate(timeout=LOOK_SECONDS)
                break
            except subprocess.TimeoutExpired:
                self.changed()
        if process.returncode and not self.told:
            self.told = _reason(said)
        self.changed()

    def _saved(self, suffix: str) -> Path:
        return self.folder.path / "writing" / f"{self.name}{suffix}"


def _reason(said: str) -> str:
    """Return why a training ended, in one line: its error, and the place if it comes from a file of the learner's."""
    last = clean(said.strip().rpartition("\n")[2]) or "The training ended without a word."
    place = f", in {':'.join(places[-1])}" if (places := _PLACE.findall(said)) else ""
    return f"{last.rstrip('.:')}{place}."
