"""The committed pictures of the book, drawn by `python -m making.draw [CHAPTER ...]`.

The command needs torch, and for `pretrained` the weights (`make minilm`). By default, it draws chapters whose code has
changed since they were drawn. Each chapter runs in a separate process, because some change Matplotlib's settings.
"""

import ast
import contextlib
import importlib
import io
import json
import multiprocessing
import os
import pprint
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from autograder.api import Cell
from autograder.book import pictures
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from making import svg
from making.alternative import alternative


def draw(name: str, folder: Path) -> None:
    """Run a chapter's solutions like a notebook, and write the figures and the output of its picture cells."""
    matplotlib.use("Agg")
    matplotlib.rcParams.update(svg.SETTINGS)
    from matplotlib import pyplot as plt  # noqa: PLC0415  (after the backend is chosen)

    plt.show = lambda *_, **__: None  # Figures are saved after the cell has run.
    # Chapters import other chapters and the package `given` from these folders.
    sys.path[:0] = [str(curriculum.SOLUTIONS), str(curriculum.EXERCISES)]
    chapter = read_chapter(name)
    if "torch" in chapter.libraries:  # The number of training steps in the text must be true on slow machines, too.
        vars(importlib.import_module("given.training"))["MAX_SECONDS"] = 1e9
    namespace: dict[str, Any] = {"__name__": name}
    entries: list[dict[str, Any]] = []
    for cell in (cell for cell in chapter.cells if cell.kind != "markdown"):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            _run(cell, f"solutions/{name}.py", namespace)
        if cell.kind == "picture":
            figures = [_save(plt.figure(number), folder, len(entries)) for number in plt.get_fignums()]
            entries.append({"code": pictures.hash_cell(cell), "figures": figures, "printed": output.getvalue()})
        plt.close("all")
    listed = {"digest": pictures.hash_chapter(chapter), "cells": entries}
    (folder / pictures.LIST).write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _run(cell: Cell, file: str, namespace: dict[str, Any]) -> None:
    """Run a cell like a notebook, which displays the value of the last line if it is an expression."""
    tree = ast.parse("\n" * (cell.line - 1) + cell.source, file)
    last = tree.body[-1] if tree.body else None
    expression = last.value if isinstance(last, ast.Expr) else None
    exec(compile(ast.Module(tree.body[:-1] if expression else tree.body, []), file, "exec"), namespace)
    if expression is not None:
        value = eval(compile(ast.Expression(expression), file, "eval"), namespace)
        if value is not None:
            print(value if isinstance(value, str) else pprint.pformat(value, width=76, sort_dicts=False))


def _save(figure: Figure, folder: Path, cell: int) -> dict[str, str | int]:
    figure.draw_without_rendering()
    return {"words": alternative(figure), **svg.save(figure, folder, f"{cell + 1:02}-{figure.number}")}


def _ship(name: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)  # Training writes its files here.
        draw(name, Path(scratch))
        for path in Path(scratch).glob("*/**/*.json"):
            path.replace(Path(scratch) / path.name)
        folder = pictures.find_pictures_folder(name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(scratch, folder, ignore=lambda place, names: {n for n in names if Path(place, n).is_dir()})


def main() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"  # The matrices are so small that threads would only wait for each other.
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for name in sys.argv[1:] or [c for c in curriculum.CHAPTERS if pictures.has_drifted(read_chapter(c))]:
            print(f"Drawing {name}.", flush=True)
            pool.apply(_ship, (name,))


if __name__ == "__main__":
    main()
