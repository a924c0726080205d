"""A reader of submitted files: a sandboxed worker that runs none of their code.

The grader opens the file, sends its bytes, and gets plain data back before a deadline. One worker reads many files. If
a file ends the worker or takes too long, only that file is unreadable. An `Archive` has a separate worker, which
extracts names and bytes from a zip file and writes nothing.
"""

import atexit
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from autograder.boundary.channel import NO_FORK, Worker, WorkerEnded, start_worker
from autograder.boundary.zygote import WorkerFailure
from autograder.chapters.answers import is_script, require_suffix
from autograder.chapters.chapter import Chapter
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.chapters.text import clean
from autograder.worker.reading.answers import MAX_FILE_BYTES, MAX_SCRIPT_BYTES, AnswerFile, CodeCell
from autograder.worker.reading.notebooks import ARRIVED_AS
from autograder.worker.reading.requests import PIECE_BYTES, pack_rows, unpack_rows
from autograder.worker.wire import MAX_ARRAY_BYTES

SECONDS = 20.0  # time limit for one file, or for one request about an answer


class _Reader:
    worker: Worker | None = None

    def ask(self, *request: object, content: bytes | None = None, seconds: float = SECONDS) -> Any:
        """Return the reply to a request about a file's content. Raises `UnreadableAnswer` if there is none."""
        is_new = self.worker is None
        self.worker = self.worker or start_worker(())
        try:
            return ask_reading_worker(self.worker, *request, content=content, seconds=seconds)
        except (WorkerFailure, WorkerEnded) as ended:
            self.close()
            is_late = isinstance(ended, WorkerEnded) and ended.outcome == "timeout"
            if not is_new and not is_late:
                # Earlier files may have used up the worker's CPU time, or the zygote has ended, so try again.
                return self.ask(*request, content=content, seconds=seconds)
            if isinstance(ended, WorkerFailure):
                raise
            limit = f"within {seconds:.0f} seconds" if is_late else f"with what an answer may take (its reader {ended})"
            raise UnreadableAnswer(f"cannot be read {limit}: submit only the code") from None

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None


def ask_reading_worker(worker: Worker, *request: Any, content: bytes | None = None, seconds: float = SECONDS) -> Any:
    """Send the content in pieces of `PIECE_BYTES`, then the request. Return the value in the reply."""
    data = memoryview(content or b"")
    for start in range(0, len(data), PIECE_BYTES):
        piece = np.frombuffer(data[start : start + PIECE_BYTES], np.uint8)
        worker.ask(["read", "take", piece], SECONDS)
    worker.max_reply_bytes = MAX_ARRAY_BYTES
    reply = worker.ask(["read", *request], seconds)
    if not isinstance(reply, dict) or not isinstance(reply.get("unreadable", ""), str):
        raise WorkerEnded("killed", "it wrote to the channel that belongs to the grader")
    if "unreadable" in reply:
        raise UnreadableAnswer(clean(reply["unreadable"]))
    return reply["value"]


_reader = _Reader()
atexit.register(_reader.close)
if hasattr(os, "register_at_fork"):  # A forked child must not use its parent's worker, but start a new one.
    os.register_at_fork(after_in_child=lambda: setattr(_reader, "worker", None))


def read_submission(path: Path | str) -> bytes:
    path = Path(path)
    require_suffix(path)
    return read_plain(path, MAX_SCRIPT_BYTES if is_script(path) else MAX_FILE_BYTES)


def read_submitted_answer(
    path: Path | str, content: bytes, chapter: Chapter, given_cells: Sequence[CodeCell] = ()
) -> AnswerFile:
    """Return the answer in a submitted file, with the `given_cells` first. A worker parses and examines it."""
    name = Path(path).name if is_script(path) else ""  # Tracebacks in notebooks do not contain the file's name.
    with _name_file_in_errors(path):
        value = _reader.ask("answer", name, _list_specs(chapter), pack_rows(given_cells), content=content)
    return _make_answer(str(path), value, not is_script(path))


def examine_notebook(
    path: str,
    cells: Iterable[CodeCell],
    chapter: Chapter,
    given_cells: Sequence[CodeCell] = (),
    seconds: float = SECONDS,
) -> AnswerFile:
    """Return the answer in a notebook's code cells, with the `given_cells` first. A worker parses and examines it."""
    with _name_file_in_errors(path):
        rows = pack_rows([*cells]), _list_specs(chapter), pack_rows(given_cells)
        return _make_answer(path, _reader.ask("examine", *rows, seconds=seconds), True)


def _list_specs(chapter: Chapter) -> list:
    return [(exercise.name, exercise.stub, list(exercise.bans)) for exercise in chapter.exercises]


def _make_answer(path: str, value: dict, is_notebook: bool) -> AnswerFile:
    cells = tuple(CodeCell(*row) for row in unpack_rows(value["cells"]))
    return AnswerFile(path, cells, is_notebook, value["found"], dict(value["found"]["set_aside"]))


def read_notebook(path: Path) -> tuple:
    """Return the cells of a submitted notebook, and the reason if there is nothing to grade (see `read_bare_cells`)."""
    cells, reason, _ = _ask_for_cells(path, "bare")
    return cells, reason


def read_file(path: Path, seconds: float = SECONDS) -> tuple:
    """Return the result of `read_cells_of_file` for a file. If it cannot be read, return no cells and the reason."""
    return _ask_for_cells(path, "file", is_script(path), seconds=seconds)


def _ask_for_cells(path: Path, *request: object, seconds: float = SECONDS) -> tuple:
    try:
        value = _reader.ask(*request, content=read_plain(path, MAX_FILE_BYTES), seconds=seconds)
    except UnreadableAnswer as error:
        return [], clean(error), set()
    cells = [(str(kind), dict(marks), source) for kind, marks, source in unpack_rows(value["cells"])]
    return cells, str(value["why"]), set(map(str, value.get("names", ())))


def read_runs(path: Path, names: Collection[str]) -> dict:
    """Return exercise -> hashes of its answer's code in a notebook (see `hash_runs`); empty if it is unreadable."""
    try:
        value = _reader.ask("runs", list(names), content=read_plain(path, MAX_FILE_BYTES))
    except UnreadableAnswer:
        return {}
    return {str(name): set(digests.tolist()) for name, digests in value.items()}


def read_shared(path: Path, name: str, runs: Iterable[int]) -> tuple[str, set[int]]:
    """Return the text of an exercise's cell, and the numbers of its lines with code whose hashes are in `runs`."""
    shared_runs = np.array(sorted(runs), np.uint64)
    value = _reader.ask("shared", name, shared_runs, content=read_plain(path, MAX_FILE_BYTES))
    return clean(str(value["source"])), set(value["lines"].tolist())


def is_converted(path: Path) -> bool:
    try:
        content = read_plain(path, MAX_FILE_BYTES)
        return ARRIVED_AS.encode() in content and _reader.ask("is_made", content=content) is True
    except UnreadableAnswer:
        return False


@contextmanager
def _name_file_in_errors(path: Path | str) -> Iterator[None]:
    try:
        yield
    except UnreadableAnswer as error:
        raise UnreadableAnswer(f"{clean(path)} {clean(error)}") from None


class Archive:
    """A zip file that is opened in a separate worker. `taken` is the number of extracted bytes."""

    def __init__(self, content: bytes | None = None, file: BinaryIO | None = None) -> None:
        if file is not None and NO_FORK:  # This system cannot pass descriptors to a worker.
            content, file = file.read(), None
        self.content, self.file, self.taken = content, file, 0
        self.worker: Worker | None = None
        self.names = [name if is_file else "" for is_file, name in self._open()]

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def read_member(self, number: int) -> bytes:
        if self.worker is None:
            self._open()
        pieces = [self._ask("piece", number)]
        while len(pieces[-1]) == PIECE_BYTES:
            pieces.append(self._ask("piece"))
        return b"".join(pieces)

    def _open(self) -> list:
        if self.file is not None:
            os.lseek(self.file.fileno(), 0, os.SEEK_SET)
        self.worker = start_worker((), self.file.fileno() if self.file else None)
        try:
            return unpack_rows(self._ask("unzip", self.file is not None))
        except BaseException:
            self.close()
            raise

    def _ask(self, kind: str, *rest: object) -> Any:
        assert self.worker is not None, "`_open` comes first"
        try:
            value = ask_reading_worker(self.worker, kind, *rest, content=self.content if kind == "unzip" else None)
        except WorkerEnded as ended:
            self.worker, self.taken = None, self.taken + MAX_FILE_BYTES
            raise UnreadableAnswer(f"cannot be extracted from the zip file (its reader {ended})") from None
        if kind == "unzip":
            return value
        self.taken += value.nbytes
        return value.tobytes()

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None
