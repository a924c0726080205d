"""What the grader asks of a worker that reads. Replies are plain data; texts travel as one run of bytes."""

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
    Sought,
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

GIVEN_FILE = 4  # the descriptor behind the wire's, where other workers print to


class Reading:
    """What a worker holds of the file that it reads."""

    def __init__(self) -> None:
        self.content = bytearray()

    def answer(self, kind: str, *rest: object) -> dict:
        """Do one request; ``{"value": ...}``, or ``{"unreadable": why}`` where the file is to blame."""
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
        """More of the file; it is read when all of it is here."""
        self.content += piece.tobytes()

    def _names(self, name: str) -> list[str]:
        """What a script that is called so defines, or a notebook where it has no name."""
        return _short(dict.fromkeys(name for cell in self._cells(name) for name in definitions(cell.source)))

    def _answer(self, name: str, exercises: list, before: list) -> dict:
        """All that there is to know of it as an answer to exercises, with cells to run before it."""
        return _examine_cells([*_code(before), *self._cells(name)], not name, exercises)

    def _cells_answer(self, cells: list, exercises: list, before: list) -> dict:
        """The same of code cells of a notebook."""
        return _examine_cells([*_code(before), *plain_cells(_code(cells))], True, exercises)

    def _examine(self, cells: list, is_notebook: bool, exercises: list) -> dict:
        """The same of cells that were read before."""
        return _examine_cells(_code(cells), is_notebook, exercises)

    def _cells(self, name: str) -> tuple[CodeCell, ...]:
        content = bytes(self.content)
        return script_cells(name, text_of(content)) if name else notebook_cells(json_of(content))

    def _edits(self, cells: list, name: str, others: list[str]) -> list:
        from ..small_edits import edits_of_answer, rows_of  # noqa: PLC0415  (rarely asked for)

        answer = AnswerFile("", tuple(_code(cells)))
        return rows_of(edits_of_answer(answer, name, others))

    def _runs(self, names: list[str]) -> dict[str, np.ndarray]:
        """Exercise -> the runs of the code that answers it in a notebook."""
        answers = self._answers()
        return {name: np.array(sorted(runs(answers[name], name)), np.uint64) for name in names if name in answers}

    def _shared(self, name: str, shared_runs: np.ndarray) -> dict:
        """The cell that answers an exercise in a notebook, and its lines on which these runs stand."""
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
        """The names in a zip file: the content, or the file whose descriptor the worker was given."""
        self.archive = Archive(os.fdopen(GIVEN_FILE, "rb", closefd=False) if is_handed_over else bytes(self.content))
        return pack_rows(self.archive.names())

    def _piece(self, *number: int) -> np.ndarray:
        return np.frombuffer(self.archive.piece(*number), np.uint8)

    def _is_made(self) -> bool:
        return is_made(bytes(self.content))


def _examine_cells(cells: Iterable[CodeCell], is_notebook: bool, exercises: list) -> dict:
    sought = [Sought(name, stub, tuple(bans)) for name, stub, bans in exercises]
    answer = examine_answer(AnswerFile("", tuple(cells), is_notebook), sought)
    forget()
    return {"cells": pack_rows(answer.cells), "found": answer.found}


def _code(rows: list) -> list[CodeCell]:
    return list(itertools.starmap(CodeCell, unpack_rows(rows)))


def _short(names: Iterable[str]) -> list[str]:
    return [name for name in names if len(name) <= MAX_NAME][:MAX_DEFINED]


def pack_rows(rows: Sequence) -> list[np.ndarray]:
    """Return rows with the length of their text in its place, and all texts as bytes, which the wire takes."""
    texts = [row[-1].encode("utf-8", "surrogatepass") for row in rows]
    head = json.dumps([[*row[:-1], len(text)] for row, text in zip(rows, texts, strict=True)]).encode()
    return [np.frombuffer(head, np.uint8), np.frombuffer(b"".join(texts), np.uint8)]


def unpack_rows(parts: Iterable[np.ndarray]) -> list[list]:
    """The rows again, as lists; `ValueError` where they are none."""
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
MAX_MEMBER_NAME = 400  # characters; no platform and no disk has longer ones
PIECE_BYTES = 16 << 20
MAX_ERROR_LENGTH = 200  # characters of an error, which may quote names of 64 kB
_BROKEN = (OSError, RuntimeError, zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError)


class Archive:
    def __init__(self, file: BinaryIO | bytes) -> None:
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file)
        except _BROKEN as error:
            raise Unreadable(f"is no zip file that can be read ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.members = self.archive.infolist()
        if len(self.members) > MAX_MEMBERS:
            raise Unreadable(f"holds more than {MAX_MEMBERS:,} files")
        self.open: IO[bytes] | None = None

    def names(self) -> list[tuple[bool, str]]:
        """(Whether it is a file with a name that a disk takes, its name) of every member."""
        return [
            (not member.is_dir() and len(member.filename) <= MAX_MEMBER_NAME, member.filename[:MAX_MEMBER_NAME])
            for member in self.members
        ]

    def piece(self, number: int | None = None) -> bytes:
        """The first bytes of a member, or the next of the same one; the last piece is shorter than the others."""
        try:
            if number is not None:
                self.open, self.left = self.archive.open(self.members[number]), MAX_FILE_BYTES
            data = self.open.read(PIECE_BYTES) if self.open else b""
        except _BROKEN as error:
            raise Unreadable(f"cannot be taken out of the zip file ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.left -= len(data)
        if self.left < 0:  # whatever the zip file says about its size
            raise Unreadable(f"is larger than {MAX_FILE_BYTES >> 20} MB")
        return data
