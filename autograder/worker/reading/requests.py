"""The requests to a worker that reads files. Replies are plain data; all texts are sent as one run of bytes."""

import io
import itertools
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from typing import IO, BinaryIO

import numpy as np

from .answers import (
    MAX_DEFINED,
    MAX_FILE_BYTES,
    MAX_NAME,
    AnswerFile,
    CodeCell,
    ExerciseSpec,
    Unreadable,
    examine_answer,
    json_of,
    notebook_cells,
    plain_cells,
    script_cells,
    text_of,
)
from .definitions import definitions
from .notebooks import bare_cells, cells_of_file, is_made
from .reach import forget
from .runs import lines_of, runs

GIVEN_FILE = 4  # descriptor after the wire's; other workers print to it


class ReadingService:
    """The state of a worker that reads a file."""

    def __init__(self) -> None:
        self.content = bytearray()

    def answer(self, kind: str, *rest: object) -> dict:
        """Answer a request: ``{"value": ...}``, or ``{"unreadable": why}`` if the file is the problem."""
        try:
            return {"value": getattr(self, f"_{kind}")(*rest)}
        except Unreadable as error:
            return {"unreadable": str(error)}
        except (RecursionError, MemoryError):
            return {"unreadable": "takes more memory to read than an answer may: clear its outputs, save it again"}
        finally:
            if kind != "take":
                self.content.clear()

    def _take(self, piece: np.ndarray) -> None:
        """Append a piece of the file, which is read when it is complete."""
        self.content += piece.tobytes()

    def _names(self, name: str) -> list[str]:
        """Return the names that a script defines, or a notebook if the name is empty."""
        return _short(dict.fromkeys(name for cell in self._cells(name) for name in definitions(cell.source)))

    def _answer(self, name: str, exercises: list, before: list) -> dict:
        """Return everything about the file as an answer to exercises, with cells to run before it."""
        return _examine_cells([*_code(before), *self._cells(name)], not name, exercises)

    def _cells_answer(self, cells: list, exercises: list, before: list) -> dict:
        """Return everything about code cells of a notebook as an answer."""
        return _examine_cells([*_code(before), *plain_cells(_code(cells))], True, exercises)

    def _examine(self, cells: list, is_notebook: bool, exercises: list) -> dict:
        """Return everything about cells that were read before as an answer."""
        return _examine_cells(_code(cells), is_notebook, exercises)

    def _cells(self, name: str) -> tuple[CodeCell, ...]:
        content = bytes(self.content)
        return script_cells(name, text_of(content)) if name else notebook_cells(json_of(content))

    def _edits(self, cells: list, name: str, others: list[str]) -> list:
        from ..small_edits import edits_of_answer, rows_of  # noqa: PLC0415  (rarely asked for)

        answer = AnswerFile("", tuple(_code(cells)))
        return rows_of(edits_of_answer(answer, name, others))

    def _slips(self, cells: list, name: str, raised: bool) -> list:
        from .slips import slips_of_answer  # noqa: PLC0415  (only wrong answers are asked for them)

        return slips_of_answer(AnswerFile("", tuple(_code(cells))), name, raised)

    def _runs(self, names: list[str]) -> dict[str, np.ndarray]:
        """Return exercise -> hashes of the token runs of its answer in a notebook."""
        answers = self._answers()
        return {name: np.array(sorted(runs(answers[name], name)), np.uint64) for name in names if name in answers}

    def _shared(self, name: str, shared_runs: np.ndarray) -> dict:
        """Return the cell that answers an exercise, and its lines that contain these runs."""
        source = self._answers().get(name, "")
        lines = sorted(lines_of(source, name, set(shared_runs.tolist())))
        return {"source": source, "lines": np.array(lines, np.int64)}

    def _answers(self) -> dict[str, str]:
        cells, _ = bare_cells(bytes(self.content))
        return {name: source for kind, _, source in cells if kind == "code" for name in definitions(source)}

    def _bare(self) -> dict:
        cells, why = bare_cells(bytes(self.content))
        return {"cells": pack_rows(cells), "why": why}

    def _file(self, is_script: bool) -> dict:
        cells, why, names = cells_of_file(bytes(self.content), is_script)
        return {"cells": pack_rows(cells), "why": why, "names": _short(names)}

    def _unzip(self, is_handed_over: bool) -> list:
        """Return the names in a zip file: the received content, or the file whose descriptor this worker was given."""
        self.archive = Archive(os.fdopen(GIVEN_FILE, "rb", closefd=False) if is_handed_over else bytes(self.content))
        return pack_rows(self.archive.names())

    def _piece(self, *number: int) -> np.ndarray:
        return np.frombuffer(self.archive.piece(*number), np.uint8)

    def _is_made(self) -> bool:
        return is_made(bytes(self.content))


def _examine_cells(cells: Iterable[CodeCell], is_notebook: bool, exercises: list) -> dict:
    forget()  # the answer before: requests about one answer share its syntax trees
    sought = [ExerciseSpec(name, stub, tuple(bans)) for name, stub, bans in exercises]
    answer = examine_answer(AnswerFile("", tuple(cells), is_notebook), sought)
    return {"cells": pack_rows(answer.cells), "found": answer.found}


def _code(rows: list) -> list[CodeCell]:
    return list(itertools.starmap(CodeCell, unpack_rows(rows)))


def _short(names: Iterable[str]) -> list[str]:
    return [name for name in names if len(name) <= MAX_NAME][:MAX_DEFINED]


def pack_rows(rows: Sequence) -> list[np.ndarray]:
    """Pack rows for the wire: JSON with the length of each last item, a text, and the bytes of all texts."""
    texts = [row[-1].encode("utf-8", "surrogatepass") for row in rows]
    head = json.dumps([[*row[:-1], len(text)] for row, text in zip(rows, texts, strict=True)]).encode()
    return [np.frombuffer(head, np.uint8), np.frombuffer(b"".join(texts), np.uint8)]


def unpack_rows(parts: Iterable[np.ndarray]) -> list[list]:
    """Unpack rows as lists. Raises `ValueError` if they are malformed."""
    head, texts = (part.tobytes() for part in parts)
    rows, at = json.loads(head), 0
    for row in rows:
        size = row[-1]
        if type(size) is not int or not 0 <= size <= len(texts) - at:
            raise ValueError("rows that do not fit their texts")
        row[-1] = texts[at : at + size].decode("utf-8", "surrogatepass")
        at += size
    return rows


MAX_MEMBERS = 50_000
MAX_MEMBER_NAME = 400  # characters; no platform and no disk allows longer ones
PIECE_BYTES = 16 << 20
MAX_ERROR_LENGTH = 200  # characters of an error, which may quote 64 kB of names
_BROKEN = (OSError, RuntimeError, zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError)


class Archive:
    def __init__(self, file: BinaryIO | bytes) -> None:
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file)
        except _BROKEN as error:
            raise Unreadable(f"is not a readable zip file ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.members = self.archive.infolist()
        if len(self.members) > MAX_MEMBERS:
            raise Unreadable(f"holds more than {MAX_MEMBERS:,} files")
        self.open: IO[bytes] | None = None

    def names(self) -> list[tuple[bool, str]]:
        """Return (whether it is a file with a valid name, its name) of every member."""
        return [
            (not member.is_dir() and len(member.filename) <= MAX_MEMBER_NAME, member.filename[:MAX_MEMBER_NAME])
            for member in self.members
        ]

    def piece(self, number: int | None = None) -> bytes:
        """Return the first bytes of a member, or the next ones; a short piece is the last."""
        try:
            if number is not None:
                self.open, self.left = self.archive.open(self.members[number]), MAX_FILE_BYTES
            data = self.open.read(PIECE_BYTES) if self.open else b""
        except _BROKEN as error:
            raise Unreadable(f"cannot be extracted from the zip file ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.left -= len(data)
        if self.left < 0:  # regardless of the size that the zip file states
            raise Unreadable(f"is larger than {MAX_FILE_BYTES >> 20} MB")
        return data
