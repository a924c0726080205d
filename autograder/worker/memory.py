"""What a call takes: the largest tensor it makes, how much it holds at the same time, how many numbers it makes.

All of torch's operations come through a dispatch mode, which looks at what is new in their results: a view is not.
Python's own tracemalloc sees NumPy arrays and lists. Tensors made in a thread of the answer's own are not seen.
"""

import math
import tracemalloc

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

from .inputs import revive


def measure(function, arguments, limits):
    """Where a call takes more than it may.

    Parameters
    ----------
    function : callable
    arguments : list
        From the wire.
    limits : dict
        Any of ``largest``, the elements of one new tensor; ``held``, the bytes that are in use at the same time, in
        new tensors, arrays and lists together; ``made``, the elements of all new tensors.

    Returns
    -------
    dict
        Those that are exceeded: ``largest`` with the shape of the first tensor of that size, the others with True. No
        figures, so that answers which make the same mistake give the same.
    """
    arguments, watch = revive(arguments), TensorWatch()
    if "held" in limits:  # slow: each number that Python makes is written down
        tracemalloc.start()
    try:
        with watch:
            function(*arguments)
        in_python = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    taken = {"largest": math.prod(watch.largest), "held": watch.peak + in_python, "made": watch.made}
    return {name: watch.largest if name == "largest" else True for name, limit in limits.items() if taken[name] > limit}


class TensorWatch(TorchDispatchMode):
    """Sees every new tensor while it is entered.

    Attributes
    ----------
    largest : tuple of int
        Shape of the largest.
    made : int
        Elements of all of them.
    peak : int
        Bytes of those that were there at the same time.
    """

    def __init__(self):
        super().__init__()
        self.largest, self.made, self.peak = (0,), 0, 0
        self._alive = []  # (weak reference to a storage, its bytes), some of which are gone by now

    @classmethod
    def _should_skip_dynamo(cls):
        return False  # or torch would import its compiler at the first operation, which takes seconds

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        before = {storage._cdata: storage.nbytes() for _, storage in _storages((args, *(kwargs or {}).values()))}
        result = function(*args, **(kwargs or {}))
        for tensor, storage in _storages((result,)):
            if before.get(storage._cdata) != storage.nbytes():  # neither a view of an argument nor changed in place
                before[storage._cdata] = storage.nbytes()
                self._record(tensor, storage)
        return result

    def _record(self, tensor, storage):
        elements = storage.nbytes() // tensor.element_size()
        self.made += elements
        if elements > math.prod(self.largest):
            self.largest = _shape(tensor) if elements == tensor.numel() else (elements,)
        self._alive.append((StorageWeakRef(storage), storage.nbytes()))
        if sum(size for _, size in self._alive) > self.peak:
            self._alive = [(reference, size) for reference, size in self._alive if not reference.expired()]
            self.peak = max(self.peak, sum(size for _, size in self._alive))


def _shape(tensor):
    """With all batch axes as one, for operations fold them as they like."""
    *batch, rows, columns = (1, 1, *tensor.shape)
    return (math.prod(batch), rows, columns) if tensor.ndim > 2 else tuple(tensor.shape)


def _storages(values):
    """Each tensor in nested sequences, with the memory behind it; sparse ones have none to show."""
    for value in values:
        if isinstance(value, torch.Tensor):
            if value.layout == torch.strided:
                yield value, value.untyped_storage()
        elif isinstance(value, (list, tuple)):
            yield from _storages(value)
