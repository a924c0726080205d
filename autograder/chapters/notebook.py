"""A chapter's file in `exercises/` as a notebook, for places where no script is made one by Jupytext."""

import json
from typing import Any

from autograder.chapters.chapter import Chapter
from autograder.chapters.stubs import stub_script
from autograder.worker.reading.cells import Cell, read_cells

_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def stub_notebook(chapter: Chapter) -> str:
    """The text of an `.ipynb` file of format 4.5, equal for equal chapters."""
    cells = [_cell(number, cell) for number, cell in enumerate(read_cells(stub_script(chapter)))]
    notebook = {"cells": cells, "metadata": {"kernelspec": _KERNEL}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _cell(number: int, cell: Cell) -> dict[str, Any]:
    made = {"cell_type": "markdown", "id": f"cell-{number}", "metadata": {}, "source": cell.source}
    if cell.kind != "markdown":
        made |= {"cell_type": "code", "execution_count": None, "outputs": []}
    return made
