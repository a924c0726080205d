"""Handlers of requests about a torch module: set its weights, compute gradients."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .inputs import materialize


def disable_compiler() -> None:
    """Let torch work without importing its compiler, which takes five seconds, as long as a call or a cell may."""
    library: Any = torch
    library.compile = library.compiler.disable = _skip_compilation
    library.use_deterministic_algorithms = library._C._set_deterministic_algorithms
    optimizer: Any = torch.optim.Optimizer
    for name in ("zero_grad", "add_param_group", "state_dict", "load_state_dict"):
        if method := getattr(getattr(optimizer, name), "__wrapped__", None):
            method.__dynamo_disable = method
    for kind in optimizer.__subclasses__():
        if kind.step.__code__.co_name == "_use_grad":
            kind.step = torch.no_grad()(kind.step.__wrapped__)


def _skip_compilation(model: Callable | None = None, *rest: object, **options: object) -> Callable:
    """Return the function itself, in place of `torch.compile`: the results are the same."""
    return model or _skip_compilation


def set_weights(module: object, weights: dict, by_name: bool = True) -> list[tuple[str, object]]:
    """Set tensors by attribute path, such as ``"heads.0.wq"``, registered or not.

    Unless `by_name` is true, a tensor without a place of its name goes to the parameter of its shape with the most
    similar name, and remaining biases become 0. Returns the paths that could not be set, each with what is there: None
    for nothing, a type's name, or a shape.
    """
    weights = materialize(weights)
    is_module = isinstance(module, torch.nn.Module)
    if is_module and weights:
        module.to(next(iter(weights.values())).dtype)
    with torch.no_grad():
        outcomes = [(path, _set_tensor(module, path.split("."), value)) for path, value in weights.items()]
        problems = [(path, problem) for path, problem in outcomes if problem is not True]
        if by_name or not is_module:
            return problems
        free = {name: parameter for name, parameter in module.named_parameters() if name not in weights}
        problems = [(path, problem) for path, problem in problems if not _set_by_shape(free, path, weights[path])]
        for name in free:
            if name.endswith("bias"):
                free[name].zero_()
        return problems


def _set_by_shape(free: dict[str, torch.nn.Parameter], path: str, value: torch.Tensor) -> bool:
    """Set a tensor, or its transpose, in a parameter of another name; return False if none has its shape."""
    forms = {
        name: value.T if name.endswith(".weight") and not path.endswith(".weight") and value.ndim == 2 else value
        for name in free
    }
    fitting = [name for name, form in forms.items() if form.shape == free[name].shape]
    if not fitting:
        return False
    name = max(fitting, key=lambda name: difflib.SequenceMatcher(None, path, name).ratio())
    free.pop(name).copy_(forms[name])
    return True


def _set_tensor(holder: object, path: list[str], value: torch.Tensor) -> object:
    """Set a tensor and return True. Otherwise return what is there: None, a type's name, or another shape."""
    *way, last = path
    for step in way:
        holder = _get_part(holder, step)
    present = None if holder is None else _get_part(holder, last)
    if not isinstance(present, torch.Tensor):
        return None if present is None else type(present).__name__
    if present.shape != value.shape:
        return tuple(present.shape)
    if present.dtype != value.dtype:
        present.data = present.data.to(value.dtype)  # because `module.to` misses modules in a plain list
    present.copy_(value)  # in place, because an optimizer or another part may share the tensor
    return True


def _get_part(holder: Any, name: str) -> object:
    if name.isdigit():
        try:
            return holder[int(name)]
        except (IndexError, KeyError, TypeError):
            return None
    return getattr(holder, name, None)


def compute_gradients(function: Callable, arguments: list, results: list[int]) -> dict:
    """Return gradients of results with respect to the arguments and to the module's parameters.

    Each result is weighted with numbers that depend only on its shape, so that no two elements count alike. A gradient
    that does not arrive is None; `results` says which of several results count. An argument or result may be a tuple of
    tensors.
    """
    arguments = materialize(arguments, requires_grad=True)
    inputs = [tensor for tensor in _collect_tensors(arguments) if tensor.requires_grad]
    named = dict(function.named_parameters()) if isinstance(function, torch.nn.Module) else {}
    named = {name: parameter for name, parameter in named.items() if parameter.requires_grad}
    with torch.enable_grad():
        value = function(*arguments)
        several = isinstance(value, (tuple, list))
        chosen = [value[number] for number in results] if several else [value]
        counting = [result for result in _collect_tensors(chosen) if result.requires_grad]
        waves = [torch.cos(torch.arange(it.numel(), dtype=it.dtype) + 1).reshape(it.shape) for it in counting]
        weighted = [(result * wave).sum() for result, wave in zip(counting, waves, strict=True)]
    leaves = [*inputs, *named.values()]
    is_tied = weighted and leaves
    arriving = torch.autograd.grad(weighted, leaves, allow_unused=True) if is_tied else [None] * len(leaves)
    leaf_gradients = _remove_rounding_errors(arriving)
    return {
        "arguments": leaf_gradients[: len(inputs)],
        "parameters": dict(zip(named, leaf_gradients[len(inputs) :], strict=True)),
    }


def _collect_tensors(values: Sequence) -> list[torch.Tensor]:
    parts = [part for value in values for part in (value if isinstance(value, (tuple, list)) else [value])]
    return [part for part in parts if isinstance(part, torch.Tensor)]


def _remove_rounding_errors(leaf_gradients: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
    """Return gradients in which those that are 0 up to rounding, such as the bias of keys, are exactly 0."""
    sizes = [0.0 if gradient is None else float(gradient.abs().sum()) for gradient in leaf_gradients]
    negligible = [size < 1e-5 * max(sizes) for size in sizes]
    return [
        torch.zeros_like(gradient) if gradient is not None and small else gradient
        for gradient, small in zip(leaf_gradients, negligible, strict=True)
    ]
