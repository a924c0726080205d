"""Takes the files out of a zip file in a worker that is shut in: names and bytes come out, and nothing is written."""

import os
from typing import Any, BinaryIO

from autograder.boundary import reader
from autograder.boundary.channel import NO_FORK, Worker, WorkerEnded, new_worker
from autograder.chapters.errors import UnreadableAnswer
from autograder.worker.reading.answers import MAX_FILE_BYTES
from autograder.worker.reading.archives import PIECE_BYTES
from autograder.worker.reading.requests import unpack_rows


class Archive:
    """A zip file, open in a worker of its own; `taken` counts the bytes that have come out of it."""

    def __init__(self, content: bytes | None = None, file: BinaryIO | None = None) -> None:
        if file is not None and NO_FORK:  # where no descriptors can be passed
            content, file = file.read(), None
        self.content, self.file, self.taken = content, file, 0
        self.worker: Worker | None = None
        self.names = [name if is_file else "" for is_file, name in self._open()]

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def read(self, number: int) -> bytes:
        if self.worker is None:
            self._open()
        pieces = [self._ask("piece", number)]
        while len(pieces[-1]) == PIECE_BYTES:
            pieces.append(self._ask("piece"))
        return b"".join(pieces)

    def _open(self) -> list:
        if self.file is not None:
            os.lseek(self.file.fileno(), 0, os.SEEK_SET)
        self.worker = new_worker((), self.file.fileno() if self.file else None)
        try:
            return unpack_rows(self._ask("unzip", self.file is not None))
        except BaseException:
            self.close()
            raise

    def _ask(self, kind: str, *rest: object) -> Any:
        assert self.worker is not None, "`_open` comes first"
        try:
            value = reader.ask(self.worker, kind, *rest, content=self.content if kind == "unzip" else None)
        except WorkerEnded as ended:
            self.worker, self.taken = None, self.taken + MAX_FILE_BYTES
            raise UnreadableAnswer(f"cannot be taken out of the zip file (its reader {ended})") from None
        if kind == "unzip":
            return value
        self.taken += value.nbytes
        return value.tobytes()

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None
