"""The build of the book: `attn book`.

The site generator's input, a folder of pages, pictures, notebooks, figures and settings, is written for each build,
because `solutions/` is the only source of a chapter.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from autograder.api import figures
from autograder.book import markdown_pages, pictures
from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.chapters.errors import ChapterError, InputError
from autograder.chapters.stubs import make_stub_notebook

BOOK = curriculum.ROOT / "book"
FIGURES = "figures"  # name of the folder for the figures' scripts, next to the pages
_STAMP = "sources.txt"  # file in the site's folder with a hash of its sources
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


def build(folder: Path) -> Path:
    """Build the site in a folder, which must be empty or contain an older site. Return the path of the first page."""
    if folder.exists() and not (folder / "index.html").is_file() and any(folder.iterdir()):
        raise InputError(f"{folder} contains something that is not a book, which would be lost: name a new folder")
    with tempfile.TemporaryDirectory() as place:
        settings = write_site(Path(place))
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
    folders = (*rooms, curriculum.SOLUTIONS, BOOK)
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix not in ("", ".pyc"))
    facts = [(str(path), (status := path.stat()).st_size, status.st_mtime_ns) for path in paths]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _remove_traceback(text: str) -> str:
    """Return the site generator's message about a page, without the traceback."""
    message, _, traceback = text.partition("Traceback (most recent call last):")
    reason = traceback.partition("RuntimeError: ")[2].partition("Traceback (most recent call last):")[0]
    return _COLOUR.sub("", f"{message}{reason}").strip()


def write_site(folder: Path) -> Path:
    """Write the generator's input to an empty folder, and return the path of its settings file."""
    root = folder / "pages"
    shutil.copytree(BOOK / "pages", root)
    for path in (figures.STYLE, *figures.FOLDER.rglob("*.js")):
        _copy(path, root / FIGURES / path.name)
    for page in root.glob("*.md"):
        chapters = markdown_pages.list_chapters() if page.stem == "index" else ()
        _write_page(page, "\n\n".join([page.read_text("utf-8"), *chapters]))
    for name in curriculum.CHAPTERS:
        _write_chapter(read_chapter(name), root)
    settings = folder / "mkdocs.yml"
    settings.write_text(yaml.safe_dump(_make_settings(), sort_keys=False), encoding="utf-8")
    return settings


def _write_chapter(chapter: Chapter, root: Path) -> None:
    entries = pictures.read_pictures(chapter)
    _write_page(root / f"{chapter.name}.md", markdown_pages.render_chapter(chapter, entries))
    _write(root / markdown_pages.NOTEBOOKS / f"{chapter.name}.ipynb", make_stub_notebook(chapter))
    for figure in (figure for picture in entries for figure in picture.figures):
        _copy(figure.folder / figure.file, root / "pictures" / chapter.name / figure.file)
    for exercise in chapter.exercises:
        _write(root / "solutions" / f"{exercise.name}.md", markdown_pages.render_solution(exercise))


def _write_page(path: Path, text: str) -> None:
    scripts = figures.list_scripts(figures.find_figures(text, path.name))
    elements = "".join(f'\n\n<script defer src="{FIGURES}/{script.name}"></script>\n' for script in scripts)
    _write(path, text + elements)


def _make_settings() -> dict[str, Any]:
    settings = yaml.safe_load((BOOK / "mkdocs.yml").read_text(encoding="utf-8"))
    units = [
        {markdown_pages.read_unit_title(unit): [f"{name}.md" for name in names]}
        for unit, names in curriculum.UNITS.items()
    ]
    return settings | {"nav": [{"Start": "index.md"}, *units, {"History": "history.md"}, {"Glossary": "glossary.md"}]}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(source: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, path)
