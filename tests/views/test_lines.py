"""Long lines are wrapped with a hanging indent, but not in a pipe."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from autograder.views.lines import HangingLine

CODE = "+         # Finite, so that a row without any key stays free of NaN; its weights are set to 0 in the next line."


def render_line(line, column, width, **options):
    text = io.StringIO()
    Console(file=text, width=width).print(HangingLine(Text(line), column), **options)
    return text.getvalue().splitlines()


@pytest.mark.parametrize("width", [30, 60, 80])
def test_wrapped_lines_are_indented(width):
    first, *more = render_line(CODE, 14, width)
    assert first.startswith("+         # Finite") and more
    assert all(line.startswith(" " * 14) and line[14] != " " and len(line) <= width for line in more)
    assert " ".join([first, *more]).split() == CODE.split(), "nothing is lost"


def test_a_word_longer_than_the_line_is_cut_and_whole():
    assert "".join(line.strip() for line in render_line("+ " + "x" * 100, 6, 40)).replace(" ", "") == "+" + "x" * 100


def test_short_lines_and_pipes_stay_as_they_are():
    assert render_line("+ x", 6, 40) == ["+ x"]
    assert render_line(CODE, 14, 40, soft_wrap=True) == [CODE]
