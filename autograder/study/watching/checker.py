"""The thread that checks, so that keys and saves never wait for an answer."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable

from autograder.boundary.interrupt import Interrupt, Interrupted, interruptible
from autograder.study.watching.events import JobEnded, JobGave, Put


class Job:
    """Something to do there, which gives what it finds one by one; what it is about is for whoever began it."""

    def __init__(self, work: Callable[[], Iterable], about: object = None) -> None:
        self.work, self.about, self.interrupt = work, about, Interrupt()


class Checker:
    """Does one job at a time: a new one ends the one before it, wherever that is.

    What it finds it puts as `JobGave`, and `JobEnded` when it is over.
    """

    def __init__(self, put: Put) -> None:
        self.put, self.job, self._jobs = put, None, queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def begin(self, work: Callable[[], Iterable], about: object = None) -> None:
        """Do this instead of what is being done."""
        self.stop()
        self.job = Job(work, about)
        self._jobs.put(self.job)

    def stop(self) -> None:
        if self.job is not None:
            with contextlib.suppress(OSError):  # it has just finished
                self.job.interrupt.set()
        self.job = None

    def close(self, seconds: float) -> None:
        """End what is being done, and the thread; wait so long for it and no longer."""
        self.stop()
        self._jobs.put(None)
        self._thread.join(seconds)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            error = None
            try:
                with interruptible(job.interrupt):
                    for found in job.work():
                        self.put(JobGave(job, found))
            except (Exception, Interrupted) as ended:
                error = ended
            finally:
                job.interrupt.close()
            self.put(JobEnded(job, error))
