"""A call of an answer with its result or error, and the caller that makes calls within a time limit."""

from __future__ import annotations

import ast
import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import AnswerRefused, AnswerSession
from autograder.judging.values.compare import Mismatch
from autograder.judging.values.show import format_call
from autograder.worker.reading.definitions import find_definition
from autograder.worker.values import Described, Harness, Tensor
from autograder.worker.wire import encode

CALL_SECONDS = 5.0
EXERCISE_SECONDS = 20.0  # total for all calls of one suite
MAX_LOST_CALLS = 2  # number of timeouts after which no further call is made
MAX_LOST_INTERACTIVE_CALLS = 1  # replaces `MAX_LOST_CALLS` if a person waits for the result


@dataclass(eq=False)
class Call:
    """A request to a worker and its reply: a value or an error."""

    name: str  # the exercise's name
    args: tuple
    kwargs: dict = field(default_factory=dict)
    maker: Call | None = None  # the call that created the called object; None for the exercise itself
    method: str = ""  # the called method; empty to call the object itself
    kind: str = "call"  # "call", "set", "gradients" or "measure", as in `Runner.handle_request`
    value: object = None
    error: dict | None = None  # the worker's description of the error
    changed: list[int] = field(default_factory=list)  # positions of the arguments that were mutated
    ref: int | None = None  # ID by which the worker refers to the returned value
    begins_test: bool = False  # whether this is the first call of a test
    expected_value: object = None  # the expected value of the comparison, or None before a comparison
    weights: tuple = ()  # arguments of the later "set" call on the instance that this call created
    to_raise: str = ""  # the expected error type; empty if a result is expected
    to_name: frozenset[str] = frozenset()  # words: the error's message may contain the expected one and 3 more
    repetition: int = 1  # 2 for the second call of a method on the same object

    def __str__(self) -> str:
        return self.format_with(format_call)

    def format_with(self, show: Callable[[str, Sequence, dict], str]) -> str:
        """Return the call as text, formatted by a function such as `format_call`."""
        subject = self.maker.format_with(show) if self.maker else self.name
        if self.kind == "set":
            return subject
        target = f"{subject}.{self.method}" if self.maker and self.method else subject
        if self.kind == "call":
            repetition_note = f" (call {self.repetition} on the same object)" if self.repetition > 1 else ""
            return show(target, self.args, self.kwargs) + repetition_note
        called = show(target, self.args[0], {})
        if self.kind != "gradients":
            return called
        results = self.args[1]
        numbers = " and ".join(str(number + 1) for number in results)
        return f"A backward pass through {'' if results == [0] else f'result {numbers} of '}{called}"

    def request(self) -> list:
        target = self.name if self.maker is None else [self.maker.ref, self.method] if self.method else self.maker.ref
        return [self.kind, target, *self._inputs()]

    @functools.cached_property
    def inputs(self) -> bytes:
        """Return the encoded arguments."""
        return encode(self._inputs())

    def _inputs(self) -> list:
        return [list(self.args), self.kwargs] if self.kind == "call" else list(self.args)

    @property
    def is_harnessed(self) -> bool:
        return any(isinstance(argument, Harness) for argument in self.args)

    def replace_random_numbers(self, value: object) -> object:
        """Return a reproducible form of a random value, so that the results of two answers can be compared.

        Numbers with known bounds become -1 (too small), 0 (correct) or 1 (too large), and drawn tokens become facts
        about them, such as whether equal seeds draw the same.
        """
        harness = next((argument for argument in self.args if isinstance(argument, Harness)), None)
        if harness and harness.settings.get("tells") == "repeats":
            return _describe_draws(value)
        between = harness.between if harness else None
        if between is None or not isinstance(value, Tensor) or value.array.shape != between[0].shape:
            return value
        low, high = between
        return Tensor(np.where(value.array > high, 1, np.where(value.array >= low, 0, -1)))


def read_parameters(source: str, name: str, call: Call) -> list[str]:
    """Return the parameter names of the called function or method, read from an exercise's source."""
    definition = find_definition(ast.parse(source), name)
    if isinstance(definition, ast.ClassDef):
        definition = find_definition(definition, "__init__" if call.maker is None else call.method or "forward")
        return [argument.arg for argument in definition.args.args[1:]] if definition else []
    names = [argument.arg for argument in (*definition.args.posonlyargs, *definition.args.args)] if definition else []
    for i, argument in enumerate(call.args):
        if isinstance(argument, Harness):  # One harness may replace several arguments.
            names[i : i + len(argument.text.split(","))] = [argument.text]
    return names


def _describe_draws(sampled_tokens: object) -> object:
    """Return facts about the tokens of `worker.harness.TokenSampling`, such as whether equal seeds draw the same."""
    try:
        result: Any = sampled_tokens
        (first, second, third), states = ([[row.array for row in run] for run in result["runs"]], result["states"])
        facts = {
            "return the same tokens for the same seed": all(map(np.array_equal, first, second)),
            "return different tokens for another seed": not np.array_equal(first[0], third[0]),
            "return different tokens in the next call": not np.array_equal(*first),
        }
        if states:
            facts["leave PyTorch's global generator alone"] = np.array_equal(*(state.array for state in states))
        return facts
    except (TypeError, ValueError, KeyError, AttributeError):
        return sampled_tokens


class Caller:
    """One exercise of an answer, called through a session."""

    known_names: Sequence[str] = ()  # names of the chapter's exercises
    stub: str = ""  # source of the exercise's stub, from which parameter names are read
    axis_names: Sequence[str] = ()  # names of the result's axes, such as ("query", "key")
    max_lost_calls = MAX_LOST_CALLS

    def __init__(self, name: str, session: AnswerSession, seconds: float | None = None) -> None:
        self.name, self.session = name, session
        self.calls: list[Call] = []  # all calls so far
        self._begins, self._compared = True, time.thread_time()
        self.first_mismatch: Mismatch | None = None  # the first wrong result of the current test
        self.share = 1.0  # the smallest share of correct results in any call of the test
        self.timeouts, self.seconds = 0, EXERCISE_SECONDS if seconds is None else seconds
        self.seconds_left = self.seconds
        self.call_seconds = CALL_SECONDS if seconds is None else seconds / 4  # one call may use a quarter of the time

    def begin_test(self) -> None:
        self._begins, self.first_mismatch, self.share = True, None, 1.0
        self.session.restart()

    def record_mismatch(self, mismatch: Mismatch, share: float) -> None:
        """Record a wrong result and the share of it that is correct. Raises `mismatch` if the share is 0."""
        self.first_mismatch, self.share = self.first_mismatch or mismatch, min(self.share, share)
        if not share:
            raise mismatch

    def send(self, call: Call) -> Call:
        """Send a call and return it with its reply. Raises `AnswerRefused` if the worker ends or no time is left."""
        # The time for comparing a result counts, too, because the answer determines the result's size.
        last_time, self._compared = self._compared, time.thread_time()
        self.seconds_left -= self._compared - last_time
        if self.timeouts >= self.max_lost_calls or self.seconds_left <= 0:
            raise AnswerRefused("timeout", "Not tried: earlier calls used up the time.")
        call.begins_test, self._begins = self._begins, False
        if call.method:
            call.repetition += sum(other.maker is call.maker and other.method == call.method for other in self.calls)
        self.calls.append(call)
        reply = self._ask(call.request(), call)
        call.value, call.error = call.replace_random_numbers(reply.get("value")), reply.get("error")
        call.changed, call.ref = reply.get("changed", []), reply.get("ref")
        return call

    def read_current_value(self, call: Call) -> object:
        """Return the current value of the object that an earlier call returned, which later calls may have changed."""
        return self._ask(["again", call.ref], call).get("value")

    def repeat(self, calls: Sequence[Call], convert: Callable[[Any], Any] | None = None) -> Iterator[Call]:
        """Repeat another answer's calls, with `convert` applied to each argument. Yield the new calls in order."""
        new_calls: dict[int, Call] = {}
        missing: dict[int, Shapes] = {}
        for call in calls:
            if call.begins_test:
                self.session.restart()
            biases = missing.get(id(call.maker), {})
            args = add_missing_biases(call, biases)
            args = convert(args) if convert else args
            new_maker = new_calls.get(id(call.maker))
            new_call = new_calls[id(call)] = Call(self.name, args, call.kwargs, new_maker, call.method, call.kind)
            if args is call.args:
                new_call.inputs = call.inputs
            self.send(new_call)
            if biases := biases or find_missing_biases(call, new_call, calls):
                missing[id(call)], new_call.value = biases, strip_missing_biases(new_call, biases)
            yield new_call

    def _ask(self, request: list, call: Call) -> dict:
        start, waited_before, seconds = time.monotonic(), self.session.waited, min(self.call_seconds, self.seconds_left)
        try:
            return self.session.ask(request, seconds, call)
        except WorkerEnded as ended:
            sentence, reason = str(ended), ended.reason
            if ended.outcome == "timeout":
                self.timeouts += 1
                if seconds < self.call_seconds:
                    limit = f"all calls together had used up their {self.seconds:g} seconds"
                    sentence = f"had not returned when {limit}"
                    reason = "Each call takes too long, or one of them never ends."
            call.error = {"type": ended.outcome, "message": sentence, "where": list(ended.where)}
            error = call.error if ended.where else None
            refusal = AnswerRefused(ended.outcome, f"{sentence}.", str(call), error, reason)
            refusal.shown_call = call
            raise refusal from None
        finally:
            self.seconds_left -= time.monotonic() - start - (self.session.waited - waited_before)


Shapes = dict[str, tuple[int, ...]]


def find_missing_biases(call: Call, new_call: Call, calls: Iterable[Call]) -> Shapes:
    """Return name -> shape of each bias that the module created by `new_call` has and the one of `call` lacks."""
    parameters, new_parameters = _get_module_parameters(call.value), _get_module_parameters(new_call.value)
    if parameters is None or new_parameters is None:
        return {}
    weights = [name for setting in calls if setting.kind == "set" for name in setting.args[0]]
    biases = {name for name in new_parameters if name.rpartition(".")[2] == "bias"} - {*parameters, *weights}
    return {name: new_parameters[name][0] for name in biases} if weights else {}


def _get_module_parameters(value: object) -> dict | None:
    parameters = value.parts.get("parameters") if isinstance(value, Described) and value.kind == "module" else None
    return parameters if isinstance(parameters, dict) else None


def add_missing_biases(call: Call, biases: Shapes) -> tuple:
    """Return a call's arguments, with zeros for these biases if the call sets weights."""
    weights = call.args[0] if call.args and (call.kind == "set" or call.method == "load_state_dict") else None
    if not (biases and isinstance(weights, dict)):
        return call.args
    dtype = next((weight.array.dtype for weight in weights.values() if isinstance(weight, Tensor)), np.dtype(float))
    zeros = {name: Tensor(np.zeros(shape, dtype)) for name, shape in biases.items()}
    return ({**weights, **zeros}, *call.args[1:])


def strip_missing_biases(call: Call, biases: Shapes) -> object:
    """Return a call's value (a module, gradients, or a state dict) without these biases."""
    value: Any = call.value
    if call.error:
        return value
    if isinstance(value, Described):
        return replace(value, parts={**value.parts, "parameters": _drop_biases(value.parts["parameters"], biases)})
    if call.kind == "gradients":
        return {**value, "parameters": _drop_biases(value["parameters"], biases)}
    return _drop_biases(value, biases) if call.method == "state_dict" else value


def _drop_biases(values: dict, biases: Shapes) -> dict:
    return {name: value for name, value in values.items() if name not in biases}
