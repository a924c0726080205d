"""An answer as suites see it: a function or class that runs in another process.

The fixture `answer` is an `Answer`. Calling it calls the learner's function and returns a `Reply`, whose methods, such
as `equals`, check the result. ``answer.build(...)`` creates an `Instance` of the learner's class, which is
called in the same way. A `Solution` runs trusted code and returns plain values instead of replies.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from autograder.boundary.session import AnswerSession
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.text import join_words
from autograder.judging.ask.call import MAX_LOST_CALLS, Call, Caller, Shapes
from autograder.judging.ask.reply import Reply
from autograder.judging.values.compare import Mismatch
from autograder.judging.values.same import map_scalars
from autograder.worker.values import Described, Tensor

MAX_LISTED = 3  # parameters listed in one sentence


class Answer(Caller):
    """The learner's function or class, as the fixture `answer` of suites."""

    @classmethod
    def for_exercise(
        cls, exercise: Exercise, session: AnswerSession, max_lost: int = MAX_LOST_CALLS, seconds: float | None = None
    ) -> Answer:
        """Return the answer to an exercise. The time limit is `seconds`, otherwise the exercise's, otherwise 20 s."""
        answer = cls(exercise.name, session, exercise.seconds if seconds is None else seconds)
        answer.known_names = read_chapter(exercise.chapter).names
        answer.stub, answer.axis_names, answer.max_lost_calls = exercise.stub, exercise.shows, max_lost
        return answer

    def fetch(self, call: Call) -> Reply:
        return Reply(self.send(call), self)

    def __call__(self, *args: object, **kwargs: object) -> Reply:
        return self.fetch(Call(self.name, args, kwargs))

    def start_afresh(self, forget: Call | None) -> None:
        """Continue in a new process, without earlier state. Drop `forget` and calls of the instance that it created."""
        self.calls = [call for call in self.calls if call is not forget and call.maker is not forget]
        self._begins = True
        self.session.start_afresh()

    def build(self, *args: object, weights: Mapping[str, Tensor] | None = None, by_name: bool = True) -> Instance:
        """Create an instance in evaluation mode and set its weights. For `by_name`, see `Instance.set`."""
        built = Instance(self, self(*args))
        if weights:
            built.set(weights, by_name)
        return built

    def gradients(self, *args: object, results: Sequence[int] = (0,)) -> Reply:
        """Return a reply with the gradients of some results with respect to all arguments, for `Reply.flows_like`."""
        return self.fetch(Call(self.name, (list(args), list(results)), kind="gradients"))

    def measure(self, *args: object, **limits: int) -> Reply:
        """Return a reply with the limits of `measure_memory` that a call exceeds, for `Reply.stays_within`."""
        return self.fetch(Call(self.name, (list(args), limits), kind="measure"))


class Instance:
    """An instance of the learner's class, which can be called like a torch module."""

    def __init__(self, answer: Answer, reply: Reply) -> None:
        self._answer, self._call = answer, reply.call
        self.value: Any = reply.value  # raises `AnswerRefused` if the call failed
        self.is_torch_module = _is_torch_module(self.value)

    def __call__(self, *args: object, **kwargs: object) -> Reply:
        return self.method("", *args, **kwargs)

    def method(self, name: str, *args: object, **kwargs: object) -> Reply:
        if name == "load_state_dict":
            self._call.weights = args
        return self._answer.fetch(Call(self._answer.name, args, kwargs, self._call, name))

    def set(self, weights: Mapping[str, Tensor], by_name: bool = True, partly: bool = False) -> None:
        """Set the weights of the instance; `weights` maps attribute paths to tensors.

        With `by_name=False`, a weight whose name matches no parameter is assigned to a parameter of the same shape.
        With `partly`, weights without a matching parameter are ignored.
        """
        self._call.weights = (weights,) if by_name else (weights, by_name)
        setting = Call(self._answer.name, self._call.weights, maker=self._call, kind="set")
        problems = self._answer.fetch(setting).value
        if problems and not partly:
            missing = {path: weights[path].array.shape for path, suggested_name in problems if suggested_name is None}
            path, shape_or_type = problems[0]
            shape = weights[path].array.shape
            if path in missing:
                self._fail(f"was created without {_list_shapes(missing)}{self._describe_other_names(weights)}")
            if isinstance(shape_or_type, tuple):
                note = f". It has no {_list_names([*missing])}" if missing else ""
                self._fail(f"was created, but its attribute {path} has shape {shape_or_type}, expected {shape}{note}")
            problem = f"is of type {shape_or_type}, expected a parameter of shape {shape}"
            self._fail(f"was created, but its attribute {path} {problem}")

    def _fail(self, problem: str) -> NoReturn:
        mismatch = Mismatch("attribute", problem)
        mismatch.call = self._call
        raise mismatch

    def _describe_other_names(self, weights: Mapping[str, Tensor]) -> str:
        """Return sentences that list the module's unexpected parameters, and its tensors that are not registered."""
        if not self.is_torch_module:
            return ""
        parameters = self.value.parts["parameters"]
        shapes = {name: tuple(shape) for name, (shape, _) in parameters.items() if name not in weights}
        text = (
            f". Its other parameters: {_list_shapes(shapes)}" if shapes else ". It has no parameters" * (not parameters)
        )
        if unregistered := self.value.parts.get("loose"):
            kinds = ", ".join(f"{name[:40]} ({kind[:40]})" for name, kind in [*unregistered.items()][:MAX_LISTED])
            text += f". PyTorch does not train {kinds}"
        return text

    def gradients(self, *args: object, results: Sequence[int] = (0,), method: str = "") -> Reply:
        """Return a reply with the gradients of a call, or of a `method`, with respect to arguments and parameters."""
        call = Call(self._answer.name, (list(args), list(results)), {}, self._call, method, "gradients")
        return self._answer.fetch(call)

    def measure(self, method: str, *args: object, **limits: int) -> Reply:
        """Call a method and return a reply with the memory limits that it exceeds, for `Reply.stays_within`."""
        return self._answer.fetch(Call(self._answer.name, (list(args), limits), {}, self._call, method, "measure"))

    @property
    def parameters(self) -> Shapes:
        """Return name -> current shape of each trained parameter; empty if the instance is not a module."""
        current_value: Any = self._answer.read_current_value(self._call)
        parameters = current_value.parts["parameters"] if _is_torch_module(current_value) else {}
        return {name: tuple(shape) for name, (shape, _) in parameters.items()}

    def has_parameters(self, shapes: Shapes, optional: Mapping[str, tuple[int, ...]] | None = None) -> Instance:
        """Raise `Mismatch` unless the module trains these parameters and no others except for `optional`."""
        if not self.is_torch_module:
            self._fail("is not an nn.Module: make it a subclass, and call super().__init__()")
        trained, expected = self.parameters, {**(optional or {}), **shapes}
        shared_names = self.value.parts.get("shared", {})
        missing = [name for name in shapes if name not in trained]
        extra = [name for name in trained if name not in expected]
        for name in missing:
            if other_name := shared_names.get(name):
                self._fail(f"has no separate parameter {name}: it is the same tensor as {other_name}")
        if missing:
            self._fail(f"has no trained parameter{'s' * (len(missing) > 1)} {_list_names(missing)}")
        if extra:
            self._fail(f"has {'extra parameters' if len(extra) > 1 else 'an extra parameter'} {_list_names(extra)}")
        for name in trained:
            if trained[name] != expected[name]:
                self._fail(f"has a parameter {name} of shape {trained[name]}, expected {expected[name]}")
        return self


def _list_shapes(shapes: Shapes) -> str:
    return _list_names([f"{name[:40]} {shape}" for name, shape in shapes.items()])


def _list_names(names: Sequence[str]) -> str:
    remainder = [f"{len(names) - MAX_LISTED} more"] if len(names) > MAX_LISTED else []
    return join_words([*names[:MAX_LISTED], *remainder])


def _is_torch_module(value: object) -> bool:
    return isinstance(value, Described) and value.kind == "module"


class Solution:
    """A solution's function or class that returns plain values. An error in it is an internal error."""

    def __init__(self, name: str, session: AnswerSession) -> None:
        session.restart()
        self._answer = Answer(name, session, seconds=math.inf)
        self._target: Any = self._answer  # the callable: the `Answer`, or an `Instance`

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return _require_value(self._target(*args, **kwargs).call)

    def build(self, *args: object, weights: Mapping[str, Tensor] | None = None) -> Solution:
        """Return a reference to a new instance of the class."""
        reference = copy.copy(self)
        reference._target = self._answer.build(*args, weights=weights)
        return reference

    def repeat_calls(self, calls: Sequence[Call]) -> Any:
        """Repeat the calls of an answer in double precision and return the value of the last call."""
        *_, last = self._answer.repeat(calls, to_double_precision)
        return _require_value(last)

    def gradients(self, *args: object, **which: Any) -> Any:
        return _require_value(self._target.gradients(*args, **which).call)

    def method(self, name: str, *args: object, **kwargs: object) -> Any:
        return _require_value(self._target.method(name, *args, **kwargs).call)


def to_double_precision(value: object) -> object:
    """Return the value with every floating-point tensor in float64."""

    def change(part: object) -> object:
        if isinstance(part, Tensor) and part.array.dtype.kind == "f":
            return replace(part, array=part.array.astype(float))
        return part

    return map_scalars(value, change)


def _require_value(call: Call) -> Any:
    if call.error is not None:
        raise RuntimeError(f"the solution raised {call.error['type']}: {call.error['message']}")
    return call.value
