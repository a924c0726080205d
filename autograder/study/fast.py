"""The fast way through the course: what carries a chapter is to do, the rest is given with its solution."""

import datetime
from pathlib import Path

from autograder.chapters.answers import read_answer, script_answer
from autograder.chapters.chapter import Exercise
from autograder.chapters.files import write_whole
from autograder.chapters.selection import chapter_file
from autograder.study.folder import Folder
from autograder.study.footprint import footprints


def rest_of(folder: Folder) -> dict[Path, list[Exercise]]:
    """The exercises that carry no chapter and were not begun, those to give, by their script."""
    rest: dict[Path, list[Exercise]] = {}
    for chapter in folder.chapters:
        path = chapter_file(folder.path, chapter)
        if path is not None and path.suffix == ".py":
            answer, text = read_answer(path), path.read_text(encoding="utf-8-sig")
            others = [exercise for exercise in chapter.exercises if exercise.name not in chapter.carried_by]
            rest[path] = [exercise for exercise in others if answer.is_untouched(exercise) and exercise.stub in text]
    return {path: exercises for path, exercises in rest.items() if exercises}


def give(folder: Folder, rest: dict[Path, list[Exercise]]) -> None:
    """Write their solutions into the learner's files; the progress calls them given."""
    texts, today = dict[str, str](), datetime.date.today().isoformat()
    for path, exercises in rest.items():
        text = path.read_text(encoding="utf-8-sig")
        for exercise in exercises:
            text = text.replace(exercise.stub, exercise.solution, 1)
        write_whole(path, text)
        texts |= footprints(script_answer(str(path), text), exercises)
    given = {name: {"given": today, "text": text} for name, text in texts.items()}
    folder.progress.change(lambda known: [known.setdefault(name, {}).update(given[name]) for name in given])
