"""Interactive figures. Each is a script of plain JavaScript, and a static image for use without scripts.

A chapter includes a figure with the line ``<div data-figure="softmax">words shown where there is no figure</div>``.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from autograder.chapters.errors import ChapterError, UnknownName

FOLDER = Path(__file__).parent
SHARED = FOLDER / "figure.js"
STYLE = FOLDER / "figure.css"
LINE = '<div data-figure="NAME">words</div>, or with data-example="EXAMPLE" behind that'
MARKER = re.compile(
    r'<div(?=[^>]* data-figure="(?P<name>[\w-]+)")'
    r'(?=(?:[^>]* data-example="(?P<example>\w+)")?)[^>]*>(?P<words>[^<]*)</div>'
)


def list_names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.js") if path != SHARED)


def find_script(name: str) -> Path:
    """Return the script of a figure. Raises `UnknownName` if there is none."""
    if name not in list_names():
        raise UnknownName(f"There is no figure {name!r}. There are {', '.join(list_names())}.")
    return FOLDER / f"{name}.js"


def make_key(name: str, example: str | None = None) -> str:
    """Return the name that scripts and file names use for an example of a figure."""
    return ".".join(filter(None, (name, example)))


def find_data_file(name: str, example: str | None = None) -> Path:
    """Return the path of a figure's precomputed numbers. Some figures have no such file."""
    return FOLDER / "data" / f"{make_key(name, example)}.data.js"


def list_scripts(figures: Iterable[tuple[str, str | None]]) -> list[Path]:
    """Return the scripts that these figures and examples need, in the order in which they are loaded."""
    figures = list(figures)
    data = [path for figure in figures if (path := find_data_file(*figure)).exists()]
    return list(dict.fromkeys([SHARED, *data, *(find_script(name) for name, _ in figures)])) if figures else []


def find_still_file(name: str, example: str | None = None) -> Path:
    return FOLDER / "stills" / f"{make_key(name, example)}.html"


def make_element(name: str, example: str | None = None) -> str:
    """Return the HTML element of a figure. It shows the static image until the script has run."""
    shows = f' data-example="{example}"' if example else ""
    path = find_still_file(name, example)
    if not path.exists():
        raise UnknownName(f"The figure {find_script(name).stem} has no example {example!r}.")
    still = path.read_text(encoding="utf-8").strip()
    return f'<div class="figure" data-figure="{name}"{shows} data-search-exclude>{still}</div>'


def find_figures(page: str, place: str) -> list[tuple[str, str | None]]:
    """Return (name, example) for each figure on a page. Raises `ChapterError` if a figure is unknown or malformed."""
    figures = {(match["name"], match["example"]): None for match in MARKER.finditer(page)}
    if len(MARKER.findall(page)) != page.count(" data-figure="):
        raise ChapterError(f"{place}: a figure's line is not as it should be: {LINE}")
    if unknown_names := [name for name, _ in figures if name not in list_names()]:
        raise ChapterError(f"{place}: there is no figure {unknown_names[0]!r}; there are {', '.join(list_names())}")
    return list(figures)


def render_standalone(name: str, example: str | None = None) -> str:
    """Return a self-contained figure as one piece of HTML, for a notebook."""
    return f"<style>{STYLE.read_text('utf-8')}</style>{make_element(name, example)}{render_scripts(name, example)}"


def render_scripts(name: str, example: str | None = None) -> str:
    return "".join(f"<script>{path.read_text('utf-8')}</script>" for path in list_scripts([(name, example)]))
