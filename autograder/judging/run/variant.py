"""A variant of an answer: a modified copy of the file, judged like any answer in a separate worker.

In a variant, the chapter's solutions replace some functions, or one small edit is applied. The only result is whether
it passes: everything that it prints, raises, returns or writes is discarded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import AnswerRefused, Session
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Exercise
from autograder.judging.budget import Budget
from autograder.judging.run.suites import Suites
from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.reading.definitions import build_call_graph, find_definitions
from autograder.worker.small_edits import AnswerEdit

# Source code that a variant runs. The solutions get separate globals, so that the answer cannot change them. For the
# guards (`worker/guards.py`) they are the answer's code, so they must not call functions that the exercise bans.
_SOLUTIONS = """\
def _define_solutions(sources, names):
    solutions = {{"__name__": "solutions"}}
    for source in sources:
        exec(compile(source, "solutions.py", "exec"), solutions)
    globals().update({{name: solutions[name] for name in names}})
_define_solutions({sources!r}, {names!r})
"""


@dataclass(frozen=True)
class Variant:
    task: Task

    @classmethod
    def with_solutions(cls, task: Task, names: Sequence[str]) -> Variant:
        """Return the answer with the chapter's solutions instead of its own definitions of these names."""
        code, call_graph = task.chapter.code_cells, build_call_graph(task.chapter.code_cells)
        needed_names = set[str]().union(*map(call_graph.find_used_names, names))
        replaced_names = {*task.chapter.names} - needed_names
        sources = [cell.source for cell in code if not replaced_names & {*find_definitions(cell.source)}]
        solution_cell = CodeCell("solutions", 1, _SOLUTIONS.format(sources=sources, names=list(names)))
        return cls(replace(task, answer=replace(task.answer, cells=(*task.answer.cells, solution_cell))))

    @classmethod
    def with_edit(cls, task: Task, edit: AnswerEdit) -> Variant:
        """Return a learner's own answer with an edit applied."""
        answer, cells = task.answer, list(task.answer.cells)
        cells[edit.cell] = cells[edit.cell]._replace(source=edit.edit.apply_to(cells[edit.cell].source))
        return cls(replace(task, answer=AnswerFile(answer.path, tuple(cells), answer.notebook)))

    def passes(self, exercise: Exercise, suites: Suites, budget: Budget) -> bool:
        """Return whether the variant passes every test of an exercise within the remaining time."""
        session = Session(self.task)
        try:
            with budget.charge_elapsed_time(session) as seconds:
                session.load_seconds = min(session.load_seconds, seconds)
                return suites.passes(exercise, session, seconds)
        except (AnswerRefused, WorkerEnded):
            return False
        finally:
            session.close()
