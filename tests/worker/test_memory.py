"""The memory of a call is measured at its peak: new tensors, arrays and lists count, and views do not."""

import mmap
import types

import numpy as np
import pytest

from autograder.boundary.forms import is_reply
from autograder.judging.ask.answer import Answer
from autograder.suite.modules import tensor
from support.grading import catch_finding
from support.late import LazyModule
from support.local import LocalSession

torch, memory = LazyModule("torch"), LazyModule("autograder.worker.torch_requests")

X = tensor(np.ones((100, 10)))
BYTES = 1000 * 4


def measure_exceeded(function, **limits):
    return memory.measure_memory(function, [X], limits)


VIEWS = {
    "a slice": lambda x: x[10:90],
    "a transpose": lambda x: x.T,
    "another shape": lambda x: x.reshape(10, 10, 10),
    "repeated without a copy": lambda x: x.expand(50, 100, 10),
    "cut into pieces": lambda x: x.split(7),
    "already there": lambda x: x.contiguous().float(),
    "changed in place": lambda x: x.mul_(2).add_(x).exp_(),
    "shared with NumPy": lambda x: torch.from_numpy(x.numpy()),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_views_are_free(view):
    assert measure_exceeded(view, largest=0, made=0) == {}


NEW = {
    "a sum": (lambda x: x + 1, (100, 10)),
    "a copy of a view": (lambda x: x.T.contiguous(), (10, 100)),
    "an expanded copy": (lambda x: x.expand(50, 100, 10).clone(), (50, 100, 10)),
    "batch axes folded": (lambda x: x.new_zeros(2, 3, 4, 5), (6, 4, 5)),
    "nothing in it": (lambda x: torch.empty(7, 3)[:1], (7, 3)),
    "into a tensor that grows": (lambda x: torch.mul(x, 2, out=torch.empty(0)), (100, 10)),
    "deep inside": (lambda x: torch.nn.functional.softmax(x, dim=0)[0], (100, 10)),
    "one of several": (lambda x: x.sort().values[:0], (100, 10)),
    "while gradients flow": (lambda x: (x.requires_grad_() * 2).sum(), (100, 10)),
    "the largest, not the last": (lambda x: (x + 1).sum() + 1, (100, 10)),
}


@pytest.mark.parametrize(("function", "shape"), NEW.values(), ids=NEW)
def test_new_tensors_count_by_their_memory(function, shape):
    elements = int(np.prod(shape))
    assert measure_exceeded(function, largest=elements) == {}
    assert measure_exceeded(function, largest=elements - 1) == {"largest": shape}


def keep(x):
    return [x + number for number in range(50)]


def forget(x):
    for number in range(50):
        last = x + number
    return last


def test_released_memory_does_not_count():
    assert measure_exceeded(forget, held=30 * BYTES, made=50 * 1000) == {}
    assert measure_exceeded(keep, held=30 * BYTES, made=50 * 1000 - 1) == {"held": True, "made": True}


DETOURS = {
    "NumPy": lambda x: np.ones((50, 1000)).sum(),
    "a list": lambda x: [number + 0.5 for _ in range(50) for row in x.tolist() for number in row],
}


@pytest.mark.parametrize("detour", DETOURS.values(), ids=DETOURS)
def test_arrays_and_lists_are_held_too(detour):
    assert measure_exceeded(detour, held=30 * BYTES, largest=1000) == {"held": True}


def test_sparse_tensors_are_counted_by_their_values():
    table = torch.eye(100).to_sparse()
    assert measure_exceeded(lambda x: table * 2, largest=99, made=99) == {"largest": (100,), "made": True}


@pytest.mark.parametrize(
    "way", [lambda x: mmap.mmap(-1, 4000), lambda x: np.save("room", x), lambda x: np.memmap("a", shape=9, mode="w+")]
)
def test_nothing_is_kept_in_files_and_maps(way, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="use no file, no map and no ctypes"):
        measure_exceeded(way, largest=1)
    assert not [*tmp_path.iterdir()]
    mmap.mmap(-1, 4000).close()


class TensorKeeper:
    def __init__(self):
        self.kept = []

    def append(self, x):
        self.kept.append(x)
        return torch.cat(self.kept)


@pytest.fixture
def answer():
    def answer(thing):
        module = types.ModuleType("answer")
        module.thing = thing
        return Answer("thing", LocalSession(module))

    return answer


def test_the_memory_message_gives_size_and_reason(answer):
    reason = "so that it stays small"
    reply = answer(lambda x: x + 1).measure(X, largest=999)
    call = "thing(float32 tensor of shape (100, 10)) "
    sentence = "created a tensor of 100 x 10 = 1,000 elements, but at most 999 are allowed: so that it stays small"
    assert catch_finding(reply.stays_within, reason) == sentence
    assert f"{reply.call} " == call
    reply = answer(keep).measure(X, held=1000)
    sentence = "held more than 1,000 bytes at once: so that it stays small"
    assert catch_finding(reply.stays_within, reason) == sentence
    assert answer(lambda x: x[0]).measure(X, largest=999, held=100_000, made=10).stays_within(reason)


def test_a_method_is_measured_on_its_object(answer):
    keeper = answer(TensorKeeper).build()
    keeper.method("append", X)
    keeper.measure("append", X, made=2000).stays_within("")
    sentence = catch_finding(keeper.measure("append", X, made=2999).stays_within, "because")
    assert sentence == "created more than 2,999 new numbers: because"
    assert keeper.method("append", X).array.shape == (400, 10)


def test_an_error_while_measuring_is_the_answers_own(answer):
    reply = answer(lambda x: x @ x).measure(X, held=1)
    assert "raised RuntimeError" in catch_finding(reply.stays_within, "")
    assert measure_exceeded(forget, largest=999) == {"largest": (100, 10)}, "the next one is measured as ever"


@pytest.mark.parametrize(
    "value",
    [
        *(None, [], {"made": 1}, {"held": True}, {1: True}),
        *({"largest": shape} for shape in (True, [2], (2.0,), (2**61,) * 1900, (2**900,))),
    ],
)
def test_forged_measures_are_refused(value):
    request = ["measure", "thing", [X], {"largest": 1, "made": 1}]
    assert is_reply({"value": {"largest": (2, 3), "made": True}}, request)
    assert not is_reply({"value": value}, request)
