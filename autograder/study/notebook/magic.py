"""``%check softmax``, ``%predict`` and ``%figure`` in a notebook, after ``%load_ext attn``.

What a notebook defines is graded where all answers are, in a worker. The zygote stays warm from one check to the next;
it ends with the kernel.
"""

import functools
import importlib.util
import os
import sys
from pathlib import Path

from autograder.boundary.sandbox import GIVEN
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import InputError, sentence_of
from autograder.chapters.selection import known_chapter, wanted_names
from autograder.chapters.text import clean
from autograder.study.folder import progress_in, record_spots, record_verdicts
from autograder.study.footprint import footprints_as_run
from autograder.study.notebook.judging import defined_in, give_up, tasks_here, verdicts_on, with_lines
from autograder.study.notebook.view import Checked
from autograder.study.predict import ask
from autograder.views.figures import alone

_NO_LINE = "--no-locate"


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
        Names of exercises or chapters, with blanks between them; with ``--no-locate``, no line is looked for.

    Returns
    -------
    Checked or str
    """
    chapters = [read_chapter(name) for name in curriculum.CHAPTERS]
    named = [word for word in line.split() if word != _NO_LINE]
    tasks = tasks_here(shell, chapters, wanted_names(named, chapters))
    defined = {exercise.name for task in tasks for exercise in task.exercises}
    missing = [name for name in named if name not in defined and name not in curriculum.CHAPTERS]
    if missing:
        return f"{missing[0]} is not defined in this notebook yet: run the cell that defines it, then check again."
    if not tasks:
        return "No exercise is defined in this notebook yet: run the cells that define them, then check again."
    verdicts = verdicts_on(tasks)
    # What ran may not be saved yet: an exercise is done once the script holds the same.
    record_verdicts(Path(), _with_script(verdicts), footprints_as_run)
    return Checked(verdicts, None if _NO_LINE in line.split() else _look_for_lines)


def _look_for_lines(verdicts):
    """Those whose mistake is in a line that was found; it stands in the verdict then."""
    found = with_lines(verdicts)
    record_spots(Path(), _with_script(found), footprints_as_run)
    return found


def _with_script(verdicts):
    return [(task, verdict) for task, verdict in verdicts if _has_script(task.chapter.name)]


def predict(shell, line):
    """Ask the questions on a chapter: the one named, or the one whose exercises the notebook defines."""
    from IPython.core.error import StdinNotImplementedError  # noqa: PLC0415  (what starts a shell has it)

    here = [name for name in curriculum.CHAPTERS if defined_in(shell, read_chapter(name))]
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


def _has_script(chapter):
    """Whether this notebook runs beside a chapter's script, as in self-study; assignments are notebooks."""
    return Path(f"{chapter}.py").is_file()


def _magic(shell, act, line):
    """Do what a magic asks for; whatever happens ends in a sentence."""
    said = None
    try:
        _show(shell, act(shell, line))
    except InputError as error:
        said = str(error)
    except Exception as error:
        if os.environ.get("ATTN_TRACEBACK"):
            raise
        said = f"A fault of ours, not of your answers: {sentence_of(error)}"
    except KeyboardInterrupt:
        give_up()
        said = "Interrupted."
    if said is not None:
        print(clean(said))


def _show(shell, said):
    """Show what came of a magic; of a check first the verdicts, and then the lines that mistakes are in."""
    from IPython.display import display  # noqa: PLC0415  (what starts a shell has it)

    if isinstance(said, str):
        print(clean(said))
        return
    shown = display(said, display_id=True)
    if isinstance(said, Checked) and (lines := said.find_lines()):
        if hasattr(shell, "kernel"):
            shown.update(said)
        else:  # a terminal would show all of it once more
            print("\n".join(map(clean, lines)))
