"""A parser of py:percent scripts, cell by cell.

Jupytext parses the same format and turns chapters into notebooks (`classroom/release/notebooks.py`), but importing it
takes two seconds, which is too long for a check. A test checks that the two parsers agree.
"""

import io
import itertools
import json
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

_KIND = re.compile(r"\[\w+\]")
_OPTION = re.compile(r'(?<![\w.-])([\w.-]+)=("(?:[^"\\]|\\.)*"|\[[^\]]*\]|\S+)')
_DEFINITION = re.compile(r"(?:async\s+def|def|class)\s+\w+\s*[(:]")
MAX_TEXT = 100_000  # characters of one string or cell
_LONGEST_OPTIONS = 1000  # limit of examined characters: unclosed brackets in long lines cause endless backtracking


class CodeCell(NamedTuple):
    """A code cell of an answer: the place (file or cell) that tracebacks name, its first line there, and its text."""

    place: str
    line: int
    source: str


@dataclass(frozen=True)
class Cell:
    kind: str  # "code", "markdown", or "picture": code for notebooks that is commented out in scripts
    source: str  # the text; comment signs of prose and pictures are removed
    line: int  # number of the line in the file where the text starts
    options: dict  # options of the marker line, such as ``{"exercise": "softmax", "points": 4}``
    raw: str  # the unchanged lines of the file, including the marker line


def read_cells(text: str) -> list[Cell]:
    """Parse the cells of a script. The YAML header is left out. A file without markers is one code cell."""
    lines = _split_lines(text)
    marker_lines = [number for number, line in enumerate(lines) if _parse_marker(line)]
    first = marker_lines[0] if marker_lines else len(lines)
    header = _count_header_lines(lines)
    lines_above = lines[header:first]
    cells = [_make_unmarked_cell(lines_above, header + 1)] if any(line.strip() for line in lines_above) else []
    for start, end in itertools.pairwise([*marker_lines, len(lines)]):
        cells += _parse_cells(lines[start:end], start + 1)
    return cells


def read_header(text: str) -> str:
    lines = _split_lines(text)
    return "".join(lines[: _count_header_lines(lines)])


def _split_lines(text: str) -> list[str]:
    """Split a source into lines as Python does. `str.splitlines` would also split at form feeds and the like."""
    return io.StringIO(text).readlines()


def _count_header_lines(lines: list[str]) -> int:
    if not lines or lines[0].rstrip() != "# ---":
        return 0
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "# ---":
            return number + 1
    return 0


def _parse_marker(line: str) -> tuple[str, str] | None:
    """Return the kind and options of a line ``# %% title [kind] key=value``, or None. Takes linear time."""
    if not line.startswith("# %%"):
        return None
    words, sign, values = line.rstrip("\r\n")[4:].partition("=")
    options = ""
    if sign:  # In "# %% A title key=1", the word before the first "=" is a key, and the rest is the title.
        title_and_key = words.rstrip()
        key = "".join(re.findall(r"[\w.-]*\Z", words[-200:])[:1]) if title_and_key == words else ""
        title = words[: len(words) - len(key)]
        if not key or title == title.rstrip():
            return None
        words, options = title, f" {key}={values}"
    title, bracket, kind = words.partition("[")
    kind = f"{bracket}{kind}".rstrip()
    if "{" in title or (kind and not _KIND.fullmatch(kind)):
        return None
    return kind, options


def _parse_cells(lines: list[str], marker_line: int) -> list[Cell]:
    """Return the cells below a marker: one, or two if prose contains a definition, which begins a cell of its own."""
    cell = _parse_cell(lines, marker_line)
    code = [number for number, line in enumerate(lines) if line.strip() and not line.startswith("#")]
    if cell.kind == "code" or not any(_DEFINITION.match(lines[number]) for number in code):
        return [cell]
    return [_parse_cell(lines[: code[0]], marker_line), _make_unmarked_cell(lines[code[0] :], marker_line + code[0])]


def _make_unmarked_cell(lines: list[str], line: int) -> Cell:
    text = "".join(lines)
    return Cell("code", text.rstrip(), line, {}, text)


def _parse_cell(lines: list[str], marker_line: int) -> Cell:
    kind, options = _parse_marker(lines[0]) or ("", "")
    options = {key: _parse_value(text) for key, text in _OPTION.findall(options[:_LONGEST_OPTIONS])}
    body = [line.rstrip("\r\n") for line in lines[1:]]
    kind = "markdown" if kind in ("[markdown]", "[md]", "[raw]") else "code"
    if kind == "code" and "active-ipynb" in options.get("tags", ()):
        kind = "picture"
    if kind != "code":
        body = [re.sub(r"^# ?", "", line) for line in body]
    text = "\n".join(body)
    blank = len(text) - len(text.lstrip("\n"))
    return Cell(kind, text.strip("\n"), marker_line + 1 + blank, options, "".join(lines))


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
