"""Builds the book: `attn book`."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.chapters.errors import ChapterError, InputError
from autograder.chapters.extras import require

_COLOUR = re.compile(r"\x1b\[[\d;]*m")


def build(folder: Path) -> Path:
    """Build the site into a folder, in which an older one is replaced; the first page's path.

    `InputError` where the folder holds anything else.
    """
    if folder.exists() and not (folder / "index.html").is_file() and any(folder.iterdir()):
        raise InputError(f"{folder} holds something that is no book, which would be lost: name a new folder")
    require("book", "The book")
    require("torch", "The book, whose pictures the chapters draw,")
    from autograder.book import source  # noqa: PLC0415  (what it imports is an extra, which may not be installed)

    with tempfile.TemporaryDirectory() as place:
        settings = source.write(Path(place))
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(settings)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise ChapterError(f"the book cannot be built:\n{_without_frames(result.stderr)}")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(Path(place) / "site", folder)
    return folder / "index.html"


def _without_frames(text: str) -> str:
    """What a generator says of a fault in a page, without the traceback around it."""
    said, _, raised = text.partition("Traceback (most recent call last):")
    reason = raised.partition("RuntimeError: ")[2].partition("Traceback (most recent call last):")[0]
    return _COLOUR.sub("", f"{said}{reason}").strip()
