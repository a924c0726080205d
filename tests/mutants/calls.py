"""Search for calls of a suite that detect no additional mutants, because every call takes time."""

import time
from types import SimpleNamespace

from autograder.boundary.session import Session
from autograder.chapters.answers import Task
from autograder.chapters.chapter import read_chapter
from autograder.judging.ask.evidence import have_same_outcome
from autograder.judging.grader import Grader
from mutants.judging import SECRET
from mutants.making import mutants_of, right_answers

PLAYS = 30  # number of runs, of which the fastest counts


def show(exercises):
    """Print the time of each suite, and its requests that detect no more mutants. Return the exit code."""
    for exercise in exercises:
        batch, found = get_batch(exercise), found_by(exercise)
        gone, milliseconds = needless(found, len(batch.steps)), 1000 * cost(exercise)
        print(f"{exercise.name}: {len(batch.steps)} requests in {milliseconds:.1f} ms, {len(gone)} find nothing more")
        at = 0
        for number, test in enumerate(batch.tests, start=1):
            idle = [f"{step.kind} {step.method}".strip() for i, step in enumerate(test, start=at) if i in gone]
            at += len(test)
            if idle:
                print(f"  test {number}: {len(idle)} of {len(test)} requests: {', '.join(idle)}")
    return 0


def get_batch(exercise):
    """Return all requests of an exercise's suite."""
    return Grader.for_chapter(exercise.chapter, SECRET).judge.suites.get_batch(exercise)


def cost(exercise):
    """Return the shortest time in seconds in which a worker replies to all requests, for the solution."""
    right = next(right_answers(exercise))
    session, batch = Session(Task(right.answer, read_chapter(exercise.chapter), ())), get_batch(exercise)
    try:
        session.require_function(exercise.name)
        return min(_timed(session, batch) for _ in range(PLAYS))
    finally:
        session.close()


def _timed(session, batch):
    started = time.perf_counter()
    session.worker.play_batch(batch.message, 5.0)
    return time.perf_counter() - started


def found_by(exercise):
    """Return each mutant that replies, with the numbers of the requests whose replies reveal it.

    Returns
    -------
    list of (Mutant, set of int)
    """
    batch, chapter, found = get_batch(exercise), read_chapter(exercise.chapter), []
    for right in right_answers(exercise):
        usual = _replies(right.answer, chapter, exercise, batch)
        for mutant in mutants_of(right):
            replies = _replies(mutant.answer, chapter, exercise, batch)
            if replies and usual:
                pairs = enumerate(zip(replies, usual, strict=True))
                found.append((mutant, {number for number, pair in pairs if not _same(*pair)}))
    return found


def needless(found, steps):
    """Return the indices of the requests that can be left out, last first: the others still detect every mutant."""
    left, gone = [set(numbers) for _, numbers in found if numbers], []
    for step in reversed(range(steps)):
        if all(numbers - {step} for numbers in left):
            left = [numbers - {step} for numbers in left]
            gone.append(step)
    return gone


def _replies(answer, chapter, exercise, batch):
    session = Session(Task(answer, chapter, ()))
    try:
        session.require_function(exercise.name)
        replies = session.play_batch(batch)
        return replies and replies.decode()
    except Exception:
        return None
    finally:
        session.close()


def _same(one, other):
    if one is None or other is None:
        return one is other
    return have_same_outcome(
        *(SimpleNamespace(**{"value": None, "error": None, "changed": [], **each}) for each in (one, other))
    )
