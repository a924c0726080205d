"""Digests of everything that a verdict depends on, so that tests that have passed need not judge again."""

import functools
import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest

from autograder.chapters import curriculum
from autograder.judging.misconceptions import KINDS_FILE

ROOMS = ("boundary", "chapters", "judging", "suite", "worker")  # packages of `autograder` that affect verdicts
EXPLAINING = [
    curriculum.PACKAGE / "judging" / "explain",
    curriculum.PACKAGE / "judging" / "observe",
    curriculum.PACKAGE / "worker" / "small_edits",
]  # This code does not affect answers that pass.
WHOLE = (*(curriculum.PACKAGE / room for room in ROOMS), curriculum.EXERCISES / "given")
TESTS = Path(__file__).parents[1]
ASKING = [TESTS / "content" / "test_answers.py", TESTS / "content" / "test_misconceptions.py"]
ASKING += [TESTS / "support" / "grading.py", Path(__file__)]


def mark_judged(exercises, text="", passes=False):
    """Return the mark `judges`: a digest of what a verdict depends on, without explainers if the answer `passes`."""
    return pytest.mark.judges(hash_inputs(exercises, text, passes))


def hash_inputs(exercises, text="", passes=False):
    files = set() if passes else {curriculum.misconceptions_of(KINDS_FILE)}
    for exercise in exercises:
        files |= {curriculum.solution_of(exercise.chapter), curriculum.suite_of(exercise.name)}
        files |= set() if passes else {curriculum.misconceptions_of(exercise.name)}
    return _digest(text.encode(), *map(_of_file, sorted(files)), _of_machinery(passes)).hex()


@functools.cache
def _of_machinery(passes):
    files = {file for folder in WHOLE for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"}
    files |= {*ASKING, curriculum.ROOT / "requirements.txt"}
    files -= {curriculum.EXERCISES / "given" / "prose.txt"}  # No answer reads this text of the chapters.
    if passes:
        files = {file for file in files if not any(folder in file.parents for folder in EXPLAINING)}
    return _digest(sys.version.encode(), np.__version__.encode(), *map(_of_file, sorted(files)))


@functools.cache
def _of_file(file):
    return _digest(str(file).encode(), file.read_bytes())


def _digest(*parts):
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(b"%d\0" % len(part) + part)
    return digest.digest()
