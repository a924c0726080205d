"""The pictures of a chapter, drawn once and kept until its code, the given data or the libraries change."""

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter
from autograder.chapters.errors import ChapterError
from autograder.worker.reading.cells import Cell

_BUILT = curriculum.ROOT / "build" if curriculum.IS_CLONE else platformdirs.user_cache_path("attention-exercises")
DRAWN_BEFORE = _BUILT / "pictures"
SHIPPED = curriculum.ROOT / "book" / "shipped"  # what `autograder.book.shipped` drew, a folder for each chapter
_DRAWERS = [Path(__file__).with_name(name) for name in ("alternative.py", "draw.py", "svg.py")]
# What a cell says that uses code of `given`, and that may read its texts, which are named in the package itself.
_USES = {".py": r"^(# )?(from|import) given\b", ".txt": r"^(# )?from given import\b"}
_LIBRARIES = ("numpy", "torch", "matplotlib", "seaborn")


@dataclass(frozen=True)
class Figure:
    """A picture as `svg.save` wrote it, its size in CSS pixels, and the words for it where it is not seen."""

    folder: Path
    words: str
    file: str
    width: int
    height: int


@dataclass(frozen=True)
class Drawn:
    """What one picture cell gave."""

    figures: tuple[Figure, ...] = ()
    printed: str = ""
    absent: str = ""  # why nothing was drawn: the error about a file or library that is not here
    is_shipped: bool = False  # with the course: here something is missing that drawing needs


def draw_pictures(chapter: Chapter) -> list[Drawn]:
    """What the picture cells of a chapter give, in their order; drawn now, or before.

    `ChapterError` where a cell fails for another reason than an absent file.
    """
    if not any(cell.kind == "picture" for cell in chapter.cells):
        return []
    folder = DRAWN_BEFORE / f"{chapter.name}-{_digest(chapter)}"
    entries = _entries_in(folder)
    if not entries or any("absent" in entry for entry in entries):  # what is absent may be here by now
        _draw(chapter, folder)
        entries = _entries_in(folder)
    cells = [cell for cell in chapter.cells if cell.kind == "picture"]
    shipped = {entry["code"]: entry for entry in _entries_in(SHIPPED / chapter.name)}
    drawn: list[Drawn] = []
    for entry, cell in zip(entries, cells, strict=True):
        if "absent" in entry and (code := code_digest(cell)) in shipped:
            drawn.append(_read_entry(shipped[code], SHIPPED / chapter.name, is_shipped=True))
        else:
            drawn.append(_read_entry(entry, folder))
    return drawn


def _read_entry(entry: dict[str, Any], folder: Path, is_shipped: bool = False) -> Drawn:
    figures = tuple(Figure(folder, **figure) for figure in entry.get("figures", ()))
    return Drawn(figures, entry.get("printed", ""), entry.get("absent", ""), is_shipped)


def code_digest(cell: Cell) -> str:
    """Tells whether what is shipped of a cell comes from the code that it has now."""
    return hashlib.sha256(cell.source.encode()).hexdigest()[:16]


def _entries_in(folder: Path) -> list[dict[str, Any]]:
    listed = folder / "pictures.json"
    return json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else []


def _digest(chapter: Chapter) -> str:
    """Of everything that can change the pictures; prose cannot, unless a cell reads it as data."""
    code = "\n".join(cell.raw for cell in chapter.cells if cell.kind != "markdown")
    used = [way for way in (".py", ".txt") if re.search(_USES[way], code, re.MULTILINE)]
    data_files = sorted(path for path in (curriculum.EXERCISES / "given").rglob("*") if path.suffix in used)
    versions = [f"{library} {importlib.metadata.version(library)}" for library in _LIBRARIES]
    parts = [*map(str.encode, [code, *versions]), *(path.read_bytes() for path in (*data_files, *_DRAWERS))]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]


def draw_into(folder: str, name: str, **environment: str) -> list[dict[str, Any]]:
    """Draw a chapter now, in a process of its own; the entries."""
    command = [sys.executable, "-m", "autograder.book.draw", name, folder]
    env = os.environ | {"OMP_NUM_THREADS": "1"} | environment  # small matrices: threads would wait for each other
    # What a chapter saves, such as a training, stays out of the reader's folder.
    run = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, encoding="utf-8")
    if run.returncode:
        raise ChapterError(f"solutions/{name}.py: a picture cannot be drawn.\n{run.stderr.strip()}")
    return _entries_in(Path(folder))


def _draw(chapter: Chapter, folder: Path) -> None:
    print(f"Drawing the pictures of {chapter.name}, once.", flush=True)
    DRAWN_BEFORE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=DRAWN_BEFORE) as scratch:
        draw_into(scratch, chapter.name)
        for old in DRAWN_BEFORE.glob(f"{chapter.name}-*"):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(scratch, folder, dirs_exist_ok=True)
