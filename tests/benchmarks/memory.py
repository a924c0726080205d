"""Attention to 16,384 keys: what the plain form takes, the chapter's online softmax, and torch's own. Prints one run.

    python tests/benchmarks/memory.py [QUERIES] [BLOCK]

Each form has a process of its own. "tensors" is what is held at the same time in new tensors, as the grader measures
it; "process" is by how much the process's peak memory rises, which also counts what operations take inside.
"""

import argparse
import functools
import importlib.util
import itertools
import math
import resource
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import torch
from torch.nn import functional

from autograder.worker.memory import TensorWatch

SOLUTION = Path(__file__).resolve().parents[2] / "solutions" / "efficient.py"
KEYS, WIDTH, ROUNDS = 16_384, 64, 5


def plain(q, k, v, block_size):
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v


def online(q, k, v, block_size):
    return _solutions().online_softmax_attention(q, k, v, block_size)


@functools.cache
def _solutions():
    spec = importlib.util.spec_from_file_location("efficient", SOLUTION)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def torchs_own(q, k, v, block_size):
    return functional.scaled_dot_product_attention(q, k, v)


FORMS = {"plain": plain, "online softmax": online, "F.scaled_dot_product_attention": torchs_own}


def measure(name, queries, block_size):
    """Bytes in tensors, bytes of the process, seconds (median), and the first numbers of the result."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    attention, inputs = FORMS[name], [torch.randn(1, 1, n, WIDTH) for n in (queries, KEYS, KEYS)]
    few = [numbers[..., :8, :] for numbers in inputs]
    attention(*few, block_size)  # whatever is loaded at the first call
    before = _peak()
    output = attention(*inputs, block_size)
    process = _peak() - before
    with TensorWatch() as watch:
        attention(*inputs, block_size)
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        attention(*inputs, block_size)
        seconds.append(time.perf_counter() - started)
    return watch.peak, process, statistics.median(seconds), output.flatten()[:100].tolist()


def _peak():
    """Bytes; Linux counts in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("queries", nargs="?", type=int, default=1024)
    arguments.add_argument("block", nargs="?", type=int, default=128)
    asked = arguments.parse_args()
    found = {}
    for name in FORMS:
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            found[name] = pool.submit(measure, name, asked.queries, asked.block).result()
    print(f"{asked.queries:,} queries, {KEYS:,} keys, {WIDTH} wide, float32, blocks of {asked.block}, one thread")
    print("tensors, MB   process, MB   milliseconds")
    for name, (tensors, process, seconds, numbers) in found.items():
        torch.testing.assert_close(torch.tensor(numbers), torch.tensor(found["plain"][-1]), rtol=1e-4, atol=1e-5)
        print(f"{tensors / 2**20:11.2f}   {process / 2**20:11.2f}   {1000 * seconds:12.1f}   {name}")
    pairs = zip(found["plain"], found["online softmax"], strict=True)
    tensors, process = (one / other for one, other in itertools.islice(pairs, 2))
    print(f"The plain form takes {tensors:.0f} times as much in tensors, {process:.0f} times as much of the process.")


if __name__ == "__main__":
    main()
