"""Handlers of the requests to a worker that reads files. Replies are plain data with all texts in one byte array."""

import ast
import hashlib
import io
import itertools
import json
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, BinaryIO

import numpy as np

from .answers import (
    MAX_DEFINED,
    MAX_FILE_BYTES,
    MAX_NAME,
    AnswerFile,
    CodeCell,
    ExerciseSpec,
    UnreadableFile,
    decode_script,
    examine_answer,
    parse_json,
    parse_notebook_cells,
    parse_script_cells,
    remove_magics,
)
from .definitions import clear_caches, find_definition, find_definitions, is_constant_statement, parse_source
from .notebooks import is_converted, read_bare_cells, read_cells_of_file

GIVEN_FILE = 4  # descriptor of a file that the grader has opened; other workers use it for output


class ReadingService:
    """The received file of a worker that reads files, and one handler for each kind of request."""

    def __init__(self) -> None:
        self.content = bytearray()

    def handle_request(self, kind: str, *rest: object) -> dict:
        """Handle a request. Return ``{"value": result}``, or ``{"unreadable": reason}`` if the file cannot be read."""
        try:
            return {"value": getattr(self, f"handle_{kind}")(*rest)}
        except UnreadableFile as error:
            return {"unreadable": str(error)}
        except (RecursionError, MemoryError):
            return {"unreadable": "takes more memory to read than an answer may: clear its outputs, save it again"}
        finally:
            if kind != "take":
                self.content.clear()

    def handle_take(self, piece: np.ndarray) -> None:
        """Append a piece to the received file. The next request of another kind reads the file, and empties it."""
        self.content += piece.tobytes()

    def handle_answer(self, name: str, exercises: list, given_cells: list) -> dict:
        """Return the cells (`given_cells` first) and findings of the file, examined as an answer to `exercises`."""
        return _pack_examined_answer([*_unpack_cells(given_cells), *self._read_cells(name)], not name, exercises)

    def handle_examine(self, cells: list, exercises: list, given_cells: list) -> dict:
        """Return the cells (`given_cells` first) and findings of a notebook, examined as an answer to `exercises`."""
        own_cells = remove_magics(_unpack_cells(cells))
        return _pack_examined_answer([*_unpack_cells(given_cells), *own_cells], True, exercises)

    def _read_cells(self, name: str) -> tuple[CodeCell, ...]:
        content = bytes(self.content)
        return parse_script_cells(name, decode_script(content)) if name else parse_notebook_cells(parse_json(content))

    def handle_runs(self, names: list[str]) -> dict[str, np.ndarray]:
        """Return exercise -> hashes of the pieces of code in its definition, to compare two notebooks."""
        answers = self._read_answers()
        return {name: np.array(sorted(hash_runs(answers[name], name)), np.uint64) for name in names if name in answers}

    def handle_shared(self, name: str, shared_runs: np.ndarray) -> dict:
        """Return the text of an exercise's cell, and the numbers of its lines with code that has these hashes."""
        source = self._read_answers().get(name, "")
        lines = sorted(find_lines_with_runs(source, name, set(shared_runs.tolist())))
        return {"source": source, "lines": np.array(lines, np.int64)}

    def _read_answers(self) -> dict[str, str]:
        cells, _ = read_bare_cells(bytes(self.content))
        return {name: source for kind, _, source in cells if kind == "code" for name in find_definitions(source)}

    def handle_bare(self) -> dict:
        cells, reason = read_bare_cells(bytes(self.content))
        return {"cells": pack_rows(cells), "why": reason}

    def handle_file(self, is_script: bool) -> dict:
        cells, reason, names = read_cells_of_file(bytes(self.content), is_script)
        return {"cells": pack_rows(cells), "why": reason, "names": _limit_names(names)}

    def handle_unzip(self, is_handed_over: bool) -> list:
        """Return the packed `Archive.list_members` of the received zip file or, if `is_handed_over`, `GIVEN_FILE`."""
        self.archive = Archive(os.fdopen(GIVEN_FILE, "rb", closefd=False) if is_handed_over else bytes(self.content))
        return pack_rows(self.archive.list_members())

    def handle_piece(self, *number: int) -> np.ndarray:
        return np.frombuffer(self.archive.read_piece(*number), np.uint8)

    def handle_is_made(self) -> bool:
        return is_converted(bytes(self.content))


def _pack_examined_answer(cells: Iterable[CodeCell], is_notebook: bool, exercises: list) -> dict:
    clear_caches()  # The syntax trees of the previous answer are no longer needed.
    specs = [ExerciseSpec(name, stub, tuple(bans)) for name, stub, bans in exercises]
    answer = examine_answer(AnswerFile("", tuple(cells), is_notebook), specs)
    return {"cells": pack_rows(answer.cells), "found": answer.findings}


def _unpack_cells(rows: list) -> list[CodeCell]:
    return list(itertools.starmap(CodeCell, unpack_rows(rows)))


def _limit_names(names: Iterable[str]) -> list[str]:
    return [name for name in names if len(name) <= MAX_NAME][:MAX_DEFINED]


def pack_rows(rows: Sequence) -> list[np.ndarray]:
    """Pack rows whose last item is a text into two arrays: JSON with lengths in place of texts, and all texts."""
    texts = [row[-1].encode("utf-8", "surrogatepass") for row in rows]
    header = json.dumps([[*row[:-1], len(text)] for row, text in zip(rows, texts, strict=True)]).encode()
    return [np.frombuffer(header, np.uint8), np.frombuffer(b"".join(texts), np.uint8)]


def unpack_rows(parts: Iterable[np.ndarray]) -> list[list]:
    """Return the rows that `pack_rows` packed, as lists. Raises `ValueError` if they are malformed."""
    header, texts = (part.tobytes() for part in parts)
    rows, position = json.loads(header), 0
    for row in rows:
        size = row[-1]
        if type(size) is not int or not 0 <= size <= len(texts) - position:
            raise ValueError("rows that do not fit their texts")
        row[-1] = texts[position : position + size].decode("utf-8", "surrogatepass")
        position += size
    return rows


RUN_NODES = 6  # number of nodes in a run, about one expression
MAX_COMPARED = 20_000  # longer cells are not compared; most answers have a thousand characters


def hash_runs(source: str, name: str) -> set[int]:
    """Return the hashes of all runs of consecutive syntax-tree nodes in a definition.

    They are equal in copied answers even if names, comments and layout were changed, and the same in every process.
    """
    return {digest for digest, _ in _locate_runs(source, name)}


def find_lines_with_runs(source: str, name: str, digests: set[int]) -> set[int]:
    """Return the numbers of a definition's lines (in its cell, from 1) that contain a run with one of these hashes."""
    return {line for digest, lines in _locate_runs(source, name) if digest in digests for line in lines}


def _locate_runs(source: str, name: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    if len(source) > MAX_COMPARED:
        return
    try:
        definition = find_definition(parse_source(source), name)
        inner = list(ast.walk(definition)) if definition else []
        assigned_names = {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        local_names = assigned_names | {node.arg for node in inner if isinstance(node, ast.arg)}
        nodes = list(_yield_tokens(definition, local_names, 0)) if definition else []
    except (RecursionError, MemoryError):
        return
    for start in range(len(nodes) - RUN_NODES + 1):
        texts, lines = zip(*nodes[start : start + RUN_NODES], strict=True)
        data = "\0".join(texts).encode("utf-8", "replace")
        yield int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big"), lines


def _yield_tokens(node: ast.AST, local_names: set[str], line: int) -> Iterator[tuple[str, int]]:
    """Yield (token, line) for each node's type, and for its name or constant. All local names give the same token."""
    line = getattr(node, "lineno", line)
    yield type(node).__name__, line
    if isinstance(node, ast.Name):
        yield "name" if node.id in local_names else node.id, line
    elif isinstance(node, ast.Attribute):
        yield node.attr, line
    elif isinstance(node, ast.Constant):
        yield repr(node.value)[:80], line
    for field, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        if field == "body" and children and is_constant_statement(children[0]):
            children = children[1:]
        for child in children:
            if isinstance(child, ast.AST) and not isinstance(child, ast.expr_context):
                yield from _yield_tokens(child, local_names, line)


MAX_MEMBERS = 50_000
MAX_MEMBER_NAME = 400  # characters
PIECE_BYTES = 16 << 20
MAX_ERROR_LENGTH = 200  # characters of an error's message, which may quote file names of 64 kB
_BROKEN = (OSError, RuntimeError, zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError)


class Archive:
    def __init__(self, file: BinaryIO | bytes) -> None:
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file)
        except _BROKEN as error:
            raise UnreadableFile(f"is not a readable zip file ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.members = self.archive.infolist()
        if len(self.members) > MAX_MEMBERS:
            raise UnreadableFile(f"holds more than {MAX_MEMBERS:,} files")
        self.open: IO[bytes] | None = None

    def list_members(self) -> list[tuple[bool, str]]:
        """Return (whether it is a file with a valid name, its name) for each member of the archive."""
        return [
            (not member.is_dir() and len(member.filename) <= MAX_MEMBER_NAME, member.filename[:MAX_MEMBER_NAME])
            for member in self.members
        ]

    def read_piece(self, number: int | None = None) -> bytes:
        """Return the first piece of member `number` or, if it is None, the next piece. Only the last piece is short."""
        try:
            if number is not None:
                self.open, self.left = self.archive.open(self.members[number]), MAX_FILE_BYTES
            data = self.open.read(PIECE_BYTES) if self.open else b""
        except _BROKEN as error:
            raise UnreadableFile(f"cannot be extracted from the zip file ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.left -= len(data)
        if self.left < 0:  # Count here, because the zip file may state a wrong size.
            raise UnreadableFile(f"is larger than {MAX_FILE_BYTES >> 20} MB")
        return data
