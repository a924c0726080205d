"""A part of a chapter can be run and read, whichever exercises are chosen."""

import re
import subprocess
import sys

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.part import build_part

EXERCISES = [(name, each.name) for name in curriculum.CHAPTERS for each in read_chapter(name).exercises]


def left(part):
    return "\n".join(cell.source for cell in part.cells)


@pytest.mark.parametrize("name", curriculum.CHAPTERS)
def test_a_part_with_all_exercises_is_the_chapter(name):
    part = build_part(name)
    assert (part.cells, part.exercises, part.given) == (part.chapter.cells, part.chapter.exercises, ())
    assert part.build_given_code() == ()


@pytest.mark.parametrize(("name", "exercise"), EXERCISES)
def test_a_part_does_not_mention_left_out_exercises(name, exercise):
    part = build_part(name, [exercise])
    there = {each.name for each in (*part.exercises, *part.given)}
    gone = {each.name for each in part.chapter.exercises} - there
    assert [each.name for each in part.exercises] == [exercise]
    said = [cell for cell in part.cells if "exercise" not in cell.options or cell.options["exercise"] not in there]
    code = [cell.source for cell in said if cell.kind != "markdown"]  # In prose, these names may be ordinary words.
    code += [span for cell in said if cell.kind == "markdown" for span in re.findall(r"```.*?```|`[^`]+`", cell.source)]
    assert not [word for text in code for word in re.findall(r"\w+", text) if word in gone]
    assert part.cells[0].source.startswith("# ")  # The title is kept.
    headings = [cell for cell in part.cells if cell.source.startswith("## ")]
    assert len(headings) < len(re.findall(r"(?m)^## ", left(build_part(name)))) or len(part.chapter.exercises) == len(
        there
    )


def test_any_choice_of_one_and_of_all_but_one_has_every_name_that_it_uses(tmp_path):
    for name, exercise in EXERCISES:
        chapter = read_chapter(name)
        for chosen in ({exercise}, {*chapter.names} - {exercise} or {exercise}):
            cells = [cell for cell in build_part(name, chosen).cells if cell.kind != "markdown"]
            solved = {each.name: each.solution for each in chapter.exercises}
            code = "\n".join(solved.get(cell.options.get("exercise"), cell.source) for cell in cells)
            path = tmp_path / f"{name}-{exercise}-{len(chosen)}.py"
            path.write_text(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", code), encoding="utf-8")
    command = [
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--select=F821",
        '--config=builtins=["get_ipython"]',
        tmp_path,
    ]
    process = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (0, ""), process.stdout


def test_needed_exercises_are_given_solved():
    part = build_part("one_query", ["attend"])
    given = [each.name for each in part.given]
    assert given == ["dot_attention_score", "softmax", "apply_attention_scores", "calculate_attention_vector"]
    assert "from given" not in "".join(cell.source for cell in part.build_given_code())
    assert [cell.source.split("(")[0] for cell in part.build_given_code()][1] == "def dot_attention_score"
