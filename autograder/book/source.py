"""The folder that the site generator makes the book of: pages, pictures, notebooks, figures and its settings.

Pages are written anew each time, so that a chapter stands in one place only, `solutions/`.
"""

import shutil
from pathlib import Path
from typing import Any

import yaml

from autograder.book import pages, pictures
from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.chapters.notebook import stub_notebook
from autograder.views import figures

BOOK = curriculum.ROOT / "book"
FIGURES = "figures"  # the folder of their scripts, beside the pages that have some


def write(folder: Path) -> Path:
    """Write everything into an empty folder; the path of the settings in it."""
    shutil.copytree(BOOK / "pages", folder / "pages")
    root = folder / "pages"
    for path in (figures.STYLE, figures.SHARED, *map(figures.script, figures.names())):
        _copy(path, root / FIGURES / path.name)
    for name in curriculum.CHAPTERS:
        _write_chapter(read_chapter(name), root)
    index = root / "index.md"
    index.write_text("\n\n".join([index.read_text("utf-8"), *pages.contents()]), encoding="utf-8")
    for page in root.glob("*.md"):
        page.write_text(_with_scripts(page.read_text("utf-8"), page.name), encoding="utf-8")
    settings = folder / "mkdocs.yml"
    settings.write_text(yaml.safe_dump(_settings(), sort_keys=False), encoding="utf-8")
    return settings


def _write_chapter(chapter: Chapter, root: Path) -> None:
    drawn = pictures.drawn(chapter)
    _write(root / f"{chapter.name}.md", pages.chapter_page(chapter, drawn))
    _write(root / pages.NOTEBOOKS / f"{chapter.name}.ipynb", stub_notebook(chapter))
    for path in (path for picture in drawn for figure in picture.figures for path in figure.files):
        _copy(path, root / "pictures" / chapter.name / path.name)
    for exercise in chapter.exercises:
        _write(root / "solutions" / f"{exercise.name}.md", pages.solution_page(exercise))


def _with_scripts(page: str, place: str) -> str:
    """A page that loads the scripts of the figures it names."""
    names = figures.named(page, place)
    paths = [figures.SHARED, *map(figures.script, names)] if names else []
    return page + "".join(f'\n\n<script defer src="{FIGURES}/{path.name}"></script>\n' for path in paths)


def _settings() -> dict[str, Any]:
    """The settings of `book/mkdocs.yml`, and the chapters as its navigation."""
    settings = yaml.safe_load((BOOK / "mkdocs.yml").read_text(encoding="utf-8"))
    units = ({pages.unit_title(unit): [f"{name}.md" for name in names]} for unit, names in curriculum.UNITS.items())
    return settings | {"nav": [{"Start": "index.md"}, *units, {"History": "history.md"}, {"Glossary": "glossary.md"}]}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(source: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, path)
