"""The committed pictures of the chapters, which `making.draw` has drawn."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.api import Cell
from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter

SHIPPED = curriculum.ROOT / "book" / "drawn"  # contains a folder for each chapter
LIST = "pictures.json"
_GIVEN = curriculum.EXERCISES / "given"


@dataclass(frozen=True)
class Figure:
    """A committed picture: its file, its size in CSS pixels, and its alternative text."""

    folder: Path
    words: str  # the alternative text
    file: str
    width: int
    height: int


@dataclass(frozen=True)
class DrawnCell:
    figures: tuple[Figure, ...] = ()
    printed: str = ""
    is_current: bool = True  # False if the cell's code has changed since it was drawn


def find_pictures_folder(chapter: str) -> Path:
    return SHIPPED / chapter


def read_pictures(chapter: Chapter) -> list[DrawnCell]:
    """Return the pictures and the output of a chapter's picture cells, in order."""
    folder = find_pictures_folder(chapter.name)
    entries = {entry["code"]: entry for entry in _read_manifest(chapter.name).get("cells", ())}
    cells = [cell for cell in chapter.cells if cell.kind == "picture"]
    return [_read_entry(entries.get(hash_cell(cell)), folder) for cell in cells]


def _read_entry(entry: dict[str, Any] | None, folder: Path) -> DrawnCell:
    if entry is None:
        return DrawnCell(is_current=False)
    return DrawnCell(tuple(Figure(folder, **figure) for figure in entry["figures"]), entry["printed"])


def has_drifted(chapter: Chapter) -> bool:
    """Return whether a chapter's code or data have changed since its pictures were drawn."""
    return _read_manifest(chapter.name).get("digest") != hash_chapter(chapter)


def _read_manifest(name: str) -> dict[str, Any]:
    path = find_pictures_folder(name) / LIST
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def hash_cell(cell: Cell) -> str:
    return hashlib.sha256(cell.source.encode()).hexdigest()[:16]


def hash_chapter(chapter: Chapter) -> str:
    """Return a hash of everything that may affect a chapter's pictures: its code, and all files of `given`."""
    code = "\n".join(cell.raw for cell in chapter.cells if cell.kind != "markdown")
    parts = [code.encode(), *(path.read_bytes() for path in sorted(_GIVEN.iterdir()) if path.is_file())]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]
