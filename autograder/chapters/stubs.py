"""Creation of the files in `exercises/` from the solutions, and of the first cell of every notebook.

The first cell loads the magics, or says that the kit is not installed. It runs `%pip install` only with the argument in
course.toml, never with the kit's name, because anybody could register that name on a package index.
"""

import json
from pathlib import Path
from typing import Any

from autograder.chapters import curriculum
from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import Chapter, is_aside, read_chapter
from autograder.chapters.errors import InputError
from autograder.chapters.files import write_file
from autograder.worker.reading.cells import Cell, read_cells

FIRST_CELL = """\
# In a notebook, run this cell first: it makes `%check` known.
try:
    %load_ext attn
except ImportError:
    print("%check is not installed here. Type %pip install and the folder that holds the kit, or what your teacher")
    print("says, and restart the kernel; or continue without it.")"""


_FOLDED = '# %% jupyter={"source_hidden": true} tags'  # begins a marker line of code that JupyterLab folds
_SAYS = FIRST_CELL.partition("except ImportError:\n")[2]


def build_first_cell(install: str = "") -> str:
    if not install:
        return FIRST_CELL
    return FIRST_CELL.replace(_SAYS, f"    %pip install -q {install}\n    %load_ext attn")


def comment_out(code: str) -> str:
    """Return code as a commented-out cell of a script, which Jupytext converts to a code cell in notebooks."""
    lines = (f"# {line}".rstrip() for line in code.splitlines())
    return "\n".join(['# %% tags=["active-ipynb"]', *lines, "", ""])


_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def make_stub(chapter: Chapter) -> str:
    title, *cells = chapter.cells
    parts = [f"{chapter.header}\n", title.raw, comment_out(FIRST_CELL)]
    for cell in cells:
        if is_aside(cell):
            continue
        if "exercise" in cell.options:
            marker, _, body = cell.raw.partition("\n")
            gap = body[len(body.rstrip("\n")) :]
            parts.append(f"{marker}\n{chapter.get_exercise(cell.options['exercise']).stub}{gap}")
        else:
            parts.append(cell.raw.replace("# %% tags", _FOLDED, 1) if cell.kind == "picture" else cell.raw)
    return "".join(parts).rstrip("\n") + "\n"


def make_stub_notebook(chapter: Chapter) -> str:
    """Return a chapter's stub as a notebook (format 4.5), without importing Jupytext. The output is deterministic."""
    cells = [_build_notebook_cell(number, cell) for number, cell in enumerate(read_cells(make_stub(chapter)))]
    notebook = {"cells": cells, "metadata": {"kernelspec": _KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _build_notebook_cell(number: int, cell: Cell) -> dict[str, Any]:
    kind = "markdown" if cell.kind == "markdown" else "code"
    metadata = {"jupyter": {"source_hidden": True}} if "jupyter" in cell.options else {}
    of_code = {"execution_count": None, "outputs": list[str]()} if kind == "code" else {}
    return {"cell_type": kind, "id": f"cell-{number}", "metadata": metadata, "source": cell.source, **of_code}


def get_stub_path(name: str) -> Path:
    return curriculum.EXERCISES / f"{name}.py"


def write_stubs() -> list[Path]:
    """Write the stubs of all chapters and return the changed files. Raises `InputError` if answers would be lost."""
    texts = {get_stub_path(name): make_stub(read_chapter(name)) for name in curriculum.CHAPTERS}
    stale = {path: text for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text}
    for path in filter(Path.exists, stale):
        answer = parse_script(str(path), path.read_text("utf-8"))
        if exercises := answer.list_begun(read_chapter(path.stem).exercises):
            raise InputError(f"exercises/{path.name} holds an answer to {exercises[0]}: move it away first")
    for path, text in stale.items():
        path.parent.mkdir(exist_ok=True)
        write_file(path, text)
    return list(stale)
