"""A learner's folder in which some exercises are solved, and in one a known mistake is made."""

from autograder.chapters.chapter import read_chapter
from autograder.judging.mistakes.misconceptions import read_misconceptions
from autograder.study.start.start import handouts, start


def learners_folder(folder, chapter, solved, mistaken=None):
    """Make one.

    Parameters
    ----------
    folder : pathlib.Path
    chapter : str
    solved : list of str
        Exercises.
    mistaken : tuple of str, optional
        An exercise and one of its misconceptions.

    Returns
    -------
    pathlib.Path
        The chapter's file.
    """
    start(folder, handouts())
    path, exercises = folder / "exercises" / f"{chapter}.py", read_chapter(chapter)
    text = path.read_text(encoding="utf-8")
    for name in solved:
        text = text.replace(exercises.exercise(name).stub, exercises.exercise(name).solution)
    path.write_text(text, encoding="utf-8")
    if mistaken:
        make_mistake(path, *mistaken)
    return path


def make_mistake(path, name, misconception):
    """Put a known mistake, an edit of the solution, in the place of a stub."""
    exercise = read_chapter(path.stem).exercise(name)
    source = exercise.solution
    for old, new in read_misconceptions(name)[misconception].edits.items():
        assert old in source
        source = source.replace(old, new)
    text = path.read_text(encoding="utf-8")
    assert exercise.stub in text
    path.write_text(text.replace(exercise.stub, source), encoding="utf-8")
