"""Every chapter draws in the common style."""

import re

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter


@pytest.mark.parametrize("name", curriculum.CHAPTERS)
def test_every_chapter_draws_in_the_common_style(name):
    code = "\n".join(cell.source for cell in read_chapter(name).cells if cell.kind == "picture")
    before, said, _ = code.partition("plt.style.use(STYLE)")
    assert said and not re.search(r"\b(sns|plt)\.\w+\(", before)
    assert set(re.findall(r'"?cmap"?(?:=|: )"(\w+)"', code)) <= {"Oranges", "Greys", "gray_r"}
