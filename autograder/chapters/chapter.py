"""A chapter and its exercises, parsed from its source in `solutions/`."""

import ast
import functools
import math
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import ChapterError, reason_of
from autograder.chapters.extras import is_installed
from autograder.worker.reading.answers import AnswerFile, ExerciseSpec
from autograder.worker.reading.cells import Cell, CodeCell, read_cells, read_header
from autograder.worker.reading.definitions import find_definitions

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"  # nbgrader's markers
# Imported name -> the module that is slow to import.
_SLOW = {"torch": "torch", "seaborn": "seaborn", "matplotlib": "matplotlib.pyplot"}
_LEVELS = (10, "easy"), (25, "medium"), (math.inf, "hard")  # (maximum number of minutes, level)
STUB = ("# TODO: your code here, in place of the next line.", "raise NotImplementedError")


@dataclass(frozen=True, kw_only=True)
class Exercise(ExerciseSpec):
    """An exercise. Its name is unique, and its stub is the cell without the reference body."""

    chapter: str
    points: int  # sum of the points of its tests
    source: str = ""  # the cell in the chapter, with the reference body
    hints: tuple[str, ...] = ()  # in order, from vague to nearly the answer
    seconds: int | None = None  # time limit for all calls (one call gets a quarter); None for the default
    shows: tuple[str, ...] = ()  # names for the rows and columns of its result in pictures
    minutes: int | None = None  # time that most learners need

    @property
    def effort(self) -> str:
        """Return time and difficulty in words, such as "about 10 minutes, easy", or "" if the time is unknown."""
        if self.minutes is None:
            return ""
        return f"about {self.minutes} minutes, {next(name for limit, name in _LEVELS if self.minutes <= limit)}"

    @property
    def solution(self) -> str:
        """Return the cell with the reference body, without nbgrader's markers."""
        return remove_markers(self.source)

    @property
    def summary(self) -> str:
        for node in ast.parse(self.stub).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == self.name:
                return (ast.get_docstring(node) or "").partition("\n")[0]
        return ""


@dataclass(frozen=True)
class Chapter:
    """A chapter of the course: its cells in order, and the exercises in them."""

    name: str
    title: str
    header: str
    cells: tuple[Cell, ...]
    exercises: tuple[Exercise, ...]

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(exercise.name for exercise in self.exercises)

    def get_exercise(self, name: str) -> Exercise:
        return next(exercise for exercise in self.exercises if exercise.name == name)

    def afterword_of(self, name: str) -> str:
        """Return the text to show when an exercise (or the chapter, if `name` is its name) is done."""
        return " ".join(" ".join(cell.source for cell in self.cells if cell.options.get("after") == name).split())

    @functools.cached_property
    def code_cells(self) -> tuple[CodeCell, ...]:
        """Return the chapter's code cells, solutions included, as cells of an answer."""
        place = str(curriculum.solution_of(self.name))
        return tuple(CodeCell(place, cell.line, cell.source) for cell in self.cells if cell.kind == "code")

    @functools.cached_property
    def libraries(self) -> tuple[str, ...]:
        """Return the slow-to-import libraries of the chapter's code, without those that only its pictures need."""
        return find_slow_libraries(cell.source for cell in self.code_cells)

    def libraries_for(self, answer: AnswerFile) -> tuple[str, ...]:
        """Return the slow-to-import libraries of the chapter, and the installed ones that only the answer imports."""
        libraries = find_slow_libraries((cell.source for cell in answer.cells), self.libraries)
        return tuple(name for name in libraries if name in self.libraries or is_installed(name.partition(".")[0]))


def find_slow_libraries(sources: Iterable[str], needed: Collection[str] = ()) -> tuple[str, ...]:
    """Return the slow-to-import libraries in these sources, and the `needed` ones. A zygote imports them in advance."""
    imports = re.findall(r"^ *(?:import|from) (\w+)", "\n".join(sources), re.MULTILINE)
    libraries = [library for name, library in _SLOW.items() if name in imports or library in needed]
    has_seaborn = "seaborn" in libraries  # seaborn imports matplotlib
    return tuple(name for name in libraries if name != "matplotlib.pyplot" or not has_seaborn)


def read_chapter(name: str) -> Chapter:
    return _read_chapter_file(curriculum.solution_of(name), name)


@functools.cache
def _read_chapter_file(path: Path, name: str) -> Chapter:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ChapterError(
            f"{path} cannot be read ({reason_of(error)}): write the chapter, or take it out of "
            "autograder/chapters/curriculum.py"
        ) from None
    return parse_chapter(name, text)


def is_aside(cell: Cell) -> bool:
    """Return whether a cell is a hint or an afterword. Such cells are not part of the chapter's text."""
    return bool({"hint", "after"} & set(cell.options))


def parse_chapter(name: str, text: str) -> Chapter:
    cells = tuple(read_cells(text))
    hints = {}
    for cell in cells:
        if "hint" in cell.options:
            hints.setdefault(cell.options["hint"], []).append(cell.source)
    exercises = tuple(_parse_exercise(name, cell, hints) for cell in cells if "exercise" in cell.options)
    names = {exercise.name for exercise in exercises}
    if stray := set(hints) - names:
        raise ChapterError(f"solutions/{name}.py: hint for {min(stray)!r}, which is not an exercise of the chapter")
    if stray := {cell.options["after"] for cell in cells if "after" in cell.options} - names - {name}:
        raise ChapterError(f"solutions/{name}.py: after={min(stray)!r}, which is not an exercise of the chapter")
    title = next((m[1] for cell in cells if (m := re.match(r"#+ (.+)", cell.source))), name)
    return Chapter(name, title, read_header(text), cells, exercises)


def _parse_exercise(chapter: str, cell: Cell, hints: dict[str, list[str]]) -> Exercise:
    place = f"solutions/{chapter}.py:{cell.line}"
    exercise, points = cell.options["exercise"], cell.options.get("points")
    if not isinstance(points, int) or points <= 0:
        raise ChapterError(f"{place}: exercise {exercise!r} needs points=N on its marker line")
    if exercise not in find_definitions(cell.source):
        raise ChapterError(f"{place}: the cell of exercise {exercise!r} does not define it")
    bans = tuple(cell.options.get("bans", "").split())
    if missing := [ban for ban in bans if ban not in cell.source]:
        raise ChapterError(f"{place}: the text of {exercise!r} does not say that {missing[0]} is banned")
    for option in ("seconds", "minutes"):
        number = cell.options.get(option)
        if not (number is None or (isinstance(number, int) and number > 0)):
            raise ChapterError(f"{place}: exercise {exercise!r} needs {option}=N on its marker line, or none")
    return Exercise(
        exercise,
        clear_solution(cell.source, place),
        bans,
        chapter=chapter,
        points=points,
        source=cell.source,
        hints=tuple(hints.get(exercise, ())),
        seconds=cell.options.get("seconds"),
        shows=tuple(cell.options.get("shows", "").split()),
        minutes=cell.options.get("minutes"),
    )


def remove_markers(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if BEGIN not in line and END not in line)


def clear_solution(source: str, place: str) -> str:
    """Replace each solution region with the stub. Raises `ChapterError` if a marker is missing or misplaced."""
    lines: list[str] = []
    is_inside, regions = False, 0
    for number, line in enumerate(source.splitlines()):
        if BEGIN in line:
            if is_inside:
                raise ChapterError(f"{place}: {BEGIN} inside a solution (line {number + 1} of the cell)")
            is_inside, regions = True, regions + 1
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub for stub in STUB]
        elif END in line:
            if not is_inside:
                raise ChapterError(f"{place}: {END} without {BEGIN} (line {number + 1} of the cell)")
            is_inside = False
        elif not is_inside:
            lines.append(line)
    if is_inside or not regions:
        raise ChapterError(f"{place}: {BEGIN} has no {END}" if is_inside else f"{place}: no {BEGIN} in the exercise")
    return "\n".join(lines)
