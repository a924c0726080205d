"""Learners' texts are shown, compared and exported within limits of time and memory, and links are not followed."""

import copy
import os
import time

import nbformat
import pytest

from autograder.classroom.returns.report import find_similar_pairs
from autograder.worker.reading.notebooks import MAX_PROSE, read_bare_cells
from autograder.worker.reading.requests import hash_runs
from support.course import UNIT_OF, cell_of, points_of, solved
from support.hostile_files import notebook
from support.late import LazyModule

page = LazyModule("autograder.classroom.returns.feedback_page")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

CHAPTER = "one_query"
UNIT = UNIT_OF[CHAPTER]
SECONDS = 10.0  # limit of CPU time for one cell, which needs less than one second
PROSE = {
    "brackets": "[" * MAX_PROSE,
    "links": "[a](" * MAX_PROSE,
    "quotes": "> " * MAX_PROSE,
    "quotes_and_lists": "> - " * MAX_PROSE,
    "deep_quotes": "\n".join(">" * depth + " a" for depth in range(300)),
    "deep_lists": "\n".join("  " * depth + "- a" for depth in range(300)),
    "dollars": "$" * MAX_PROSE,
    "formulas": "$x_1$ " * MAX_PROSE,
    "environments": "\\begin{a}" * MAX_PROSE,
    "stars": "**a *b " * MAX_PROSE,
    "table": "|a" * 200 + "|\n" + "|-" * 200 + "|\n" + ("|a" * 200 + "|\n") * 200,
    "ticks": "`a ``b " * MAX_PROSE,
    "headings": "# a\n" * MAX_PROSE,
    "references": "[a]: b\n[a][b] " * MAX_PROSE,
    "tags": "< a" * MAX_PROSE,
    "data": "![a](data:image/png;base64," + "A" * MAX_PROSE,
    "attachments": "![a](attachment:x.png) " * MAX_PROSE,
}
CODE = {
    "blank_lines": " \n" * 50_000,
    "odd_blank_lines": "\u3000\r \x0c\n" * 20_000,
    "spaces_and_breaks": (" " * 900 + "\n") * 100,
    "strings": '"""' * 30_000,
    "braces": "f'{a!r:{" * 12_000,
    "decorators": "@a." * 30_000,
    "long_line": "x = " + "1+" * 45_000 + "1",
    "docstrings": 'def f():\n    """a\n    b"""\n' * 3_000,
    "many_lines": "x\n" * 50_000,
}


def measure_seconds(work):
    start = time.process_time()  # Use CPU time, because other processes may be running.
    work()
    return time.process_time() - start


@pytest.mark.parametrize("name", PROSE)
def test_prose_of_any_kind_is_shown_in_time(name):
    shown = []
    assert measure_seconds(lambda: shown.append(page.render_prose(PROSE[name][:MAX_PROSE]))) < SECONDS
    assert 0 < len(shown[0]) < 50 * page.MAX_CELL_CHARACTERS


@pytest.mark.parametrize("name", CODE)
def test_code_of_any_kind_is_shown_in_time(name):
    shown = []
    assert measure_seconds(lambda: shown.append(page.highlight(CODE[name]))) < SECONDS
    assert 0 < len(shown[0]) < 50 * page.MAX_CELL_CHARACTERS


def test_a_page_says_how_much_it_leaves_out():
    assert page._shorten("a" * 30_000).endswith("\n... (10,000 characters more)")


def test_long_runs_of_spaces_are_shortened_before_highlighting():
    for text in (*CODE.values(), "x = 1" + " " * 40_000 + "\n" + " " * 40_000 + "y"):
        cells, reason = read_bare_cells(notebook(text).encode())
        assert not reason
        assert max((len(part) for part in cells[0][2].split("x") if part.isspace()), default=0) <= 2001
    assert read_bare_cells(notebook("if x:\n" + " \n" * 9_000 + "    y").encode())[0][0][2].endswith(" \n    y")


def test_answers_of_any_kind_are_compared_in_time():
    deep, long = "(x + " * 90, ")" * 90 + "\n" + "y = 1\n" * 2_000
    answers = {f"s{number}": {"softmax": f"def softmax(x):\n    return {deep}{number}{long}"} for number in range(60)}
    answers["signs"] = {"softmax": "def softmax(x):\n    return " + "-" * 9_000 + "x"}
    answers["huge"] = {"softmax": "def softmax(x):\n" + "    x = [x, x]\n" * 60_000}

    def compared():
        results = {who: {name: hash_runs(source, name) for name, source in own.items()} for who, own in answers.items()}
        find_similar_pairs(results, {"softmax": ()})

    assert measure_seconds(compared) < SECONDS


@pytest.mark.needs("bubblewrap")
def test_the_whole_way(released, tmp_path):
    course = released.copy_to(tmp_path / "course")
    for number, texts in enumerate((PROSE, CODE)):
        full = solved(course.release(CHAPTER))
        for text in texts.values():
            is_code = texts is CODE
            full.cells.append(nbformat.v4.new_code_cell(text) if is_code else nbformat.v4.new_markdown_cell(text))
            full.cells[-1]["attachments"] = {"x.png": {"image/png": "A" * 1_000_000}}
            full.cells[-1]["outputs"] = [nbformat.v4.new_output("stream", text="x" * 1_000_000)]
        cell_of(full, "softmax-answer").source += "\n# " + "x" * 60_000
        course.submit(f"s{number}", copy.deepcopy(full), CHAPTER)
    (tmp_path / "outside").mkdir()
    for step, name in (("feedback", f"{CHAPTER}.html"), ("verdicts", f"{CHAPTER}.json")):
        places = [course.folder / step / student / UNIT for student in ("s0", "s1")]
        for place in places:
            place.mkdir(parents=True)
        (places[0] / name).symlink_to(tmp_path / "outside" / "written")
        os.mkfifo(places[1] / name)
    assert measure_seconds(course.grade) < 60
    assert measure_seconds(course.pages) < 60
    for number in range(2):
        assert course.scores(f"s{number}", CHAPTER) == points_of(CHAPTER)
        assert len(course.feedback(f"s{number}", CHAPTER)) < 3_000_000
    course.does("report", UNIT, "--csv", "table.csv")
    course.does("feedback", UNIT, "--zip", "back.zip")
    assert not list((tmp_path / "outside").iterdir())
