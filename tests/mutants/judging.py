"""Finds the mutants that no suite distinguishes from a right answer.

There are thousands of mutants, and a sandbox for each would take most of the time. Except for one edit, they are code
of the kit, so all mutants of a right answer are judged in one fork of this process. An endless loop is interrupted and
memory is limited. If the fork ends, another fork continues with the next mutant.
"""

import functools
import importlib
import os
import resource
import select
import signal
import sys
import warnings
from typing import NamedTuple

from autograder.chapters.chapter import read_chapter
from autograder.judging.grader import Grader
from autograder.worker.inputs import fill_new_memory
from autograder.worker.runner import Runner
from mutants.making import mutants_of, right_answers
from mutants.running import statements_run
from mutants.same import is_same_program
from support.local import LocalSession

SECRET = b"mutants"
SECONDS = 2.0  # seconds of processor time for one call
SUITE_SECONDS = 60.0
MEMORY = 4 << 30  # bytes that a fork may write to


class Interrupted(BaseException):
    """Raised if a call takes too long."""


class InProcessSession(LocalSession):
    """An answer that runs in this process with a time limit."""

    def __init__(self, answer):
        self.runner = Runner("answer")
        with _TimeLimit():
            self.runner.load(answer.cells)

    def ask(self, request, seconds, call):
        """Handle a request in this process, like a worker."""
        with _TimeLimit():
            return super().ask(request, seconds, call)


class _TimeLimit:
    """Interrupt code that takes too long, again and again if it continues."""

    def __enter__(self):
        signal.signal(signal.SIGVTALRM, _interrupt)
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)

    def __exit__(self, *error):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _interrupt(number, frame):
    raise Interrupted("takes too long")


class MutantResults(NamedTuple):
    """The results for the mutants of one right answer in one exercise.

    Attributes
    ----------
    made : int
        Number of mutants of lines that the suite runs, without those that are the same program.
    survivors : list of mutants.making.Mutant
        Mutants that pass.
    run, idle : set of (str, str, int)
        The statements of the answer that the suite runs, and those that it does not run: chapter, name and first line.
    """

    made: int
    survivors: list
    run: set
    idle: set


def survivors(exercise, name):
    """Judge the mutants of a right answer.

    Parameters
    ----------
    exercise : autograder.chapters.chapter.Exercise
    name : str
        The name of the right answer: see `mutants.making.CorrectAnswer`.

    Returns
    -------
    MutantResults

    Raises
    ------
    RuntimeError
        If the answer itself is wrong.
    """
    right = next(each for each in right_answers(exercise) if each.name == name)
    _import_libraries(exercise.chapter)
    # Cache the replies of the solution.
    Grader.for_chapter(exercise.chapter, SECRET).judge.suites.get_batch(exercise)
    if (run := statements_run(is_right, right.answer, exercise)) is None:
        raise RuntimeError(f"{name} does not pass {exercise.name} as it is")
    mutants = list(mutants_of(right))
    made = [mutant for mutant in mutants if run.intersection(mutant.statements)]
    good = judged([mutant.answer for mutant in made], exercise)
    passed = [mutant for mutant, is_good in zip(made, good, strict=True) if is_good]
    others = [each for each in passed if not is_same_program(right.answer.cells[each.cell].source, each.source)]
    idle = {statement for mutant in mutants for statement in mutant.statements} - run
    file = (right.chapter, right.name)
    return MutantResults(
        len(made) - len(passed) + len(others),
        others,
        {(*file, line) for _, line in run},
        {(*file, line) for _, line in idle},
    )


def judged(answers, exercise):
    """Return whether each answer is correct. An answer that ends its process is wrong."""
    found = []
    while len(found) < len(answers):
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            fill_new_memory()
            for answer in answers[len(found) :]:
                os.write(theirs, bytes([is_right(answer, exercise)]))
            os._exit(0)
        os.close(theirs)
        waiting = select.poll()
        waiting.register(ours, select.POLLIN)
        while waiting.poll(2 * SUITE_SECONDS * 1000) and (replies := os.read(ours, 1 << 12)):
            found += map(bool, replies)
        os.close(ours)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found += [False] * (len(found) < len(answers))
    return found


def is_right(answer, exercise):
    """Return whether an answer passes the suite."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Grader.for_chapter(exercise.chapter, SECRET).judge.suites.passes(
                exercise, InProcessSession(answer), SUITE_SECONDS
            )
    except BaseException:  # The answer broke this process, or an interrupt came between two calls.
        return False


def prepare():
    """Prepare this process for answers: discard their output and their drawings."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.environ["MPLBACKEND"] = "Agg"


@functools.cache
def _import_libraries(chapter_name):
    """Import the libraries that a worker has already imported when it loads an answer."""
    for library in read_chapter(chapter_name).libraries:
        importlib.import_module(library)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)
        # The first optimizer imports this, which takes longer than one call may.
        importlib.import_module("torch._dynamo")
