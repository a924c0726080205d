"""Reads py:percent scripts cell by cell.

Jupytext reads the same format and turns chapters into notebooks (`classroom/notebooks.py`), but importing it takes two
seconds, twenty times what a whole check may add; a test holds the two readings together.
"""

import io
import itertools
import json
import re
from dataclasses import dataclass

# A title ends before the blanks behind it, and an option starts where a word does: else long lines take for ever.
_MARKER = re.compile(r"# %%+(?:\s*[^\s\[={])*?(?:\s*(?P<kind>\[\w+\]))?(?P<options>(?:\s+[\w.-]+=.*)?)\s*")
_OPTION = re.compile(r'(?<![\w.-])([\w.-]+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\S+)')


@dataclass(frozen=True)
class Cell:
    """One cell of a script.

    Attributes
    ----------
    kind : str
        "code", "markdown", or "picture": code that runs in a notebook and is a comment in the script.
    source : str
        The text of the cell, uncommented where it is prose or a picture.
    line : int
        Line of the file on which the text starts.
    options : dict
        What the marker line says, such as ``{"exercise": "softmax", "points": 4}``.
    raw : str
        The cell as it stands in the file, marker line included.
    """

    kind: str
    source: str
    line: int
    options: dict
    raw: str


def read_cells(text):
    """The cells of a script; a file without markers is one code cell. The YAML header is left out."""
    lines = _lines(text)
    starts = [number for number, line in enumerate(lines) if _MARKER.fullmatch(line.rstrip("\r\n"))]
    first = starts[0] if starts else len(lines)
    cells = []
    header = _header_length(lines)
    if any(line.strip() for line in lines[header:first]):
        body = "".join(lines[header:first])
        cells.append(Cell("code", body.rstrip(), header + 1, {}, body))
    for start, end in itertools.pairwise([*starts, len(lines)]):
        cells.append(_cell(lines[start:end], start + 1))
    return cells


def header_of(text):
    """The text before the first cell."""
    lines = _lines(text)
    return "".join(lines[: _header_length(lines)])


def _lines(text):
    """Lines as Python counts them; `str.splitlines` also breaks at form feeds and the like, even inside strings."""
    return io.StringIO(text).readlines()


def _header_length(lines):
    if not lines or lines[0].rstrip() != "# ---":
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "# ---":
            return number + 1
    return 0


def _cell(lines, marker_line):
    marker = _MARKER.fullmatch(lines[0].rstrip("\r\n"))
    options = {key: _value(text) for key, text in _OPTION.findall(marker["options"])}
    body = [line.rstrip("\r\n") for line in lines[1:]]
    kind = "markdown" if marker["kind"] in ("[markdown]", "[md]", "[raw]") else "code"
    if kind == "code" and "active-ipynb" in options.get("tags", ()):
        kind = "picture"
    if kind != "code":
        body = [re.sub(r"^# ?", "", line) for line in body]
    text = "\n".join(body)
    blank = len(text) - len(text.lstrip("\n"))
    return Cell(kind, text.strip("\n"), marker_line + 1 + blank, options, "".join(lines))


def _value(text):
    try:
        return json.loads(text)
    except ValueError:
        return text
