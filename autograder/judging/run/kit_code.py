"""Sessions for solutions and misconceptions, which run in separate workers like a learner's answer.

So the grader does not import torch, and mistakes run under the same conditions as the answer. Replies are cached,
because suites make the same requests for every answer.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from autograder.boundary.channel import Worker, WorkerEnded, start_worker
from autograder.boundary.session import AnswerSession
from autograder.boundary.zygote import WorkerFailure
from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, find_slow_libraries, read_chapter
from autograder.chapters.errors import SuiteError
from autograder.judging.ask.call import Call
from autograder.judging.misconceptions import StaleEdit, apply_mistake, read_misconceptions
from autograder.worker.reading.answers import CodeCell

REQUEST_SECONDS = 120.0  # limit for one request; if it is exceeded, the kit is broken

T = TypeVar("T")


class KitSession(AnswerSession):
    """A session that runs a solution or misconception. Replies are cached by all requests since the last `restart`."""

    def __init__(self, kit_file: KitFile, stand_in: str | None = None) -> None:
        self.kit_file, self.stand_in = kit_file, stand_in
        self.restart()

    def restart(self) -> None:
        self._digest, self._done_count = b"", 0
        self._requests: list[list] = []

    def require_function(self, name: str) -> None:
        """Run the file unless it has been run; `name` is ignored. Raises `SuiteError` if the file raises an error."""
        if self.kit_file.worker is None:
            self.kit_file.begin(self)

    def replace_function(self, name: str) -> KitSession:
        """Return a session that calls the function `name` in place of every requested function."""
        return KitSession(self.kit_file, name)

    def ask(self, request: list, seconds: float, call: Call) -> dict:
        kind, target, *rest = request
        if self.stand_in and isinstance(target, str):
            target = self.stand_in
        content = f"{kind} {target}".encode() + (b"" if kind == "again" else call.inputs)
        self._digest = hashlib.blake2b(self._digest + content, digest_size=16).digest()
        self._requests.append([kind, target, *rest])
        replies = self.kit_file.cached_replies
        if self._digest not in replies:
            replies[self._digest] = self.kit_file.retry_once(self._send_pending)
        return replies[self._digest]

    def _send_pending(self) -> dict:
        if not self._done_count or self.kit_file.session is not self:
            self.kit_file.begin(self)
            self._done_count = 0
        reply: dict = {}
        while self._done_count < len(self._requests):
            reply = self.kit_file.ask(self._requests[self._done_count])
            self._done_count += 1
        return reply


class KitFile:
    """A file of the kit, run in one worker that sessions share, with a cache of the worker's replies."""

    def __init__(self, cells: Sequence[CodeCell], mistakes: tuple[str, ...] = ()) -> None:
        self.mistakes = mistakes
        self.cells, self.libraries = cells, find_slow_libraries(cell.source for cell in cells)
        self.cached_replies: dict[bytes, dict] = {}
        self.worker: Worker | None = None
        self.session: object = None  # the session that used the worker last

    def begin(self, session: object) -> None:
        """Let `session` use the worker, which forgets the results of earlier requests."""
        if self.worker is None:
            self.worker = start_worker(self.libraries)
            errors = self.ask(["load", self.cells, False])["errors"]
            for cell, error in zip(self.cells, errors, strict=True):
                if error:
                    raise SuiteError(f"{cell.place} cannot be run: {error['type']}: {error['message']}")
        self.ask(["forget"])
        self.session = session

    def ask(self, request: list, seconds: float = REQUEST_SECONDS) -> dict:
        assert self.worker is not None, "`begin` comes first"
        return self.worker.ask(request, seconds)

    def retry_once(self, ask: Callable[[], T]) -> T:
        """Return the result of `ask`; if the worker ends, try once more in a new worker."""
        try:
            return ask()
        except (WorkerFailure, WorkerEnded):  # The worker's CPU time is used up, or its zygote has ended.
            self.close()
            return ask()

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        self.worker = self.session = None


def open_solution_session(chapter: str) -> KitSession:
    return KitSession(get_shared_file(chapter, lambda: KitFile(read_chapter(chapter).code_cells)))


def open_misconception_session(exercise: Exercise) -> tuple[KitSession, tuple[str, ...]]:
    """Return a session with an exercise's known mistakes, except for those with stale edits, and their names."""
    file = get_shared_file(curriculum.misconceptions_of(exercise.name), lambda: _make_mistakes_file(exercise))
    return KitSession(file), file.mistakes


def _make_mistakes_file(exercise: Exercise) -> KitFile:
    """Return the chapter's solutions with a function for each known mistake, named after the mistake."""
    place = str(curriculum.misconceptions_of(exercise.name))
    names: list[str] = []
    cells = [*read_chapter(exercise.chapter).code_cells, CodeCell(place, 1, _DEFINE)]
    for name in read_misconceptions(exercise.name):
        with contextlib.suppress(StaleEdit):
            source = apply_mistake(exercise, name)
            cells.append(CodeCell(f"{place}: {name}", 1, f"_define({name!r}, {exercise.name!r}, {source!r})"))
            names.append(name)
    return KitFile(cells, tuple(names))


_DEFINE = """
def _define(name, exercise, source):
    import linecache
    names, place = dict(globals()), f"<{name}>"
    linecache.cache[place] = (len(source), None, source.splitlines(True), place)
    exec(compile(source, place, "exec"), names)
    globals()[name] = names[exercise]
"""

_files: dict[Path | str, KitFile] = {}


def get_shared_file(place: Path | str, make: Callable[[], KitFile]) -> KitFile:
    """Return the cached file for a path or chapter, created by `make` at the first call."""
    if place not in _files:
        _files[place] = make()
    return _files[place]


@atexit.register
def close_kit_workers() -> None:
    """End the workers of all cached files, and empty the cache."""
    while _files:
        _files.popitem()[1].close()
