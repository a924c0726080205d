"""Find the bug: answers that look right and make one known mistake, for the learner to repair.

A case is a misconception of the exercise, written out as an answer that stands alone. Its file says which case it is by
a few hexadecimal digits, so that the explanation can be told afterwards, and nothing but them is kept.
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.answers import read_answer, script_answer
from autograder.chapters.chapter import Chapter, Exercise, read_chapter, without_markers
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import UnknownName, UnreadableAnswer
from autograder.chapters.tasks import Task
from autograder.grading.one import grade
from autograder.judging.mistakes.edits import StaleEdit, source_with_mistake
from autograder.judging.mistakes.misconceptions import lesson_of, read_misconceptions
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.reset import replace
from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.reading.definitions import definitions, docstring_lines
from autograder.worker.reading.reach import statements_of

FOLDER = Path("debug")  # in the folder around the answers
_IMPORTS = (ast.Import, ast.ImportFrom)
_HEAD = """\
# Find the bug: this answer to {name} looks right, and makes one mistake (case {case}).
#
# Read it, repair it here, then ask: attn debug {name} --check

"""


def listing(chapters: Iterable[Chapter], folder: Path) -> Iterator[str]:
    """Lines that say where bugs can be found, and which are being worked on."""
    for chapter in chapters:
        yield chapter.title
        for exercise in chapter.exercises:
            path = case_path(exercise, folder)
            yield f"  {exercise.name}  ({path})" if path.exists() else f"  {exercise.name}"
    yield ""
    yield "Begin: attn debug NAME"


def case_text(exercise: Exercise, misconception: str) -> str:
    """What the learner's file holds; empty where the mistake cannot be an answer of its own."""
    text = _answer_with(exercise, misconception)
    return _HEAD.format(name=exercise.name, case=_digits(misconception)) + text if text else ""


def case_path(exercise: Exercise, folder: Path) -> Path:
    return folder / f"{exercise.name}.py"


def write_case(exercise: Exercise, seed: int, folder: Path) -> tuple[Path, Path | None]:
    """Write one of the cases.

    The seed chooses the case. Told are the file, and where an earlier one that had been worked on is kept.
    """
    path, text = case_path(exercise, folder), _choose_case(exercise, seed)
    folder.mkdir(parents=True, exist_ok=True)
    if not is_worked_on(exercise, folder):
        path.unlink(missing_ok=True)
    return path, replace(path, text)


def warning(exercise: Exercise) -> str:
    """What is asked before a case of an exercise is written that is not done."""
    return f"{exercise.name} is not done, and the file shows most of its solution, so it counts as given up. Go on?"


def _choose_case(exercise: Exercise, seed: int) -> str:
    names = list(read_misconceptions(exercise.name))
    texts = (case_text(exercise, names[(seed + number) % len(names)]) for number in range(len(names)))
    if text := next(filter(None, texts), ""):
        return text
    raise UnknownName(f"There is no bug to find in {exercise.name}: `attn debug` lists other exercises")


def is_worked_on(exercise: Exercise, folder: Path) -> bool:
    """Whether there is a case, and the learner has changed something in it."""
    path = case_path(exercise, folder)
    misconception = _misconception_in(path, exercise) if path.exists() else None
    is_untouched = misconception and path.read_bytes() == case_text(exercise, misconception).encode()
    return path.exists() and not is_untouched


def judge_case(exercise: Exercise, folder: Path) -> tuple[Task, ExerciseVerdict, str]:
    """Judge the learner's repair with the suite of the exercise.

    With it comes what was wrong, once it is repaired; the verdict does not name the mistake.
    """
    path = _existing(exercise, folder)
    task = Task(read_answer(path), read_chapter(exercise.chapter), (exercise,))
    ((_, verdict),) = grade([task], SELF_STUDY)
    verdict.explanation = None  # it would name the mistake
    misconception = _misconception_in(path, exercise) if verdict.outcome == "passed" else None
    return task, verdict, lesson_of(exercise.name, misconception)[0] if misconception else ""


def mistake_in(exercise: Exercise, folder: Path) -> list[str]:
    """What is wrong in the case and what to do about it, for a learner who gives up; empty where no case is known."""
    misconception = _misconception_in(_existing(exercise, folder), exercise)
    return [text for text in lesson_of(exercise.name, misconception) if text] if misconception else []


def _existing(exercise: Exercise, folder: Path) -> Path:
    path = case_path(exercise, folder)
    if not path.exists():
        raise UnreadableAnswer(f"{path} does not exist: `attn debug {exercise.name}` writes it")
    return path


def _misconception_in(path: Path, exercise: Exercise) -> str | None:
    """The misconception whose digits the file holds, or None."""
    match = re.search(r"\(case ([0-9a-f]+)\)", path.read_text(encoding="utf-8", errors="replace"))
    return next((name for name in read_misconceptions(exercise.name) if match and _digits(name) == match[1]), None)


def _digits(misconception: str) -> str:
    return hashlib.blake2b(misconception.encode(), digest_size=3).hexdigest()


def _answer_with(exercise: Exercise, misconception: str) -> str | None:
    """The source of such an answer, or None where the mistake needs more than the exercise and its chapter."""
    try:
        mistaken_cell = CodeCell("exercise", 1, source_with_mistake(exercise, misconception))
    except StaleEdit:
        return None
    statements = ast.parse(mistaken_cell.source).body
    imported = [node for node in statements if isinstance(node, _IMPORTS)]
    behind_imports = max((node.end_lineno or 0 for node in imported), default=0)
    if not all(isinstance(node, (*_IMPORTS, ast.FunctionDef, ast.ClassDef)) for node in statements):
        return None
    cells = {cell.place: cell for cell in (*_others(exercise), mistaken_cell)}
    reached = statements_of(AnswerFile("", tuple(cells.values()))).reachable_from(exercise.name)
    needed = sorted((int(place), node.lineno, node) for place, node in reached if place.isdecimal())
    imported += [node for *_, node in needed if isinstance(node, _IMPORTS)]
    imports = dict.fromkeys(map(ast.unparse, imported))
    parts = [_text(cells[str(place)], node) for place, _, node in needed if not isinstance(node, _IMPORTS)]
    parts.append("\n".join(mistaken_cell.source.splitlines()[behind_imports:]).strip("\n"))
    return "\n\n\n".join([*(["\n".join(imports)] if imports else []), *parts]) + "\n"


def _text(cell: CodeCell, node: ast.stmt) -> str:
    lines, described = cell.source.splitlines(), docstring_lines(cell.source)
    numbers = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return "\n".join(lines[number - 1] for number in numbers if number not in described)


def _others(exercise: Exercise) -> list[CodeCell]:
    """The code of the chapter around the exercise; places are numbers."""
    path = curriculum.solution_of(exercise.chapter)
    chapter = script_answer(str(path), path.read_text(encoding="utf-8")).cells
    others = [without_markers(cell.source) for cell in chapter if exercise.name not in definitions(cell.source)]
    return [CodeCell(str(number), 1, source) for number, source in enumerate(others)]
