"""The thread that checks, so that keys and saves never wait for an answer."""

import contextlib
import queue
import threading

from autograder.boundary.interrupt import Interrupt, Interrupted, interruptible


class Job:
    """Something to do there.

    Parameters
    ----------
    work : callable
        Gives what it finds, one by one.
    about : object
        What it is about, for whoever began it.
    """

    def __init__(self, work, about=None):
        self.work, self.about, self.interrupt = work, about, Interrupt()


class Checker:
    """Does one job at a time: a new one ends the one before it, wherever that is.

    Parameters
    ----------
    put : callable
        Takes ``("found", (job, what))`` for all that a job finds and ``("finished", (job, error))`` when it is over;
        the error is None where there was none.

    Attributes
    ----------
    job : Job or None
        The one that counts: what others still find is out of date.
    """

    def __init__(self, put):
        self.put, self.job, self._jobs = put, None, queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def begin(self, work, about=None):
        """Do this instead of what is being done."""
        self.stop()
        self.job = Job(work, about)
        self._jobs.put(self.job)

    def stop(self):
        """End what is being done."""
        if self.job is not None:
            with contextlib.suppress(OSError):  # it has just finished
                self.job.interrupt.set()
        self.job = None

    def close(self, seconds):
        """End what is being done, and the thread; wait so long for it and no longer."""
        self.stop()
        self._jobs.put(None)
        self._thread.join(seconds)

    def _work(self):
        while (job := self._jobs.get()) is not None:
            error = None
            try:
                with interruptible(job.interrupt):
                    for found in job.work():
                        self.put(("found", (job, found)))
            except (Exception, Interrupted) as ended:
                error = ended
            finally:
                job.interrupt.close()
            self.put(("finished", (job, error)))
