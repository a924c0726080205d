"""A running notebook with the interface of a learner's folder.

Its answers are taken from the executed cells, because the saved file may be older, and are judged in a worker like all
answers. Cells that only draw or train are left out, because they do not affect functions.
"""

import ast
import atexit
import contextlib
import functools
import shutil
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from IPython.core.interactiveshell import InteractiveShell

from autograder.boundary.channel import close_zygotes, get_zygote
from autograder.chapters import curriculum
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Chapter, Exercise, read_chapter
from autograder.chapters.curriculum import SELF_STUDY
from autograder.judging.budget import Budget
from autograder.judging.grader import LOCATE_SECONDS, Grader
from autograder.judging.run.kit_code import close_kit_workers
from autograder.study.folder import PROGRESS_FOLDER, Folder, Judged, classify_state, open_progress
from autograder.study.progress import Progress
from autograder.study.verbs import check, locate
from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.reading.definitions import build_call_graph, find_bound_names

_TRANSPARENT = ("time", "capture", "prun")  # cell magics that run the code below them
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def read_tasks(shell: InteractiveShell, chapters: Iterable[Chapter], only: Collection[str] | None) -> list[Task]:
    """Return the tasks for the exercises that the notebook defines. If `only` is given, leave out all others."""
    tasks = []
    for chapter in chapters:
        names = find_names(shell, chapter)
        if not names:
            continue
        inputs = shell.history_manager.input_hist_parsed if shell.history_manager else ()
        answer = rebuild_answer(inputs, names, shell.transform_cell)
        exercises = [
            exercise
            for exercise in chapter.exercises
            if exercise.name in answer.definitions and (only is None or exercise.name in only)
        ]
        if exercises:
            tasks.append(Task(answer, chapter, tuple(exercises)))
    return tasks


def judge_tasks(tasks: list[Task]) -> list[Judged]:
    verdicts: list[Judged] = []
    with _isolate_settings():
        for task in tasks:
            get_zygote(task.libraries)  # The zygote starts while the grader imports pytest.
            verdicts += check(_grader_for(task), [task])
    return verdicts


def find_lines(verdicts: list[Judged]) -> list[Judged]:
    """Locate mistakes, and return the (task, verdict) pairs whose line was found."""
    budget = Budget(LOCATE_SECONDS)
    with _isolate_settings():
        return [pair for pair in verdicts if any(locate(_grader_for(pair[0]), [pair], budget))]


def end_workers() -> None:
    """End all workers after an interrupt, because a reply may have been read only in part."""
    close_kit_workers()
    close_zygotes()


def find_names(shell: InteractiveShell, chapter: Chapter) -> list[str]:
    return [name for name in chapter.names if callable(shell.user_ns.get(name))]


def _grader_for(task: Task) -> Grader:
    return Grader.for_chapter(task.chapter.name, SELF_STUDY, True)


@contextlib.contextmanager
def _isolate_settings() -> Iterator[None]:
    with np.errstate(all="warn"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class NotebookFolder(Folder):
    """A notebook as a `Folder`. It shares the progress of scripts next to it. Without scripts, progress is not kept."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell, self.chapters = shell, [read_chapter(name) for name in curriculum.CHAPTERS]
        has_script = any(Path(f"{name}.py").is_file() for name in curriculum.CHAPTERS)
        self.path = Path() if has_script and open_progress(Path()) else make_scratch_folder()
        self.progress = Progress(self.path / PROGRESS_FOLDER)

    def read_task(self, exercise: Exercise) -> Task:
        """Return a task with the executed definition of an exercise, or with an empty answer if there is none."""
        chapter = self.chapter_of(exercise)
        nothing = Task(AnswerFile("this notebook", (), notebook=True), chapter, (exercise,))
        return next(iter(read_tasks(self.shell, [chapter], {exercise.name})), nothing)

    def read_states(self) -> dict[str, str]:
        """Return exercise -> state, as in `Folder`. For exercises defined in the notebook, the executed code counts."""
        progress, states = self.progress.read(), super().read_states()
        for chapter in self.chapters:
            for exercise in map(chapter.get_exercise, find_names(self.shell, chapter)):
                facts = progress.get(exercise.name, {})
                states[exercise.name] = classify_state(self.read_task(exercise).answer, exercise, facts)
        return states

    def find_current(self, states: dict[str, str] | None = None) -> Exercise | None:
        """Return the exercise to work on, or None if all are done. The notebook's chapters come first."""
        states = states or self.read_states()
        candidates = [
            exercise for chapter in self.chapters if find_names(self.shell, chapter) for exercise in chapter.exercises
        ]
        to_do = [exercise for exercise in candidates if states[exercise.name] != "done"]
        last = (exercise for exercise in to_do if exercise.name == self.read_last_visited())
        return next(last, next(iter(to_do), None)) or super().find_current(states)


@functools.cache
def make_scratch_folder() -> Path:
    path = Path(tempfile.mkdtemp(prefix="attn-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def rebuild_answer(inputs: Sequence[str], names: Iterable[str], transform: Callable[[str], str] = str) -> AnswerFile:
    """Return an answer with the executed definitions of `names` and what they use. `inputs`: IPython's list ``In``."""
    numbered = list(enumerate(inputs))[1:]
    cells = tuple(cell for number, text in numbered for cell in _split_statements(number, text, transform))
    statements = build_call_graph(cells)
    needed = {(place, node.lineno) for name in names for place, node in statements.find_used_statements(name)}
    names_by_cell = [_find_definitions(cell) for cell in cells]
    last = {name: number for number, names in enumerate(names_by_cell) for name in names}
    needed_cells = []
    for number, cell in enumerate(cells):
        lines = range(cell.line, cell.line + cell.source.count("\n") + 1)
        is_last = not names_by_cell[number] or any(last[name] == number for name in names_by_cell[number])
        if is_last and any(place == cell.place and line in lines for place, line in needed):
            needed_cells.append(cell)
    return AnswerFile("this notebook", tuple(needed_cells), notebook=True)


def _split_statements(number: int, text: str, transform: Callable[[str], str]) -> Iterator[CodeCell]:
    """Yield each top-level statement of an executed input as a cell. Yields nothing if the input is invalid Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines, spans = text.split("\n"), list[list[int]]()
    for node in tree.body:
        if body := _read_magic_body(node):
            yield from _split_statements(number, transform(body), transform)
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        end = node.end_lineno or first
        if spans and first <= spans[-1][1]:  # Two statements on one line.
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([first, end])
    for first, end in spans:
        yield CodeCell(f"cell [{number}]", first, "\n".join(lines[first - 1 : end]))


def _read_magic_body(node: ast.stmt) -> str | None:
    """Return the code below a magic such as ``%%time``, or None for other statements."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or getattr(call.func, "attr", "") != "run_cell_magic":
        return None
    texts = [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
    return "\n" + texts[2] if len(texts) == 3 and texts[0] in _TRANSPARENT else None


def _find_definitions(cell: CodeCell) -> list[str]:
    """Return the names that a cell defines if its first statement defines a function or class, otherwise []."""
    body = ast.parse(cell.source).body
    return [name for node in body for name in find_bound_names(node)] if isinstance(body[0], _DEFINITIONS) else []
