"""What notebooks load: ``%load_ext attn``, and then ``%check``, ``%predict`` and ``%figure``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Make the magics known; IPython calls this for ``%load_ext``."""
    from autograder.study.notebook import magic  # noqa: PLC0415  (`python -m attn` starts without it)

    magic.load_ipython_extension(shell)


def graded(chapter: str, name: str) -> str | None:
    """Grade an exercise for a notebook's ``check(...)``; see `autograder.study.notebook.assignment.graded`."""
    from autograder.study.notebook import assignment  # noqa: PLC0415  (as above)

    return assignment.graded(chapter, name)
