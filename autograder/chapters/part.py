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
from autograder.worker.reading.definitions import build_call_graph, find_bound_names

# In prose, only names in backticks or code blocks are exercises, because a name such as "peaks" is also a word.
_CODE = re.compile(r"```.*?```|`[^`]+`", re.DOTALL)


@dataclass(frozen=True)
class ChapterPart:
    chapter: Chapter
    exercises: tuple[Exercise, ...]  # the chosen exercises, in the order of the chapter
    given: tuple[Exercise, ...]  # solved exercises, which chosen ones call or share a section with
    cells: tuple[Cell, ...]  # the sections with these exercises, without mentions of other exercises

    def build_given_code(self) -> tuple[CodeCell, ...]:
        """Return the code cells to run before an answer: solved exercises and their imports. Usually there are none."""
        if not self.given:
            return ()
        solutions = {exercise.name: exercise.solution for exercise in self.given}
        cells = [cell for cell in self.cells if cell.kind == "code"]
        sources = [
            solutions.get(cell.options["exercise"]) if "exercise" in cell.options else cell.source for cell in cells
        ]
        return tuple(CodeCell("given", 1, source) for source in sources if source)


def build_part(name: str, selection: Collection[str] | None = None) -> ChapterPart:
    """Return the part of a chapter with the chosen exercises, or the whole chapter if `selection` is None."""
    names = {*read_chapter(name).names}
    kept_names = names if selection is None else names & set(selection)
    return _build_part(curriculum.solution_of(name), name, frozenset(kept_names))


@functools.lru_cache(64)
def _build_part(path: Path, name: str, names: frozenset[str]) -> ChapterPart:
    chapter = read_chapter(name)
    by_name = {exercise.name: exercise for exercise in chapter.exercises}
    if len(names) == len(by_name):
        return ChapterPart(chapter, chapter.exercises, (), chapter.cells)
    sections, uses = _split_sections(chapter.cells), _References(chapter)
    kept_sections = [section for section in sections if section is sections[0] or names & _find_exercises(section)]
    kept_cells = [cell for section in kept_sections for cell in section]
    kept_names = uses.add_dependencies(names.union(_find_exercises(kept_cells), *map(uses.find_required, kept_cells)))
    cells: list[Cell] = []
    for section in sections:
        cells += _keep_needed_cells(section, section in kept_sections, kept_names, uses)
    given_exercises = tuple(exercise for exercise in chapter.exercises if exercise.name in kept_names - names)
    exercises = tuple(exercise for exercise in chapter.exercises if exercise.name in names)
    return ChapterPart(chapter, exercises, given_exercises, tuple(_keep_running_cells(cells)))


def _keep_running_cells(cells: Iterable[Cell]) -> Iterator[Cell]:
    """Yield the cells, without code that uses a name which no earlier cell binds."""
    names = {*dir(builtins), "get_ipython"}
    for cell in cells:
        if cell.kind != "markdown":
            used_names, bound_names = _find_names(cell.source)
            if "exercise" not in cell.options and used_names - bound_names - names:
                continue
            names |= bound_names
        yield cell


def _find_names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that some code reads, and the names that it binds, including those inside functions."""
    tree = ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", source))
    used_names, bound_names = set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used_names if isinstance(node.ctx, ast.Load) else bound_names).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound_names.add(node.name)
        elif isinstance(node, ast.arg):
            bound_names.add(node.arg)
        elif isinstance(node, ast.alias):
            bound_names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound_names.add(node.name)
    return used_names, bound_names


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


def _keep_needed_cells(section: list[Cell], is_kept: bool, kept_names: Set[str], uses: "_References") -> list[Cell]:
    if not is_kept and (_find_exercises(section) or any(uses.find_required(cell) - kept_names for cell in section)):
        # Keep only code, because other sections need the imports and solutions in it.
        section = [cell for cell in section if cell.kind == "code"]
    return [remainder for cell in section if (remainder := _drop_missing_references(cell, kept_names, uses))]


def _drop_missing_references(cell: Cell, kept_names: Set[str], uses: "_References") -> Cell | None:
    """Return the cell without paragraphs that name a missing exercise, or None if nothing remains."""
    if "exercise" in cell.options:
        return cell if cell.options["exercise"] in kept_names else None
    if cell.kind != "markdown":
        return None if uses.find_names(cell.source) - kept_names else cell
    names_by_text = {text: uses.find_names(" ".join(_CODE.findall(text))) for text in cell.source.split("\n\n")}
    paragraphs = [text for text, names in names_by_text.items() if not names - kept_names]
    return replace(cell, source="\n\n".join(paragraphs)) if paragraphs else None


class _References:
    """A search for the exercises of a chapter that a cell mentions or calls."""

    def __init__(self, chapter: Chapter) -> None:
        self.names = {*chapter.names}
        self.stubs = {exercise.name: exercise.stub for exercise in chapter.exercises}
        self.statements = build_call_graph(chapter.code_cells)

    def find_required(self, cell: Cell) -> set[str]:
        """Return the exercises without which a cell is useless: pictures call them, "What is graded" names them."""
        if cell.kind == "picture":
            return self.find_names(cell.source)
        paragraphs = cell.source.split("\n\n") if cell.kind == "markdown" else ()
        return set().union(*(self.find_names(text) for text in paragraphs if text.startswith("**What is graded")))

    def find_names(self, text: str) -> set[str]:
        return self.names & set(re.findall(r"\w+", text))

    def add_dependencies(self, names: Iterable[str]) -> set[str]:
        """Return these exercises, and recursively all exercises that their code or docstrings mention."""
        closure, queue = set(), list(names)
        while queue:
            name = queue.pop()
            if name not in closure:
                closure.add(name)
                bound = set().union(*(find_bound_names(node) for _, node in self.statements.find_used_statements(name)))
                queue += (self.names & bound) | self.find_names(self.stubs[name])
        return closure
