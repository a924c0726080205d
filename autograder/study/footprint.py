"""Tells whether an answer to an exercise has changed: a digest of all the code that has a part in it."""

import ast

from autograder.worker.reading.reach import is_text, statements_of


def footprints(answer, exercises):
    """Exercise name -> digest of what its definition reaches; comments and layout do not count.

    Parameters
    ----------
    answer : autograder.chapters.answers.AnswerFile
    exercises : iterable of autograder.chapters.chapter.Exercise
    """
    found = statements_of(answer)
    # A call at the top level, or a loop, could change anything; text on its own line nothing.
    loose = [ast.dump(node) for _, node in found.loose if not is_text(node)]
    return {exercise.name: _digest([*loose, *_parts(answer, found, exercise.name)]) for exercise in exercises}


def footprints_as_run(answer, exercises):
    """The same of the definitions alone, for a notebook: it knows which of them ran, not what else its file will hold.

    The digests differ from those of `footprints`. What ran twice, such as an import, counts once.
    """
    found = statements_of(answer)
    return {each.name: f"ran {_digest(dict.fromkeys(_parts(answer, found, each.name)))}" for each in exercises}


def is_same(answer, exercise, known):
    """Whether an answer is still the one of this digest, of whichever kind that is."""
    of = footprints_as_run if known.startswith("ran ") else footprints
    return of(answer, [exercise])[exercise.name] == known


def _parts(answer, found, name):
    parts = [ast.dump(node) for _, node in found.reachable_from(name)]
    if name in answer.definitions and name not in found.bound:  # its cell cannot be parsed: every letter counts
        parts.append(answer.definitions[name][0].source)
    return parts


def _digest(parts):
    import hashlib  # noqa: PLC0415  (loads OpenSSL, and most lists need no digest)

    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]
