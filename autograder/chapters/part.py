"""Part of a chapter: some exercises, and as much of the rest as is needed to read, run and understand them."""

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
from autograder.worker.reading.reach import call_graph_of, names_bound

# In prose a name is an exercise's where it is code: "peaks" is a word.
_CODE = re.compile(r"```.*?```|`[^`]+`", re.DOTALL)


@dataclass(frozen=True)
class Part:
    chapter: Chapter
    exercises: tuple[Exercise, ...]  # the chosen ones, in the chapter's order
    given: tuple[Exercise, ...]  # given solved: chosen ones call them, or share a section with them
    cells: tuple[Cell, ...]  # sections with a chosen exercise, without mentions of exercises that are left out

    def given_code(self) -> tuple[CodeCell, ...]:
        """Return the code cells to run before an answer: what is given, with its imports. They are usually none."""
        if not self.given:
            return ()
        solved = {exercise.name: exercise.solution for exercise in self.given}
        cells = [cell for cell in self.cells if cell.kind == "code"]
        sources = [
            solved.get(cell.options["exercise"]) if "exercise" in cell.options else cell.source for cell in cells
        ]
        return tuple(CodeCell("given", 1, source) for source in sources if source)


def part_of(name: str, chosen: Collection[str] | None = None) -> Part:
    """Return the part of a chapter with these exercises, or the whole chapter if none are named."""
    names = {*read_chapter(name).names}
    return _part(curriculum.solution_of(name), name, frozenset(names if chosen is None else names & set(chosen)))


@functools.lru_cache(64)
def _part(path: Path, name: str, chosen: frozenset[str]) -> Part:
    chapter = read_chapter(name)
    every = {exercise.name: exercise for exercise in chapter.exercises}
    if len(chosen) == len(every):
        return Part(chapter, chapter.exercises, (), chapter.cells)
    sections, uses = _sections(chapter.cells), _Uses(chapter)
    kept_sections = [section for section in sections if section is sections[0] or chosen & _exercises_in(section)]
    there = chosen.union(*map(_exercises_in, kept_sections))
    there = uses.close_over(there.union(*(uses.exercises_of(cell) for section in kept_sections for cell in section)))
    cells = [cell for section in sections for cell in _remaining_cells(section, section in kept_sections, there, uses)]
    needed = tuple(exercise for exercise in chapter.exercises if exercise.name in there - chosen)
    exercises = tuple(exercise for exercise in chapter.exercises if exercise.name in chosen)
    return Part(chapter, exercises, needed, tuple(_running_cells(cells)))


def _running_cells(cells: Iterable[Cell]) -> Iterator[Cell]:
    """Yield the cells that can run: those that use a name which no cell above binds are left out."""
    bound = {*dir(builtins), "get_ipython"}
    for cell in cells:
        if cell.kind != "markdown":
            used, binds = _names_used(cell.source)
            if "exercise" not in cell.options and used - binds - bound:
                continue
            bound |= binds
        yield cell


def _names_used(source: str) -> tuple[set[str], set[str]]:
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


def _sections(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Return the cells as lists, each from one second-level heading to the next."""
    sections: list[list[Cell]] = [[]]
    for cell in cells:
        if cell.kind == "markdown" and cell.source.startswith("## "):
            sections.append([])
        sections[-1].append(cell)
    return sections


def _exercises_in(section: list[Cell]) -> set[str]:
    return {cell.options["exercise"] for cell in section if "exercise" in cell.options}


def _remaining_cells(section: list[Cell], is_kept: bool, there: Set[str], uses: "_Uses") -> list[Cell]:
    if not is_kept and (_exercises_in(section) or any(uses.exercises_of(cell) - there for cell in section)):
        section = [cell for cell in section if cell.kind == "code"]  # its imports, and solutions that the others need
    return [remainder for cell in section if (remainder := _drop_missing_references(cell, there, uses))]


def _drop_missing_references(cell: Cell, there: Set[str], uses: "_Uses") -> Cell | None:
    """Return the cell without paragraphs that name a missing exercise, or None if nothing remains."""
    if "exercise" in cell.options:
        return cell if cell.options["exercise"] in there else None
    if cell.kind != "markdown":
        return None if uses.names_in(cell.source) - there else cell
    named = {text: uses.names_in(" ".join(_CODE.findall(text))) for text in cell.source.split("\n\n")}
    paragraphs = [text for text, names in named.items() if not names - there]
    return replace(cell, source="\n\n".join(paragraphs)) if paragraphs else None


class _Uses:
    """Finds the exercises of a chapter that a cell mentions or calls."""

    def __init__(self, chapter: Chapter) -> None:
        self.names = {*chapter.names}
        self.stubs = {exercise.name: exercise.stub for exercise in chapter.exercises}
        self.statements = call_graph_of(chapter.code)

    def exercises_of(self, cell: Cell) -> set[str]:
        """Return the exercises that a picture draws with, or that a text about the grading mentions."""
        if cell.kind == "picture":
            return self.names_in(cell.source)
        paragraphs = cell.source.split("\n\n") if cell.kind == "markdown" else ()
        return set().union(*(self.names_in(text) for text in paragraphs if text.startswith("**What is graded")))

    def names_in(self, text: str) -> set[str]:
        return self.names & set(re.findall(r"\w+", text))

    def close_over(self, names: Iterable[str]) -> set[str]:
        """Return the names and, recursively, the exercises that their code or the examples in their docstrings use."""
        closure, waiting = set(), list(names)
        while waiting:
            name = waiting.pop()
            if name not in closure:
                closure.add(name)
                bound = set().union(*(names_bound(node) for _, node in self.statements.reachable_from(name)))
                waiting += (self.names & bound) | self.names_in(self.stubs[name])
        return closure
