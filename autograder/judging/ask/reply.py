"""The reply to one call, with the checks that suites apply to it."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np

from autograder.boundary.session import AnswerRefused, make_refusal
from autograder.chapters.text import shorten
from autograder.judging.ask.call import Call, Caller, read_parameters
from autograder.judging.values.compare import MAX_SHOWN_LENGTH, Mismatch, agrees, as_array, compute_share, require_equal
from autograder.judging.values.same import SUITE_RTOL
from autograder.judging.values.show import format_value
from autograder.worker.values import Described, Tensor

MAX_OTHERS = 3  # words of `among` that an error message may contain besides the expected one
_NEARLY_RIGHT = "The result is almost correct. Is something rounded, computed in float32, or added to a divisor?"


class Reply:
    """The reply to one call. A check that fails raises `Mismatch`; if the call failed, it raises `AnswerRefused`."""

    def __init__(self, call: Call, answer: Caller) -> None:
        self.call, self._answer = call, answer

    @property
    def value(self) -> Any:
        """Return the call's value. Raises `AnswerRefused` if the call failed."""
        if self.call.error is not None:
            refusal = make_refusal(self.call.error, str(self.call), self.call.name, self._answer.known_names)
            refusal.shown_call = self.call
            raise refusal
        return self.call.value

    @property
    def array(self) -> np.ndarray:
        with self._attach_call_to_mismatches():
            return as_array(self._require_value())

    def _require_value(self) -> Any:
        if self.value is None:
            raise Mismatch("returned", "returned None: perhaps a `return` is missing")
        return self.value

    def equals(self, expected: object, rtol: float = SUITE_RTOL) -> Reply:
        """Require the expected result. If only a part of it is correct, record the mismatch and continue."""
        self.call.expected_value = expected
        try:
            with self._attach_call_to_mismatches():
                require_equal(self.value, expected, rtol)
        except Mismatch as mismatch:
            if mismatch.kind == "values" and mismatch.rtol < SUITE_RTOL and agrees(self.value, expected):
                mismatch.reason = _NEARLY_RIGHT
            self._answer.record_mismatch(mismatch, compute_share(self.call.value, expected, rtol))
        return self

    def satisfies(self, holds: Callable[[np.ndarray], object], sentence: str) -> Reply:
        """Require that `holds(array)` is true; `sentence` names the expected array, as in "weights that sum to 1"."""
        array = self.array
        try:
            with np.errstate(all="ignore"):
                has_property = bool(holds(array))
        except (ValueError, IndexError, TypeError):  # The property cannot be tested with this shape.
            has_property = False
        if not has_property:
            problem = f"should return {sentence}, but returned {shorten(format_value(array), MAX_SHOWN_LENGTH)}"
            raise self._attach_call(Mismatch("property", problem, array))
        return self

    def flows_like(self, expected: dict) -> Reply:
        """Require the gradients that ``solution.gradients(...)`` returned, with respect to arguments and parameters."""
        gradients = self.value
        with self._attach_call_to_mismatches():
            arguments = self.call.args[0]
            names = _name_float_tensors(arguments, self._name_arguments(arguments))
            for name, got, expected_gradient in zip(names, gradients["arguments"], expected["arguments"], strict=True):
                _require_gradient(got, expected_gradient, name)
            for name, expected_gradient in expected["parameters"].items():
                if name not in gradients["parameters"]:
                    raise Mismatch("property", f"gives no gradient for {name}, which is not a trained parameter")
                _require_gradient(gradients["parameters"][name], expected_gradient, f"the parameter {name}")
        return self

    def _name_arguments(self, arguments: Sequence) -> list[str]:
        """Return the names of a call's arguments, such as "`queries`", or "argument 1" if the stub is unknown."""
        stub, call = self._answer.stub, replace(self.call, args=tuple(arguments))
        names = [f"`{name}`" for name in read_parameters(stub, call.name, call)] if stub else []
        return names or [f"argument {number}" for number in range(1, len(arguments) + 1)]

    def stays_within(self, why: str) -> Reply:
        """Require that a measured call stayed within its limits; `why` explains the limits to the learner."""
        _, limits = self.call.args
        for name, shape in self.value.items():
            if name == "largest":
                size = f"{' x '.join(map(str, shape))} = {math.prod(shape):,}"
                self.fails(f"created a tensor of {size} elements, but at most {limits[name]:,} are allowed: {why}")
            verb, unit = {"held": ("held", "bytes at once"), "made": ("created", "new numbers")}[name]
            self.fails(f"{verb} more than {limits[name]:,} {unit}: {why}")
        return self

    def shows(self, holds: Callable[[dict], object], sentence: str | Callable[[dict], str]) -> Reply:
        """Require that `holds(description of the Axes)` is true; `sentence` says what is wrong: "has no title"."""
        with self._attach_call_to_mismatches():
            picture = self._require_value()
        if not (isinstance(picture, Described) and picture.kind == "axes"):
            self.fails(f"returned {format_value(picture)}, expected the Axes that it drew on", "type")
        try:
            has_property = bool(holds(picture.parts))
        except (ValueError, IndexError, TypeError):  # Nothing was drawn, or the sizes do not fit the property.
            has_property = False
        if not has_property:
            self.fails(sentence(picture.parts) if callable(sentence) else sentence)
        return self

    def leaves_arguments_alone(self) -> Reply:
        self.value  # noqa: B018  (raises if the call failed)
        if self.call.changed:
            names = self._name_arguments(self.call.args)
            which = "its argument" if len(self.call.args) == 1 else names[self.call.changed[0]]
            self.fails(f"changed {which}: work on a copy", "arguments")
        return self

    def still_equals(self, expected: object, rtol: float = SUITE_RTOL) -> Reply:
        """Require that the result is still `expected` after later calls, which could have overwritten it."""
        self.equals(expected, rtol)
        if self._answer.first_mismatch:
            return self  # The result was already wrong before the later calls.
        try:
            require_equal(self._answer.read_current_value(self.call), expected, rtol)
        except Mismatch as mismatch:
            sentence = "returned a result that the next call overwrote"
            reason = "A later call changed the result of this one. Create a new result in every call."
            overwritten = Mismatch("property", sentence, mismatch.got, expected, reason=reason)
            raise self._attach_call(overwritten) from None
        return self

    def is_new_each_time(self, expected: object, rtol: float = SUITE_RTOL) -> Reply:
        """Require that each call returns a new array: overwriting the first result must not change the next one."""
        method = "fill_" if isinstance(self.equals(expected, rtol).value, Tensor) else "fill"
        if isinstance(self.value, (Tensor, np.ndarray)):
            self._answer.send(Call(self.call.name, (0.0,), maker=self.call, method=method))
            new_reply = Reply(self._answer.send(Call(self.call.name, self.call.args, self.call.kwargs)), self._answer)
            if not new_reply.array.any():
                sentence = "returned the result of an earlier call again, which the test had filled with 0"
                reason = "Two calls share one result. Is it cached? Create a new result in each call."
                new_reply.fails(sentence, reason=reason)
        return self

    def raises(self, error_type: str, mentions: str = "", among: Sequence[str] = ()) -> Reply:
        """Require an error of this type whose message has `mentions`, and at most 3 other words of `among` as often."""
        error, self.call.to_raise, self.call.to_name = self.call.error, error_type, frozenset(among)
        if error is None:
            value = shorten(format_value(self.call.value), MAX_SHOWN_LENGTH)
            self.fails(f"returned {value}, expected it to raise {error_type}")
        count = error["message"].count
        word_count = sum(max(count(mentions), 1) <= count(word) for word in among if word != mentions)
        if error_type not in error.get("kinds", ()) or mentions not in error["message"] or word_count > MAX_OTHERS:
            try:
                self.value  # noqa: B018  (raises the error)
            except AnswerRefused as refusal:
                expected = f"a {error_type}" + f" whose message contains {mentions!r}" * bool(mentions)
                expected += f", but not {word_count} others" * (word_count > MAX_OTHERS)
                refusal.finding = f"{refusal.finding.rstrip('.')}, expected {expected}."
                raise
        return self

    def fails(self, sentence: str, kind: str = "property", reason: str = "") -> NoReturn:
        """Raise a `Mismatch` with this sentence, which starts with a verb: "has no title"."""
        raise self._attach_call(Mismatch(kind, sentence, reason=reason))

    @contextlib.contextmanager
    def _attach_call_to_mismatches(self) -> Iterator[None]:
        """Add this call to a `Mismatch` that is raised inside the context."""
        try:
            yield
        except Mismatch as mismatch:
            self._attach_call(mismatch)
            raise

    def _attach_call(self, mismatch: Mismatch) -> Mismatch:
        mismatch.call, mismatch.axes = self.call, self._answer.axis_names
        return mismatch


def _name_float_tensors(arguments: Sequence, argument_names: Sequence[str]) -> list[str]:
    """Return the names of the floating-point tensors among a call's arguments, such as "`queries`"."""
    names: list[str] = []
    for full_name, argument in zip(argument_names, arguments, strict=False):
        parts = argument if isinstance(argument, tuple) else [argument]
        of_parts = [f"part {part} of " * (len(parts) > 1) + full_name for part in range(1, len(parts) + 1)]
        for name, part in zip(of_parts, parts, strict=True):
            names += [name] * (isinstance(part, Tensor) and part.array.dtype.kind == "f")
    return names


def _require_gradient(got: object, expected: object, subject: str) -> None:
    if expected is None:
        return
    if got is None:
        reason = "Something detaches the result from the graph, such as `detach`, `.data`, `no_grad` or a new tensor."
        raise Mismatch("property", f"gives no gradient for {subject}", reason=reason)
    require_equal(got, expected, rtol=1e-4, part=f"the gradient of {subject}")
