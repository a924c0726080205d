"""What stands in for the learner's own functions and classes: the grader calls the solution and sends the values back.

So an exercise can be judged as if those that it calls were right, and no solution is ever in the answer's process.
"""

import functools
import sys
from collections.abc import Callable
from typing import Any

from .inputs import revive
from .values import Tensor


def stand_in(name: str, ask_grader: Callable, original: object) -> Callable:
    """A function of that name; or a module without weights, whose calls are that function's.

    What is asked, ``("call", name, args, kwargs)`` or ``("pull", name, args, kwargs, weights)``, comes back as
    ``{"value": ...}`` or ``{"error": ...}``.
    """

    def function(*args: object, **kwargs: object) -> object:
        torch = sys.modules.get("torch")
        inputs = (*args, *kwargs.values())
        tensors = [argument for argument in inputs if torch and isinstance(argument, torch.Tensor)]
        if torch and torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
            return _differentiable(torch)(functools.partial(_value_from, ask_grader), name, args, kwargs)
        return revive(_value_from(ask_grader, "call", name, list(args), kwargs))

    function.__name__ = function.__qualname__ = name
    if not isinstance(original, type):
        return function

    def forward(self: object, *args: object, **kwargs: object) -> object:
        return function(*args, **kwargs)

    return type(name, (sys.modules["torch"].nn.Module,), {"forward": forward})


def _value_from(ask_grader: Callable, *what: object) -> object:
    reply = ask_grader(*what)
    if "error" in reply:
        raise ValueError(f"{what[1]} cannot be called so: {reply['error']}")
    return reply["value"]


def _detach(torch: Any, value: Any) -> object:
    return value.detach() if isinstance(value, torch.Tensor) else value


def _differentiable(torch: Any) -> Callable:
    """What calls through the grader, so that gradients find their way back: it pulls them through the solution."""

    class Remote(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, ask: Callable, *tensors: object) -> object:
            value = revive(ask("call"))
            ctx.ask, ctx.count = ask, len(tensors)
            results = value if isinstance(value, tuple) else (value,)
            ctx.mark_non_differentiable(*(result for result in results if not result.is_floating_point()))
            return value

        @staticmethod
        def backward(ctx: Any, *weights: Any) -> tuple:
            return None, *revive(ctx.ask("pull", [Tensor(weight.numpy()) for weight in weights]))

    def call_remote(ask_grader: Callable, name: str, args: tuple, kwargs: dict) -> object:
        tensors = [argument for argument in (*args, *kwargs.values()) if isinstance(argument, torch.Tensor)]
        plain = [_detach(torch, argument) for argument in args]
        named = {key: _detach(torch, argument) for key, argument in kwargs.items()}

        def ask(kind: str, *rest: object) -> object:
            return ask_grader(kind, name, plain, named, *rest)

        return Remote.apply(ask, *tensors)

    return call_remote
