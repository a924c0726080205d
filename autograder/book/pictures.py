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

import platformdirs

from autograder.chapters import curriculum
from autograder.chapters.errors import ChapterError

BUILT = curriculum.ROOT / "build" if curriculum.IS_CLONE else platformdirs.user_cache_path("attention-exercises")
KEPT = BUILT / "pictures"
_DRAWERS = [Path(__file__).with_name(name) for name in ("alt.py", "draw.py", "svg.py")]
SCHEMES = ("light", "dark")
_LIBRARIES = ("numpy", "torch", "matplotlib", "seaborn")


@dataclass(frozen=True)
class Figure:
    """A picture as `svg.save` wrote it, and the words that stand for it where it is not seen."""

    folder: Path
    words: str
    wide: list
    narrow: list
    title: str

    @property
    def files(self):
        """Everything that a page may show, for light and for dark."""
        names = {view["file"] for view in [*self.wide, *self.narrow]}
        return [self.folder / name.format(scheme) for name in sorted(names) for scheme in SCHEMES]


@dataclass(frozen=True)
class Drawn:
    """What one picture cell gave.

    Attributes
    ----------
    figures : tuple of Figure
    printed : str
    absent : str
        Why nothing was drawn: the error about a file or library that is not here. Empty where all went well.
    """

    figures: tuple = ()
    printed: str = ""
    absent: str = ""


def drawn(chapter):
    """What the picture cells of a chapter give, in their order; drawn now, or before.

    Parameters
    ----------
    chapter : autograder.chapters.chapter.Chapter

    Returns
    -------
    list of Drawn

    Raises
    ------
    ChapterError
        Where a cell fails for another reason than an absent file.
    """
    if not any(cell.kind == "picture" for cell in chapter.cells):
        return []
    folder = KEPT / f"{chapter.name}-{_digest(chapter)}"
    entries = _kept(folder)
    if not entries or any("absent" in entry for entry in entries):  # what is absent may be here by now
        _draw(chapter, folder)
        entries = _kept(folder)
    for entry in entries:
        entry["figures"] = tuple(Figure(folder, **each) for each in entry.get("figures", ()))
    return [Drawn(**entry) for entry in entries]


def _kept(folder):
    listed = folder / "pictures.json"
    return json.loads(listed.read_text(encoding="utf-8")) if listed.exists() else []


def _digest(chapter):
    """Of everything that can change the pictures; prose cannot."""
    code = [cell.raw for cell in chapter.cells if cell.kind != "markdown"]
    needs_given = any(re.search(r"^(# )?(from|import) given\b", raw, re.MULTILINE) for raw in code)
    files = (curriculum.EXERCISES / "given").rglob("*") if needs_given else ()
    given = sorted(path for path in files if path.suffix in (".py", ".txt"))
    versions = [f"{library} {importlib.metadata.version(library)}" for library in _LIBRARIES]
    parts = [*map(str.encode, [*code, *versions]), *(path.read_bytes() for path in (*given, *_DRAWERS))]
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]


def _draw(chapter, folder):
    print(f"Drawing the pictures of {chapter.name}, once.", flush=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT) as made:
        command = [sys.executable, "-m", "autograder.book.draw", chapter.name, made]
        env = os.environ | {"OMP_NUM_THREADS": "1"}  # small matrices: threads would wait for each other
        # What a chapter saves, such as a training, stays out of the reader's folder.
        run = subprocess.run(command, cwd=made, env=env, capture_output=True, text=True, encoding="utf-8")
        if run.returncode:
            raise ChapterError(f"solutions/{chapter.name}.py: a picture cannot be drawn.\n{run.stderr.strip()}")
        for old in KEPT.glob(f"{chapter.name}-*"):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(made, folder, dirs_exist_ok=True)
