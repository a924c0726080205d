"""Scripts are read cell by cell, and no way of saving a file loses a learner's work."""

import pytest

from autograder.worker.reading.cells import read_cells, read_header

SCRIPT = """\
# ---
# jupyter:
#   kernelspec: {}
# ---

# %% [markdown]
# # Title
#
# Some *prose* with # and %%.

# %%
import numpy as np

# %% exercise="softmax" points=8 tags=["a", "b"] weight=0.5 note=plain
def softmax(x):
    return x  # %% not a marker

# %% [markdown] hint="softmax"
# A hint.

# %% tags=["active-ipynb"]
# plot(x)
#     indented
"""


def test_cells_have_their_kind_source_and_line():
    cells = read_cells(SCRIPT)
    assert [(cell.kind, cell.line) for cell in cells] == [
        ("markdown", 7),
        ("code", 12),
        ("code", 15),
        ("markdown", 19),
        ("picture", 22),
    ]
    assert cells[0].source == "# Title\n\nSome *prose* with # and %%."
    assert cells[1].source == "import numpy as np"
    assert cells[2].source == "def softmax(x):\n    return x  # %% not a marker"
    assert cells[4].source == "plot(x)\n    indented"


def test_options_are_json_where_they_can_be():
    _, _, exercise, hint, picture = read_cells(SCRIPT)
    assert exercise.options == {"exercise": "softmax", "points": 8, "tags": ["a", "b"], "weight": 0.5, "note": "plain"}
    assert hint.options == {"hint": "softmax"}
    assert picture.options == {"tags": ["active-ipynb"]}


def test_header_and_raw_cells_make_the_file_again():
    cells = read_cells(SCRIPT)
    assert read_header(SCRIPT) + "\n" + "".join(cell.raw for cell in cells) == SCRIPT


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("import math\n\n\ndef f():\n    return math.pi\n", [("import math\n\n\ndef f():\n    return math.pi", 1)]),
        ("\nx = 1\n# %%\ny = 2\n", [("\nx = 1", 1), ("y = 2", 4)]),
        ("# ---\nx = 1\n", [("# ---\nx = 1", 1)]),
        ("# %%\n\n\nx = 1\n\n", [("x = 1", 4)]),
        *((text, []) for text in ("", "\n\n", "# ---\n# a: b\n# ---\n")),
    ],
)
def test_files_with_few_markers_are_read(text, cells):
    assert [(cell.source, cell.line) for cell in read_cells(text)] == cells
    assert {(cell.kind, *cell.options) for cell in read_cells(text)} <= {("code",)}


@pytest.mark.parametrize("marker", ["# %%", "# %% ", "# %% A title", "# %%%% deeper", "# %% title [code]", "# %% a=1"])
def test_every_form_of_the_marker_is_read(marker):
    cells = read_cells(f"{marker}\nx = 1\n{marker}\ny = 2\n")
    assert [(cell.kind, cell.source, cell.line) for cell in cells] == [("code", "x = 1", 2), ("code", "y = 2", 4)]


@pytest.mark.parametrize("kind", ["[markdown]", "[md]", "[raw]"])
def test_every_form_of_prose_is_read(kind):
    (cell,) = read_cells(f"# %% {kind}\n# word\n#word\nword\n")
    assert (cell.kind, cell.source) == ("markdown", "word\nword\nword")


@pytest.mark.parametrize("options", ["[markdown]", 'tags=["active-ipynb"]'])
@pytest.mark.parametrize("between", ["", "\n", "import math\n"])
def test_a_definition_below_prose_is_a_code_cell_without_its_marker(options, between):
    code = f"{between}def f(x):\n    return x\n"
    text = f"# %% {options}\n# word\n{code}\n# %%\ny = 2\n"
    prose, results, last = read_cells(text)
    assert (prose.kind == "code", prose.source) == (False, "word")
    assert (results.kind, results.source.strip(), results.line) == ("code", code.strip(), 3 + (between == "\n"))
    assert (last.source, "".join(cell.raw for cell in (prose, results, last))) == ("y = 2", text)


def test_windows_line_ends_are_read():
    cells = read_cells(SCRIPT.replace("\n", "\r\n"))
    assert [(cell.kind, cell.source, cell.line) for cell in cells] == [
        (cell.kind, cell.source, cell.line) for cell in read_cells(SCRIPT)
    ]


@pytest.mark.parametrize("sign", ["\f", "\v", "\x1c", "\x85", "\u2028", "\u2029"])
def test_unicode_line_separators_do_not_split_lines(sign):
    (cell,) = read_cells(f"# %%\nx = 'a{sign}b'\ny = 1\n")
    assert cell.source == f"x = 'a{sign}b'\ny = 1"
