"""Measurement of a call's memory: its largest tensor, its peak, and the number of elements that it creates.

A torch dispatch mode records the new tensors of every operation, but not views. Python's tracemalloc records NumPy
arrays and lists. Both see one thread of one process only, so other threads, files and memory maps are refused.
"""

import functools
import math
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode

from .inputs import materialize


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
