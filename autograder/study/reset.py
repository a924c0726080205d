"""Reset of an exercise or chapter, and the backups of replaced files in ``.attn/backups/``."""

import contextlib
import datetime
import re
import shutil
from pathlib import Path

from autograder.chapters.answers import find_answer, read_answer
from autograder.chapters.chapter import Chapter, Exercise
from autograder.chapters.errors import InputError
from autograder.chapters.files import FileChanged, make_folder, write_file
from autograder.chapters.stubs import make_stub
from autograder.study.answer_cell import read_answer_cell, write_answer
from autograder.study.folder import PROGRESS_FOLDER, Folder
from autograder.study.versions import AnswerVersion, Versions
from autograder.worker.reading.definitions import find_bound_names, find_definitions, parse_source


def reset_exercise(folder: Folder, exercise: Exercise, version: AnswerVersion | None = None) -> None:
    """Replace an answer with its stub or an old version. Raises `InputError` if its file is broken or being saved."""
    path = folder.find_file(exercise)
    read_answer(path)  # Raises an `InputError` if the file is broken.
    cell = read_answer_cell(path, exercise)
    text = version.text if version else _put_stub_back(path, cell.source, exercise)
    try:
        write_answer(path, cell, text, Versions(folder.path, exercise.name), is_stub=version is None)
    except FileChanged:
        raise InputError(f"{path} was saved at the same moment, so nothing was changed: try again") from None


def reset_chapter(folder: Path, chapter: Chapter) -> Path | None:
    """Replace a chapter's script with its stubs. Return the path of the backup, or None if there was no script."""
    path = find_answer(folder, chapter)
    if path is not None and path.suffix == ".ipynb":
        raise InputError(f"{path} is a notebook: move it away, and the same command writes {chapter.name}.py")
    folder.mkdir(parents=True, exist_ok=True)
    path = path or folder / f"{chapter.name}.py"
    for exercise in chapter.exercises:
        with contextlib.suppress(InputError):  # The exercise is missing from the file, but there will be a backup.
            Versions(folder, exercise.name).keep(read_answer_cell(path, exercise).source)
    return replace_with_backup(path, make_stub(chapter))


def replace_with_backup(path: Path, text: str | bytes) -> Path | None:
    backup = None
    if path.exists():
        backup = _find_backup_path(make_folder(path.parent, f"{PROGRESS_FOLDER}/backups"), path)
        shutil.copy2(path, backup)
    write_file(path.resolve(), text)
    return backup


def _find_backup_path(folder: Path, path: Path) -> Path:
    timestamp = datetime.datetime.now().strftime("%Y-%m-%d-%H%M%S")
    names = (f"{path.stem}-{timestamp}{f'-{number}' if number else ''}{path.suffix}" for number in range(1_000_000))
    return next(folder / name for name in names if not (folder / name).exists())


def _put_stub_back(path: Path, source: str, exercise: Exercise) -> str:
    """Return a cell's text in which the stub replaces the answer."""
    names, lines, tree = set(find_definitions(exercise.stub)), source.splitlines(), parse_source(source)
    nodes = [node for node in (tree.body if tree else ()) if names & set(find_bound_names(node))]
    if not nodes:
        if set(find_definitions(source)) <= names:
            return exercise.stub  # The cell defines nothing else.
        raise InputError(
            f"{path}: {exercise.name} cannot be separated from the rest of its cell: fix its syntax, or give "
            "the function a separate cell (a line `# %%` above it and one below)"
        )
    for node in reversed(nodes):
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))]) - 1
        last = node.end_lineno or node.lineno
        while lines[last : last + 1] and re.match(r"\s+#", lines[last]):  # Include comments at the end of the body.
            last += 1
        lines[first:last] = exercise.stub.splitlines() if node is nodes[0] else []
    return "\n".join(lines)
