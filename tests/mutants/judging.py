"""Judges mutants: which of them no suite tells from a right answer."""

from autograder.boundary.session import Session
from autograder.chapters.chapter import read_chapter
from autograder.grading.one import Grader
from mutants.making import mutants_of, right_answers

SECRET = b"mutants"
SECONDS = 8  # for a suite; a call has a quarter of it


def survivors(chapter_name, exercise_name, name, part=0, parts=1):
    """How many mutants were made of a right answer to one exercise, and those that pass.

    Parameters
    ----------
    name : str
        Of the right answer: see `mutants.making.Right`.
    part, parts : int
        Which of how many equal parts of them to judge.
    """
    right = next(each for each in right_answers(chapter_name, (exercise_name,)) if each.name == name)
    made = [mutant for mutant in mutants_of(right) if mutant.exercises[0] == exercise_name][part::parts]
    return len(made), [mutant for mutant in made if not is_killed(mutant)]


def is_killed(mutant):
    """Whether the suite of an exercise that reaches what is edited finds something wrong."""
    chapter = read_chapter(mutant.right.chapter)
    judge = Grader.of(chapter.name, SECRET).judge
    session = Session(mutant.answer, chapter)
    try:
        return not all(
            judge.passes(exercise, session, exercise.seconds or SECONDS)
            for exercise in map(chapter.exercise, mutant.exercises)
        )
    finally:
        session.close()
