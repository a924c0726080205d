"""Where answers are graded: here, in local processes, or on a Dask cluster. All are `concurrent.futures` executors."""

import multiprocessing
from concurrent.futures import Executor, Future, ProcessPoolExecutor

from autograder.errors import InputError

CONNECT_SECONDS = 15


class Inline(Executor):
    """Does the work at once, in this process."""

    def submit(self, function, /, *args, **kwargs):
        """A future that is done already."""
        future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def local(jobs):
    """An executor of that many local processes."""
    if jobs == 1:
        return Inline()
    # A fresh interpreter for each: a fork would share this process's zygotes and terminal.
    return ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"))


def cluster(address):
    """An executor over the workers of a Dask scheduler.

    Raises
    ------
    InputError
        Where Dask is not installed, or no scheduler answers.
    """
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
    except ImportError:
        raise InputError("--scheduler needs Dask: install attention-exercises[cluster]") from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"no Dask scheduler answers at {address} ({type(error).__name__}): start one there") from None
    return client.get_executor(pure=False)
