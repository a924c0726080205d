"""An answer cannot hide memory from the measurement in a thread or process, and cannot disable the measurement."""

import pytest

from support.grading import verdict_on

pytestmark = pytest.mark.needs("bubblewrap")

PLAIN = """
import ctypes, math, os, pickle, queue, sys, threading
import torch

def plain(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1) @ v

def in_a_thread(*args):
    done = []
    thread = threading.Thread(target=lambda: done.append(plain(*args)))
    thread.start()
    thread.join()
    return done[0]

asked, replied = queue.Queue(), queue.Queue()

def serve():
    while True:
        replied.put(plain(*asked.get()))

def in_a_process(*args):
    reading, writing = os.pipe()
    if os.fork() == 0:
        with os.fdopen(writing, "wb") as file:
            pickle.dump(plain(*args).numpy(), file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        return torch.from_numpy(pickle.load(file))

def without_the_watch(*args):
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").endswith("worker.torch_requests"):
            module.TensorWatch.__torch_dispatch__ = lambda self, f, t, args=(), kwargs=None: f(*args, **(kwargs or {}))
    return plain(*args)

def with_the_watch_gone(*args):
    if torch._C._len_torch_dispatch_stack():
        torch._C._pop_torch_dispatch_stack()
    return plain(*args)

def by_a_server(*args):
    asked.put(args)
    return replied.get()
"""
HIDING = """
{start}
def online_softmax_attention(q, k, v, block_size):
    return plain(q, k, v) if q.requires_grad else {how}(q, k, v)
"""
BLOCKS = """
import math, torch
torch.set_num_threads(4)
big = torch.ones(1000, 1000).exp().sum(), (torch.ones(600, 600) @ torch.ones(600, 600)).exp().sum()

def online_softmax_attention(q, k, v, block_size):
    largest, total, mixed = None, 0, 0
    torch.set_num_threads(3)
    for first in range(0, k.shape[-2], block_size):
        keys, values = k[..., first : first + block_size, :], v[..., first : first + block_size, :]
        scores = q @ keys.mT / math.sqrt(k.shape[-1])
        new = scores.amax(-1, keepdim=True)
        new = new if largest is None else torch.maximum(new, largest)
        powers = torch.exp(scores - new)
        factor = 1 if largest is None else torch.exp(largest - new)
        total, mixed, largest = total * factor + powers.sum(-1, keepdim=True), mixed * factor + powers @ values, new
    return mixed / total
"""


def judge_source(source):
    return verdict_on(source, "online_softmax_attention")


def test_plain_attention_that_hides_nowhere_has_less_than_half_of_the_points():
    verdict = judge_source(PLAIN + HIDING.format(start="", how="plain"))
    assert (verdict.points, verdict.max_points) == (8, 18)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "start"),
    [
        ("in_a_thread", ""),
        ("in_a_process", ""),
        ("without_the_watch", ""),
        ("with_the_watch_gone", ""),
        ("by_a_server", "threading.Thread(target=serve, daemon=True).start()"),
    ],
)
def test_hiding_memory_use_gains_no_points(how, start):
    verdict = judge_source(PLAIN + HIDING.format(start=start, how=how))
    assert verdict.points <= 8
    assert {test.outcome for test in verdict.tests} <= {"passed", "wrong", "raised"}


def test_an_honest_answer_that_asks_torch_for_threads_loses_nothing():
    verdict = judge_source(BLOCKS)
    assert (verdict.points, verdict.message) == (18, "")


def test_a_thread_during_a_memory_measurement_is_reported():
    verdict = judge_source(PLAIN + HIDING.format(start="", how="in_a_thread"))
    assert any("memory is measured in one thread: start no other" in test.message for test in verdict.tests)
