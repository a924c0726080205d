"""References with which a teacher's test uses an answer: calls are made in the answer's worker.

The test runs in a process of the kit, to which only plain data, arrays and tensors are sent, never the answer's code.
"""

import builtins
from collections.abc import Callable
from typing import Any

from .inputs import materialize


class RemoteObject:
    """A reference to a function, class or object of the answer, or to a method of an object, in the worker."""

    def __init__(self, ask_grader: Callable, target: str | int | list) -> None:
        self._ask_grader, self._target = ask_grader, target

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call the target in the worker. Calling a class returns a `RemoteObject`, other calls return plain data."""
        reply = self._ask_grader(self._target, list(args), kwargs)
        if "error" in reply:
            raise _make_error(reply["error"])
        # Results of other calls become plain data: an object's `==` would run the answer's own code.
        is_class = isinstance(self._target, str) and self._target[:1].isupper()
        return RemoteObject(self._ask_grader, reply["ref"]) if is_class else materialize(reply["value"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not isinstance(self._target, int):
            raise AttributeError(f"a test can call this, but it cannot ask for its {name}")
        reply = self._ask_grader([self._target, "__getattribute__"], [name], {})
        if "error" in reply:
            raise _make_error(reply["error"])
        return (
            RemoteObject(self._ask_grader, [self._target, name]) if reply["is_opaque"] else materialize(reply["value"])
        )


def _make_error(error: dict) -> Exception:
    """Return the answer's error as an exception of the same built-in type if possible, otherwise as `Exception`."""
    kinds = [getattr(builtins, name, None) for name in (error["type"], *error.get("kinds", ()))]
    kind = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)), Exception)
    if issubclass(kind, (StopIteration, StopAsyncIteration)):  # These would end a loop of the test silently.
        kind = RuntimeError
    return kind(error["message"])
