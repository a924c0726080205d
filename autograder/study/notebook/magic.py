"""``%check softmax``, ``%predict`` and ``%figure`` in a notebook, after ``%load_ext attn``.

What a notebook defines is graded where all answers are, in a worker. The zygote stays warm from one check to the next;
it ends with the kernel.
"""

import functools
import importlib.util
import os
import sys
import warnings
from pathlib import Path

import numpy as np

from autograder.boundary.sandbox import GIVEN
from autograder.boundary.zygotes import close_zygotes, zygote_for
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import InputError, KitFault
from autograder.chapters.selection import known_chapter, wanted_names
from autograder.chapters.tasks import Task
from autograder.chapters.text import clean
from autograder.grading.one import Grader
from autograder.judging.trusted import forget_files
from autograder.study.folder import progress_in, record_verdicts
from autograder.study.footprint import footprints_as_run
from autograder.study.notebook.history import executed_answer
from autograder.study.notebook.view import Checked
from autograder.study.predict import ask
from autograder.views.figures import alone


def load_ipython_extension(shell):
    """Make the magics known; IPython calls this for ``%load_ext``."""
    for act in (check, predict, figure):
        shell.register_magic_function(functools.partial(_magic, shell, act), magic_name=act.__name__)
    if importlib.util.find_spec(GIVEN.name) is None:  # a notebook on its own, without the data beside it
        sys.path.append(str(GIVEN.parent))


def check(shell, line):
    """Grade the exercises named, or all that are defined; the result, or a sentence where there is none.

    Parameters
    ----------
    shell : IPython.core.interactiveshell.InteractiveShell
    line : str
        Names of exercises or chapters, with blanks between them.

    Returns
    -------
    Checked or str
    """
    chapters = [read_chapter(name) for name in curriculum.CHAPTERS]
    tasks = tasks_here(shell, chapters, wanted_names(line.split(), chapters))
    defined = {exercise.name for task in tasks for exercise in task.exercises}
    missing = [name for name in line.split() if name not in defined and name not in curriculum.CHAPTERS]
    if missing:
        return f"{missing[0]} is not defined in this notebook yet: run the cell that defines it, then check again."
    if not tasks:
        return "No exercise is defined in this notebook yet: run the cells that define them, then check again."
    verdicts = verdicts_on(tasks)
    # What ran may not be saved yet: an exercise is done once the script holds the same.
    kept = [(task, verdict) for task, verdict in verdicts if _has_script(task.chapter.name)]
    record_verdicts(Path(), kept, footprints_as_run)
    return Checked(verdicts)


def predict(shell, line):
    """Ask the questions on a chapter: the one named, or the one whose exercises the notebook defines."""
    from IPython.core.error import StdinNotImplementedError  # noqa: PLC0415  (what starts a shell has it)

    here = [name for name in curriculum.CHAPTERS if _defined(shell, read_chapter(name))]
    name = known_chapter(line.strip() or next(iter(here), curriculum.CHAPTERS[0])).name
    progress = progress_in(Path()) if _has_script(name) else None
    try:
        ask(name, input, lambda told: print(clean(told)), progress)
    except StdinNotImplementedError:
        return f"Nobody can be asked here. In a terminal: attn predict {name}"
    except EOFError:
        pass
    return ""


def figure(shell, line):
    """Show a figure one can touch: the one named, and of it the example named."""
    from IPython.display import HTML  # noqa: PLC0415  (what starts a shell has it)

    name, *example = line.split() or [""]
    return HTML(alone(name, *example[:1]))


def tasks_here(shell, chapters, wanted):
    """What there is to grade: exercises that the notebook defines now, of those wanted; None means all."""
    tasks = []
    for chapter in chapters:
        names = _defined(shell, chapter)
        if not names:
            continue
        answer = executed_answer(shell.history_manager.input_hist_parsed, names, shell.transform_cell)
        asked = [e for e in chapter.exercises if e.name in answer.definitions and (wanted is None or e.name in wanted)]
        if asked:
            tasks.append(Task(answer, chapter, tuple(asked)))
    return tasks


def verdicts_on(tasks):
    """A list of pairs of task and verdict, whatever the notebook has set."""
    verdicts = []
    with np.errstate(all="warn"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for task in tasks:
            zygote_for(task.chapter.libraries_for(task.answer))  # starts while the grader imports pytest
            verdicts += ((task, verdict) for verdict in Grader.of(task.chapter.name, SELF_STUDY).grade(task))
    return verdicts


def give_up():
    """After an interrupt: a reply may be half read."""
    forget_files()
    close_zygotes()


def _defined(shell, chapter):
    """Names of the chapter's exercises that the notebook defines now."""
    return [exercise.name for exercise in chapter.exercises if callable(shell.user_ns.get(exercise.name))]


def _has_script(chapter):
    """Whether this notebook runs beside a chapter's script, as in self-study; assignments are notebooks."""
    return Path(f"{chapter}.py").is_file()


def _magic(shell, act, line):
    """Do what a magic asks for; whatever happens ends in a sentence."""
    from IPython.display import display  # noqa: PLC0415  (what starts a shell has it)

    try:
        said = act(shell, line)
    except InputError as error:
        said = str(error)
    except Exception as error:
        if os.environ.get("ATTN_TRACEBACK"):
            raise
        told = str(error) if isinstance(error, KitFault) else f"{type(error).__name__}: {error}"
        said = f"A fault of ours, not of your answers: {told}"
    except KeyboardInterrupt:
        give_up()
        said = "Interrupted."
    if isinstance(said, str):
        print(clean(said))
    else:
        display(said)
