"""Debugging practice: the learner repairs an answer that looks correct but contains a known mistake.

A case is a self-contained answer with a misconception of the exercise. Its file contains a hash of the misconception's
name, so that the explanation can be shown later. Nothing else is stored.
"""

import ast
import hashlib
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.answers import Task, read_answer
from autograder.chapters.chapter import Chapter, Exercise, read_chapter, remove_markers
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import UnknownName, UnreadableAnswer
from autograder.judging.grader import Grader
from autograder.judging.misconceptions import (
    StaleEdit,
    apply_mistake,
    find_current_name,
    read_lesson,
    read_misconceptions,
    read_renamed,
)
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.reset import replace_with_backup
from autograder.worker.reading.answers import CodeCell
from autograder.worker.reading.definitions import build_call_graph, find_definitions, find_docstring_lines

_IMPORTS = (ast.Import, ast.ImportFrom)
_HEAD = """\
# Find the bug: this answer to {name} looks correct, but contains one mistake (case {case}).
#
# Read it, repair it here, then ask: attn debug {name} --check

"""


def find_debug_folder(answers: Path) -> Path:
    if answers.resolve().name != "exercises":
        return answers / "debug"
    return (answers.parent if answers.name == "exercises" else answers / "..") / "debug"


def list_cases(chapters: Iterable[Chapter], folder: Path) -> Iterator[str]:
    for chapter in chapters:
        yield chapter.title
        for case in (BuggyFile(exercise, folder) for exercise in chapter.exercises):
            yield f"  {case.exercise.name}" + f"  ({case.path})" * case.path.exists()
    yield ""
    yield "Begin: attn debug NAME"


def format_case(exercise: Exercise, misconception: str) -> str:
    """Return the text of a case's file, or "" if the mistake cannot be written as a self-contained answer."""
    text = _write_out_answer(exercise, misconception)
    return _HEAD.format(name=exercise.name, case=_hash_name(misconception)) + text if text else ""


@dataclass(frozen=True)
class BuggyFile:
    """The file with a bug in an exercise, which the learner repairs. It may not exist yet."""

    exercise: Exercise
    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / f"{self.exercise.name}.py"

    def write(self, seed: int | None = None) -> Path | None:
        """Write a case, chosen by `seed` or at random. Return the backup of a file that the learner edited, or None."""
        names = list(read_misconceptions(self.exercise.name))
        first = random.randrange(1 << 16) if seed is None else seed
        texts = (format_case(self.exercise, names[(first + number) % len(names)]) for number in range(len(names)))
        if not (text := next(filter(None, texts), "")):
            raise UnknownName(f"There is no bug to find in {self.exercise.name}: `attn debug` lists other exercises")
        self.folder.mkdir(parents=True, exist_ok=True)
        if not self.is_worked_on():
            self.path.unlink(missing_ok=True)
        return replace_with_backup(self.path, text)

    def is_worked_on(self) -> bool:
        if not self.path.exists():
            return False
        name = self._identify_misconception()
        return not name or self.path.read_bytes() != format_case(self.exercise, name).encode()

    def judge(self) -> tuple[Task, ExerciseVerdict, str]:
        """Return the task, the verdict on the repair, and the mistake's description, or "" if the repair fails."""
        self._require_file()
        task = Task(read_answer(self.path), read_chapter(self.exercise.chapter), (self.exercise,))
        (verdict,) = Grader.for_tasks([task], SELF_STUDY).grade(task)
        verdict.explanation = None  # An explanation would name the mistake.
        return task, verdict, next(iter(self.list_mistake_lines()), "") if verdict.outcome == "passed" else ""

    def list_mistake_lines(self) -> list[str]:
        """Return a list of the mistake's description, hint and rule, for learners who give up; [] if it is unknown."""
        self._require_file()
        name = self._identify_misconception()
        return [text for text in read_lesson(self.exercise.name, name) if text] if name else []

    def _require_file(self) -> None:
        if not self.path.exists():
            raise UnreadableAnswer(f"{self.path} does not exist: `attn debug {self.exercise.name}` writes it")

    def _identify_misconception(self) -> str | None:
        """Return the name of the misconception whose hash the file contains, or None."""
        match = re.search(r"\(case ([0-9a-f]+)\)", self.path.read_text(encoding="utf-8", errors="replace"))
        names = [*read_misconceptions(self.exercise.name), *(old.rpartition(".")[2] for old in read_renamed())]
        recorded_name = next((name for name in names if match and _hash_name(name) == match[1]), "")
        return find_current_name(self.exercise.name, recorded_name) or None


def _hash_name(misconception: str) -> str:
    return hashlib.blake2b(misconception.encode(), digest_size=3).hexdigest()


def _write_out_answer(exercise: Exercise, misconception: str) -> str | None:
    """Return a self-contained answer with this mistake, or None if it needs more than imports and definitions."""
    try:
        mistaken_cell = CodeCell("exercise", 1, apply_mistake(exercise, misconception))
    except StaleEdit:
        return None
    statements = ast.parse(mistaken_cell.source).body
    imported = [node for node in statements if isinstance(node, _IMPORTS)]
    behind_imports = max((node.end_lineno or 0 for node in imported), default=0)
    if not all(isinstance(node, (*_IMPORTS, ast.FunctionDef, ast.ClassDef)) for node in statements):
        return None
    cells = {cell.place: cell for cell in (*_read_other_cells(exercise), mistaken_cell)}
    used_statements = build_call_graph(tuple(cells.values())).find_used_statements(exercise.name)
    other_statements = sorted((int(place), node.lineno, node) for place, node in used_statements if place.isdecimal())
    imported += [node for *_, node in other_statements if isinstance(node, _IMPORTS)]
    imports = dict.fromkeys(map(ast.unparse, imported))
    code = [(place, node) for place, _, node in other_statements if not isinstance(node, _IMPORTS)]
    parts = [_strip_docstring(cells[str(place)], node) for place, node in code]
    parts.append("\n".join(mistaken_cell.source.splitlines()[behind_imports:]).strip("\n"))
    return "\n\n\n".join([*(["\n".join(imports)] if imports else []), *parts]) + "\n"


def _strip_docstring(cell: CodeCell, node: ast.stmt) -> str:
    lines, docstring_lines = cell.source.splitlines(), find_docstring_lines(cell.source)
    numbers = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return "\n".join(lines[number - 1] for number in numbers if number not in docstring_lines)


def _read_other_cells(exercise: Exercise) -> list[CodeCell]:
    """Return the chapter's code cells that do not define the exercise, each with its number as `place`."""
    code = read_chapter(exercise.chapter).code_cells
    sources = [remove_markers(cell.source) for cell in code if exercise.name not in find_definitions(cell.source)]
    return [CodeCell(str(number), 1, source) for number, source in enumerate(sources)]
