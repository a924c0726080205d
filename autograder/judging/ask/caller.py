"""Makes the calls of one exercise's suite, or those of another answer again, in the time that they have together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Asked, Refused
from autograder.judging.ask.call import Call
from autograder.judging.values.compare import Mismatch
from autograder.worker.values import Described, Tensor

CALL_SECONDS = 5.0
EXERCISE_SECONDS = 20.0  # for all calls of one suite together
MAX_LOST_CALLS = 2  # calls that may end without a result before no more is asked
MAX_LOST_CALLS_IN_HASTE = 1  # the same where somebody sits and waits


class Caller:
    """The exercise of one answer, asked call by call."""

    known_names: Sequence[str] = ()  # of the chapter's exercises
    shows: Sequence[str] = ()  # what rows and columns of its result are, as in `Exercise`
    patience = MAX_LOST_CALLS

    def __init__(self, name: str, session: Asked, seconds: float | None = None) -> None:
        self.name, self.session = name, session
        self.calls: list[Call] = []  # everything that was asked so far, for the diagnosis
        self._begins, self._compared = True, time.thread_time()
        self.missed: Mismatch | None = None  # the first result of this test that was not what it should be
        self.share = 1.0  # of the results of each call, the least that was right
        self.seconds, self.timeouts = EXERCISE_SECONDS if seconds is None else seconds, 0  # for all calls together
        self.seconds_left = self.seconds
        self.call_seconds = CALL_SECONDS if seconds is None else seconds / 4  # one endless loop leaves the rest some

    def begin_test(self) -> None:
        self._begins, self.missed, self.share = True, None, 1.0
        self.session.restart()

    def miss(self, mismatch: Mismatch, share: float) -> None:
        """Go on where a share of a call's results is right, so that the test can be worth that share of its points."""
        self.missed, self.share = self.missed or mismatch, min(self.share, share)
        if not share:
            raise mismatch

    def send(self, call: Call) -> Call:
        """Have one call made; `Refused` where it ends the worker."""
        # What a result takes to be looked at is its own doing.
        compared, self._compared = self._compared, time.thread_time()
        self.seconds_left -= self._compared - compared
        if self.timeouts >= self.patience or self.seconds_left <= 0:
            raise Refused("timeout", "Not tried: earlier calls took all the time there is.")
        call.first, self._begins = self._begins, False
        self.calls.append(call)
        reply = self._ask(call.request(), call)
        call.value, call.error = call.without_chance(reply.get("value")), reply.get("error")
        call.changed, call.ref = reply.get("changed", []), reply.get("ref")
        return call

    def reread(self, call: Call) -> object:
        """The value of an earlier call as it is now, after later ones."""
        return self._ask(["again", call.ref], call).get("value")

    def repeat(self, calls: Sequence[Call], convert: Callable[[Any], Any] | None = None) -> Iterator[Call]:
        """Make the calls of another answer again, with converted arguments; yields the new ones, in the same order."""
        new_calls: dict[int, Call] = {}
        missing: dict[int, Shapes] = {}
        for call in calls:
            if call.first:
                self.session.restart()
            biases = missing.get(id(call.of), {})
            args = set_missing_biases(call, biases)
            args = convert(args) if convert else args
            of = new_calls.get(id(call.of))
            again = new_calls[id(call)] = Call(self.name, args, call.kwargs, of, call.method, call.kind)
            if args is call.args:
                again.inputs = call.inputs
            self.send(again)
            if biases := biases or missing_biases(call, again, calls):
                missing[id(call)], again.value = biases, strip_missing_biases(again, biases)
            yield again

    def _ask(self, request: list, call: Call) -> dict:
        started, waited, seconds = time.monotonic(), self.session.waited, min(self.call_seconds, self.seconds_left)
        try:
            return self.session.ask(request, seconds, call)
        except WorkerEnded as ended:
            sentence, reason = str(ended), ended.reason
            if ended.outcome == "timeout":
                self.timeouts += 1
                if seconds < self.call_seconds:
                    limit = f"the {self.seconds:g} seconds were over that all calls have together"
                    sentence = f"gave no result before {limit}"
                    reason = "Each call takes too long, or one of them never ends."
            call.error = {"type": ended.outcome, "message": sentence, "where": list(ended.where)}
            refused = Refused(ended.outcome, f"{sentence}.", str(call), call.error if ended.where else None, reason)
            refused.asked = call
            raise refused from None
        finally:
            self.seconds_left -= time.monotonic() - started - (self.session.waited - waited)


Shapes = dict[str, tuple[int, ...]]


def missing_biases(call: Call, again: Call, calls: Iterable[Call]) -> Shapes:
    """Name -> shape of each such bias, where a call, and the same made again, made a module."""
    has, other = _parameters(call.value), _parameters(again.value)
    if has is None or other is None:
        return {}
    weights = [name for setting in calls if setting.kind == "set" for name in setting.args[0]]
    biases = {name for name in other if name.rpartition(".")[2] == "bias"} - {*has, *weights}
    return {name: other[name][0] for name in biases} if weights else {}


def _parameters(value: object) -> dict | None:
    parameters = value.parts.get("parameters") if isinstance(value, Described) and value.kind == "module" else None
    return parameters if isinstance(parameters, dict) else None


def set_missing_biases(call: Call, biases: Shapes) -> tuple:
    """The arguments of a call, and 0 for these biases where it sets weights, in their precision."""
    weights = call.args[0] if call.args and (call.kind == "set" or call.method == "load_state_dict") else None
    if not (biases and isinstance(weights, dict)):
        return call.args
    dtype = next((weight.array.dtype for weight in weights.values() if isinstance(weight, Tensor)), np.dtype(float))
    zeros = {name: Tensor(np.zeros(shape, dtype)) for name, shape in biases.items()}
    return ({**weights, **zeros}, *call.args[1:])


def strip_missing_biases(call: Call, biases: Shapes) -> object:
    """What a call came to, without these biases: a module, its gradients, or what it holds."""
    value: Any = call.value
    if call.error:
        return value
    if isinstance(value, Described):
        return replace(value, parts={**value.parts, "parameters": _drop_biases(value.parts["parameters"], biases)})
    if call.kind == "gradients":
        return {**value, "parameters": _drop_biases(value["parameters"], biases)}
    return _drop_biases(value, biases) if call.method == "state_dict" else value


def _drop_biases(named: dict, biases: Shapes) -> dict:
    return {name: value for name, value in named.items() if name not in biases}
