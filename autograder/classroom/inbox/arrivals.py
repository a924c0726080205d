"""A search for each chapter's notebook in a submission, under any name.

nbgrader only looks for `one_query.ipynb`. Browsers, Windows and learning platforms rename it to `one_query(1).ipynb`,
`One_Query.ipynb` or `one_query - Copy.ipynb`, and learners submit scripts. Submitted files are not edited. Instead, a
notebook with the expected name is created next to them whenever the folder is examined.
"""

import errno
import itertools
import os
import re
import stat
import time
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograder.api import ARRIVED_AS, CodeCell, examine_notebook, is_converted, read_file
from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.errors import UnreadableAnswer, reason_of
from autograder.chapters.files import write_file
from autograder.chapters.text import clean
from autograder.classroom.course.course import Course
from autograder.classroom.course.plan import find_chapter_of_file
from autograder.classroom.gradebook.queries import read_released_notebooks

MAX_FILES = 200  # files in one submission
# Some browsers save a notebook as one_query.ipynb.json or one_query.ipynb.txt.
READABLE = (".ipynb", ".json", ".txt", ".py")
SET_ASIDE = " (set aside)"
_KINDS = {stat.S_IFREG: "", stat.S_IFDIR: "", stat.S_IFLNK: "a link", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
MAX_SECONDS = 5.0  # limit for reading all files of a submission that have unexpected names


def find_all_notebooks(course: Course, assignments: list[str]) -> list[str]:
    """Give every submission a notebook for each chapter. Return sentences for the teacher about unexpected files."""
    notes: list[str] = []
    for name in assignments:
        released = read_released_notebooks(course.query, name)
        exercises = {chapter: {*notebook.points} for chapter, notebook in released.items()}
        for student in course.list_students(name):
            folder = course.folder_of("submitted", student, name)
            try:
                sentences = itertools.chain.from_iterable(find_notebooks(folder, exercises).values())
                notes += [f"{student}: {sentence}" for sentence in sentences]
            except OSError as error:
                notes.append(f"{student}: {error.filename or folder} cannot be read or written: {reason_of(error)}")
    return notes


def find_notebooks(folder: Path, exercises: dict[str, set[str]]) -> dict[str, list[str]]:
    """Give a submission a notebook for each chapter. Return chapter -> sentences, with "" for the whole submission.

    If several files answer a chapter, the one with the most started exercises counts, because browsers and platforms
    add an unchanged original. Among equal files, the one with the expected name counts.

    `exercises`: chapter -> the exercises that count, without those whose solutions are given.
    """
    notes = {"": _remove_special_files(folder)}
    places = {chapter: folder / f"{chapter}.ipynb" for chapter in exercises}
    notes[""] += _set_aside_misnamed(places, exercises)
    present = {chapter: place for chapter, place in places.items() if place.exists() and not is_copy(place)}
    other_files = [path for path in _list_submitted_files(folder) if path not in places.values()]
    if not other_files and len(present) == len(places):
        return notes
    missing = [chapter for chapter in places if chapter not in present]
    answers_of, problems = _read_answers(folder, [*present.values(), *other_files], missing, exercises)
    notes[""] += problems
    for chapter, place in places.items():
        answers = answers_of.get(chapter, [])
        best = answers[0] if answers else None
        if best and best.path != place:
            if chapter in present:
                new_path = place.rename(_find_free_path(place.with_name(f"{place.stem}{SET_ASIDE}{place.suffix}")))
                answers = [replace(each, path=new_path) if each.path == place else each for each in answers]
            arrived_as = clean(best.path.relative_to(folder))
            notes[chapter] = [f"{chapter}.ipynb was handed in as {arrived_as}"]
            _write_copy(place, best.cells, "", arrived_as)
        elif chapter in missing:
            _write_copy(place, [], f"the notebook {chapter}.ipynb was not handed in", "")
        if best and (other_answers := [each for each in answers[1:] if each.counts and each.cells != best.cells]):
            names = ", ".join(sorted(clean(answer.path.relative_to(folder)) for answer in other_answers))
            notes.setdefault(chapter, []).append(
                f"several files were handed in for {chapter}: {clean(best.path.relative_to(folder))} counts, and "
                f"none of the others has more exercises started ({names})"
            )
    return notes


def find_chapters(folder: Path, chapters: Collection[str]) -> set[str]:
    """Return the chapters that the files in a folder answer, by their names, or else by what they define."""
    paths = [path for path in _list_submitted_files(folder) if path.suffix.lower() in READABLE and not is_copy(path)]
    known = [*chapters]
    by_name = {path: _guess_chapter(path, set(), known) for path in paths}
    names = {name or _guess_chapter(path, {*read_file(path, MAX_SECONDS)[2]}, known) for path, name in by_name.items()}
    return {chapter for chapter in names if chapter}


@dataclass(frozen=True)
class _Answer:
    path: Path
    cells: list[tuple[str, dict[str, Any], str]]
    begun: int  # number of exercises whose stub was changed
    defined: int  # number of exercises that are defined, even if only by their stub
    is_original: bool  # whether the file has the expected name

    @property
    def counts(self) -> bool:
        return self.is_original or self.defined > 0

    @property
    def rank(self) -> tuple[int, bool, int, float]:
        """Return the sort key: started exercises, the expected name, defined exercises, the time of the last change."""
        return self.begun, self.is_original, self.defined, self.path.stat().st_mtime


def _read_answers(
    folder: Path, files: list[Path], missing: list[str], exercises: dict[str, set[str]]
) -> tuple[dict[str, list[_Answer]], list[str]]:
    """Return chapter -> files that answer it, the best first, and a sentence if the time ran out before the last."""
    answers: dict[str, list[_Answer]] = defaultdict(list)
    problems: list[str] = []
    end, originals = time.monotonic() + MAX_SECONDS, [folder / f"{name}.ipynb" for name in exercises]
    for path in (path for path in files if path.suffix.lower() in READABLE):
        if (seconds_left := end - time.monotonic()) <= 0:
            reason = f"the files before it took {MAX_SECONDS:.0f} seconds"
            problems.append(f"{path.relative_to(folder)} was not read: {reason}")
            break
        cells, problem, defined_names = read_file(path, seconds_left)
        if problem and path not in originals:
            continue
        names = set(defined_names)
        # The cells of a missing notebook may be in the notebook of another chapter.
        chapters = {_guess_chapter(path, names, [*exercises]), _guess_chapter(path, names, missing)}
        chapters |= {other for other in missing if _is_half_of(names, exercises[other])}
        for name in filter(None, chapters):
            begun_cells = exercises[name].intersection(list_begun(path, cells, name, max(0.1, end - time.monotonic())))
            is_original = path == folder / f"{name}.ipynb"
            defined_count = len(_find_exercises(names, name))
            answers[name].append(_Answer(path, cells, len(begun_cells), defined_count, is_original))
    ranked = {name: sorted(entries, key=lambda each: each.rank, reverse=True) for name, entries in answers.items()}
    return ranked, problems


def _is_half_of(names: set[str], exercises: set[str]) -> bool:
    """Return whether at least half of a chapter's exercises are among these names."""
    return bool(exercises) and 2 * len(names & exercises) >= len(exercises)


def _set_aside_misnamed(places: dict[str, Path], exercises: dict[str, set[str]]) -> list[str]:
    """Rename notebooks that contain a chapter other than the one in their names, and return sentences about them."""
    files = {name: place for name, place in places.items() if place.is_file() and not place.is_symlink()}
    names = {name: set(read_file(path)[2]) for name, path in files.items() if len(exercises) > 1 and not is_copy(path)}
    sentences = list[str]()
    for name, names_inside in names.items():
        matches = [other for other in exercises if other != name and _is_half_of(names_inside, exercises[other])]
        if matches and not _find_exercises(names_inside, name):
            new_path = files[name].rename(_find_free_path(files[name].with_name(f"{name}{SET_ASIDE}.ipynb")))
            sentences.append(f"{name}.ipynb contains the exercises of {matches[0]}: renamed to {new_path.name}")
    return sentences


def list_begun(
    path: Path, cells: list[tuple[str, dict[str, Any], str]], chapter: str, seconds: float = MAX_SECONDS
) -> list[str]:
    """Return the exercises of a chapter whose stub was changed in these cells."""
    code = [CodeCell(f"cell {i}", 1, source) for i, (kind, _, source) in enumerate(cells, 1) if kind == "code"]
    if not (exercises := _read_exercises(chapter)):
        return []
    try:
        return examine_notebook(path.name, code, read_chapter(chapter), seconds=seconds).list_begun(exercises)
    except UnreadableAnswer:
        return []


def _write_copy(place: Path, cells: list[tuple[str, dict[str, Any], str]], reason: str, arrived_as: str) -> None:
    """Write a notebook with these cells. Its metadata has the submitted file's name or, without cells, the reason."""
    import nbformat  # noqa: PLC0415  (slow to import)

    from autograder.classroom.release.restore import make_notebook  # noqa: PLC0415

    notebook = make_notebook(cells, reason)
    notebook.metadata[ARRIVED_AS] = arrived_as
    write_file(place, nbformat.writes(notebook))


def remove_copy_suffix(name: str) -> str:
    """Return the name under which a file was submitted, before it was set aside."""
    return re.sub(rf"{re.escape(SET_ASIDE)}(-\d+)?\.ipynb$", ".ipynb", name)


def is_copy(path: Path) -> bool:
    """Return whether a file is a notebook that the grader, not the learner, has created."""
    return path.suffix == ".ipynb" and is_converted(path)


def _list_submitted_files(folder: Path) -> list[Path]:
    """Return up to `MAX_FILES` files that a learner submitted, without links, hidden files and given files."""
    files = []
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_symlink() or not path.is_file() or any(part.startswith((".", "__")) for part in parts):
            continue
        if parts[0] != "given" and parts != ("timestamp.txt",) and parts != ("submission_secret.txt",):
            files.append(path)
        if len(files) == MAX_FILES:
            break
    return files


def _guess_chapter(path: Path, names: set[str], chapters: list[str]) -> str | None:
    """Return the chapter that a file answers, by its name, else by the `names` that it defines, or None."""
    if match := find_chapter_of_file(path.stem, chapters):
        return match
    ranked = sorted(chapters, key=lambda chapter: len(_find_exercises(names, chapter)), reverse=True)
    return ranked[0] if ranked and _find_exercises(names, ranked[0]) else None


def _find_exercises(names: set[str], chapter: str) -> set[str]:
    return names & {exercise.name for exercise in _read_exercises(chapter)}


def _read_exercises(chapter: str) -> tuple[Exercise, ...]:
    return read_chapter(chapter).exercises if curriculum.solution_of(chapter).exists() else ()


def _remove_special_files(folder: Path) -> list[str]:
    """Remove links, pipes, devices and sockets from a submission, and return sentences for the teacher.

    Names that are not valid text are changed. Raises `OSError` if the folder is a link.
    """
    if folder.is_symlink() or folder.parent.is_symlink():
        raise OSError(errno.ELOOP, "it is a link, and its target was not handed in", str(folder))
    sentences = []
    for top, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(top, name)
            if kind := _KINDS.get(stat.S_IFMT(os.lstat(path).st_mode), "a device"):
                os.unlink(path)
                sentences.append(f"{path.relative_to(folder)} was {kind}, and no file that was handed in: taken out")
            elif (readable_name := os.fsencode(name).decode("utf-8", "replace")) != name:
                path = path.rename(_find_free_path(Path(top, readable_name)))
                folders.append(path.name)
                sentences.append(f"{path.relative_to(folder)} is a new name, because the old one was not text")
        folders[:] = [name for name in folders if Path(top, name).is_dir()]
    return sentences


def _find_free_path(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}{f'-{number}' * (number > 0)}{path.suffix}") for number in itertools.count())
    return next(name for name in names if not os.path.lexists(name))
