"""An answer as suites see it: a function that runs somewhere else.

`Session` keeps one answer's worker alive from call to call and starts it again after a kill. `Answer` is the
fixture of that name: calling it calls the exercise in the worker and gives a `Reply`, which suites question with
`equals`, `satisfies` and the rest. `LocalAnswer` is the same over trusted code: solutions and misconceptions.
"""

import contextlib
import difflib
import time
from dataclasses import dataclass, field

import numpy as np

from autograder.expect import Mismatch, as_array, compare
from autograder.process import WorkerEnded, WorkerProcess
from autograder.replies import is_call_reply, is_load_reply
from autograder.show import clean, show, show_call
from autograder.worker.runner import Runner
from autograder.worker.wire import HEADER, decode, encode

LOAD_SECONDS = 20.0
CALL_SECONDS = 5.0
EXERCISE_SECONDS = 20.0  # for all calls of one suite together


class Refused(Exception):
    """An answer that cannot be judged further.

    Attributes
    ----------
    outcome : str
        The verdict.
    finding : str
        What happened; follows the call where there was one.
    call : str
        The call as it could be typed, or empty.
    """

    def __init__(self, outcome, finding, call=""):
        super().__init__(f"{call} {finding}".strip())
        self.outcome, self.finding, self.call = outcome, finding, call


@dataclass
class Call:
    """One call and what came of it: a value, or an error; and which arguments changed."""

    name: str
    args: tuple
    kwargs: dict
    value: object = None
    error: dict | None = None
    changed: list = field(default_factory=list)

    def __str__(self):
        return show_call(self.name, self.args, self.kwargs)


class Session:
    """One answer in one worker."""

    def __init__(self, answer_file, exercises):
        self.file = answer_file
        self.names = [exercise.name for exercise in exercises]
        self.process, self.loaded, self.broken = WorkerProcess(), None, None

    def close(self):
        """End the worker."""
        if self.process is not None:
            self.process.close()

    def load(self):
        """Run the answer's cells in the worker, once; `Refused` where that ends the worker."""
        if self.broken:
            raise self.broken
        if self.process is None:
            self.process = WorkerProcess()
            self.loaded = None
        if self.loaded is None:
            self.process.wait_until_ready()
            cells = [(cell.place, cell.line, cell.source) for cell in self.file.cells]
            try:
                self.loaded = self._ask(["load", cells, self.file.notebook], LOAD_SECONDS, is_load_reply)
            except WorkerEnded as ended:
                self.broken = Refused(ended.outcome, f"{self.file.path} could not be run: it {ended}.")
                raise self.broken from None

    def ready_for(self, name):
        """Make sure that the answer has this function; `Refused` says why it has not."""
        self.load()
        if name in self.loaded["defined"]:
            return
        if name in self.file.definitions:
            cell, _ = self.file.definitions[name]
            error = self.loaded["errors"][self.file.cells.index(cell)]
            if error:
                found = refusal(error, "", name, self.names)
                raise Refused(found.outcome, f"{name} could not be defined: its cell {found.finding}")
            raise Refused("wrong", f"{name} is not a function.")
        others = [other for other in self.file.definitions if other not in self.names and other[:1] != "_"]
        if close := difflib.get_close_matches(name.lower(), [other.lower() for other in others], 1, 0.75):
            other = next(other for other in others if other.lower() == close[0])
            raise Refused(
                "wrong", f"{self.file.path} does not define {name}. It does define {other}: rename it to {name}."
            )
        raise Refused("unattempted", f"{self.file.path} does not define {name}.")

    def call(self, name, args, kwargs, seconds):
        """Call a function of the answer; the reply as a dict."""
        self.ready_for(name)
        return self._ask(["call", name, list(args), dict(kwargs)], seconds, is_call_reply)

    def again(self, ref):
        """The value of an earlier call, as the worker has it now."""
        return self._ask(["again", ref], CALL_SECONDS, is_call_reply)

    def _ask(self, request, seconds, is_reply):
        try:
            reply = self.process.ask(request, seconds)
            if not is_reply(reply, request):
                self.process.close()
                raise WorkerEnded("killed", "wrote to the channel that belongs to the grader")
        except WorkerEnded:
            self.process = None
            raise
        return reply


class LocalSession:
    """Trusted code in this process, behind the interface of `Session`.

    Parameters
    ----------
    module : module
    stand_in : str, optional
        A function of the module to call whatever name is asked for: a misconception, judged like an answer.
    """

    def __init__(self, module, stand_in=None):
        self.runner, self.stand_in = Runner.of(module), stand_in

    def ready_for(self, name):
        """Trusted code has what it should have."""

    def call(self, name, args, kwargs, seconds):
        name = self.stand_in or name
        with np.errstate(all="ignore"), contextlib.redirect_stdout(None):
            return _through_the_wire(self.runner.call(name, *_through_the_wire([list(args), dict(kwargs)])))

    def again(self, ref):
        return _through_the_wire({"value": self.runner.again(ref)})


def _through_the_wire(value):
    message = encode(value)
    tree_size, _ = HEADER.unpack(message[: HEADER.size])
    split = HEADER.size + tree_size
    return decode(message[HEADER.size : split], message[split:])


class Answer:
    """The exercise of one answer, to be called like the function it is.

    Attributes
    ----------
    calls : list of Call
        Everything that was called so far, for the diagnosis.
    """

    def __init__(self, name, session, known_names=()):
        self.name, self.session, self.known_names = name, session, known_names
        self.calls = []
        self.seconds_left, self.timeouts = EXERCISE_SECONDS, 0

    def __call__(self, *args, **kwargs):
        call = Call(self.name, args, kwargs)
        if self.timeouts > 1 or self.seconds_left <= 0:
            raise Refused("timeout", "Not tried: earlier calls took all the time there is.")
        started = time.monotonic()
        try:
            reply = self.session.call(self.name, args, kwargs, min(CALL_SECONDS, self.seconds_left))
        except WorkerEnded as ended:
            self.timeouts += ended.outcome == "timeout"
            call.error = {"type": ended.outcome, "message": str(ended), "where": []}
            self.calls.append(call)
            raise Refused(ended.outcome, f"{ended}.", str(call)) from None
        finally:
            self.seconds_left -= time.monotonic() - started
        call.value, call.error = reply.get("value"), reply.get("error")
        call.changed = reply.get("changed", [])
        self.calls.append(call)
        return Reply(call, self, reply.get("ref"))

    def look_again(self, call, ref):
        """The value of an earlier call as it is now, after later ones."""
        try:
            reply = self.session.again(ref)
        except WorkerEnded as ended:
            raise Refused(ended.outcome, f"{ended}.", str(call)) from None
        return reply.get("value")


class Reply:
    """What one call gave back, to be questioned. Every question raises `Mismatch` or `Refused`, or holds."""

    def __init__(self, call, answer, ref):
        self.call, self._answer, self._ref = call, answer, ref

    @property
    def value(self):
        """The plain value that was returned."""
        if self.call.error is not None:
            raise refusal(self.call.error, str(self.call), self.call.name, self._answer.known_names)
        return self.call.value

    @property
    def array(self):
        """The returned numbers as an array."""
        return self._judged(lambda: as_array(self._returned()))

    def _returned(self):
        if self.value is None:
            raise Mismatch("returned", "returned None: perhaps a `return` is missing")
        return self.value

    def equals(self, expected, **tolerance):
        """The result is the expected one, up to form and float32 accuracy."""
        self._judged(lambda: compare(self.value, expected, **tolerance))
        return self

    def satisfies(self, holds, sentence):
        """The returned array has a property.

        Parameters
        ----------
        holds : callable
            Takes the array, returns whether it is so.
        sentence : str
            The property, to follow "expected": "weights that sum to 1".
        """
        array = self.array

        def judge():
            try:
                with np.errstate(all="ignore"):
                    good = bool(holds(array))
            except (ValueError, IndexError, TypeError):  # a shape that the property cannot be asked of
                good = False
            if not good:
                raise Mismatch("property", f"returned {show(array)}, expected {sentence}", array)

        self._judged(judge)
        return self

    def leaves_arguments_alone(self):
        """The call changed none of its inputs."""
        self.value  # noqa: B018  (an error speaks first)
        if self.call.changed:
            which = "its argument" if len(self.call.args) == 1 else f"argument {self.call.changed[0] + 1}"
            self._judged(lambda: _raise(Mismatch("arguments", f"changed {which}: work on a copy")))
        return self

    def still_equals(self, expected):
        """The result is still the expected one after later calls: nothing overwrote it."""
        self.equals(expected)
        now = self._answer.look_again(self.call, self._ref)

        def judge():
            try:
                compare(now, expected)
            except Mismatch as mismatch:
                sentence = "returned a result that the next call overwrote: return a new array every time"
                raise Mismatch("property", sentence, mismatch.got, expected) from None

        self._judged(judge)
        return self

    def raises(self, error_type, mentions=""):
        """The call was refused with this type of error, whose message names something."""
        error = self.call.error
        if error is None:
            found = f"returned {show(self.call.value)}, expected it to raise {error_type}"
            self._judged(lambda: _raise(Mismatch("property", found)))
        elif error["type"] != error_type or mentions not in error["message"]:
            self.value  # noqa: B018  (tells what was raised)
        return self

    def _judged(self, judge):
        try:
            return judge()
        except Mismatch as mismatch:
            mismatch.call = self.call
            raise


def _raise(error):
    raise error


def refusal(error, call, name, known_names):
    """The verdict on an error that an answer raised.

    Parameters
    ----------
    error : dict
        As the worker described it.
    call : str
        What was going on, to stand before "raised".
    name : str
        The exercise.
    known_names : sequence of str
        Names of the chapter's exercises, to recognise a stub further down.
    """
    kind, message = clean(error["type"]), clean(error["message"])
    place, line, function, text = error["where"][-1] if error["where"] else ("", 0, "", "")
    if kind == "NotImplementedError" and function == name:
        return Refused("unattempted", f"{name} is still to do.")
    if kind == "NotImplementedError" and function in known_names:
        return Refused("raised", f"calls {function}, which is still to do.", call)
    at = f" ({clean(place)}, line {line}: {clean(text)})" if place else ""
    said = f": {message}" if message else ""
    if kind == "MemoryError":
        return Refused("memory", f"ran out of memory{at}.", call)
    if kind == "SystemExit":
        return Refused("raised", f"ended the program with sys.exit or exit{at}: return a value instead.", call)
    return Refused("raised", f"raised {kind}{said}{at}.", call)
