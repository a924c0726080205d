"""Where answers are graded: here, in local processes, or on a Dask cluster.

All are `concurrent.futures` executors with a `window`: how many answers to hand out at a time.
"""

import ipaddress
import logging
import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor

from autograder.chapters.errors import InputError
from autograder.chapters.extras import require

WAITING = 4  # answers handed out for each job: enough to keep it busy, few to do again if it dies
CONNECT_SECONDS = 10


class Inline(Executor):
    """Does the work at once, in this process."""

    window = 1  # what is done is in the record before the next one starts

    def submit(self, function, /, *args, **kwargs):
        """A future that is done already."""
        future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Local(ProcessPoolExecutor):
    """Does the work in processes of its own."""

    def __init__(self, jobs):
        # A fresh interpreter for each: a fork would share this process's zygotes and terminal.
        super().__init__(jobs, multiprocessing.get_context("spawn"), initializer=_end_with_the_grader)
        self.window = WAITING * jobs


def _end_with_the_grader():
    """In a process of the pool: without this it would wait for work for ever where the grader is killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C reaches it too: end, and say nothing
    parent = multiprocessing.parent_process()
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


class Cluster(Executor):
    """Does the work on the workers of a Dask scheduler."""

    def __init__(self, client):
        self.client, self.executor = client, client.get_executor(pure=False)
        self.window = WAITING * max(sum(client.nthreads().values()), 1)

    def submit(self, function, /, *args, **kwargs):
        """A future of `concurrent.futures`; `BrokenExecutor` where the scheduler is gone."""
        try:
            return self.executor.submit(function, *args, **kwargs)
        except Exception as error:
            raise BrokenExecutor(str(error)) from error

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Leave the cluster as it was found: what still runs there is not waited for."""
        self.executor.shutdown(wait=False)
        self.client.close()


def local(jobs):
    """An executor of that many local processes."""
    return Inline() if jobs == 1 else Local(jobs)


def processes(jobs, worth=4):
    """Return a function that makes a local executor for a given number of answers.

    Parameters
    ----------
    jobs : int
        Processes to start; 0 starts one for each core, but no more than pay for themselves.
    worth : int
        How many answers take as long to grade as a process takes to start.
    """
    return lambda answers: local(jobs or min(os.cpu_count() or 1, 1 + answers // worth))


def _is_local(host):
    """Whether an address is this machine's, for itself alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def cluster(address, insecure=False):
    """An executor over the workers of a Dask scheduler.

    Parameters
    ----------
    address : str
        With ``tls://``, Dask's own configuration (``distributed.comm.tls``) says which certificates count.
    insecure : bool
        Whether answers and secret may cross a network as anybody can read them.

    Raises
    ------
    InputError
        Where Dask is not installed, the address is none, or no scheduler answers.
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
        return Cluster(Client(address, timeout=CONNECT_SECONDS, set_as_default=False))
    except (OSError, TimeoutError) as error:
        raise InputError(
            f"no Dask scheduler answers at {address} ({type(error).__name__}): "
            "start one there and give the same command again; what is graded is kept"
        ) from None
