"""A call of an answer, with its result or error."""

import ast
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.judging.values.show import format_call
from autograder.worker.reading.definitions import find_definition
from autograder.worker.values import Harness, Tensor
from autograder.worker.wire import encode


@dataclass(eq=False)
class Call:
    """A request to a worker and its reply: a value or an error."""

    name: str  # the exercise's name
    args: tuple
    kwargs: dict = field(default_factory=dict)
    maker: "Call | None" = None  # the call that created the called object; None for the exercise itself
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
