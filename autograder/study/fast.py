"""The fast way through the course: what carries a chapter is to do, the rest is given with its solution."""

import datetime
from collections.abc import Iterator
from pathlib import Path

from autograder.chapters.answers import read_answer, script_answer
from autograder.chapters.chapter import Chapter, Exercise
from autograder.chapters.files import write_whole
from autograder.chapters.selection import chapter_file
from autograder.study.folder import Folder
from autograder.study.footprint import footprints


def names_of_the_rest(folder: Folder) -> list[str]:
    """The exercises that carry no chapter and were not begun: those to give."""
    return [exercise.name for path, chapter in _scripts(folder) for exercise in _rest(path, chapter)]


def give_the_rest(folder: Folder) -> None:
    given = {}
    for path, chapter in _scripts(folder):
        text, rest = path.read_text(encoding="utf-8-sig"), _rest(path, chapter)
        for exercise in rest:
            text = text.replace(exercise.stub, exercise.solution, 1)
        if rest:
            write_whole(path, text)
            given |= footprints(script_answer(str(path), text), rest)
    today = datetime.date.today().isoformat()

    def edit(known: dict) -> None:
        for name, text in given.items():
            known.setdefault(name, {}).update(given=today, text=text)

    folder.progress.change(edit)


def _scripts(folder: Folder) -> Iterator[tuple[Path, Chapter]]:
    for chapter in folder.chapters:
        path = chapter_file(folder.path, chapter)
        if path is not None and path.suffix == ".py":
            yield path, chapter


def _rest(path: Path, chapter: Chapter) -> list[Exercise]:
    answer, text = read_answer(path), path.read_text(encoding="utf-8-sig")
    others = [exercise for exercise in chapter.exercises if exercise.name not in chapter.carried_by]
    return [exercise for exercise in others if answer.is_untouched(exercise) and exercise.stub in text]
