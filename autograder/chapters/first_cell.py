"""The cell that a notebook begins with, so that it works wherever the kit can be installed.

It is plain to whoever reads it, says nothing where all is there, and never ends in a traceback. In a worker it does
nothing at all, since magics do nothing there; nbgrader's *Validate* installs nothing.
"""

from autograder.chapters.extras import EXTRAS

_CODE = """\
# In a notebook, run this cell first: it makes `%check` known, and installs it where it is missing.
try:
    %load_ext attn
except ImportError:
    import os

    if "NBGRADER_EXECUTION" not in os.environ:  # nbgrader's Validate installs nothing
        %pip install -qq "{package}"
    try:
        %load_ext attn
    except ImportError:
        print("%check is not installed here. Restart the kernel and run this cell again, or go on without it.")"""


def first_cell(chapter):
    """The code of that cell.

    Parameters
    ----------
    chapter : autograder.chapters.chapter.Chapter
        What it needs besides the kit is installed with it.
    """
    extras = "".join(f"[{library}]" for library in chapter.libraries if library in EXTRAS)
    return _CODE.format(package=f"attention-exercises{extras}")


def as_script(code):
    """The same as it stands in a script: a comment, which Jupytext makes a cell."""
    lines = (f"# {line}".rstrip() for line in code.splitlines())
    return "\n".join(['# %% tags=["active-ipynb"]', *lines, "", ""])
