"""How answers travel to a cluster: in bundles of about a second, of which one bad answer takes nobody with it."""

import pickle
import threading
import time
import zlib
from collections import Counter
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor

import pytest

from autograder.chapters.errors import KitFault
from autograder.grading.cluster import MOST, TASKS_A_SECOND, Cluster
from autograder.grading.pieces import grade_pieces
from support.dask import Numbered, nothing


class Client:
    """Stands for Dask's: does the work in threads, and notes which answers each bundle held."""

    def __init__(self, threads=2, fails=lambda names: None):
        self.threads, self.fails, self.sent, self.pool = threads, fails, [], ThreadPoolExecutor(threads)

    def nthreads(self):
        return {"worker": self.threads}

    def get_executor(self, pure):
        return self

    def submit(self, function, packed, *rest):
        names = [piece.path for _, piece in pickle.loads(zlib.decompress(packed))]
        self.sent.append(names)
        return self.pool.submit(lambda: (self.fails(names), function(packed, *rest))[1])

    def shutdown(self, wait):
        self.pool.shutdown(wait=False)

    def close(self):
        pass


def slow(piece):
    """An answer that takes a while, and one that takes very long."""
    time.sleep(0.3 if piece.path == "30" else 0.002)
    return nothing(piece)


class Finished:
    """Takes the lines of pieces that are finished."""

    def __init__(self):
        self.lines = []

    def add(self, lines):
        self.lines += lines

    def numbers(self):
        return sorted(int(line["path"]) for line in self.lines)


def graded(client, count, work=nothing, seconds=None):
    """The numbers that are finished, in order."""
    finished, executor = Finished(), Cluster(client, no_sandbox=True)
    executor.seconds = seconds or executor.seconds
    grade_pieces(iter(map(Numbered, range(count))), work, lambda: executor, finished.add)
    return finished.numbers()


def test_what_takes_no_time_travels_a_thousand_at_a_time():
    client = Client()
    assert graded(client, 5000) == list(range(5000))
    assert len(client.sent[0]) == 1 and 100 < max(map(len, client.sent)) <= MOST
    assert len(client.sent) < 500


def test_a_bundle_takes_as_long_as_it_shall_and_gives_back_what_it_has_not_begun():
    client = Client()
    assert graded(client, 100, slow, seconds=0.05) == list(range(100))
    sizes = [len(names) for names in client.sent]
    assert 10 < max(sizes) <= 25
    assert Counter(name for names in client.sent for name in names).most_common(1)[0][1] > 1  # behind the slow one


def test_with_many_workers_bundles_take_longer():
    assert Cluster(Client(10)).seconds == 1
    assert Cluster(Client(1000)).seconds == 1000 / TASKS_A_SECOND


def test_one_that_ends_its_worker_costs_itself_alone():
    handed_out = threading.Event()

    def numbered():
        yield from map(Numbered, range(60))
        handed_out.set()

    def fails(names):
        handed_out.wait(60)  # so that others wait beside it
        if "7" in names:
            raise RuntimeError("the worker ended")

    client, finished = Client(fails=fails), Finished()
    executor = Cluster(client, no_sandbox=True)
    executor.measured.append((50, 1.0))  # so that they travel together
    ((piece, failure),) = grade_pieces(numbered(), nothing, lambda: executor, finished.add)
    assert (str(piece.path), str(failure)) == ("7", "the worker ended")
    assert finished.numbers() == [number for number in range(60) if number != 7]
    assert max(map(len, client.sent)) > 7


def test_where_the_scheduler_goes_nobody_has_failed():
    clients = []

    def fails(names):
        if len(clients) == 1 and "7" in names:
            raise BrokenExecutor("gone")

    def make():
        clients.append(Client(fails=fails))
        return Cluster(clients[-1], no_sandbox=True)

    finished = Finished()
    grade_pieces(iter(map(Numbered, range(60))), nothing, make, finished.add)
    assert finished.numbers() == list(range(60)) and len(clients) == 2


def test_a_worker_that_cannot_shut_answers_in_grades_none(no_sandbox):
    finished = Finished()
    with pytest.raises(KitFault, match=r"^nothing can be graded: on \S+, a worker of Dask's: bubblewrap is missing"):
        grade_pieces(iter(map(Numbered, range(60))), nothing, lambda: Cluster(Client()), finished.add)
    assert not finished.lines
