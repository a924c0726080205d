"""The extension that notebooks load with ``%load_ext attn``: ``%check``, ``%predict``, ``%figure`` and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics. IPython calls this function for ``%load_ext attn``."""
    from autograder.study import magics  # noqa: PLC0415  (`python -m attn` starts without it)

    magics.load_ipython_extension(shell)


def graded(chapter: str, name: str) -> str | None:
    """Grade an exercise for a notebook's ``check(...)``; see `autograder.study.magics.graded`."""
    from autograder.study import magics  # noqa: PLC0415  (as above)

    return magics.graded(chapter, name)
