"""Answers saved by any program are read, and messages name files that cannot be read."""

import json
import time

import nbformat
import pytest

from autograder.chapters.answers import parse_notebook, parse_script, read_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import UnreadableAnswer
from autograder.worker.reading.definitions import find_definitions
from support.grading import grade_answers

CHAPTER = read_chapter("one_query")
SOFTMAX = CHAPTER.get_exercise("softmax")
ANSWER = "def softmax(scores):\n    e = np.exp(scores - np.max(scores))\n    return e / e.sum()"
STUB = SOFTMAX.stub


def notebook(*sources, **metadata):
    cells = [nbformat.v4.new_code_cell(source, id=f"c{number}") for number, source in enumerate(sources)]
    for cell in cells:
        cell["metadata"].update(metadata)
    return nbformat.v4.new_notebook(cells=cells)


def softmax_of(answer):
    return grade_answers([answer], only=["softmax"])[0]["softmax"]


# Notebooks ---------------------------------------------------------------------------------------------------------


def test_code_cells_run_in_order_and_prose_does_not():
    book = notebook("import numpy as np", ANSWER)
    book.cells.insert(1, nbformat.v4.new_markdown_cell("1 / 0"))
    book.cells.insert(1, nbformat.v4.new_raw_cell("1 / 0"))
    answer = parse_notebook("a.ipynb", book)
    assert [(cell.place, cell.source) for cell in answer.cells] == [
        ("cell 1", "import numpy as np"),
        ("cell 4", ANSWER),
    ]
    assert answer.notebook
    assert answer.definitions["softmax"] == (answer.cells[1], 1)
    assert softmax_of(answer).outcome == "passed"


@pytest.mark.parametrize(
    ("marks", "runs"),
    [
        ({"locked": True, "grade": True, "solution": False}, False),
        ({"locked": False, "grade": True, "solution": False}, False),
        ({"locked": True, "grade": False, "solution": False}, False),
        ({"locked": False, "grade": True, "solution": True}, True),
        ({"locked": False, "grade": False, "solution": True}, True),
        ({}, True),
    ],
)
def test_locked_cells_are_the_teachers(marks, runs):
    answer = parse_notebook("a.ipynb", notebook("x = 1", nbgrader=marks))
    assert len(answer.cells) == runs


def test_magics_run_or_do_nothing():
    book = notebook(
        "%matplotlib inline\n!pip install nothing\nimport numpy as np\nnp?\nfiles = !ls\n%timeit 1 + 1",
        "%%time\n" + ANSWER,
        "%%bash\nrm -rf /nowhere",
        "get_ipython().run_line_magic('load_ext', 'autoreload')\ndisplay(softmax([1, 2]))",
        "%%writefile notes.txt\nthis is not Python",
        "import asyncio\nawait asyncio.sleep(0)\n" + ANSWER + "\nassert not await asyncio.sleep(0)",
    )
    verdict = softmax_of(parse_notebook("a.ipynb", book))
    assert verdict.outcome == "passed", verdict.message


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("x = 7 % 3\ny = 'what?!'\nz = 1 != 2", None),
        ('x = (7\n     % 3)\ny = """\n%no magic\n!\n"""', None),
        ("x = (7\n     % 3)\n%matplotlib inline", "x = (7\n     % 3)\npass"),
        ("if True:\n    !ls (\n    x = 1", "if True:\n    pass\n    x = 1"),
        ("!pip install a \\\n  b==1\nx = 1", "pass\n\nx = 1"),
        ("\n%%timeit -n 3\nx = 1", "\n\nx = 1"),
    ],
)
def test_signs_of_magics_in_ordinary_code_stay_and_lines_keep_their_places(source, read):
    assert parse_notebook("a.ipynb", notebook(source)).cells[0].source == (source if read is None else read)


def test_a_broken_cell_harms_only_itself():
    book = notebook("import numpy as np", "def attend(:\n    %oops !", "1 / 0", ANSWER, "softmax(")
    verdicts = grade_answers([parse_notebook("a.ipynb", book)], only=["softmax", "attend"])[0]
    assert verdicts["softmax"].outcome == "passed"
    assert verdicts["attend"].outcome == "raised"
    assert "SyntaxError" in verdicts["attend"].message
    assert "cell 2, line 1" in verdicts["attend"].message


def test_errors_are_quoted_with_their_cell_and_line():
    book = notebook("import numpy as np", "\n\ndef softmax(scores):\n    return scores.nothing")
    verdict = softmax_of(parse_notebook("a.ipynb", book))
    assert "cell 2, line 4: return scores.nothing" in verdict.message


@pytest.mark.parametrize(
    "content",
    [
        [],
        None,
        {},
        {"cells": 5},
        {"cells": [{"cell_type": "code"}]},
        {"cells": [{"cell_type": "code", "source": [5]}]},
        {"cells": [{"cell_type": "code", "source": "", "metadata": None}]},
        {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code"}]}]},
    ],
    ids=str,
)
def test_json_that_is_not_a_notebook_is_reported(tmp_path, content):
    path = tmp_path / "mine.ipynb"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(UnreadableAnswer, match=r"mine\.ipynb is not a notebook: .*download or export it again"):
        read_answer(path)


# Scripts -----------------------------------------------------------------------------------------------------------

FORMS = {
    "plain": ANSWER.encode(),
    "byte order mark": b"\xef\xbb\xbf" + ANSWER.encode(),
    "windows line ends": ANSWER.replace("\n", "\r\n").encode(),
    "old mac line ends": ANSWER.replace("\n", "\r").encode(),
    "tabs": ANSWER.replace("    ", "\t").encode(),
    "utf-8": ("# ☃ grüße\n" + ANSWER).encode(),
    "form feed": b"x = 'a\x0cb'\n\x0c\n" + ANSWER.encode(),
    "line separator": "x = 'a\u2028b'\n".encode() + ANSWER.encode(),
    "no last line end": ANSWER.encode().rstrip(),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_script_is_read_in_any_form(tmp_path, name):
    path = tmp_path / "mine.py"
    path.write_bytes(FORMS[name])
    answer = read_answer(path)
    assert "softmax" in answer.definitions
    assert not answer.notebook
    compile(answer.cells[0].source, "mine.py", "exec")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("mine.py", b"x = '\xff'", "is not text in UTF-8"),
        ("mine.ipynb", b'{"cells": "\xff"}', "is not text in UTF-8"),
        ("mine.ipynb", b"", "its text is not JSON"),
        ("mine.ipynb", b'{"cells": [', "its text is not JSON"),
        ("mine.ipynb", b"[" * 200_000, "its text is not JSON"),
        ("mine.ipynb", b"<html>log in first</html>", "its text is not JSON"),
        ("mine.docx", b"", "is neither a script"),
        ("mine", b"", "is neither a script"),
    ],
)
def test_an_unreadable_file_is_named(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableAnswer, match=says) as error_info:
        read_answer(path)
    assert str(path) in str(error_info.value)


@pytest.mark.parametrize("kind", ["py", "ipynb"])
def test_a_folder_and_a_missing_file_are_named(tmp_path, kind):
    (tmp_path / f"folder.{kind}").mkdir()
    for name, reason in ((f"folder.{kind}", "is not a file"), (f"gone.{kind}", "cannot be read: no such file")):
        with pytest.raises(UnreadableAnswer, match=rf"{name} {reason}"):
            read_answer(tmp_path / name)


@pytest.mark.parametrize("source", ["x = '\0'", "\ud800 = 1", "def f(" * 5000, "(" * 5000, "x = " + "-" * 50_000 + "1"])
def test_unparsable_source_is_not_an_internal_error(source):
    answers = [parse_script("a.py", f"import numpy as np\n\n# %%\n{ANSWER}\n\n# %%\n{source}\n")]
    assert grade_answers(answers, only=["softmax"])[0]["softmax"].outcome == "passed"


# Definitions and stubs -----------------------------------------------------------------------------------------------


def test_definitions_are_found_where_python_would_make_them():
    source = """
def plain(): pass
async def waiting(): pass
class Thing:
    def method(self): pass
assigned = 1
typed: int = 2
if True:
    def guarded(): pass
else:
    otherwise = 1
try:
    tried = 1
except ValueError:
    pass
def outer():
    def inner(): pass
"""
    results = parse_script("a.py", source).definitions
    assert set(results) >= {"plain", "waiting", "Thing", "assigned", "typed", "guarded", "otherwise", "tried", "outer"}
    assert not {"method", "inner"} & set(results)


def test_definitions_are_found_in_a_cell_that_does_not_parse():
    answer = parse_script("a.py", "x = (\n\ndef softmax(scores):\n    return 1\n")
    assert answer.definitions["softmax"] == (answer.cells[0], 3)


def test_many_definitions_that_do_not_parse_are_found_in_a_moment():
    source = "def a(:\n" * (1 << 17) + "\nasync  def\n  b(:\n"
    start = time.process_time()
    assert find_definitions(source) == {"a": 1 << 17, "b": (1 << 17) + 2}
    assert time.process_time() - start < 2


def test_the_last_definition_counts():
    answer = parse_script("a.py", "def f(): pass\n\n# %%\ndef f(): return 2\n")
    assert answer.definitions == {"f": (answer.cells[1], 1)}


@pytest.mark.parametrize(
    ("source", "untouched"),
    [
        (STUB, True),
        (STUB.replace('"""Turn', '"""My own words.\n\n    Turn'), True),
        (STUB + "\n# a note\n", True),
        (STUB.replace("raise NotImplementedError", "# thinking\n    raise NotImplementedError"), True),
        (STUB.replace("raise NotImplementedError", "return scores"), False),
        (STUB.replace("raise NotImplementedError", "x = 1\n    raise NotImplementedError"), False),
        (STUB.replace("(scores)", "(scores, axis)"), True),
        ("x = 1", False),
    ],
)
def test_only_the_stub_is_untouched(source, untouched):
    assert parse_script("a.py", source).is_untouched(SOFTMAX) == untouched


@pytest.mark.parametrize("order", [[ANSWER, STUB], [STUB, ANSWER], [STUB, ANSWER, STUB]])
def test_a_stub_left_over_does_not_replace_the_work(order):
    answer = parse_notebook("a.ipynb", notebook("import numpy as np", *order))
    assert softmax_of(answer).outcome == "passed"


def test_a_notebook_with_only_a_stub_is_unattempted():
    answer = parse_notebook("a.ipynb", notebook("import numpy as np", STUB))
    assert len(answer.remove_leftover_stubs(CHAPTER.exercises).cells) == 2
    verdict = softmax_of(answer)
    assert (verdict.outcome, verdict.points) == ("unattempted", 0)
    assert verdict.message == "softmax is still to do."


def test_a_cell_with_a_stub_and_something_else_is_kept():
    both = STUB + "\n\n\ndef helper():\n    return 1\n"
    kept = parse_script("a.py", f"{ANSWER}\n\n# %%\n{both}").remove_leftover_stubs(CHAPTER.exercises)
    assert len(kept.cells) == 2


def test_in_one_cell_too_the_last_definition_counts():
    head = "import numpy as np\n\n\n"
    work, stub = (parse_script("a.py", head + "\n\n\n".join(both)) for both in ((STUB, ANSWER), (ANSWER, STUB)))
    assert work.locate("softmax") == f"a.py:{work.cells[0].source.count(chr(10))}"
    assert softmax_of(work).outcome == "passed"
    assert softmax_of(stub).message == "softmax is still to do."
