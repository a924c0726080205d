"""The thread that checks, so that keys and saves never wait for an answer."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable

from autograder.boundary.channel import Interrupted, interruptible
from autograder.study.watching.events import Job, JobEnded, JobGave, Put


class Checker:
    """Does one job at a time: a new one ends the one before it, wherever that is."""

    def __init__(self, put: Put) -> None:
        self.put, self._jobs = put, queue.SimpleQueue[Job | None]()
        self.job: Job | None = None
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
                    for result in job.work():
                        self.put(JobGave(job, result))
            except (Exception, Interrupted) as ended:
                error = ended
            finally:
                job.interrupt.close()
            self.put(JobEnded(job, error))
