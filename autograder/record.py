"""The record: one JSON line for every graded answer, written the moment it is done."""

import hashlib
import json
import os

from autograder import curriculum

# Parts of a key are hashed with their lengths, so that no two lists of parts look alike.


def answer_key(answer, chapter, secret):
    """What a line of the record is good for: this answer, these suites, this secret."""
    digest = hashlib.sha256()
    parts = [
        chapter.name.encode(),
        secret,
        *(part.encode() for cell in answer.cells for part in (cell.place, cell.source)),
    ]
    parts += [(curriculum.SUITES / f"test_{exercise.name}.py").read_bytes() for exercise in chapter.exercises]
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:32]


def record_line(answer_path, chapter, verdicts, key):
    """The object that stands for one answer; docs/records.md describes it."""
    return {
        "answer": str(answer_path),
        "chapter": chapter.name,
        "points": sum(verdict.points for verdict in verdicts),
        "max_points": sum(verdict.max_points for verdict in verdicts),
        "exercises": [verdict.record() for verdict in verdicts],
        "key": key,
    }


def read_keys(path):
    """Answers and keys that a record holds already; an unfinished last line counts as not there."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return set()
    found = set()
    for line in lines:
        try:
            entry = json.loads(line)
            found.add((entry["answer"], entry["key"]))
        except (ValueError, KeyError, TypeError):
            continue
    return found


def append_line(path, line):
    """Add one answer to the record and make sure that it is on disk."""
    with open(path, "a+b") as file:
        file.seek(0, os.SEEK_END)
        if file.tell():
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":  # an earlier run was cut off in the middle of a line
                file.write(b"\n")
        file.write(json.dumps(line).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
