"""The runner, which runs the cells of an answer and calls the functions and classes that they define.

Learners' answers, solutions and misconceptions all run in workers with this code, under the same conditions.
"""

import ast
import codeop
import contextlib
import importlib
import linecache
import math
import random
import re
import signal
import sys
import time
import traceback
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .inputs import close_figures, is_unchanged, materialize, remove_files
from .operands import describe_failed_operation, suggest_name
from .values import Harness

if TYPE_CHECKING:
    from .guards import ProcessGuards

STILL_RUNNING = "StillRunning"  # error type of a cell that was interrupted
NOT_ALLOWED = "not allowed here"  # error type of a banned call; its spaces keep it apart from names of classes
NOT_RUN = "not run"  # message of a `StillRunning` error if the cell was never started, because no time was left
MIN_SECONDS = 0.01  # shortest time limit of a cell
ALARM_SECONDS = 0.1  # time between the interruption of a call and the grader's timeout

Target = str | int | list  # name of a function, ID of an earlier result, or [ID, name of a method]


class Runner:
    """A Python module in which an answer's cells are run, and whose functions are called by name."""

    def __init__(self, module_name: str) -> None:
        self.module = types.ModuleType(module_name)
        self.lines: dict[str, dict[int, str]] = {}  # file or cell -> line number -> text, to quote in errors
        self.guards: ProcessGuards | None = None  # None if no function is banned
        self.results: list[Any] = []  # results of calls, to which later requests refer by index
        self.describe_result = _choose_description()

    def load(
        self,
        cells: Sequence,
        notebook: bool = False,
        bans: dict | None = None,
        cell_seconds: float = math.inf,
        seconds: float = math.inf,
    ) -> list[dict | None]:
        """Run the cells in order, and return the error of each cell or None. An error does not stop later cells.

        A cell is interrupted after `cell_seconds` if the system has timers. After `seconds` in total, the remaining
        cells are not run and get a `NOT_RUN` error. `bans`: arguments of `ProcessGuards.set_bans`, or None.
        """
        namespace = self.module.__dict__
        _fix_seeds()
        sys.modules[self.module.__name__] = self.module
        # Notebooks, and scripts that Jupyter exported, may call these functions.
        namespace["get_ipython"], namespace["display"] = _QuietShell, _do_nothing
        if bans:
            from .guards import GUARDS  # noqa: PLC0415  (most chapters ban nothing)

            self.guards = GUARDS
            self.guards.set_bans(bans, namespace, self.lines)
        compiler = codeop.Compile()  # applies `from __future__` imports of a cell to later cells
        # These flags replace `codeop`'s, which accept incomplete input.
        compiler.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if notebook else 0
        errors: list[dict | None] = [None] * len(cells)
        end = time.monotonic() + seconds
        for number, (place, first_line, source) in enumerate(cells):
            with _Alarm(min(cell_seconds, max(end - time.monotonic(), MIN_SECONDS))):
                errors[number] = error = self._run_cell(compiler, place, first_line, source)
            if error and error["type"] == STILL_RUNNING and time.monotonic() > end:
                errors[number + 1 :] = [{**error, "message": NOT_RUN}] * (len(cells) - number - 1)
                break
        return errors

    def _run_cell(self, compiler: codeop.Compile, place: str, first_line: int, source: str) -> dict | None:
        padded = "\n" * (first_line - 1) + source + "\n"
        lines = self.lines.setdefault(place, {})
        lines.update(enumerate(source.split("\n"), start=first_line))
        # `inspect.getsource` and `torch.jit.script` read this cache. Entries whose time is None need no file.
        text = [f"{lines.get(number, '')}\n" for number in range(1, max(lines) + 1)]
        linecache.cache[place] = (sum(map(len, text)), None, text, place)
        try:
            awaited = eval(compiler(padded, place, "exec"), self.module.__dict__)
            if awaited is not None:  # Only a cell with `await` returns a value.
                importlib.import_module("asyncio").run(awaited)
        except BaseException as error:  # SystemExit and KeyboardInterrupt must not end the worker.
            return self._describe_error(error)
        return None

    def handle_request_within(self, seconds: float, kind: str, target: Target, *rest: object) -> dict:
        """Handle a request, but interrupt it shortly before the grader's timeout, so that the reply names the line."""
        try:
            with _Alarm(max(seconds - ALARM_SECONDS, 0.9 * seconds), is_busy=True):
                return self.handle_request(kind, target, *rest)
        except BaseException as error:  # The alarm has interrupted the kit's own code around the call.
            return {"error": self._describe_error(error)}

    def handle_request(self, kind: str, target: Target, *rest: object) -> dict:
        """Handle one request, and return the reply: "value" or "error", and further keys.

        "call": call a function. The reply's "changed" lists the positions of arguments that it mutated.
        "again": return the current value of an earlier result.
        "set": set the weights of a module.
        "gradients": return the gradients of a result.
        "measure": return the memory limits that a call exceeds.

        An earlier result is identified by the "ref" of the reply that returned it.
        """
        if not self.guards:
            return self._perform(kind, target, *rest)
        if isinstance(target, str):
            self.guards.begin_exercise(target)
        outcome = self.guards.watch_call(lambda: self._perform(kind, target, *rest))
        return {"error": self._describe_error(self.guards.refusal)} if self.guards.refusal else outcome

    def try_edit(self, name: str, text: str, play: Callable[[], bytes], seconds: float) -> bytes | None:
        """Return the result of `play` with a definition replaced, or None if the code fails or takes too long."""
        names, end = vars(self.module), time.monotonic() + seconds
        definition_before = names.get(name)
        self.results.clear()
        try:
            with _Alarm(seconds, MIN_SECONDS):
                exec(compile(text, "<edit>", "exec", dont_inherit=True), names)
                replies = play()
            return replies if time.monotonic() < end else None  # The answer may have caught the interruption.
        except BaseException:
            return None
        finally:
            names[name] = definition_before

    def _perform(self, kind: str, target: Target, *rest: Any) -> dict:
        try:
            target_object = self._find_target(target)
            if isinstance(target, str):
                _fix_seeds()
            if kind == "call":
                return self._call_and_describe(target_object, *rest, is_by_name=isinstance(target, str))
            if kind == "again":
                return {"value": self.describe_result(target_object)}
            from .torch_requests import HANDLERS  # noqa: PLC0415  (imports torch, which most answers never need)

            return {"value": HANDLERS[kind](target_object, *rest)}
        except BaseException as error:
            return {"error": self._describe_error(error)}

    def _find_target(self, target: Target) -> Any:
        if isinstance(target, str):
            if target in vars(self.module):
                return vars(self.module)[target]
            raise NameError(f"{target} is not defined")
        if isinstance(target, int):
            return self.results[target]
        ref, method = target
        return getattr(self.results[ref], method)

    def _call_and_describe(self, function: Callable, args: list, kwargs: dict, is_by_name: bool) -> dict:
        close_figures()
        inputs, keywords = materialize(args), materialize(kwargs)
        try:
            value: Any = self._call_function(function, inputs, keywords)
            if is_by_name and "torch.nn" in sys.modules and isinstance(value, sys.modules["torch.nn"].Module):
                value.eval()  # Modules are judged in evaluation mode, unless a suite calls `train`.
            self.results.append(value)
            description = self.describe_result(value, [*inputs, *keywords.values()])
            outcome: dict = {"value": description, "ref": len(self.results) - 1}
        except BaseException as error:
            outcome = {"error": self._describe_error(error)}
        remove_files(args, inputs)
        pairs = enumerate(zip(args, inputs, strict=True))
        outcome["changed"] = [position for position, pair in pairs if not is_unchanged(*pair)]
        return outcome

    def _call_function(self, function: Callable, arguments: list, keywords: dict) -> object:
        harness = next((argument for argument in arguments if isinstance(argument, Harness)), None)
        if harness is None:
            return function(*arguments, **keywords)
        from .harness import call_with_harness  # noqa: PLC0415  (imports torch, which most answers never need)

        return call_with_harness(harness, function, arguments)

    def _describe_error(self, error: BaseException) -> dict:
        """Return an error as plain data: type, built-in base classes, message, and its frames in the learner's code."""
        try:
            message = str.__str__(str(error.msg if isinstance(error, SyntaxError) else error))
        except BaseException:  # The `__str__` of an answer's exception may raise.
            message = "(its message cannot be printed)"
        with contextlib.suppress(BaseException):  # Objects that an answer attached to its error may raise, too.
            message += suggest_name(error)
        trace: list[list] = []
        with contextlib.suppress(BaseException):
            trace = self._describe_traceback(error)
        operation: list = []
        with contextlib.suppress(BaseException):
            operation = describe_failed_operation(error)
        kinds: list[str] = []
        with contextlib.suppress(BaseException):
            kinds = [kind.__name__ for kind in type.mro(type(error)) if kind.__module__ == "builtins"]
        summary = {"type": str(type(error).__name__)[:80], "kinds": kinds, "message": message[:500], "where": trace}
        return summary | ({"operation": operation} if operation else {})

    def _describe_traceback(self, error: BaseException) -> list[list]:
        if isinstance(error, SyntaxError) and error.filename in self.lines:
            return [[error.filename, error.lineno or 0, "", (error.text or "").strip()[:200]]]
        steps: list[list] = []
        for frame, line in traceback.walk_tb(error.__traceback__):
            place = frame.f_code.co_filename
            if place in self.lines:
                steps.append([place, line, _find_definition_name(frame), _quote_line(self.lines[place], line)[:200]])
        return steps[-8:]


class _Alarm:
    """A context manager that interrupts the answer with a `BaseException` after `seconds` (of CPU time if `is_busy`).

    If the answer catches the exception, it is interrupted again every `repeat_seconds`.
    """

    def __init__(self, seconds: float, repeat_seconds: float = 0.0, is_busy: bool = False) -> None:
        # Windows has no interval timers.
        self.seconds, self.repeat_seconds = seconds if hasattr(signal, "setitimer") else math.inf, repeat_seconds
        if self.seconds < math.inf:
            self.timer = signal.ITIMER_PROF if is_busy else signal.ITIMER_REAL
            signal.signal(signal.SIGPROF if is_busy else signal.SIGALRM, self._interrupt)

    def __enter__(self) -> None:
        if self.seconds < math.inf:
            signal.setitimer(self.timer, self.seconds, self.repeat_seconds)

    def __exit__(self, *error: object) -> None:
        if self.seconds < math.inf:
            signal.setitimer(self.timer, 0)

    def _interrupt(self, number: int, frame: types.FrameType | None) -> None:
        if frame and frame.f_code.co_filename == __file__:  # The kit's own code is running, so try again soon.
            signal.setitimer(self.timer, MIN_SECONDS, self.repeat_seconds)
        else:
            raise type(STILL_RUNNING, (BaseException,), {})  # The grader recognises an error by its type's name.


def _choose_description() -> Callable:
    """Return the function that describes results. Without torch and Matplotlib, results stay as they are."""
    if not {"torch.nn", "matplotlib.axes"} & sys.modules.keys():
        return _return_unchanged
    from .describe import describe_result  # noqa: PLC0415  (describes only objects of these libraries)

    return describe_result


def _return_unchanged(value: object, arguments: Sequence = ()) -> object:
    return value


def _fix_seeds() -> None:
    """Seed all random number generators, so that the same requests get the same replies."""
    random.seed(0)
    np.random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.manual_seed(0)


def _quote_line(lines: dict[int, str], number: int) -> str:
    """Return a source line to quote in an error. A `raise` is returned together with its `if`."""
    line = lines.get(number, "")
    if not line.lstrip().startswith("raise"):
        return line.strip()
    above = (lines.get(i, "") for i in range(number - 1, 0, -1))
    header = next((text for text in above if text.strip() and _count_indent(text) < _count_indent(line)), "").strip()
    return f"{header} {line.strip()}" if re.fullmatch("(el)?if .*:", header) else line.strip()


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _find_definition_name(frame: types.FrameType) -> str:
    if hasattr(frame.f_code, "co_qualname"):
        return frame.f_code.co_qualname.partition(".")[0]
    first = frame.f_code.co_varnames[:1]  # Python 3.10 has no `co_qualname`, but methods have a variable `self`.
    return type(frame.f_locals["self"]).__name__ if first == ("self",) else frame.f_code.co_name


class _QuietShell:
    """A substitute for IPython's shell, which cells get from `get_ipython()`. Every method does nothing."""

    def __getattr__(self, name: str) -> Callable:
        return _do_nothing


def _do_nothing(*args: object, **kwargs: object) -> None:
    pass
