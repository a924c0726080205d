"""One answer and what is to be judged in it. A learner's own is read in this process.

`boundary/reader.py` reads what others handed in.
"""

import contextlib
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.chapter import Chapter, Exercise
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.chapters.text import clean
from autograder.worker.reading.answers import (
    MAX_FILE_BYTES,
    AnswerFile,
    Unreadable,
    json_of,
    notebook_cells,
    script_cells,
    text_of,
)


def read_answer(path: Path | str) -> AnswerFile:
    path = Path(path)
    require_suffix(path)
    content = read_plain(path, MAX_FILE_BYTES, follows=True)
    with _naming(path):
        if path.suffix == ".py":
            return script_answer(str(path), text_of(content))
        return notebook_answer(str(path), json_of(content))


def require_suffix(path: Path) -> None:
    if path.suffix not in (".py", ".ipynb"):
        raise UnreadableAnswer(f"{clean(path)} is neither a script (.py) nor a notebook (.ipynb)")


def script_answer(path: str, text: str) -> AnswerFile:
    with _naming(path):
        return AnswerFile(path, script_cells(Path(path).name, text))


def notebook_answer(path: str, notebook: dict) -> AnswerFile:
    with _naming(path):
        return AnswerFile(path, notebook_cells(notebook), True)


@contextlib.contextmanager
def _naming(path: Path | str) -> Iterator[None]:
    try:
        yield
    except Unreadable as error:
        raise UnreadableAnswer(f"{path} {error}") from None


@dataclass(frozen=True)
class Task:
    answer: AnswerFile
    chapter: Chapter
    exercises: tuple[Exercise, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer", self.answer.without_leftover_stubs(self.chapter.exercises))

    @functools.cached_property
    def is_untouched(self) -> bool:
        return all(self.answer.is_untouched(exercise) for exercise in self.exercises)

    @functools.cached_property
    def libraries(self) -> tuple[str, ...]:
        return self.chapter.libraries_for(self.answer)
