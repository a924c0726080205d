"""An answer as suites see it: a function, or a class, that runs somewhere else.

`Answer` is the fixture of that name. Calling it calls the exercise and gives a `Reply`, which suites question with
`equals`, `satisfies` and the rest. ``answer.build(...)`` makes an instance of a class and gives a `Built`, a handle to
be called in turn. `Reference` is the same over trusted code, with plain values in place of replies.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Asked, Refused
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.judging.ask.biases import Shapes, missing_biases, set_missing_biases, strip_missing_biases
from autograder.judging.ask.call import Call
from autograder.judging.ask.reply import Reply
from autograder.judging.values.compare import Mismatch
from autograder.judging.values.leaves import replace_scalars
from autograder.worker.values import Described, Tensor

CALL_SECONDS = 5.0
EXERCISE_SECONDS = 20.0  # for all calls of one suite together
MAX_LOST_CALLS = 2  # calls that may end without a result before no more is asked
MAX_LOST_CALLS_IN_HASTE = 1  # the same where somebody sits and waits


class Answer:
    """The exercise of one answer."""

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

    @classmethod
    def of(
        cls, exercise: Exercise, session: Asked, patience: int = MAX_LOST_CALLS, seconds: float | None = None
    ) -> Answer:
        """The answer to an exercise, in the time that its chapter allows it where no other is named."""
        answer = cls(exercise.name, session, exercise.seconds if seconds is None else seconds)
        answer.known_names = [other.name for other in read_chapter(exercise.chapter).exercises]
        answer.shows, answer.patience = exercise.shows, patience
        return answer

    def begin_test(self) -> None:
        """What is asked from here on has nothing to do with what was asked before."""
        self._begins, self.missed, self.share = True, None, 1.0
        self.session.restart()

    def miss(self, mismatch: Mismatch, share: float) -> None:
        """Go on where a share of a call's results is right, so that the test can be worth that share of its points."""
        self.missed, self.share = self.missed or mismatch, min(self.share, share)
        if not share:
            raise mismatch

    def __call__(self, *args: object, **kwargs: object) -> Reply:
        """Call the function."""
        return self.send(Call(self.name, args, kwargs))

    def build(self, *args: object, weights: Mapping[str, Tensor] | None = None) -> Built:
        """Make an instance of the class, in evaluation mode and with these weights if there are any.

        Parameters
        ----------
        *args : object
        weights : dict, optional
            Attribute path -> `Tensor`, such as ``{"Wq.weight": ...}``.
        """
        built = Built(self, self(*args))
        if weights:
            built.set(weights)
        return built

    def gradients(self, *args: object, results: Sequence[int] = (0,)) -> Reply:
        """Gradients of some results of the function with respect to its arguments; see `Reply.flows_like`."""
        return self.send(Call(self.name, (list(args), list(results)), kind="gradients"))

    def measure(self, *args: object, **limits: int) -> Reply:
        """What a call takes where that is more than the limits of `worker.memory.measure`; see `Reply.stays_within`."""
        return self.send(Call(self.name, (list(args), limits), kind="measure"))

    def send(self, call: Call) -> Reply:
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
        return Reply(call, self)

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
                    sentence = (
                        f"gave no result before the {self.seconds:g} seconds were over that all calls have together"
                    )
                    reason = "Each call takes too long, or one of them never ends."
            call.error = {"type": ended.outcome, "message": sentence, "where": []}
            refused = Refused(ended.outcome, f"{sentence}.", str(call), reason=reason)
            refused.asked = call
            raise refused from None
        finally:
            self.seconds_left -= time.monotonic() - started - (self.session.waited - waited)


class Built:
    """An instance that an answer made, to be called like the module it is."""

    def __init__(self, answer: Answer, reply: Reply) -> None:
        self._answer, self._call = answer, reply.call
        self.value: Any = reply.value  # an error speaks first
        self.is_module = _is_module(self.value)

    def __call__(self, *args: object, **kwargs: object) -> Reply:
        """Call the instance itself."""
        return self.method("", *args, **kwargs)

    def method(self, name: str, *args: object, **kwargs: object) -> Reply:
        """Call one of its methods."""
        return self._answer.send(Call(self._answer.name, args, kwargs, self._call, name))

    def set(self, weights: Mapping[str, Tensor]) -> None:
        """Set weights by attribute path; `Mismatch` names the first that is missing or has another shape."""
        problems = self._answer.send(Call(self._answer.name, (weights,), of=self._call, kind="set")).value
        if problems:
            path, shape_or_type = problems[0]
            problem = "is missing"
            if isinstance(shape_or_type, tuple):
                problem = f"has shape {shape_or_type}, expected {weights[path].array.shape}"
            elif shape_or_type is not None:
                problem = f"is of type {shape_or_type}, expected a parameter of shape {weights[path].array.shape}"
            others = self._other_names(weights, [path for path, instead in problems if instead is None])
            self._fail(f"was made, but its attribute {path} {problem}{others}")

    def _fail(self, problem: str) -> NoReturn:
        mismatch = Mismatch("attribute", problem)
        mismatch.call = self._call
        raise mismatch

    def _other_names(self, weights: Mapping[str, Tensor], missing: list[str]) -> str:
        """The parameters that a module has under other names, and those that are missing, with their shapes."""
        if not (self.is_module and missing):
            return ""
        parameters = self.value.parts["parameters"]
        others = {name: tuple(shape) for name, (shape, _) in parameters.items() if name not in weights}
        has = _list_shapes(others) if others else f"no parameters{' under other names' if parameters else ''}"
        if loose := self.value.parts.get("loose"):
            kinds = ", ".join(f"{name[:40]} ({kind[:40]})" for name, kind in [*loose.items()][:3])
            has += f", and attributes that torch does not train: {kinds}"
        return f". It has {has}; expected {_list_shapes({path: weights[path].array.shape for path in missing})}"

    def gradients(self, *args: object, results: Sequence[int] = (0,), method: str = "") -> Reply:
        """Gradients of some results, of the instance or of a method, for the arguments and the parameters."""
        call = Call(self._answer.name, (list(args), list(results)), {}, self._call, method, "gradients")
        return self._answer.send(call)

    def measure(self, method: str, *args: object, **limits: int) -> Reply:
        """What a call of a method takes where that is more than the limits: see `Reply.stays_within`."""
        return self._answer.send(Call(self._answer.name, (list(args), limits), {}, self._call, method, "measure"))

    @property
    def parameters(self) -> Shapes:
        """Name -> shape of each parameter that is trained, as it is now; empty for what is no module."""
        now: Any = self._answer.reread(self._call)
        return {name: tuple(shape) for name, (shape, _) in now.parts["parameters"].items()} if _is_module(now) else {}

    def has_parameters(self, shapes: Shapes, optional: Mapping[str, tuple[int, ...]] | None = None) -> Built:
        """The instance is a module that trains exactly these parameters; optional ones may be there as well."""
        if not self.is_module:
            self._fail("is not an nn.Module: derive the class from it and call super().__init__()")
        trained, expected = self.parameters, {**(optional or {}), **shapes}
        for name in [*shapes, *trained]:
            if name not in trained:
                other = self.value.parts.get("shared", {}).get(name)
                self._fail(f"has no parameter {name} " + (f"of its own: it is {other}" if other else "that is trained"))
            if name not in expected:
                self._fail(f"has a parameter {name} too many")
            if trained[name] != expected[name]:
                self._fail(f"has a parameter {name} of shape {trained[name]}, expected {expected[name]}")
        return self


def _list_shapes(shapes: Shapes, most: int = 3) -> str:
    """Names with their shapes: ``Wq.weight (6, 6), Wq.bias (6,)``."""
    parts = [f"{name[:40]} {shape}" for name, shape in shapes.items()]
    return ", ".join(parts[:most]) + (f" and {len(parts) - most} more" if len(parts) > most else "")


def _is_module(value: object) -> bool:
    return isinstance(value, Described) and value.kind == "module"


class Reference:
    """Trusted code as a plain function, or a plain object: values in place of replies. An error in it is ours."""

    def __init__(self, name: str, session: Asked) -> None:
        session.restart()
        self._answer = Answer(name, session, seconds=math.inf)
        self._thing: Any = self._answer  # or the `Built` that it made

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """The value that the function, or the object, returns."""
        return _value(self._thing(*args, **kwargs).call)

    def build(self, *args: object, weights: Mapping[str, Tensor] | None = None) -> Reference:
        """An object in place of an instance of the class."""
        built = copy.copy(self)
        built._thing = self._answer.build(*args, weights=weights)
        return built

    def after(self, calls: Sequence[Call]) -> Any:
        """The value of the last of these calls, which were made of another answer, in double precision."""
        *_, last = self._answer.repeat(calls, in_double_precision)
        return _value(last)

    def gradients(self, *args: object, **which: Any) -> Any:
        """What autograd makes of the reference."""
        return _value(self._thing.gradients(*args, **which).call)

    def method(self, name: str, *args: object, **kwargs: object) -> Any:
        """The value that a method of the object returns."""
        return _value(self._thing.method(name, *args, **kwargs).call)


def in_double_precision(value: object) -> object:
    """The same with every tensor of floating-point numbers in float64."""

    def change(part: object) -> object:
        if isinstance(part, Tensor) and part.array.dtype.kind == "f":
            return replace(part, array=part.array.astype(float))
        return part

    return replace_scalars(value, change)


def _value(call: Call) -> Any:
    if call.error is not None:
        raise RuntimeError(f"the solution raised {call.error['type']}: {call.error['message']}")
    return call.value
