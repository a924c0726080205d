"""Handlers of the requests that need torch: setting weights, computing gradients, and measuring a call's memory.

Of a call's memory, the largest tensor, the peak, and the number of new elements are measured. A torch dispatch mode
records the new tensors of every operation, but not views. Python's tracemalloc records NumPy arrays and lists. Both see
one thread of one process only, so other threads, files and memory maps are refused.
"""

import difflib
import functools
import math
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode

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


def measure_memory(function: Callable, arguments: list, limits: dict[str, int]) -> dict:
    """Return the limits that a call exceeds.

    ``largest`` limits the elements of one new tensor, ``held`` the bytes in new tensors, arrays and lists at the same
    time, and ``made`` the elements of all new tensors together. In the reply, ``largest`` has the tensor's shape. The
    other limits have True instead of a number, so that equal mistakes give equal replies.
    """
    arguments, watch = materialize(arguments), TensorWatch()
    is_watching = vars(TensorWatch)["__torch_dispatch__"] is _DISPATCH
    _forbid_threads()
    _add_file_hook()
    if "held" in limits:  # Recording every Python object is slow, so do it only for this limit.
        tracemalloc.start()
    try:
        with watch:
            TensorWatch.is_measuring = True
            _call_without_threads(function, arguments)
            is_watching = is_watching and _get_current_dispatch_mode() is watch
        in_python = tracemalloc.get_traced_memory()[1]
    finally:
        TensorWatch.is_measuring = False
        tracemalloc.stop()
    if not (is_watching and vars(TensorWatch)["__torch_dispatch__"] is _DISPATCH):
        raise RuntimeError("what this call takes could not be measured: leave torch's dispatch modes alone")
    usage = {"largest": math.prod(watch.largest), "held": watch.peak + in_python, "made": watch.made}
    return {name: watch.largest if name == "largest" else True for name, limit in limits.items() if usage[name] > limit}


REFUSE_TASKS: Callable[[], None] | None = None  # `confine.make_thread_ban`, if a zygote has prepared it
_ONE_THREAD = "memory is measured in one thread: start no other"


def _forbid_threads() -> None:
    """Prevent the answer from starting threads. Raises `RuntimeError` if it has started some."""
    if REFUSE_TASKS is None:
        return
    if len(sys._current_frames()) > 1:  # This does not count torch's own threads.
        raise RuntimeError(_ONE_THREAD)
    REFUSE_TASKS()


def _call_without_threads(function: Callable, arguments: list) -> None:
    try:
        function(*arguments)
    except RuntimeError as error:
        if "start new thread" in str(error):
            error.args = (_ONE_THREAD,)
        raise


@functools.cache
def _add_file_hook() -> None:
    """Add the audit hook that refuses files and memory maps. Cached, because such a hook cannot be removed."""
    sys.addaudithook(_refuse_files)


def _refuse_files(event: str, arguments: tuple) -> None:
    is_file = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    if TensorWatch.is_measuring and (is_file or event in ("mmap.__new__", "ctypes.cdata")):
        raise OSError("memory is measured in tensors, arrays and lists: use no file, no map and no ctypes")


class TensorWatch(TorchDispatchMode):
    """A dispatch mode that records new tensors: the `largest` shape, all elements `made`, and the `peak` of bytes."""

    is_measuring = False

    def __init__(self) -> None:
        super().__init__()
        self.largest: tuple[int, ...] = (0,)
        self.made, self.peak = 0, 0
        self._alive: list[tuple[StorageWeakRef, int]] = []  # storages, of which some may be freed, and their bytes

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # Otherwise, the first operation imports torch's compiler, which takes seconds.

    def __torch_dispatch__(self, func: Callable, types: object, args: tuple = (), kwargs: dict | None = None) -> Any:
        sizes = {storage._cdata: storage.nbytes() for _, storage in _find_storages((args, *(kwargs or {}).values()))}
        result = func(*args, **(kwargs or {}))
        for tensor, storage in _find_storages((result,)):
            # This is new memory: neither a view of an argument, nor an argument that was modified in place.
            if sizes.get(storage._cdata) != storage.nbytes():
                sizes[storage._cdata] = storage.nbytes()
                self._record(tensor, storage)
        return result

    def _record(self, tensor: torch.Tensor, storage: torch.UntypedStorage) -> None:
        elements = storage.nbytes() // tensor.element_size()
        self.made += elements
        if elements > math.prod(self.largest):
            self.largest = _merge_batch_axes(tensor) if elements == tensor.numel() else (elements,)
        self._alive.append((StorageWeakRef(storage), storage.nbytes()))
        if sum(size for _, size in self._alive) > self.peak:
            self._alive = [(reference, size) for reference, size in self._alive if not reference.expired()]
            self.peak = max(self.peak, sum(size for _, size in self._alive))


HANDLERS: dict[str, Callable] = {"set": set_weights, "gradients": compute_gradients, "measure": measure_memory}
_DISPATCH = vars(TensorWatch)["__torch_dispatch__"]


def _merge_batch_axes(tensor: torch.Tensor) -> tuple[int, ...]:
    """Return a tensor's shape with all batch axes merged into one, because operations flatten them differently."""
    *batch, rows, columns = (1, 1, *tensor.shape)
    return (math.prod(batch), rows, columns) if tensor.ndim > 2 else tuple(tensor.shape)


def _find_storages(values: Iterable) -> Iterator[tuple[torch.Tensor, torch.UntypedStorage]]:
    """Yield each tensor in nested sequences with its storage. For a sparse tensor, yield the tensor of its values."""
    for value in values:
        if isinstance(value, torch.Tensor):
            if value.layout == torch.strided:
                yield value, value.untyped_storage()
            elif value.layout in (torch.sparse_coo, torch.sparse_csr):
                yield from _find_storages([value._values() if value.layout == torch.sparse_coo else value.values()])
        elif isinstance(value, (list, tuple)):
            yield from _find_storages(value)
