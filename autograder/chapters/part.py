"""A part of a chapter: some exercises, and the other cells that are needed to read and run them."""

import ast
import builtins
import functools
import re
from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, Exercise, read_chapter
from autograder.worker.reading.answers import CodeCell
from autograder.worker.reading.cells import Cell
from autograder.worker.reading.reach import build_call_graph, find_bound_names

# In prose, only names in backticks or fences are exercises: "peaks" is also a word.
_CODE = re.compile(r"```.*?```|`[^`]+`", re.DOTALL)


@dataclass(frozen=True)
class Part:
    chapter: Chapter
    exercises: tuple[Exercise, ...]  # the chosen ones, in the chapter's order
    given: tuple[Exercise, ...]  # exercises given solved, because chosen ones call them or share a section with them
    cells: tuple[Cell, ...]  # sections with a chosen exercise, without mentions of exercises that are left out

    def build_given_code(self) -> tuple[CodeCell, ...]:
        """Return the code cells to run before an answer: given exercises with their imports. Usually there are none."""
        if not self.given:
            return ()
        solved = {exercise.name: exercise.solution for exercise in self.given}
        cells = [cell for cell in self.cells if cell.kind == "code"]
        sources = [
            solved.get(cell.options["exercise"]) if "exercise" in cell.options else cell.source for cell in cells
        ]
        return tuple(CodeCell("given", 1, source) for source in sources if source)


def build_part(name: str, chosen: Collection[str] | None = None) -> Part:
    """Return the part of a chapter with these exercises, or the whole chapter if none are named."""
    names = {*read_chapter(name).names}
    return _build_part(curriculum.solution_of(name), name, frozenset(names if chosen is None else names & set(chosen)))


@functools.lru_cache(64)
def _build_part(path: Path, name: str, chosen: frozenset[str]) -> Part:
    chapter = read_chapter(name)
    every = {exercise.name: exercise for exercise in chapter.exercises}
    if len(chosen) == len(every):
        return Part(chapter, chapter.exercises, (), chapter.cells)
    sections, uses = _split_sections(chapter.cells), _References(chapter)
    kept_sections = [section for section in sections if section is sections[0] or chosen & _find_exercises(section)]
    kept_cells = [cell for section in kept_sections for cell in section]
    there = uses.add_dependencies(chosen.union(_find_exercises(kept_cells), *map(uses.find_required, kept_cells)))
    cells: list[Cell] = []
    for section in sections:
        cells += _keep_needed_cells(section, section in kept_sections, there, uses)
    needed = tuple(exercise for exercise in chapter.exercises if exercise.name in there - chosen)
    exercises = tuple(exercise for exercise in chapter.exercises if exercise.name in chosen)
    return Part(chapter, exercises, needed, tuple(_keep_running_cells(cells)))


def _keep_running_cells(cells: Iterable[Cell]) -> Iterator[Cell]:
    """Yield the cells, except for code that uses a name which no cell above it binds."""
    bound = {*dir(builtins), "get_ipython"}
    for cell in cells:
        if cell.kind != "markdown":
            used, binds = _find_names(cell.source)
            if "exercise" not in cell.options and used - binds - bound:
                continue
            bound |= binds
        yield cell


def _find_names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that code reads and the names that it binds, at any depth."""
    tree = ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", source))
    used, binds = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else binds).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            binds.add(node.name)
        elif isinstance(node, ast.arg):
            binds.add(node.arg)
        elif isinstance(node, ast.alias):
            binds.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            binds.add(node.name)
    return used, binds


def _split_sections(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Return the cells as lists, each from one second-level heading to the next."""
    sections: list[list[Cell]] = [[]]
    for cell in cells:
        if cell.kind == "markdown" and cell.source.startswith("## "):
            sections.append([])
        sections[-1].append(cell)
    return sections


def _find_exercises(section: list[Cell]) -> set[str]:
    return {cell.options["exercise"] for cell in section if "exercise" in cell.options}


def _keep_needed_cells(section: list[Cell], is_kept: bool, there: Set[str], uses: "_References") -> list[Cell]:
    if not is_kept and (_find_exercises(section) or any(uses.find_required(cell) - there for cell in section)):
        # Keeps imports, and solutions that other sections need.
        section = [cell for cell in section if cell.kind == "code"]
    return [remainder for cell in section if (remainder := _drop_missing_references(cell, there, uses))]


def _drop_missing_references(cell: Cell, there: Set[str], uses: "_References") -> Cell | None:
    """Return the cell without paragraphs that name a missing exercise, or None if nothing remains."""
    if "exercise" in cell.options:
        return cell if cell.options["exercise"] in there else None
    if cell.kind != "markdown":
        return None if uses.find_names(cell.source) - there else cell
    named = {text: uses.find_names(" ".join(_CODE.findall(text))) for text in cell.source.split("\n\n")}
    paragraphs = [text for text, names in named.items() if not names - there]
    return replace(cell, source="\n\n".join(paragraphs)) if paragraphs else None


class _References:
    """Finds the exercises of a chapter that a cell mentions or calls."""

    def __init__(self, chapter: Chapter) -> None:
        self.names = {*chapter.names}
        self.stubs = {exercise.name: exercise.stub for exercise in chapter.exercises}
        self.statements = build_call_graph(chapter.code)

    def find_required(self, cell: Cell) -> set[str]:
        """Return the exercises that a picture cell calls, or that a paragraph "What is graded" in prose names."""
        if cell.kind == "picture":
            return self.find_names(cell.source)
        paragraphs = cell.source.split("\n\n") if cell.kind == "markdown" else ()
        return set().union(*(self.find_names(text) for text in paragraphs if text.startswith("**What is graded")))

    def find_names(self, text: str) -> set[str]:
        return self.names & set(re.findall(r"\w+", text))

    def add_dependencies(self, names: Iterable[str]) -> set[str]:
        """Return the names, and recursively the exercises that their code or their docstrings use."""
        closure, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            if name not in closure:
                closure.add(name)
                bound = set().union(*(find_bound_names(node) for _, node in self.statements.find_used_statements(name)))
                waiting += (self.names & bound) | self.find_names(self.stubs[name])
        return closure
