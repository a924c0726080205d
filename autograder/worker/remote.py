"""An answer as a teacher's test sees it: its functions and objects, which are called in the worker.

The test runs in a process of the kit. Only plain data, arrays and tensors are sent, never code of the answer.
"""

import builtins
from collections.abc import Callable
from typing import Any

from .inputs import materialize


class RemoteObject:
    """A reference to something in the worker: a function, class or object of the answer, or a method of an object."""

    def __init__(self, ask_grader: Callable, target: str | int | list) -> None:
        self._ask_grader, self._target = ask_grader, target

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call it in the worker. The result of a class is a `RemoteObject`, other results are plain data."""
        # Only classes give remote objects, because an object compares itself with its own methods.
        reply = self._ask_grader(self._target, list(args), kwargs)
        if "error" in reply:
            raise _make_error(reply["error"])
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
    """Return the answer's error, with one of Python's own types if possible."""
    kinds = [getattr(builtins, name, None) for name in (error["type"], *error.get("kinds", ()))]
    kind = next((kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)), Exception)
    if issubclass(kind, (StopIteration, StopAsyncIteration)):  # these would end a loop of the test without a failure
        kind = RuntimeError
    return kind(error["message"])
