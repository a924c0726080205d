"""A runner of a teacher's own test cells. Like a hidden suite, a cell calls the answer in another process.

So an answer cannot pass by changing `assert` or NumPy.
"""

import ast
import builtins
from collections.abc import Iterator
from contextlib import contextmanager

from autograder.boundary.channel import Worker, WorkerEnded, start_worker
from autograder.boundary.session import LOAD_SECONDS, AnswerRefused, Session, make_refusal
from autograder.chapters.answers import Task
from autograder.chapters.extras import IMPORTS
from autograder.judging.ask.call import CALL_SECONDS, Call, Caller
from autograder.judging.verdict.finding import TestVerdict
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.worker.output import MAX_PRINTED
from autograder.worker.reading.answers import CodeCell
from autograder.worker.reading.definitions import build_call_graph
from autograder.worker.values import Described, Opaque


def judge_test_cell(task: Task, name: str, source: str, points: float) -> ExerciseVerdict:
    """Return the verdict of a test cell on an answer: all its points, or none."""
    test = TestVerdict("test", "passed", points, points)
    session = Session(task)
    try:
        _TestCell(task, source, session).run(name)
    except AnswerRefused as refusal:
        test.fail(refusal.outcome, refusal.finding, refusal.call, reason=refusal.reason)
    finally:
        output = "".join(text for _, text in session.pop_output())[:MAX_PRINTED]
        session.close()
    return ExerciseVerdict(task.chapter.name, name, [test], printed=output)


class _TestCell:
    def __init__(self, task: Task, source: str, session: Session) -> None:
        self.source, self.session, self.libraries = source, session, task.libraries
        self.caller = Caller("the answer", session, LOAD_SECONDS)
        self.objects: dict[int, Call] = {}  # ID by which the worker refers to a result -> call that returned it
        self.refused: AnswerRefused | None = None  # the error after which the answer cannot be called any more
        chapter_cells = [cell for cell in task.chapter.cells if cell.kind == "code" and "exercise" not in cell.options]
        used_names = _find_used_names(source)
        imports = [CodeCell("imports", 1, IMPORTS[name]) for name in sorted(used_names & {*IMPORTS})]
        self.given = [*imports, *(CodeCell("given", 1, cell.source) for cell in chapter_cells)]
        # Names that the test uses and that only the answer can define.
        self.names = used_names - {*vars(builtins)} - {*build_call_graph(tuple(self.given)).bound}

    def run(self, name: str) -> None:
        """Run the test cell. Raises `AnswerRefused` if it fails."""
        defined_names = self.session.load()["defined"]
        with self._open_test_worker() as worker:
            worker.ask(["load", self.given, False], LOAD_SECONDS)
            functions = sorted(self.names & {*defined_names})
            worker.ask(["remote", functions, self._read_constants(self.names - {*defined_names})], LOAD_SECONDS)
            request = ["load", [CodeCell("test", 1, self.source)], False]
            error = worker.ask(request, LOAD_SECONDS, self._serve_call)["errors"][0]
        if self.refused:
            raise self.refused
        if error:
            raise make_refusal(error, "The test", name, ())

    @contextmanager
    def _open_test_worker(self) -> Iterator[Worker]:
        assert self.session.printed is not None, "`load` comes first"
        worker = start_worker(self.libraries, self.session.printed.descriptor)
        try:
            yield worker
        except WorkerEnded as ended:
            raise self.refused or AnswerRefused(ended.outcome, f"The test {ended}.", reason=ended.reason) from None
        finally:
            worker.close()

    def _read_constants(self, names: set[str]) -> dict[str, object]:
        """Return name -> value of those `names` that are global constants of the answer and plain data."""
        constants = {}
        for name in sorted(names & {*self.session.file.definitions}):
            reply = self.session.ask(["again", name], CALL_SECONDS, Call(name, ()))
            if "value" in reply and not isinstance(reply["value"], (Opaque, Described)):
                constants[name] = reply["value"]
        return constants

    def _serve_call(self, request: list) -> dict:
        """Make a call of the answer that the test requests, and return the reply for `worker.loop.RemoteObject`."""
        target, args, kwargs = request
        ref, method = target if isinstance(target, list) else (target, "")
        if isinstance(target, str):
            call = Call(target, tuple(args), kwargs)
        else:
            call = Call(self.objects[ref].name, tuple(args), kwargs, self.objects[ref], method)
        try:
            self.caller.send(call)
        except AnswerRefused as refusal:  # The test cell fails, even if it catches this error.
            self.refused = self.refused or refusal
            return {"error": {"type": "RuntimeError", "message": refusal.finding}}
        if call.error:
            return {"error": call.error}
        assert call.ref is not None, "a value comes with its number"
        self.objects[call.ref] = call
        is_opaque = isinstance(call.value, (Opaque, Described))
        value = Opaque(type(call.value).__name__) if is_opaque else call.value
        return {"value": value, "ref": call.ref, "is_opaque": is_opaque}


def _find_used_names(source: str) -> set[str]:
    try:
        return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    except SyntaxError:  # Running the test will report the error.
        return set()
