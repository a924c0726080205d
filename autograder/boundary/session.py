"""Sessions: the interface through which suites send requests to an answer, and its implementation with a worker."""

import difflib
import re
import time
from collections.abc import Callable, Collection
from typing import Any

from autograder.boundary.channel import Worker, WorkerEnded, start_worker
from autograder.boundary.forms import is_edits_reply, is_load_reply, is_reply
from autograder.chapters.answers import Task
from autograder.worker.output import BY_FILE, BY_MANY, OutputFile
from autograder.worker.reading.answers import AnswerFile
from autograder.worker.runner import NOT_ALLOWED, NOT_RUN, STILL_RUNNING
from autograder.worker.wire import MAX_ARRAY_BYTES

LOAD_SECONDS = 20.0
CELL_SECONDS = 5.0  # limit for one cell, which is then interrupted; later cells still run
INTERACTIVE_LOAD_SECONDS, INTERACTIVE_CELL_SECONDS = 8.0, 3.0  # replace both limits if a person waits
LOADS_SECONDS = 60.0  # limit for all runs of a file, which is run again after each call that ended its process
REPLY_SECONDS = 1.0  # time for the worker to report which line it has interrupted
MAX_NAME_LENGTH, MAX_OTHERS = 60, 100  # length and number of the defined names that are compared with a missing one
MAX_ERROR_LENGTH = 500  # characters of an error's message, and of its location
_EACH_TIME = "Code outside of functions runs each time that the file is checked."
_OUTSIDE = f"Perhaps a loop never ends. {_EACH_TIME}"
PLAY_SECONDS = 1.0  # limit for a batch; if it takes longer, each request is sent separately with its own deadline


class AnswerRefused(Exception):
    """Raised if an answer cannot be judged further."""

    shown_call: Any = None  # the `Call` that was refused

    def __init__(self, outcome: str, finding: str, call: str = "", error: dict | None = None, reason: str = "") -> None:
        super().__init__(f"{call} {finding}".strip())
        self.outcome, self.finding = outcome, finding  # the verdict, and a sentence whose subject is the call
        self.call = call  # the call as a learner would type it, or empty
        self.error = error  # the error that caused the refusal, as the worker described it
        self.reason = reason  # a sentence on the cause; empty if more requests are needed to find it


class AnswerSession:
    """The interface through which suites send requests to an answer. By default, no request has a reply."""

    file: Any = None  # an `AnswerFile`; None for the kit's own code, which is neither searched nor explained
    worker: Worker | None = None  # the worker that can play a batch, if there is one
    test = 0  # number of the current test
    waited = 0.0  # seconds of waiting for a CPU, which do not count in any time limit

    def restart(self) -> None:
        """Begin a new test, whose results must not depend on earlier requests."""

    def start_afresh(self) -> None:
        """Drop all state from earlier calls, by ending the worker if there is one."""
        self.restart()

    def require_function(self, name: str) -> None:
        """Raise `AnswerRefused`, with the reason, unless the answer defines a callable of this name."""

    def ask(self, request: list, seconds: float, call: Any) -> dict:
        """Return the reply to a request for `Runner.handle_request`. Raises `WorkerEnded` if there is none."""
        raise AnswerRefused("fault", "This has not been asked.")

    def play_batch(self, batch: Any) -> Any:
        """Return the `BatchReplies` to a batch, or None if it took too long or ended the worker."""

    def pop_output(self) -> list[tuple[bytes, str]]:
        """Return a list of (origin, beginning of the text) for the output since the last call of this method."""
        return []

    def describe_failed_cell(self) -> str:
        """Return the error of the first failed cell as a sentence; empty if all cells ran."""
        return ""

    def pop_interrupted_cell(self) -> str:
        """Return a sentence on the code outside functions that was interrupted, or "". A second call returns ""."""
        return ""


class Session(AnswerSession):
    """An answer to one chapter, in one worker."""

    def __init__(self, task: Task, is_interactive: bool = False) -> None:
        self.file, self.libraries = task.answer, task.libraries
        self.names = task.chapter.names
        self.bans = {exercise.name: exercise.bans for exercise in task.chapter.exercises if exercise.bans}
        self.loaded: dict | None = None  # the worker's reply to the "load" request
        self.broken: AnswerRefused | None = None
        self.printed: OutputFile | None = None
        self.outputs: list[tuple[bytes, str]] = []
        self.load_seconds = INTERACTIVE_LOAD_SECONDS if is_interactive else LOAD_SECONDS
        self.cell_seconds = INTERACTIVE_CELL_SECONDS if is_interactive else CELL_SECONDS
        self.loads_seconds_left = LOADS_SECONDS
        self.stopped = ""

    def close(self) -> None:
        if self.worker is not None:
            self.worker.close()
        if self.printed is not None:
            self.printed.close()
            self.printed = None

    def pop_output(self) -> list[tuple[bytes, str]]:
        self._collect_output(BY_FILE)
        outputs, self.outputs = self.outputs, list[tuple[bytes, str]]()
        return outputs

    def _collect_output(self, origin: bytes) -> None:
        if self.printed and (text := self.printed.pop_text()):
            self.outputs.append((origin, text))

    def load(self) -> dict:
        """Run the cells if necessary and return the worker's reply. Raises `AnswerRefused` if it ends or time is up."""
        if self.broken:
            raise self.broken
        if self.worker is not None and self.loaded is not None:
            return self.loaded
        if self.loads_seconds_left <= 0:
            finding = f"{self.file.path} was not run again: its calls end the process, and running it takes long."
            self.broken = AnswerRefused("timeout", finding, reason=_EACH_TIME)
            raise self.broken
        self.printed = self.printed or OutputFile()
        self.worker, self.loaded = start_worker(self.libraries, self.printed.descriptor), None
        start, waited_before = time.monotonic(), self.waited
        try:
            seconds = max(self.load_seconds - REPLY_SECONDS, self.load_seconds / 2)
            request = ["load", self.file.cells, self.file.notebook, self.bans, self.cell_seconds, seconds]
            self.loaded = reply = self._ask_worker(request, self.load_seconds, is_load_reply)
        except WorkerEnded as ended:
            finding = f"{self.file.path} could not be run: it {ended}."
            self.broken = AnswerRefused(ended.outcome, finding, reason=ended.reason)
            raise self.broken from None
        finally:
            self.loads_seconds_left -= time.monotonic() - start - (self.waited - waited_before)
        if error := next((error for error in reply["errors"] if error and error["type"] == STILL_RUNNING), None):
            subject = f"Code outside of functions did not finish and was stopped{_format_place(error)}"
            self.stopped = f"{subject}. Everything defined so far counts."
        self._collect_output(BY_FILE)
        return reply

    def describe_failed_cell(self) -> str:
        error = next(filter(None, self.loaded["errors"]), None) if self.loaded else None
        return f"A cell of this file {make_refusal(error, '', '', ()).finding}" if error else ""

    def pop_interrupted_cell(self) -> str:
        sentence, self.stopped = self.stopped, ""
        return sentence

    def require_function(self, name: str) -> None:
        reply = self.load()
        if name in reply["defined"]:
            return
        if name in self.file.definitions:
            cell, _ = self.file.definitions[name]
            if error := reply["errors"][self.file.cells.index(cell)]:
                cause = make_refusal(error, "", name, self.names)
                finding = f"{name} could not be defined: its cell {cause.finding}"
                raise AnswerRefused(cause.outcome, finding, error=error, reason=cause.reason)
            raise AnswerRefused("wrong", f"{name} is not a function.")
        raise self._explain_missing(name, reply["errors"])

    def _explain_missing(self, name: str, errors: list[dict | None]) -> AnswerRefused:
        """Return the refusal of an answer without a top-level definition of an exercise, with a likely reason."""
        finding = f"{self.file.path} does not define {name}."
        if line := _find_inner_definition(self.file, name):
            reason = f"`{name}` is defined in {line}, but inside another block: remove the indentation of that line."
            return AnswerRefused("wrong", finding, reason=reason)
        other_names = [key for key in self.file.definitions if key not in self.names and key[:1] != "_"]
        other_names = [key for key in other_names if len(key) < MAX_NAME_LENGTH][:MAX_OTHERS]
        by_letters = {key.lower(): key for key in reversed(other_names)}
        if close := difflib.get_close_matches(name.lower(), by_letters, 1, 0.75):
            reason = f"{self.file.path} defines {by_letters[close[0]]}: rename it to {name}."
            return AnswerRefused("wrong", finding, reason=reason)
        for cell, error in zip(self.file.cells, errors, strict=False):
            if error and error["type"] in ("SyntaxError", "IndentationError", "TabError"):
                finding = f"{finding[:-1]}, and a cell {make_refusal(error, '', name, self.names).finding}"
                if re.search(rf"\b{re.escape(name)}\b", cell.source):
                    return AnswerRefused("raised", finding, error=error)
        return AnswerRefused("unattempted", finding)

    def play_batch(self, batch: Any) -> Any:
        content = self.worker and self.worker.play_batch(batch.message, PLAY_SECONDS)
        self._collect_output(BY_MANY)
        replies = batch.parse_replies(content) if content else None
        if replies is None:
            self.start_afresh()
        return replies

    def play_edits(self, definitions: list[tuple[str, str]], edit_seconds: float, seconds: float, batch: Any) -> list:
        """Play a batch with each definition (name, source). Return a list of encoded replies, None for a failed one."""
        self.load()
        assert self.worker is not None, "`load` starts it"
        self.worker.max_reply_bytes = MAX_ARRAY_BYTES
        request = ["try", definitions, edit_seconds, batch.name, batch.rows]
        replies = self._ask_worker(request, seconds, is_edits_reply)
        return [None if reply is None else reply.tobytes() for reply in replies]

    def start_afresh(self) -> None:
        if self.worker is not None:
            self.worker.close()
            self.worker = None
            self.pop_output()  # The next run prints the same again, so drop this output.

    def ask(self, request: list, seconds: float, call: Any) -> dict:
        if isinstance(request[1], str) and request[0] != "again":
            self.require_function(request[1])
        elif self.worker is None:  # The requested object was lost when its worker ended.
            raise WorkerEnded("killed", "could not be done, because an earlier call ended the process")
        try:
            within = ["within", seconds, *request]
            return self._ask_worker(within, seconds, lambda reply, _: is_reply(reply, request))
        finally:
            if self.printed and (text := self.printed.pop_text()):
                self.outputs.append((call.inputs, text))

    def _ask_worker(self, request: list, seconds: float, is_good: Callable[[Any, list], bool]) -> Any:
        worker = self.worker
        assert worker is not None, "`load` comes first"
        try:
            reply = worker.ask(request, seconds)
            if not is_good(reply, request):
                worker.close()
                raise WorkerEnded("killed", "wrote to the channel that belongs to the grader")
            if request[0] == "within" and (error := reply.get("error")) and error["type"] == STILL_RUNNING:
                worker.close()
                raise WorkerEnded.from_timeout(seconds, _format_place(error), error["where"])
        except WorkerEnded:
            self.worker = None
            raise
        finally:
            self.waited += worker.waited
        return reply


def _find_inner_definition(file: AnswerFile, name: str) -> str:
    """Return where a name is defined inside another block, such as "line 12", or "" if it is not."""
    inner = re.compile(rf"[ \t]+(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b")
    for cell in file.cells:
        for number, line in enumerate(cell.source.split("\n"), start=cell.line):
            if inner.match(line):
                return f"{f'{cell.place}, ' if file.notebook else ''}line {number}"
    return ""


def refuse_shortcut(exercise: str, shortcut: str, place: str) -> AnswerRefused:
    """Return the refusal of an answer that uses a banned name (`shortcut`), with the place if it is known."""
    name, location = shortcut[:80], f" ({place[:MAX_ERROR_LENGTH]})" if place else ""
    finding = f"{exercise} uses {name}{location}, which this exercise does not allow.".lstrip()
    return AnswerRefused("forbidden", finding, reason=f"`{name}` does what you are asked to write yourself.")


def make_refusal(error: dict, call: str, name: str, known_names: Collection[str]) -> AnswerRefused:
    """Return the refusal for an error in a call. `known_names`: the exercises, to recognise calls of their stubs."""
    if error["type"] == NOT_ALLOWED:
        refusal = refuse_shortcut("", error["message"], "")
        refusal.call, refusal.error = call, error
        return refusal
    kind, message = error["type"][:MAX_ERROR_LENGTH], message_of(error)
    function = error["where"][-1][2] if error["where"] else ""
    if kind == "NotImplementedError" and function == name:
        return AnswerRefused("unattempted", f"{name} is still to do.", call, error)
    if kind == "NotImplementedError" and function in known_names:
        return AnswerRefused("raised", f"calls {function}, which is still to do.", call, error)
    location = _format_place(error)
    if kind == STILL_RUNNING and message == NOT_RUN:
        finding = f"was not run, because an earlier call did not finish{location}."
        return AnswerRefused("timeout", finding, call, error, _EACH_TIME)
    if kind == STILL_RUNNING:
        return AnswerRefused("timeout", f"did not finish and was stopped{location}.", call, error, _OUTSIDE)
    if kind == "MemoryError":
        return AnswerRefused("memory", f"ran out of memory{location}.", call, error)
    detail = f": {message}" if message else ""
    return AnswerRefused("raised", f"raised {kind}{detail}{location}".rstrip(".") + ".", call, error)


def _format_place(error: dict) -> str:
    place, line = error["where"][-1][:2] if error["where"] else ("", 0)
    return f" ({place[:MAX_ERROR_LENGTH]}, line {line}: {source_line_of(error)})" if place else ""


def message_of(error: dict) -> str:
    return " ".join(error["message"][:MAX_ERROR_LENGTH].split())


def source_line_of(error: dict) -> str:
    """Return the text of the answer's line that raised an error; an empty string if it is unknown."""
    return error["where"][-1][3][:MAX_ERROR_LENGTH] if error["where"] else ""
