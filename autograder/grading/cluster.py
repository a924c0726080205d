"""Answers graded on the workers of a Dask scheduler, each a task of its own."""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Any

from autograder.boundary import sandbox
from autograder.chapters.errors import InputError, NoSandbox
from autograder.chapters.extras import require
from autograder.grading.executors import WAITING

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 10


class Cluster(Executor):
    """Dask's own executor, with what is read here and may run there."""

    def __init__(self, client: Client, no_sandbox: bool = False) -> None:
        self.client, self.executor, self.no_sandbox = client, client.get_executor(pure=False), no_sandbox
        self.window = WAITING * max(sum(client.nthreads().values()), 1)

    def submit(self, function: Callable, piece: Any) -> Future:
        """A future of `concurrent.futures`; `BrokenExecutor` where the scheduler is gone."""
        try:
            return self.executor.submit(work_on, function, piece.loaded(), self.no_sandbox)
        except Exception as error:
            raise BrokenExecutor(str(error)) from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster as it was found: what still runs there is not waited for."""
        self.executor.shutdown(wait=False)
        self.client.close()


def work_on(function: Callable, piece: Any, no_sandbox: bool) -> Any:
    """What the function gives for a piece. Runs on a worker, which names itself where it cannot shut answers in."""
    try:
        sandbox.require(no_sandbox)
    except NoSandbox as error:
        raise NoSandbox(f"on {socket.gethostname()}, a worker of Dask's: {error}") from None
    return function(piece)


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
    `no_sandbox`: whether its workers may run answers where nothing shuts these in.
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
