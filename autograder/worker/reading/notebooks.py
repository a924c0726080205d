"""A reader of submitted notebooks, which may be damaged: the kind, text and nbgrader metadata of each cell.

Outputs, widgets and other metadata are dropped, because they are not needed, may be large, and can be forged.
"""

import re

from .answers import MAX_CODE, UnreadableFile, join_source, parse_json
from .cells import MAX_TEXT, read_cells
from .definitions import find_definitions

BareCell = tuple[str, dict, str]
UNREADABLE = "attn_unreadable"  # metadata key: the sentence on why a converted notebook has nothing to grade
ARRIVED_AS = "attn_arrived_as"  # metadata key: the submitted file that was converted to this notebook
MAX_SENTENCE = 300  # characters of a sentence in metadata, which can be forged
MAX_CELLS = 5000
MAX_PROSE = 50_000  # characters of one text cell
MAX_TEXT_IN_ALL = 4 * MAX_CODE
MAX_GAP = 2000  # consecutive white-space characters, because some syntax highlighters need quadratic time for them
_MARKS = {"schema_version": int, "grade_id": str, "grade": bool, "solution": bool, "locked": bool, "task": bool,
          "cell_type": str, "checksum": str, "points": (int, float)}  # fmt: skip
_NO_NOTEBOOK = "the submission is not a readable notebook: download or export it again"


def read_bare_cells(content: bytes) -> tuple[list[BareCell], str]:
    """Return (kind, nbgrader's metadata, text) of each cell, and the reason why there is nothing to grade, or ""."""
    try:
        notebook = parse_json(content)
        metadata = notebook.get("metadata") or {}
        raw_cells = notebook["cells"]
        if len(raw_cells) > MAX_CELLS:
            return [], f"the notebook has more than {MAX_CELLS:,} cells: submit only your answers"
        cells = [_strip_cell(cell) for cell in raw_cells]
        reason = str(metadata.get(UNREADABLE, ""))[:MAX_SENTENCE]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return [], _NO_NOTEBOOK if content.strip() else "the submitted file is empty"
    if sum(len(source) for _, _, source in cells) > MAX_TEXT_IN_ALL:
        return [], "the notebook contains more text than can be graded: remove the data from it"
    return cells, reason


def read_cells_of_file(content: bytes, is_script: bool) -> tuple[list[BareCell], str, list[str]]:
    """Return a file's cells, the reason why there are none (or ""), and the names that the code defines."""
    cells, reason = (list[BareCell](), _NO_NOTEBOOK) if is_script else read_bare_cells(content)
    if reason:
        try:
            text = content.decode("utf-8-sig")
            for cell in read_cells(text) if find_definitions(text) else []:
                cells.append(("markdown" if cell.kind == "markdown" else "code", {}, _shorten_cell(cell.source)))
            reason = "" if cells else reason
        except UnicodeError:
            cells.clear()
    names = {name for kind, _, source in cells if kind == "code" for name in find_definitions(source)}
    return cells, reason, sorted(names)


def is_converted(content: bytes) -> bool:
    """Return whether the grader has created this notebook from another submitted file."""
    try:
        return ARRIVED_AS in parse_json(content).get("metadata", {})
    except (UnreadableFile, AttributeError, TypeError):
        return False


def _strip_cell(cell: dict) -> BareCell:
    source = join_source(cell.get("source", ""))
    marks = cell.get("metadata", {}).get("nbgrader")
    bare_marks = _filter_marks(marks) if isinstance(marks, dict) and isinstance(marks.get("grade_id"), str) else {}
    kind = "code" if cell["cell_type"] == "code" else "markdown"
    if kind != "code" and len(source) > MAX_PROSE:
        source = f"{source[:MAX_PROSE]}\n... ({len(source) - MAX_PROSE:,} characters more were submitted)"
    return kind, bare_marks, _shorten_cell(source)


def _shorten_cell(source: str) -> str:
    """Return a cell's text with long white space shortened and, if it is too long, cut off."""

    def shorten(match: re.Match) -> str:
        gap, half = match[0], MAX_GAP // 2
        return gap if len(gap) <= MAX_GAP else gap[:half] + "\n" * ("\n" in gap) + gap[-half:]

    return re.sub(r"\s{20,}", shorten, source[: MAX_TEXT + 1])


def _filter_marks(marks: dict) -> dict:
    return {
        name: value
        for name, value in marks.items()
        if isinstance(value, _MARKS.get(name, ()))
        and (len(value) <= MAX_SENTENCE if isinstance(value, str) else abs(value) < 1 << 31)
    }
