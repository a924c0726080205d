"""The cell that a notebook begins with: it loads the magics; where the kit is not installed, a sentence says so.

It installs what a teacher has named, and nothing by default: the kit is on no index, and a name that nobody holds there
is anybody's to take. In a worker it does nothing at all, since magics do nothing there.
"""

FIRST_CELL = """\
# In a notebook, run this cell first: it makes `%check` known.
try:
    %load_ext attn
except ImportError:
    print("%check is not installed here. Type %pip install and the folder that holds the kit, or what your teacher")
    print("says, and restart the kernel; or go on without it.")"""


_SAYS = FIRST_CELL.partition("except ImportError:\n")[2]


def first_cell(install: str = "") -> str:
    """The cell; where pip is to be given something, it is in place of the sentence."""
    if not install:
        return FIRST_CELL
    return FIRST_CELL.replace(_SAYS, f"    %pip install -q {install}\n    %load_ext attn")


def as_script(code: str) -> str:
    """The same as it stands in a script: a comment, which Jupytext makes a cell."""
    lines = (f"# {line}".rstrip() for line in code.splitlines())
    return "\n".join(['# %% tags=["active-ipynb"]', *lines, "", ""])
