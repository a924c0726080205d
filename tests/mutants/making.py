"""Makes the mutants: every small edit of every solution and of every labelled answer that is right."""

import ast
from collections import Counter
from dataclasses import dataclass

from autograder.chapters import curriculum
from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import read_chapter
from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.small_edits import find_small_edits
from mutants.running import first_lines
from support.grading import ANSWERS, read_labelled, read_labels

SOLUTION = "solution"
MENDS = ("array", "copy")  # kinds of edits that never make an answer wrong


@dataclass(frozen=True)
class CorrectAnswer:
    """An answer that is right in one exercise.

    Attributes
    ----------
    chapter, exercise : str
    name : str
        The name of the answer's file, or `SOLUTION`.
    answer : AnswerFile
    """

    chapter: str
    exercise: str
    name: str
    answer: AnswerFile


@dataclass(frozen=True)
class Mutant:
    """A right answer with one small edit.

    Attributes
    ----------
    right : CorrectAnswer
    kind : str
        The kind of the edit, as in `autograder.worker.small_edits`.
    cell : int
        Number of the edited cell.
    source : str
        The text of the cell with the edit.
    change : str
        The edited lines with the edit in them: ``return np.sum(x, axis=«0→-1»)``.
    statements : tuple of (str, int)
        The place, and the first line, of each statement that contains the edit.
    turn : int
        A count, from 1, of equal changes to equal lines at different places of the answer.
    """

    right: CorrectAnswer
    kind: str
    cell: int
    source: str
    change: str
    statements: tuple
    turn: int

    @property
    def answer(self):
        """Return the answer with the edit applied."""
        cells = list(self.right.answer.cells)
        cells[self.cell] = CodeCell(cells[self.cell].place, cells[self.cell].line, self.source)
        return AnswerFile(self.right.answer.path, tuple(cells))

    def __str__(self):
        again = f" (place {self.turn})" if self.turn > 1 else ""
        return f"{self.right.name}, {self.kind}: {self.change}{again}"


def right_answers(exercise):
    """Return the solution of an exercise, and its correct labelled answers."""
    path, folder = curriculum.solution_of(exercise.chapter), ANSWERS / exercise.chapter
    solution = parse_script(path.name, path.read_text(encoding="utf-8"))
    yield CorrectAnswer(exercise.chapter, exercise.name, SOLUTION, solution)
    for file in sorted(folder.rglob("*.py")):
        answer = read_labelled(file)
        expected = read_labels(answer)
        label = expected.get(exercise.name) or (exercise.name in answer.definitions and expected.get("all"))
        if label and label[0] == "passed":
            yield CorrectAnswer(exercise.chapter, exercise.name, str(file.relative_to(folder)), answer)


def mutants_of(right):
    """Yield the mutants of a correct answer: of the exercise, and of its own helpers.

    Those that only mend are left out.
    """
    others = {exercise.name for exercise in read_chapter(right.chapter).exercises} - {right.exercise}
    reached = right.answer.find_used_names(right.exercise) - others
    turns = Counter()
    for number, cell in enumerate(right.answer.cells):
        names = _defined(cell.source)
        if right.name == SOLUTION and right.exercise not in names:
            continue  # Other cells are not the answer.
        first = first_lines(cell) if reached & names else {}
        for edit in find_small_edits(cell.source, reached & names):
            source = edit.apply_to(cell.source)
            if edit.kind in MENDS or not _is_python(source):
                continue
            lines = range(cell.line + edit.line - 1, cell.line + edit.last_line)
            statements = dict.fromkeys((cell.place, first[line]) for line in lines if line in first)
            change = _change(edit, cell.source)
            turns[edit.kind, change] += 1
            yield Mutant(right, edit.kind, number, source, change, tuple(statements), turns[edit.kind, change])


def _defined(source):
    """Return the names that a cell defines at its top level."""
    try:
        return {node.name for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    except SyntaxError:
        return set()


def _is_python(source):
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _change(edit, source):
    """Return the edited lines as one line, in which «old→new» marks the edit."""
    before, after = source[: edit.start].rpartition("\n")[2].lstrip(), source[edit.end :].partition("\n")[0]
    parts = (before, "«", source[edit.start : edit.end], "→", edit.new, "»", after)
    return " ".join("".join(parts).split())
