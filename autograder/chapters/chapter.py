"""A chapter and its exercises, read from the one source in `solutions/`."""

import ast
import functools
import math
import re
from dataclasses import dataclass

from autograder.chapters import curriculum
from autograder.chapters.cells import header_of, read_cells
from autograder.chapters.errors import ChapterError

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"  # nbgrader's own markers
REMEMBERED = 256  # cells, of which one answer asks again and again
_SLOW = {"torch": "torch", "seaborn": "seaborn", "matplotlib": "matplotlib.pyplot"}  # imported -> what takes long
_LEVELS = (10, "easy"), (25, "medium"), (math.inf, "hard")  # minutes at most -> what that is called
STUB = ("# TODO: your code here, in place of the next line.", "raise NotImplementedError")


@dataclass(frozen=True)
class Exercise:
    """One function or class that learners write.

    Attributes
    ----------
    name, chapter : str
        The name is the exercise's id everywhere.
    points : int
        What its suite's tests add up to.
    source, stub : str
        The cell with the reference body, and without it.
    hints : tuple of str
        From a nudge to the last step before the answer.
    bans : tuple of str
        Names of ready-made functions that would defeat the exercise.
    seconds : int or None
        How long an answer may take in all, and a quarter of it in one call, where that is more than usual: those
        that train.
    shows : tuple of str
        What rows and columns of the result are, for pictures of a wrong one; empty for "row" and "column".
    minutes : int or None
        How long it takes most people, about.
    """

    name: str
    chapter: str
    points: int
    source: str
    stub: str
    hints: tuple
    bans: tuple = ()
    seconds: int | None = None
    shows: tuple = ()
    minutes: int | None = None

    @property
    def effort(self):
        """How long it takes and how hard it is, in words; empty where nobody has said."""
        if self.minutes is None:
            return ""
        return f"about {self.minutes} minutes, {next(name for most, name in _LEVELS if self.minutes <= most)}"

    @property
    def solution(self):
        """The source without nbgrader's markers, as somebody would have typed it."""
        return without_markers(self.source)

    @property
    def summary(self):
        """The first line of its docstring."""
        node = next(each for each in ast.parse(self.stub).body if getattr(each, "name", "") == self.name)
        return (ast.get_docstring(node) or "").partition("\n")[0]


@dataclass(frozen=True)
class Chapter:
    """One file of the course: its cells in order and the exercises among them."""

    name: str
    title: str
    header: str
    cells: tuple
    exercises: tuple

    def exercise(self, name):
        return next(exercise for exercise in self.exercises if exercise.name == name)

    def after(self, name):
        """What was the point of an exercise, or of the chapter under its own name, for those who have done it."""
        return " ".join(" ".join(cell.source for cell in self.cells if cell.options.get("after") == name).split())

    @functools.cached_property
    def libraries(self):
        """Libraries slow to import that the chapter's code needs, pictures aside."""
        return slow_libraries(cell.source for cell in self.cells if cell.kind == "code")

    def libraries_for(self, answer):
        """The same with those that an answer imports besides."""
        return slow_libraries((cell.source for cell in answer.cells), self.libraries)


def slow_libraries(sources, needed=()):
    """Those of the libraries that some code imports which a worker should have at hand before it starts."""
    imports = re.findall(r"^ *(?:import|from) (\w+)", "\n".join(sources), re.MULTILINE)
    found = [library for name, library in _SLOW.items() if name in imports or library in needed]
    return tuple(name for name in found if name != "matplotlib.pyplot" or "seaborn" not in found)  # which imports it


def read_chapter(name):
    """The chapter of that name."""
    return _read(curriculum.solution_of(name), name)


@functools.cache
def _read(path, name):
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ChapterError(
            f"{path} cannot be read ({error.strerror}): write the chapter, or take it out of "
            "autograder/chapters/curriculum.py"
        ) from None
    return parse_chapter(name, text)


def is_aside(cell):
    """Whether a cell is shown when its time has come and is no part of the chapter's text: a hint, or a word after."""
    return bool({"hint", "after"} & set(cell.options))


def parse_chapter(name, text):
    """The chapter that a script's text gives; `ChapterError` names the line of what is wrong with it."""
    cells = tuple(read_cells(text))
    hints = {}
    for cell in cells:
        if "hint" in cell.options:
            hints.setdefault(cell.options["hint"], []).append(cell.source)
    exercises = tuple(_exercise(name, cell, hints) for cell in cells if "exercise" in cell.options)
    names = {exercise.name for exercise in exercises}
    if stray := set(hints) - names:
        raise ChapterError(f"solutions/{name}.py: hint for {min(stray)!r}, which is no exercise of the chapter")
    if stray := {cell.options["after"] for cell in cells if "after" in cell.options} - names - {name}:
        raise ChapterError(f"solutions/{name}.py: after={min(stray)!r}, which is no exercise of the chapter")
    title = next((m[1] for cell in cells if (m := re.match(r"#+ (.+)", cell.source))), name)
    return Chapter(name, title, header_of(text), cells, exercises)


def _exercise(chapter, cell, hints):
    place = f"solutions/{chapter}.py:{cell.line}"
    exercise, points = cell.options["exercise"], cell.options.get("points")
    if not isinstance(points, int) or points <= 0:
        raise ChapterError(f"{place}: exercise {exercise!r} needs points=N on its marker line")
    if exercise not in definitions(cell.source):
        raise ChapterError(f"{place}: the cell of exercise {exercise!r} does not define it")
    bans = tuple(cell.options.get("bans", "").split())
    if unsaid := [ban for ban in bans if ban not in cell.source]:
        raise ChapterError(f"{place}: the text of {exercise!r} does not say that {unsaid[0]} is banned")
    for option in ("seconds", "minutes"):
        number = cell.options.get(option)
        if not (number is None or (isinstance(number, int) and number > 0)):
            raise ChapterError(f"{place}: exercise {exercise!r} needs {option}=N on its marker line, or none")
    stub = cleared(cell.source, place)
    shows = tuple(cell.options.get("shows", "").split())
    seconds, minutes = cell.options.get("seconds"), cell.options.get("minutes")
    told = tuple(hints.get(exercise, ()))
    return Exercise(exercise, chapter, points, cell.source, stub, told, bans, seconds, shows, minutes)


def without_markers(source):
    """A cell without nbgrader's markers."""
    return "\n".join(line for line in source.splitlines() if BEGIN not in line and END not in line)


def cleared(source, place):
    """The source with every solution region replaced by the stub, as nbgrader's ClearSolutions would.

    Raises
    ------
    ChapterError
        Where markers are nested, unclosed or missing, which would leak an answer.
    """
    lines, inside, regions = [], False, 0
    for number, line in enumerate(source.splitlines()):
        if BEGIN in line:
            if inside:
                raise ChapterError(f"{place}: {BEGIN} inside a solution (line {number + 1} of the cell)")
            inside, regions = True, regions + 1
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub for stub in STUB]
        elif END in line:
            if not inside:
                raise ChapterError(f"{place}: {END} without {BEGIN} (line {number + 1} of the cell)")
            inside = False
        elif not inside:
            lines.append(line)
    if inside or not regions:
        raise ChapterError(f"{place}: {BEGIN} has no {END}" if inside else f"{place}: no {BEGIN} in the exercise")
    return "\n".join(lines)


@functools.lru_cache(REMEMBERED)
def definitions(source):
    """Names that a cell defines at its top level, with the line of each; by eye where it does not parse."""
    try:
        body = list(statements(ast.parse(source).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = re.finditer(r"^(?:async\s+def|def|class)\s+(\w+)", source, re.MULTILINE)
        return {match[1]: source.count("\n", 0, match.start()) + 1 for match in found}
    names = {}
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[node.name] = node.lineno
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id: node.lineno for target in targets if isinstance(target, ast.Name)}
    return names


@functools.lru_cache(REMEMBERED)
def first_line(source, name):
    """The line of a cell in which a definition begins to do something: at the `raise` of a stub, if it holds one."""
    try:
        found = next(node for node in ast.parse(source).body if getattr(node, "name", None) == name)
    except (SyntaxError, ValueError, RecursionError, MemoryError, StopIteration):
        return definitions(source)[name]
    raised = [node.lineno for node in ast.walk(found) if isinstance(node, ast.Raise) and _is_stub(node)]
    while getattr(found, "body", None) and isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        has_text = ast.get_docstring(found, clean=False) is not None and len(found.body) > 1
        found = found.body[has_text]
    return min(raised, default=found.lineno)


def _is_stub(node):
    return ast.unparse(node) == STUB[1]


def statements(body):
    """Statements of a module, also those under an `if`, a `try` and the like."""
    for node in body:
        yield node
        for inner in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.Try, ast.With, ast.For, ast.While)):
                yield from statements(getattr(node, inner, []))


@functools.lru_cache(REMEMBERED)
def docstring_lines(source):
    """Numbers of the lines on which docstrings stand; none where the source cannot be parsed."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    nodes = [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    texts = [node.body[0] for node in nodes if ast.get_docstring(node, clean=False) is not None]
    return frozenset(line for text in texts for line in range(text.lineno, text.end_lineno + 1))


@functools.lru_cache(REMEMBERED)
def fingerprint(source, name):
    """What a definition does, without docstrings, comments and layout; None where it is not there or unreadable."""
    try:
        return _fingerprint(ast.parse(source), name)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _fingerprint(tree, name):
    for node in tree.body:
        if getattr(node, "name", None) == name:
            for inner in ast.walk(node):
                if (
                    isinstance(inner, (ast.FunctionDef, ast.ClassDef))
                    and ast.get_docstring(inner, clean=False) is not None
                ):
                    inner.body = inner.body[1:]
            return ast.dump(node)
    return None
