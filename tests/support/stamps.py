"""A digest of all that the verdicts on the known mistakes of an exercise depend on."""

import functools
import hashlib
import sys

import numpy as np

from autograder.chapters import curriculum

ROOMS = ("boundary", "chapters", "judging", "suite", "worker")  # of the kit: what judges


def digest_of(exercise):
    files = [curriculum.solution_of(exercise.chapter), curriculum.suite_of(exercise.name)]
    mistakes = curriculum.misconceptions_of(exercise.name)
    return _digest((*files, mistakes, mistakes.with_stem("kinds"))) + _machinery()


@functools.cache
def _machinery():
    files = [file for room in ROOMS for file in (curriculum.PACKAGE / room).rglob("*.py")]
    given = [file for file in (curriculum.EXERCISES / "given").rglob("*") if file.is_file() and file.suffix != ".pyc"]
    return _digest([*files, *given, curriculum.ROOT / "constraints.txt"]) + sys.version + np.__version__


def _digest(files):
    digest = hashlib.blake2b(digest_size=16)
    for file in sorted(files):
        content = file.read_bytes()
        digest.update(f"{file}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
