"""The fast way through the course: what carries a chapter is to do, the rest is given with its solution."""

import datetime

from autograder.chapters.answers import read_answer, script_answer
from autograder.chapters.files import write_whole
from autograder.chapters.selection import chapter_file
from autograder.study.footprint import footprints


def give_the_rest(folder):
    """Write the solution of every exercise that carries no chapter into the learner's files, where nothing was begun.

    Parameters
    ----------
    folder : autograder.study.folder.Folder

    Returns
    -------
    list of str
        The names of what was given; the progress calls them so.
    """
    given = {}
    for chapter in folder.chapters:
        path = chapter_file(folder.path, chapter)
        if path is not None and path.suffix == ".py":
            given |= _give(path, chapter)
    today = datetime.date.today().isoformat()

    def edit(known):
        for name, text in given.items():
            known.setdefault(name, {}).update(given=today, text=text)

    folder.progress.change(edit)
    return list(given)


def _give(path, chapter):
    """Name -> digest of what was given in one file."""
    answer, text = read_answer(path), path.read_text(encoding="utf-8-sig")
    rest = [
        e for e in chapter.exercises if e.name not in chapter.carried_by and answer.is_untouched(e) and e.stub in text
    ]
    for exercise in rest:
        text = text.replace(exercise.stub, exercise.solution, 1)
    if rest:
        write_whole(path, text)
    return footprints(script_answer(str(path), text), rest)
