"""Runs a chapter with its solutions, as a notebook would, and saves what its picture cells draw.

`python -m autograder.book.draw CHAPTER FOLDER` is a process of its own: no chapter sees the settings of another.
"""

import ast
import contextlib
import importlib
import io
import json
import pprint
import sys
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from autograder.book import svg
from autograder.book.alternative import alternative
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.worker.reading.cells import Cell


def draw(name: str, folder: Path) -> None:
    """Write the pictures of a chapter, and `pictures.json`, a list with an entry for each picture cell.

    An entry is ``{"figures": [...], "printed": text}``, or ``{"absent": reason}`` where the cell needs a file or a
    library that is not here. What fails for any other reason is a fault in the chapter.
    """
    matplotlib.use("Agg")
    matplotlib.rcParams.update(svg.SETTINGS)
    from matplotlib import pyplot as plt  # noqa: PLC0415  (after the backend is chosen)

    plt.show = lambda *_, **__: None  # figures are saved when the cell has run
    # Where answers from other chapters and the package of given data lie.
    sys.path[:0] = [str(curriculum.SOLUTIONS), str(curriculum.EXERCISES)]
    namespace: dict[str, Any] = {"__name__": name}
    entries: list[dict[str, Any]] = []
    for cell in read_chapter(name).cells:
        if cell.kind == "markdown":
            continue
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                _run(cell, f"solutions/{name}.py", namespace)
        except Exception as error:
            if cell.kind == "code" or not _is_absence(error, entries):
                raise
            entries.append({"absent": f"{type(error).__name__}: {error}"})
        else:
            if cell.kind == "picture":
                figures = [_save(plt.figure(number), folder, len(entries)) for number in plt.get_fignums()]
                entries.append({"figures": figures, "printed": printed.getvalue()})
        plt.close("all")
    (folder / "pictures.json").write_text(json.dumps(entries, indent=1, ensure_ascii=False), encoding="utf-8")


def _run(cell: Cell, file: str, namespace: dict[str, Any]) -> None:
    """Run a cell as a notebook does, which also shows the value of a last line that is an expression."""
    tree = ast.parse("\n" * (cell.line - 1) + cell.source, file)
    last = tree.body[-1] if tree.body else None
    expression = last.value if isinstance(last, ast.Expr) else None
    exec(compile(ast.Module(tree.body[:-1] if expression else tree.body, []), file, "exec"), namespace)
    if expression is not None:
        value = eval(compile(ast.Expression(expression), file, "eval"), namespace)
        if value is not None:
            print(value if isinstance(value, str) else pprint.pformat(value, width=76, sort_dicts=False))


def _is_absence(error: Exception, entries: list[dict[str, Any]]) -> bool:
    """Whether a file or library is missing, or a name that a cell would have made which stopped for want of one."""
    before = any("absent" in entry for entry in entries)
    errors = importlib.import_module("given.errors")  # found since `draw` has said where
    return isinstance(error, (OSError, ImportError, errors.GivenError)) or (before and isinstance(error, NameError))


def _save(figure: Figure, folder: Path, cell: int) -> dict[str, str | int]:
    figure.draw_without_rendering()
    return {"words": alternative(figure), **svg.save(figure, folder, f"{cell + 1:02}-{figure.number}")}


if __name__ == "__main__":
    draw(sys.argv[1], Path(sys.argv[2]))
