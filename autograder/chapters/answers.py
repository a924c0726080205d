"""A learner's own answers, and tasks. A task is an answer, and the exercises on which it is judged.

A learner's own answers are parsed in this process. `boundary/reader.py` reads the answers of other people.
"""

import contextlib
import difflib
import functools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, Exercise, read_chapter
from autograder.chapters.errors import UnknownName, UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.chapters.text import clean
from autograder.worker.reading.answers import (
    MAX_FILE_BYTES,
    AnswerFile,
    UnreadableFile,
    decode_script,
    parse_json,
    parse_notebook_cells,
    parse_script_cells,
)


def read_answer(path: Path | str) -> AnswerFile:
    path = Path(path)
    require_suffix(path)
    content = read_plain(path, MAX_FILE_BYTES, follow_links=True)
    with _name_file_in_errors(path):
        if is_script(path):
            return parse_script(str(path), decode_script(content))
        return parse_notebook(str(path), parse_json(content))


def is_script(path: Path | str) -> bool:
    return Path(path).suffix.lower() == ".py"


def require_suffix(path: Path) -> None:
    if path.suffix.lower() not in (".py", ".ipynb"):
        raise UnreadableAnswer(f"{clean(path)} is neither a script (.py) nor a notebook (.ipynb)")


def parse_script(path: str, text: str) -> AnswerFile:
    with _name_file_in_errors(path):
        return AnswerFile(path, parse_script_cells(Path(path).name, text))


def parse_notebook(path: str, notebook: dict) -> AnswerFile:
    with _name_file_in_errors(path):
        return AnswerFile(path, parse_notebook_cells(notebook), True)


@contextlib.contextmanager
def _name_file_in_errors(path: Path | str) -> Iterator[None]:
    try:
        yield
    except UnreadableFile as error:
        raise UnreadableAnswer(f"{path} {error}") from None


@dataclass(frozen=True)
class Task:
    answer: AnswerFile
    chapter: Chapter
    exercises: tuple[Exercise, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer", self.answer.remove_leftover_stubs(self.chapter.exercises))

    @functools.cached_property
    def is_untouched(self) -> bool:
        return all(self.answer.is_untouched(exercise) for exercise in self.exercises)

    @functools.cached_property
    def libraries(self) -> tuple[str, ...]:
        return self.chapter.libraries_for(self.answer)


NEAR_SHARE = 0.75  # least similarity (0 to 1) of a name that is suggested for an unknown one


def make_folder_error(path: Path) -> UnreadableAnswer:
    return UnreadableAnswer(
        f"{path} does not exist in {Path.cwd()}: go to the folder that `attn start DIR` made, or anywhere in it, "
        "or name yours with --answers"
    )


def select_tasks(answers: Path, names: Collection[str] = ()) -> list[Task]:
    """Return the tasks in a folder of chapter files or in one file, for these exercises and chapters or for all.

    Raises `UnknownName` if a name is neither an exercise nor a chapter, `UnreadableAnswer` if a file cannot be read.
    """
    if not answers.exists():
        raise make_folder_error(answers)
    chapter_names = curriculum.CHAPTERS
    if names and set(names) <= set(chapter_names):  # All names are chapters, so no other chapter needs to be read.
        chapter_names = tuple(name for name in chapter_names if name in names)
    chapters = [find_chapter(name) for name in chapter_names]
    chosen_names = resolve_names(names, chapters)
    read_tasks = _read_tasks_in_folder if answers.is_dir() else _read_tasks_in_file
    tasks = read_tasks(answers, chapters, chosen_names)
    return [task for task in tasks if task.exercises]


def find_chapter(name: str) -> Chapter:
    if name in curriculum.CHAPTERS:
        return read_chapter(name)
    match = next((chapter for chapter in curriculum.CHAPTERS if name in read_chapter(chapter).names), None)
    advice = f" {name} is an exercise of {match}." if match else ""
    raise UnknownName(f"There is no chapter {name!r}.{advice} The chapters are {', '.join(curriculum.CHAPTERS)}.")


def find_answer(folder: Path, chapter: Chapter) -> Path | None:
    paths = (folder / f"{chapter.name}.py", folder / f"{chapter.name}.ipynb")
    return next((path for path in paths if path.exists()), None)


def find_exercise(chapters: Iterable[Chapter], name: str) -> Exercise:
    """Return the exercise with this name. Raises `UnknownName`, which suggests similar names, if there is none."""
    exercises = {exercise.name: exercise for chapter in chapters for exercise in chapter.exercises}
    if match := next((chapter for chapter in chapters if chapter.name == name), None):
        raise UnknownName(f"{name} is a chapter. Name one of its exercises: {', '.join(match.names)}.")
    if name not in exercises:
        raise UnknownName(_explain_unknown_name(name, exercises))
    return exercises[name]


def _explain_unknown_name(name: str, candidates: Iterable[str]) -> str:
    spellings = {name.lower(): name for name in candidates}
    matches = [spellings[match] for match in difflib.get_close_matches(name.lower(), spellings, 3, NEAR_SHARE)]
    chapters = f"The chapters are {', '.join(curriculum.CHAPTERS)}; `attn list CHAPTER` names the exercises of one."
    hint = f"Did you mean {' or '.join(matches)}?" if matches else chapters
    return f"There is no exercise or chapter {name!r}. {hint}"


def resolve_names(names: Collection[str], chapters: Iterable[Chapter]) -> set[str] | None:
    """Return the exercises that these names of exercises and chapters mean, or None if there are no names."""
    names_in = {chapter.name: {*chapter.names} for chapter in chapters}
    valid_names = set(names_in).union(*names_in.values())
    if unknown_names := [name for name in names if name not in valid_names]:
        raise UnknownName(_explain_unknown_name(unknown_names[0], valid_names))
    return set().union(*(names_in.get(name, {name}) for name in names)) or None


def _read_tasks_in_folder(folder: Path, chapters: Iterable[Chapter], chosen_names: set[str] | None) -> Iterator[Task]:
    paths = [(chapter, find_answer(folder, chapter)) for chapter in chapters]
    for chapter, path in paths:
        exercises = tuple(e for e in chapter.exercises if chosen_names is None or e.name in chosen_names)
        if path and exercises:
            yield Task(read_answer(path), chapter, exercises)
        elif exercises and chosen_names is not None:
            raise UnreadableAnswer(
                f"{folder / chapter.name}.py does not exist, and {exercises[0].name} belongs in it: "
                f"`attn reset {chapter.name}` writes it again"
            )
    if not any(path for _, path in paths):
        names = ", ".join(f"{chapter.name}.py" for chapter, _ in paths)
        raise UnreadableAnswer(f"{folder} contains no chapter file ({names}): name the folder or file of your answers")


def _read_tasks_in_file(path: Path, chapters: Sequence[Chapter], chosen_names: set[str] | None) -> list[Task]:
    answer = read_answer(path)
    named_after = [chapter for chapter in chapters if chapter.name == Path(path).stem]
    if chosen_names is None and any(e.name in answer.definitions for chapter in named_after for e in chapter.exercises):
        # The file's name decides, because the file may redefine an exercise of an earlier chapter.
        chapters = named_after
    names = answer.definitions if chosen_names is None else chosen_names
    tasks = [Task(answer, chapter, tuple(e for e in chapter.exercises if e.name in names)) for chapter in chapters]
    if not any(task.exercises for task in tasks):
        chapter = (named_after or chapters)[0]
        examples = ", ".join(chapter.names[:3])
        raise UnreadableAnswer(f"{path} defines no exercise of the course ({examples}, ...): is it the right file?")
    return tasks
