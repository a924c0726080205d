"""Answers of yours from another chapter, to be used in this one."""

import contextlib
import importlib
import json
from pathlib import Path
from typing import Any

from given.errors import MissingError


def yours(chapter: str, name: str) -> Any:
    """What you wrote in another chapter, whose script or notebook lies beside this one.

    Parameters
    ----------
    chapter, name : str
        Such as "positions" and "rotate".

    Returns
    -------
    object
        As it stands there: one that you have not written yet says so when it is called.

    Raises
    ------
    MissingError
        Where there is neither, or nothing of that name in it.
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
    """What the cells of a notebook define; those that only draw are left out, and so are those that fail."""
    namespace = {"__name__": notebook.stem}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code" and "active-ipynb" not in cell["metadata"].get("tags", ()):
            # An unfinished answer, or a line that only notebooks know, is no reason to lose the others.
            with contextlib.suppress(Exception), contextlib.redirect_stdout(None):
                exec("".join(cell["source"]), namespace)
    return namespace
