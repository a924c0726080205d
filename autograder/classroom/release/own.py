"""The first chapter of a teacher's own: a small one that works, to be written over."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole
from autograder.classroom.course.plan import OWN

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


_CHAPTER = '''\
# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # TITLE
#
# Say here why this exists, and exactly what is graded. docs/author.md tells how a chapter is written.

# %%
import numpy as np

# %% [markdown]
# ## Softer weights
#
# Softmax can be made softer or harder: divide the scores by a **temperature** before the exponential. At a high
# temperature the weights are nearly equal, at a low one the largest score takes nearly all.


# %% exercise="EXERCISE" points=3
def EXERCISE(scores, temperature):
    """Turn scores into weights, softer for a higher temperature.

    Parameters
    ----------
    scores : array_like, shape (n,)
    temperature : float
        Positive.

    Returns
    -------
    ndarray, shape (n,)

    Examples
    --------
    >>> np.round(EXERCISE([1, 2, 3], 2.0), 4).tolist()
    [0.1863, 0.3072, 0.5065]
    """
    ### BEGIN SOLUTION
    scores = np.asarray(scores, dtype=float) / temperature
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()
    ### END SOLUTION


# %% [markdown] hint="EXERCISE"
# What happens to the differences of the scores when all of them are divided by 2?
'''
_SUITE = '''\
"""Hidden suite of EXERCISE."""

import numpy as np
import pytest


@pytest.mark.points(1)
def test_example(answer):
    answer([1, 2, 3], 2.0).equals(np.array([0.1863, 0.3072, 0.5065]), rtol=1e-3)


@pytest.mark.points(1)
def test_other_temperatures(answer, solution, draw):
    scores = draw(5)
    for temperature in (0.25, 1.0, 4.0):
        answer(scores, temperature).equals(solution(scores, temperature))


@pytest.mark.points(1)
def test_large_scores(answer, solution):
    answer([2000.0, 1999.0, 3.0], 0.5).equals(solution([2000.0, 1999.0, 3.0], 0.5))
'''
_MISCONCEPTIONS = """\
# Mistakes seen in answers to EXERCISE

## multiplied_by_the_temperature
- `/ temperature` -> `* temperature`
- A high temperature makes the weights sharper.
- right: At temperature 1 it looks right.
- try: Compare the weights at temperature 1 and at 10.
- rule: The scores should be divided by the temperature, so that a high one makes their differences smaller.

## no_maximum_subtracted
- ` - scores.max()` -> nothing
- The exponentials of large scores overflow, and infinity divided by infinity is NaN.
- right: For scores near 0 it is right.
- try: What does `np.exp(1000)` give?
- rule: The largest score should be subtracted from all of them first.
"""


def write_own_chapter(course: Course, name: str) -> list[Path]:
    """Write a chapter with one exercise, its suite and its known mistakes, into the course's folder `own`.

    `name`: of the chapter; its exercise is called `<name>_weights`.
    Gives the files.
    `CourseError` where the name cannot be used, or one of the files is there.
    """
    home, exercise = curriculum.Home.own(course.folder / OWN), f"{name}_weights"
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise CourseError(f"{name!r} cannot name a chapter: use small letters, digits and _, as in my_chapter")
    if name in curriculum.CHAPTERS or (curriculum.SUITES / f"test_{exercise}.py").exists():
        raise CourseError(f"{name} is a name of the kit's own: give your chapter another one")
    files = {
        home.solutions / f"{name}.py": _CHAPTER,
        home.suites / f"test_{exercise}.py": _SUITE,
        home.misconceptions / f"{exercise}.md": _MISCONCEPTIONS,
    }
    if there := [path for path in files if path.exists()]:
        raise CourseError(f"{there[0]} is there already: give the chapter another name, or delete it")
    title = name.replace("_", " ").capitalize()
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.replace("EXERCISE", exercise).replace("TITLE", title))
    curriculum.open_home(home)
    read_chapter(name)
    return list(files)
