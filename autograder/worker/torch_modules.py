"""Handlers of requests about torch modules: setting weights and computing gradients."""

import difflib
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .inputs import materialize


def disable_compiler() -> None:
    """Prevent torch from importing its compiler, because that takes five seconds, the time limit of a call."""
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
    """Return the model unchanged. This replaces `torch.compile`, which would not change the model's results."""
    return model or _skip_compilation


def set_weights(module: object, weights: dict, by_name: bool = True) -> list[tuple[str, object]]:
    """Set tensors by attribute path, such as ``"heads.0.wq"``. They need not be registered parameters.

    With `by_name=False`, a tensor that cannot be set by path is assigned to the parameter of equal shape with the most
    similar name, and all remaining biases are set to 0. Returns (path, reason) for each tensor that was not set. The
    reason is None for a missing attribute, its type's name if it is not a tensor, otherwise its different shape.
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
    """Assign a tensor or its transpose to a parameter of the same shape. Return False if there is none."""
    forms = {
        name: value.T if name.endswith(".weight") and not path.endswith(".weight") and value.ndim == 2 else value
        for name in free
    }
    names = [name for name, form in forms.items() if form.shape == free[name].shape]
    if not names:
        return False
    name = max(names, key=lambda name: difflib.SequenceMatcher(None, path, name).ratio())
    free.pop(name).copy_(forms[name])
    return True


def _set_tensor(holder: object, path: list[str], value: torch.Tensor) -> object:
    """Set a tensor and return True, or return the reason why it cannot be set, as `set_weights` does."""
    *parents, last = path
    for step in parents:
        holder = _get_part(holder, step)
    old_part = None if holder is None else _get_part(holder, last)
    if not isinstance(old_part, torch.Tensor):
        return None if old_part is None else type(old_part).__name__
    if old_part.shape != value.shape:
        return tuple(old_part.shape)
    if old_part.dtype != value.dtype:
        old_part.data = old_part.data.to(value.dtype)  # `module.to` does not reach modules in a plain list.
    old_part.copy_(value)  # Copy in place, because an optimizer or another module may share the tensor.
    return True


def _get_part(holder: Any, name: str) -> object:
    if name.isdigit():
        try:
            return holder[int(name)]
        except (IndexError, KeyError, TypeError):
            return None
    return getattr(holder, name, None)


def compute_gradients(function: Callable, arguments: list, results: list[int]) -> dict:
    """Return the gradients of some results with respect to the arguments and to the module's parameters.

    Each result is weighted with numbers that depend only on its shape, so that no two elements have the same weight.
    Missing gradients are None. `results`: indices of the results that count. Arguments and results may be tuples of
    tensors.
    """
    arguments = materialize(arguments, requires_grad=True)
    inputs = [tensor for tensor in _collect_tensors(arguments) if tensor.requires_grad]
    parameters = dict(function.named_parameters()) if isinstance(function, torch.nn.Module) else {}
    parameters = {name: parameter for name, parameter in parameters.items() if parameter.requires_grad}
    with torch.enable_grad():
        value = function(*arguments)
        is_sequence = isinstance(value, (tuple, list))
        values = [value[number] for number in results] if is_sequence else [value]
        counting = [result for result in _collect_tensors(values) if result.requires_grad]
        waves = [torch.cos(torch.arange(part.numel(), dtype=part.dtype) + 1).reshape(part.shape) for part in counting]
        weighted = [(result * wave).sum() for result, wave in zip(counting, waves, strict=True)]
    leaves = [*inputs, *parameters.values()]
    is_tied = weighted and leaves
    arriving = torch.autograd.grad(weighted, leaves, allow_unused=True) if is_tied else [None] * len(leaves)
    leaf_gradients = _remove_rounding_errors(arriving)
    return {
        "arguments": leaf_gradients[: len(inputs)],
        "parameters": dict(zip(parameters, leaf_gradients[len(inputs) :], strict=True)),
    }


def _collect_tensors(values: Sequence) -> list[torch.Tensor]:
    parts = [part for value in values for part in (value if isinstance(value, (tuple, list)) else [value])]
    return [part for part in parts if isinstance(part, torch.Tensor)]


def _remove_rounding_errors(leaf_gradients: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
    """Return the gradients, with 0 in place of those that are 0 except for rounding, such as that of a key bias."""
    sizes = [0.0 if gradient is None else float(gradient.abs().sum()) for gradient in leaf_gradients]
    negligible = [size < 1e-5 * max(sizes) for size in sizes]
    return [
        torch.zeros_like(gradient) if gradient is not None and small else gradient
        for gradient, small in zip(leaf_gradients, negligible, strict=True)
    ]
