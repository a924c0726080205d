"""Makes the mutants: every small edit of every solution and of every labelled answer that is right."""

import ast
from dataclasses import dataclass

from autograder.chapters import curriculum
from autograder.chapters.answers import read_answer, script_answer
from autograder.chapters.chapter import read_chapter
from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.small_edits import small_edits
from support.grading import ANSWERS, labels

SOLUTION = "solution"


@dataclass(frozen=True)
class Right:
    """A right answer to some exercises of a chapter.

    Attributes
    ----------
    name : str
        Of its file, or `SOLUTION`.
    answer : AnswerFile
    exercises : tuple of str
        Those that it is right in, and that are to be judged.
    """

    chapter: str
    name: str
    answer: AnswerFile
    exercises: tuple


@dataclass(frozen=True)
class Mutant:
    """A right answer with one small edit.

    Attributes
    ----------
    exercises : tuple of str
        Those that reach what is edited.
    kind : str
        As in `autograder.worker.small_edits`.
    cell : int
        Which cell is edited.
    source : str
        What stands in it then.
    old, new : str
        The edited lines, before and after, without their indentation; joined by `` | `` where there are several.
    """

    right: Right
    exercises: tuple
    kind: str
    cell: int
    source: str
    old: str
    new: str

    @property
    def answer(self):
        """The answer as it is with the edit."""
        cells = list(self.right.answer.cells)
        cells[self.cell] = CodeCell(cells[self.cell].place, cells[self.cell].line, self.source)
        return AnswerFile(self.right.answer.path, tuple(cells))

    def __str__(self):
        return f"{self.right.name}, {self.exercises[0]}, {self.kind}:\n    - {self.old}\n    + {self.new}"


def right_answers(chapter_name, only=()):
    """The solutions of a chapter, and its labelled answers that are right, in the exercises of these names or all."""
    chapter = read_chapter(chapter_name)
    known = [exercise.name for exercise in chapter.exercises if exercise.name in only or not only]
    path = curriculum.solution_of(chapter_name)
    yield Right(chapter_name, SOLUTION, script_answer(path.name, path.read_text(encoding="utf-8")), tuple(known))
    folder = ANSWERS / chapter_name
    for file in sorted(folder.rglob("*.py")):
        answer = read_answer(file)
        expected = labels(answer)
        passed = [
            name
            for name in known
            if (expected.get(name) or (name in answer.definitions and expected.get("all")) or ("",))[0] == "passed"
        ]
        if passed:
            yield Right(chapter_name, str(file.relative_to(folder)), answer, tuple(passed))


def mutants_of(right):
    """The mutants of a right answer: of its exercises, and of what of its own they use."""
    exercises = {exercise.name for exercise in read_chapter(right.chapter).exercises}
    reached = {name: right.answer.names_reached(name) for name in right.exercises}
    for number, cell in enumerate(right.answer.cells):
        names = _defined(cell.source)
        for name in names:
            judged = (name,) if name in exercises else tuple(each for each in right.exercises if name in reached[each])
            is_given = right.name == SOLUTION and not exercises & set(names)
            if is_given or not set(judged) & set(right.exercises):
                continue
            for edit in small_edits(cell.source, {name}):
                source = edit.applied(cell.source)
                if _is_python(source):
                    yield Mutant(right, judged, edit.kind, number, source, *_changed_lines(cell.source, source))


def _defined(source):
    try:
        return [node.name for node in ast.parse(source).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    except SyntaxError:
        return []


def _is_python(source):
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _changed_lines(before, after):
    """The lines that differ, before and after."""
    old, new = before.split("\n"), after.split("\n")
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return tuple(" | ".join(line.strip() for line in lines) for lines in (old, new))
