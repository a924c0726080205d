"""Access to your answers to another chapter."""

import contextlib
import importlib
import json
from pathlib import Path
from typing import Any

from given.errors import MissingError


def yours(chapter: str, name: str) -> Any:
    """Return an answer of yours to another chapter, whose script or notebook is in the current folder.

    Parameters
    ----------
    chapter, name : str
        The chapter and the answer, such as "positions" and "rotate".

    Returns
    -------
    object
        The function or class. A stub that you have not filled in yet raises an error when it is called.

    Raises
    ------
    MissingError
        If neither a script nor a notebook exists, or if it does not define this name.
    """
    notebook = Path(f"{chapter}.ipynb")
    found = _definitions(notebook) if notebook.exists() else _module(chapter)
    if name not in found:
        raise MissingError(f"Your {name} is needed here: put {chapter}.py or {chapter}.ipynb into the same folder.")
    return found[name]


def _module(chapter: str) -> dict[str, Any]:
    try:
        return vars(importlib.import_module(chapter))
    except ModuleNotFoundError:
        return {}


def _definitions(notebook: Path) -> dict[str, Any]:
    """Return the names that the cells of a notebook define, without cells that only draw and cells that fail."""
    namespace = {"__name__": notebook.stem}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code" and "active-ipynb" not in cell["metadata"].get("tags", ()):
            # An unfinished answer, or a line that only notebooks understand, must not prevent the other definitions.
            with contextlib.suppress(Exception), contextlib.redirect_stdout(None):
                exec("".join(cell["source"]), namespace)
    return namespace
