"""One request to an answer, and what came of it."""

import functools
from dataclasses import dataclass, field

from autograder.judging.values.show import show_call
from autograder.worker.wire import encode


@dataclass(eq=False)
class Call:
    """One request and what came of it.

    Attributes
    ----------
    name : str
        The exercise.
    args, kwargs : tuple, dict
        What it was given.
    of : Call or None
        The call that made the object this one is about; None for the exercise itself.
    method : str
        A method of that object, or empty for the object itself.
    kind : str
        "call", or "set", "gradients" and "measure" as in `Runner.answer`.
    value, error : object, dict or None
        What came back: one of them.
    changed : list of int
        Positions of the arguments that were altered.
    ref : int or None
        What the worker knows the value by.
    first : bool
        Whether it is the first of its test.
    wanted : object
        What it was compared with; None where it was not.
    to_raise : str
        The error that it was to raise; empty where it was to return something.
    """

    name: str
    args: tuple
    kwargs: dict = field(default_factory=dict)
    of: "Call | None" = None
    method: str = ""
    kind: str = "call"
    value: object = None
    error: dict | None = None
    changed: list = field(default_factory=list)
    ref: int | None = None
    first: bool = False
    wanted: object = None
    to_raise: str = ""

    def __str__(self):
        return self.told(show_call)

    def told(self, show):
        """The call in words, each part of it as `show_call` or `show_call_in_short` has it."""
        if self.kind == "set":
            return self.of.told(show)
        of = self.of and self.of.told(show)
        thing = self.name if of is None else f"{of}.{self.method}" if self.method else of
        if self.kind == "call":
            return show(thing, self.args, self.kwargs)
        called = show(thing, self.args[0], {})
        return f"the gradients of {called}" if self.kind == "gradients" else called

    def request(self):
        """What is sent to the worker."""
        target = self.name if self.of is None else [self.of.ref, self.method] if self.method else self.of.ref
        return [self.kind, target, *self._inputs()]

    @functools.cached_property
    def inputs(self):
        """What it was given, as bytes: the same for whoever answers."""
        return encode(self._inputs())

    def _inputs(self):
        return [list(self.args), self.kwargs] if self.kind == "call" else list(self.args)
