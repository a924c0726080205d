"""Answers graded on the workers of a Dask scheduler. They travel in bundles that take about a second.

A scheduler hands out a few hundred tasks a second, whatever is in them (docs/performance.md), and
many answers take a hundredth of one: with a task for each, the scheduler would be all that there is to wait for.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import pickle
import socket
import threading
import time
import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any

from autograder.boundary import sandbox
from autograder.chapters.errors import InputError, KitFault, NoSandbox, sentence_of
from autograder.chapters.extras import require

if TYPE_CHECKING:
    from distributed import Client


CONNECT_SECONDS = 10
WAITING = 2  # bundles handed out for each thread of a worker: one to do, one to go on with
BUNDLE_SECONDS = 1.0
TASKS_A_SECOND = 200  # that any scheduler hands out: with more workers than that, bundles take longer
LATEST = 8  # bundles by which the next ones are measured
MOST = 1000  # answers in a bundle


Bundle = list[tuple[Callable, Any, Future]]  # what to do, with what, and who waits for it


class Cluster(Executor):
    """Does the work on the workers of a Dask scheduler.

    `no_sandbox`: whether its workers may run answers where nothing shuts these in.
    `threads`: of all workers.
    `seconds`: what a bundle shall take.
    """

    def __init__(self, client: Client, no_sandbox: bool = False) -> None:
        self.client, self.executor, self.no_sandbox = client, client.get_executor(pure=False), no_sandbox
        self.threads = max(sum(client.nthreads().values()), 1)
        self.seconds = max(BUNDLE_SECONDS, self.threads / TASKS_A_SECOND)
        self.measured = deque(maxlen=LATEST)  # (answers, seconds) of bundles
        self.lock, self.buffer, self.out = threading.RLock(), deque(), 0  # (function, argument, future); bundles

    @property
    def size(self) -> int:
        """How many answers make a bundle, by what the latest ones took."""
        if not self.measured:
            return 1
        answers, seconds = map(sum, zip(*self.measured, strict=True))
        return max(1, min(MOST, int(self.seconds * answers / max(seconds, 1e-6))))

    @property
    def window(self) -> int:
        """How many answers to hand out at a time."""
        return WAITING * self.threads * self.size

    def submit(self, function: Callable, argument: Any) -> Future:
        """A future of `concurrent.futures`; `BrokenExecutor` where the scheduler is gone."""
        future = Future()
        with self.lock:
            self.buffer.append((function, argument.loaded(), future))
            try:
                self._send()
            except Exception as error:
                self.buffer.clear()  # whoever waits for them hears of it here
                raise BrokenExecutor(str(error)) from error
        return future

    def _send(self) -> None:
        """Send bundles that are full, and any where a worker may have nothing to do."""
        while self.buffer and (len(self.buffer) >= self.size or self.out < self.threads):
            self._send_one([self.buffer.popleft() for _ in range(min(self.size, len(self.buffer)))])

    def _send_one(self, bundle: Bundle) -> None:
        packed = zlib.compress(pickle.dumps([(function, argument) for function, argument, _ in bundle]), 1)
        sent = self.executor.submit(work_through, packed, self.seconds, self.no_sandbox)
        self.out += 1
        sent.add_done_callback(lambda done: self._take(bundle, done))

    def _take(self, bundle: Bundle, done: Future) -> None:
        """Give everybody what came of a bundle. Runs in a thread of Dask's."""
        with self.lock:
            self.out -= 1
            try:
                answers, seconds = json.loads(zlib.decompress(done.result()))
            except (CancelledError, BrokenExecutor) as error:
                lost = [*bundle, *self.buffer]
                self.buffer.clear()
                for _, _, future in lost:
                    future.set_exception(BrokenExecutor(str(error) or "the scheduler is gone"))
                return
            except Exception as error:  # such as a worker that ended over it, again and again
                answers, seconds = [], None
                if len(bundle) == 1:
                    bundle.pop()[2].set_exception(error)
            if seconds is not None:
                self.measured.append((len(answers), seconds))
            self._go_on(bundle[len(answers) :], alone=seconds is None)
        for (_, _, future), (line, why) in zip(bundle, answers, strict=False):
            if why:
                future.set_exception(KitFault(why))
            else:
                future.set_result(line)

    def _go_on(self, rest: Bundle, alone: bool) -> None:
        """Send what was not begun, and where nobody knows which one was to blame, one by one."""
        try:
            if alone:
                for each in rest:
                    self._send_one([each])
            else:
                self.buffer.extendleft(reversed(rest))
            self._send()
        except Exception as error:
            for _, _, future in [*rest, *self.buffer]:
                if not future.done():
                    future.set_exception(BrokenExecutor(str(error)))
            self.buffer.clear()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster as it was found: what still runs there is not waited for."""
        self.executor.shutdown(wait=False)
        self.client.close()


def work_through(packed: bytes, seconds: float, no_sandbox: bool) -> bytes:
    """Do one thing after the other until the time is over, the first one in any case. Runs on a worker.

    `packed`: pairs of function and argument.
    `NoSandbox` where the worker's machine cannot shut answers in, and nobody has said that this is all the same.
    Gives for each that was done, what the function returned or why it raised; and the seconds of all.
    """
    started, done = time.perf_counter(), []
    try:
        sandbox.require(no_sandbox)
    except NoSandbox as error:
        raise NoSandbox(f"on {socket.gethostname()}, a worker of Dask's: {error}") from None
    for function, argument in pickle.loads(zlib.decompress(packed)):
        try:
            done.append((function(argument), None))
        except Exception as error:
            done.append((None, sentence_of(error)))
        if time.perf_counter() - started >= seconds:
            break
    return zlib.compress(json.dumps((done, time.perf_counter() - started)).encode(), 1)


def _is_local(host: str) -> bool:
    """Whether an address is this machine's, for itself alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def cluster(address: str, insecure: bool = False, no_sandbox: bool = False) -> Cluster:
    """An executor over the workers of a Dask scheduler.

    `address`: with ``tls://``, Dask's own configuration (``distributed.comm.tls``) says which certificates count.
    `insecure`: whether answers and secret may cross a network as anybody can read them.
    `no_sandbox`: as of `Cluster`.
    `InputError` where Dask is not installed, the address is none, or no scheduler answers.
    """
    require("cluster", "--scheduler")
    from distributed import Client, comm  # noqa: PLC0415  (an extra)

    try:
        comm.get_address_host(address)
    except ValueError as error:
        raise InputError(f"--scheduler needs an address such as tcp://127.0.0.1:8786: {error}") from None
    if not (insecure or address.startswith("tls://") or _is_local(comm.get_address_host(address))):
        raise InputError(
            f"{address} is another machine, and without TLS answers and the secret cross the network in the clear, and "
            "whoever reaches the scheduler runs code there: use tls:// (docs/security.md says how), or say --insecure"
        )
    for chatty in ("distributed.client", "distributed", "tornado.application"):  # we say what happened
        logging.getLogger(chatty).setLevel(logging.CRITICAL)
    try:
        return Cluster(Client(address, timeout=CONNECT_SECONDS, set_as_default=False), no_sandbox)
    except (OSError, TimeoutError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address} ({type(error).__name__}): "
            "start one there and give the same command again; what is graded is kept"
        ) from None
