"""The build of the book: `attn book`."""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import ChapterError, InputError

_STAMP = "sources.txt"  # file in the site's folder with a hash of its sources
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


def build(folder: Path) -> Path:
    """Build the site in a folder, which must be empty or contain an older site. Return the path of the first page."""
    if folder.exists() and not (folder / "index.html").is_file() and any(folder.iterdir()):
        raise InputError(f"{folder} contains something that is not a book, which would be lost: name a new folder")
    from autograder.book import source  # noqa: PLC0415  (Markdown takes a tenth of a second to import)

    with tempfile.TemporaryDirectory() as place:
        settings = source.write_site(Path(place))
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(settings)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise ChapterError(f"the book cannot be built:\n{_remove_traceback(result.stderr)}")
        (Path(place) / "site" / _STAMP).write_text(_hash_sources(), encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(Path(place) / "site", folder)
    return folder / "index.html"


def is_current(folder: Path) -> bool:
    """Return whether a folder contains a book that was built from the current sources."""
    stamp = folder / _STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _hash_sources()


def _hash_sources() -> str:
    """Return a hash of the paths, sizes and modification times of all files from which pages are built."""
    rooms = [curriculum.PACKAGE / room for room in ("book", "chapters", "questions", "views")]
    folders = (*rooms, curriculum.SOLUTIONS, curriculum.ROOT / "book")
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix not in ("", ".pyc"))
    facts = [(str(path), (status := path.stat()).st_size, status.st_mtime_ns) for path in paths]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _remove_traceback(text: str) -> str:
    """Return the site generator's message about a page, without the traceback."""
    message, _, traceback = text.partition("Traceback (most recent call last):")
    reason = traceback.partition("RuntimeError: ")[2].partition("Traceback (most recent call last):")[0]
    return _COLOUR.sub("", f"{message}{reason}").strip()
