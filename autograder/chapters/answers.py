"""Reads what a learner hands in: a script or a notebook becomes a list of code cells."""

import functools
import json
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.cells import read_cells
from autograder.chapters.chapter import definitions, fingerprint, first_line
from autograder.chapters.errors import UnreadableAnswer
from autograder.worker.limits import MAX_TEXT

MAX_CODE = 1_000_000  # characters of code in one answer
MAX_FILE_BYTES = 128 << 20  # a notebook may hold many pictures
MAX_TRANSFORMED = 20_000  # lines: IPython reads a whole cell again for each line in it that is not Python
_NOT_PYTHON = re.compile(r"^[ \t]*[%!?]|=[ \t]*[%!]|\?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class CodeCell:
    """Code of an answer: what tracebacks call the place, its first line there, and the text."""

    place: str
    line: int
    source: str


@dataclass(frozen=True)
class AnswerFile:
    """The code of one answer.

    Attributes
    ----------
    path : str
        As the user wrote it.
    cells : tuple of CodeCell
        In the order in which they run.
    notebook : bool
        Whether it came from a notebook.
    """

    path: str
    cells: tuple
    notebook: bool = False

    @functools.cached_property
    def definitions(self):
        """Name -> (cell, line in it) of everything defined at the top level; the last one counts."""
        return {name: (cell, line) for cell in self.cells for name, line in definitions(cell.source).items()}

    def place_of(self, name):
        """Where a name is defined, as ``file:line``, or None."""
        if name not in self.definitions:
            return None
        cell, line = self.definitions[name]
        return f"{cell.place if self.notebook else self.path}:{cell.line + line - 1}"

    def place_to_write(self, name, where=None):
        """Where to look for a definition, as ``file:line``: there, or where its body begins; None where it is missing.

        Parameters
        ----------
        name : str
        where : (str, int), optional
            The place of a cell, and a line in it.
        """
        if name not in self.definitions:
            return None
        cell, _ = self.definitions[name]
        place, line = where or (cell.place, cell.line + first_line(cell.source, name) - 1)
        return f"{place if self.notebook else self.path}:{line}"

    def is_untouched(self, exercise):
        """Whether what the file has under the exercise's name is still the stub."""
        cell, _ = self.definitions.get(exercise.name, (None, 0))
        return cell is not None and fingerprint(cell.source, exercise.name) == fingerprint(exercise.stub, exercise.name)

    def without_leftover_stubs(self, exercises):
        """The same answer without cells that still hold a stub of something another cell answers.

        Notebooks come back with duplicated cells; a stub further down must not replace the work above it.
        """
        # A stub's cell may hold a helper to write as well; it goes with the exercise.
        stubs = {name: fingerprint(each.stub, name) for each in exercises for name in definitions(each.stub)}
        exercise_names = {exercise.name for exercise in exercises}
        answered, leftover = set(), []
        for cell in self.cells:
            names = [name for name in definitions(cell.source) if name in stubs]
            stub_only = [name for name in names if fingerprint(cell.source, name) == stubs[name]]
            answered |= set(names) - set(stub_only)
            if stub_only and len(names) == len(stub_only) == len(definitions(cell.source)):
                leftover.append((cell, set(stub_only)))
        drop = [id(cell) for cell, names in leftover if names & exercise_names <= answered]
        return AnswerFile(self.path, tuple(cell for cell in self.cells if id(cell) not in drop), self.notebook)


def read_answer(path):
    """Read a `.py` or `.ipynb` answer.

    Raises
    ------
    UnreadableAnswer
        With a sentence that names the file.
    """
    path = Path(path)
    if path.suffix not in (".py", ".ipynb"):
        raise UnreadableAnswer(f"{path} is neither a script (.py) nor a notebook (.ipynb)")
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):  # a pipe would be waited for
            raise UnreadableAnswer(f"{path} is not a file: name the files themselves")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UnreadableAnswer(f"{path} is larger than {MAX_FILE_BYTES >> 20} MB: clear its outputs, save it again")
        if path.suffix == ".py":
            return script_answer(str(path), _text_of(path))
        notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UnreadableAnswer(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    except (SyntaxError, UnicodeError, LookupError):
        raise UnreadableAnswer(f"{path} is not text in UTF-8: save it again as UTF-8") from None
    except (ValueError, RecursionError):
        raise UnreadableAnswer(
            f"{path} is not a notebook (its text is not JSON): download or export it again"
        ) from None
    return notebook_answer(str(path), notebook)


def _text_of(path):
    with tokenize.open(path) as file:  # honours a coding line
        return file.read()


def script_answer(path, text):
    """The answer that a script's text gives."""
    place = Path(path).name
    code = [cell for cell in read_cells(text) if cell.kind == "code" and cell.source.strip()]
    return _answer(path, [CodeCell(place, cell.line, cell.source) for cell in code], notebook=False)


def notebook_answer(path, notebook):
    """The answer that a notebook (the JSON of its file) gives: its code cells, the locked ones aside."""
    try:
        found = {
            f"cell {number}": _joined(cell["source"])
            for number, cell in enumerate(_cells_of(notebook), start=1)
            if cell["cell_type"] == "code" and not _is_locked(cell)
        }
        sources = _plain_python(list(found.values()))
        cells = [CodeCell(place, 1, source) for place, source in zip(found, sources, strict=True)]
    except (KeyError, TypeError, AttributeError, ValueError):
        raise UnreadableAnswer(
            f"{path} is not a notebook: its cells cannot be found; download or export it again"
        ) from None
    return _answer(path, [cell for cell in cells if cell.source.strip()], notebook=True)


def _answer(path, cells, notebook):
    """The answer with these cells, or `UnreadableAnswer` where they are no code that somebody wrote."""
    longest, total = max((len(cell.source) for cell in cells), default=0), sum(len(cell.source) for cell in cells)
    if longest > MAX_TEXT or total > MAX_CODE:
        raise UnreadableAnswer(
            f"{path} holds more code than can be graded ({MAX_TEXT:,} characters a cell, {MAX_CODE:,} in all): "
            "take out the data in it"
        )
    return AnswerFile(path, tuple(cells), notebook)


def _cells_of(notebook):
    if notebook.get("nbformat", 4) >= 4:
        return notebook["cells"]
    # Before version 4, cells lay in worksheets and the source of a code cell was its input.
    cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    return [cell | {"source": cell["input"]} if cell["cell_type"] == "code" else cell for cell in cells]


def _joined(source):
    return source if isinstance(source, str) else "".join(source)


def _is_locked(cell):
    marks = cell.get("metadata", {}).get("nbgrader", {})
    return bool(marks.get("locked") or marks.get("grade")) and not marks.get("solution")


def _plain_python(sources):
    """Cells with IPython's magics as calls, which the worker ignores."""
    cost = sum(len(_NOT_PYTHON.findall(source)) * (1 + source.count("\n")) for source in sources)
    if cost > MAX_TRANSFORMED or not any(sign in source for source in sources for sign in "%!?"):
        return sources
    from IPython.core.inputtransformer2 import TransformerManager  # noqa: PLC0415  (slow to import)

    return [_transformed(TransformerManager(), source) for source in sources]


def _transformed(manager, source):
    if not any(sign in source for sign in "%!?"):
        return source
    try:
        return manager.transform_cell(source)
    except (SyntaxError, RuntimeError):
        return source
