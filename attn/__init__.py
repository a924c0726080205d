"""The extension that notebooks load with ``%load_ext attn``: ``%check``, ``%predict``, ``%figure`` and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics. IPython calls this function for ``%load_ext attn``."""
    from autograder.study.notebook import magic  # noqa: PLC0415  (`python -m attn` starts without it)

    magic.load_ipython_extension(shell)


def graded(chapter: str, name: str) -> str | None:
    """Grade an exercise for a notebook's ``check(...)``; see `autograder.study.notebook.assignment.graded`."""
    from autograder.study.notebook import assignment  # noqa: PLC0415  (as above)

    return assignment.graded(chapter, name)
