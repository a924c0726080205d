"""The kit's own answers, solutions and misconceptions: asked in a worker of their own, like a learner's.

So the grader imports no torch, and a mistake is made again under the very conditions of the answer. Suites ask the
same of them for every answer, which is why they remember what they replied.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from autograder.boundary.channel import Worker, WorkerEnded, new_worker
from autograder.boundary.session import Asked
from autograder.boundary.zygote import NoWorker
from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter, slow_libraries
from autograder.chapters.errors import SuiteFault
from autograder.judging.ask.call import Call
from autograder.judging.mistakes.misconceptions import StaleEdit, read_misconceptions, source_with_mistake
from autograder.worker.reading.answers import CodeCell

REQUEST_SECONDS = 120.0  # for one request: longer means that our side is broken

T = TypeVar("T")


class TrustedSession(Asked):
    """A file of the kit, asked like an answer; a reply is known again by the requests since the last `restart`."""

    def __init__(self, source: TrustedFile, stand_in: str | None = None, before: Sequence[list] = ()) -> None:
        self.source, self.stand_in, self.before = source, stand_in, before
        self.restart()

    def restart(self) -> None:
        self._digest, self._done_count = b"", 0
        self._requests: list[list] = [*self.before]

    def ready_for(self, name: str) -> None:
        """Run the file, where that has not been done; `SuiteFault` where it cannot be run."""
        if self.source.worker is None:
            self.source.begin(self)

    def standing_in(self, name: str) -> TrustedSession:
        """The same with one function in place of whatever is asked for."""
        return TrustedSession(self.source, name)

    def defining(self, name: str, exercise: str, source: str) -> TrustedSession:
        """The same with another source of an exercise in place of whatever is asked for, under a name of its own."""
        return TrustedSession(self.source, name, [["call", "_define", [name, exercise, source], {}]])

    def ask(self, request: list, seconds: float, call: Call) -> dict:
        kind, target, *rest = request
        if self.stand_in and isinstance(target, str):
            target = self.stand_in
        content = f"{kind} {target}".encode() + (b"" if kind == "again" else call.inputs)
        self._digest = hashlib.blake2b(self._digest + content, digest_size=16).digest()
        self._requests.append([kind, target, *rest])
        memory = self.source.memory
        if self._digest not in memory:
            memory[self._digest] = self.source.with_retry(self._catch_up)
        return memory[self._digest]

    def _catch_up(self) -> dict:
        """Make every request that has not been made yet; the last reply."""
        if not self._done_count or self.source.user is not self:
            self.source.begin(self)
            self._done_count = 0
        reply: dict = {}
        while self._done_count < len(self._requests):
            reply = self.source.ask(self._requests[self._done_count])
            self._done_count += 1
        return reply


class TrustedFile:
    def __init__(self, cells: Sequence[CodeCell], mistakes: tuple[str, ...] = ()) -> None:
        self.mistakes = mistakes
        self.cells, self.libraries = cells, slow_libraries(cell.source for cell in cells)
        self.memory: dict[bytes, dict] = {}
        self.worker: Worker | None = None
        self.user: object = None  # who had the worker last

    def begin(self, user: object) -> None:
        """Hand the worker over, without what came of earlier requests."""
        if self.worker is None:
            self.worker = new_worker(self.libraries)
            errors = self.ask(["load", self.cells, False])["errors"]
            for cell, error in zip(self.cells, errors, strict=True):
                if error:
                    raise SuiteFault(f"{cell.place} cannot be run: {error['type']}: {error['message']}")
        self.ask(["forget"])
        self.user = user

    def ask(self, request: list, seconds: float = REQUEST_SECONDS) -> dict:
        assert self.worker is not None, "`begin` comes first"
        return self.worker.ask(request, seconds)

    def with_retry(self, ask: Callable[[], T]) -> T:
        """What asking comes to; where the worker ends meanwhile, in a new one once more."""
        try:
            return ask()
        except (NoWorker, WorkerEnded):  # its processor time is used up, or its zygote has gone
            self.close()
            return ask()

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        self.worker = self.user = None


def solution_session(chapter: str) -> TrustedSession:
    """The chapter's solutions, to be called like an answer."""
    return TrustedSession(shared_file(chapter, lambda: TrustedFile(read_chapter(chapter).code)))


def misconception_session(exercise: Exercise) -> tuple[TrustedSession, tuple[str, ...]]:
    """Return the known mistakes of an exercise as a session and their names; stale edits are left out."""
    file = shared_file(curriculum.misconceptions_of(exercise.name), lambda: _mistakes_file(exercise))
    return TrustedSession(file), file.mistakes


def _mistakes_file(exercise: Exercise) -> TrustedFile:
    """The chapter, and for each known mistake a copy of it in which the exercise is made with that mistake."""
    place = str(curriculum.misconceptions_of(exercise.name))
    names: list[str] = []
    cells = [*read_chapter(exercise.chapter).code, CodeCell(place, 1, _DEFINE)]
    for name in read_misconceptions(exercise.name):
        with contextlib.suppress(StaleEdit):
            source = source_with_mistake(exercise, name)
            cells.append(CodeCell(f"{place}: {name}", 1, f"_define({name!r}, {exercise.name!r}, {source!r})"))
            names.append(name)
    return TrustedFile(cells, tuple(names))


_DEFINE = """
def _define(name, exercise, source):
    import linecache
    names, place = dict(globals()), f"<{name}>"
    linecache.cache[place] = (len(source), None, source.splitlines(True), place)
    exec(compile(source, place, "exec"), names)
    globals()[name] = names[exercise]
"""

_files: dict[Path | str, TrustedFile] = {}


def shared_file(place: Path | str, make: Callable[[], TrustedFile]) -> TrustedFile:
    """Return the file that this process keeps for a place, made at the first call."""
    if place not in _files:
        _files[place] = make()
    return _files[place]


@atexit.register  # its workers would be ended with sockets that nobody closed
def forget_files() -> None:
    """End the workers, and read every file anew when it is next asked for."""
    while _files:
        _files.popitem()[1].close()
