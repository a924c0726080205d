"""The magics ``%check``, ``%hint``, ``%solution``, ``%next``, ``%predict`` and ``%figure``, and a course's ``check()``.

Definitions of a notebook are judged in a worker, like any answer. The zygote is kept between checks and ends with the
kernel.
"""

import functools
import importlib.util
import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from IPython import get_ipython
from IPython.core.error import StdinNotImplementedError
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import HTML, display

from autograder.boundary.sandbox import GIVEN
from autograder.chapters import curriculum
from autograder.chapters.answers import Task, resolve_names
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import OURS, InputError, sentence_of
from autograder.chapters.text import clean
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study import verbs
from autograder.study.folder import Judged, list_finished, open_progress, record_located_lines, record_verdicts
from autograder.study.notebook import NotebookFolder, end_workers, find_lines, find_names, judge_tasks, read_tasks
from autograder.study.predict import ask, ask_review_questions, choose_review_questions, require_unit_or_chapter
from autograder.study.progress import hash_executed_code
from autograder.views.card import to_card, to_html
from autograder.views.figures import render_standalone
from autograder.views.terminal import TerminalReport
from autograder.views.words import sentences_of

_NO_LINE, _GIVE_UP = "--no-locate", "--give-up"


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Register the magics. IPython calls this function for ``%load_ext``."""
    for act in (check, hint, solution, suggest_next, predict, figure):
        name = "next" if act is suggest_next else act.__name__
        shell.register_magic_function(functools.partial(_magic, shell, act), magic_name=name)
    if importlib.util.find_spec(GIVEN.name) is None:  # The data folder is not next to the notebook.
        sys.path.append(str(GIVEN.parent))
    progress = open_progress(Path())
    if progress and any(map(_has_script, curriculum.CHAPTERS)) and choose_review_questions(progress):
        print("Welcome back. %predict again asks two questions about what you did before.")


@dataclass(frozen=True)
class CheckResult:
    """The result of a check, shown as HTML cards in a notebook and as text in a terminal."""

    verdicts: list[Judged]
    praise: list[str]

    def __repr__(self) -> str:
        from rich.console import Console  # noqa: PLC0415  (needed only in a terminal)

        text = io.StringIO()
        # Otherwise, Rich would print HTML, because it runs in a kernel.
        console = Console(file=text, width=100, highlight=False, force_jupyter=False, force_terminal=False)
        report = TerminalReport(console)
        for task, verdict in self.verdicts:
            report.add(task, verdict)
        report.finish()
        return "\n".join([text.getvalue().strip("\n"), *self.praise])

    def _repr_html_(self) -> str:
        """Return a card for each verdict, with all text escaped."""
        cards = [to_card(verdict, task.chapter.get_exercise(verdict.exercise).hints) for task, verdict in self.verdicts]
        if self.praise:  # The CSS in the cards styles this section.
            sentences = "".join(f"<p>{to_html(sentence)}</p>" for sentence in self.praise)
            cards.append(f'<section class="attn" style="border-color:#2e7d32">{sentences}</section>')
        return "".join(cards)


def check(desk: NotebookFolder, line: str) -> str:
    """Judge the named exercises, or all that the notebook defines, and show the verdicts. Return a message or ""."""
    names = [word for word in line.split() if word != _NO_LINE]
    tasks = read_tasks(desk.shell, desk.chapters, resolve_names(names, desk.chapters))
    known_names = {exercise.name for task in tasks for exercise in task.exercises}
    missing = [name for name in names if name not in known_names and name not in curriculum.CHAPTERS]
    if missing:
        return f"{missing[0]} is not defined in this notebook yet: run the cell that defines it, then check again."
    if not tasks:
        return "No exercise is defined in this notebook yet: run the cells that define them, then check again."
    verdicts, progress = judge_tasks(tasks), desk.progress.read()
    # The executed code may be unsaved, so an exercise counts as done only if the script contains the same code.
    record_verdicts(desk.path, verdicts, hash_executed_code)
    passed_names = [verdict.exercise for _, verdict in verdicts if verdict.outcome == "passed"]
    fresh = [name for name in passed_names if "passed" not in progress.get(name, {})]
    done = list_finished(desk.read_states())
    praise = [*verbs.list_afterwords(fresh, desk.chapters, done), *verbs.suggest_next(desk, "%")] if fresh else []
    checked = CheckResult(verdicts, praise)
    handle = display(checked, display_id=True)
    if _NO_LINE in line.split():
        return ""
    located = find_lines(verdicts)
    record_located_lines(desk.path, located, hash_executed_code)
    if located and handle and hasattr(desk.shell, "kernel"):
        handle.update(checked)
        return ""
    # A terminal would print the whole result again, so return only the new sentences.
    return "\n".join(f"{verdict.exercise}: {verdict.change.sentence}" for _, verdict in located if verdict.change)


def suggest_next(desk: NotebookFolder, line: str = "") -> str:
    return "\n".join(verbs.suggest_next(desk, "%"))


def hint(desk: NotebookFolder, line: str) -> str:
    name = line.strip()
    exercise = desk.get_exercise(name) if name else desk.find_current()
    if exercise is None:
        return suggest_next(desk)
    return "\n".join(verbs.show_next_hints(desk, exercise, f"%solution {exercise.name}"))


def solution(desk: NotebookFolder, line: str) -> str:
    """Return the solution of an exercise, compared with the executed code. Asks first unless the exercise is done."""
    names = [word for word in line.split() if word != _GIVE_UP]
    if len(names) != 1:
        return "Name an exercise: %solution softmax"
    exercise = desk.get_exercise(names[0])

    def agrees(question: str) -> bool:
        return _GIVE_UP in line.split() or input(f"{question} y for yes: ").strip().lower() in ("y", "yes")

    try:
        return "\n".join(map(str, verbs.show_solution(desk, exercise, f"%hint {exercise.name}", agrees)))
    except (EOFError, StdinNotImplementedError):
        return f"This notebook cannot ask questions: %solution {exercise.name} {_GIVE_UP} shows it at once."


def predict(desk: NotebookFolder, line: str) -> str:
    """Ask questions on the named or current chapter, or review questions for "again". Return a message or ""."""
    chapter_names = [chapter.name for chapter in desk.chapters if find_names(desk.shell, chapter)]
    name = line.strip() or next(iter(chapter_names), curriculum.CHAPTERS[0])
    try:
        if name == "again":
            if progress := open_progress(Path()):
                ask_review_questions(input, _tell, progress)
            return ""
        name = require_unit_or_chapter(name)
        ask(name, input, _tell, open_progress(Path()) if _has_script(curriculum.UNITS.get(name, (name,))[-1]) else None)
    except StdinNotImplementedError:
        return f"This notebook cannot ask questions. In a terminal: attn predict {name}"
    except EOFError:
        pass
    return ""


def figure(desk: NotebookFolder, line: str) -> str:
    """Show an interactive figure, with an example if the line names one. Return ""."""
    name, *example = line.split() or [""]
    display(HTML(render_standalone(name, *example[:1])))
    return ""


def _tell(line: str) -> None:
    print(clean(line))


def _has_script(chapter: str) -> bool:
    """Return whether the notebook is next to a chapter's script, as in self-study, and not an assignment."""
    return Path(f"{chapter}.py").is_file()


def _magic(shell: InteractiveShell, act: Callable[[NotebookFolder, str], str], line: str) -> None:
    try:
        message = act(NotebookFolder(shell), line)
    except InputError as error:
        message = str(error)
    except Exception as error:
        if os.environ.get("ATTN_TRACEBACK"):
            raise
        message = f"{OURS}{sentence_of(error)}"
    except KeyboardInterrupt:
        end_workers()
        message = "Interrupted."
    if message:
        _tell(message)


def graded(chapter: str, name: str) -> str | None:
    """Judge an exercise that the running notebook defines, and show the verdict.

    Return a sentence on the mistake, or "" if the exercise passed. Return None if the kit cannot judge the exercise: it
    is the course's own, a library is missing, or the kit failed. The notebook then runs only its examples.
    """
    shell = get_ipython()
    if shell is None or chapter not in curriculum.CHAPTERS or name not in read_chapter(chapter).names:
        return None
    try:
        verdicts = judge_tasks(read_tasks(shell, [read_chapter(chapter)], {name}))
    except KeyboardInterrupt:
        end_workers()
        raise
    except Exception as error:
        print(clean(f"The kit cannot check {name} here: {error}. These are its examples alone."))
        return None
    return _show_assessed(shell, *verdicts[0]) if verdicts and verdicts[0][1].outcome != "fault" else None


def _show_assessed(shell: InteractiveShell, task: Task, verdict: ExerciseVerdict) -> str:
    name, text = verdict.exercise, "\n".join(sentences_of(verdict))
    if verdict.outcome == "unattempted":
        return text or f"{name} is still to do."
    if _is_validating(shell):  # Validate shows only errors, so print nothing.
        return "" if verdict.outcome == "passed" else f"{name}: {text}"
    # Show no points, because the course may have changed them.
    page = to_card(verdict, task.chapter.get_exercise(name).hints, with_points=False)
    is_right = verdict.outcome == "passed"
    display({"text/html": page, "text/plain": f"{name}: done." if is_right else f"{name}: {text}"}, raw=True)
    return "" if is_right else f"{name} is not right yet."


def _is_validating(shell: InteractiveShell) -> bool:
    """Return whether nbgrader's Validate runs this cell.

    nbgrader's environment variable is not sufficient: kernels that JupyterLab starts at the same time inherit it. But
    only the kernel of Validate has no standard input.
    """
    kernel = getattr(shell, "kernel", None)
    request = kernel.get_parent() if kernel else {}
    return "NBGRADER_EXECUTION" in os.environ and not request.get("content", {}).get("allow_stdin", False)
