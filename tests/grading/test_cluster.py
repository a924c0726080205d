"""Grading on a Dask cluster: a scheduler and two workers, each a process of its own, on this machine."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest

from support.dask import Relay, certificates
from support.many import Class, undisturbed

pytest.importorskip("distributed", reason="needs the extra `cluster`")
pytestmark = pytest.mark.slow


class Cluster:
    """The processes of a Dask cluster."""

    def __init__(self, course, protocol="tcp", variables=()):
        self.course, self.file, self.variables = course, course.folder / "scheduler.json", dict(variables)
        host = ("--host", f"{protocol}://127.0.0.1")
        self.workers, self.scheduler = [], self._start("dask_scheduler", *host, "--port", "0", "--no-show")
        self._wait(lambda: self.file.exists() and self.file.read_text().endswith("}"))  # whole
        self.workers = [self._start("dask_worker", "--nthreads", "1", "--no-nanny") for _ in range(2)]
        self.address = json.loads(self.file.read_text())["address"]
        self._wait(lambda: len(self._listening()) == 2)

    def _start(self, command, *options):
        words = [sys.executable, "-m", f"distributed.cli.{command}", "--scheduler-file", self.file, "--no-dashboard"]
        environment = self.course.environment() | {"DASK_TEMPORARY_DIRECTORY": str(self.course.folder / "dask")}
        environment |= {"PYTHONPATH": f"{self.course.kit}{os.pathsep}{self.course.kit / 'tests'}"} | self.variables
        log = open(self.course.folder / f"{command}.log", "ab")  # noqa: SIM115  (closed below)
        with log:
            return subprocess.Popen([*words, *options], cwd=self.course.folder, env=environment, stdout=log, stderr=log)

    def _listening(self):
        log = (self.course.folder / "dask_scheduler.log").read_text()
        return [line for line in log.splitlines() if "Register worker" in line]

    def _wait(self, condition):
        deadline = time.monotonic() + 60
        while not condition():
            if time.monotonic() > deadline or self.scheduler.poll() is not None:
                self.close()
                raise AssertionError("the cluster did not start")
            time.sleep(0.05)

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def course(tmp_path):
    """Six answers of which some take a while."""
    course = Class(tmp_path)
    course.hand_in(6, "import time\ntime.sleep(0.3)")
    return course


@pytest.fixture
def cluster(course):
    cluster = Cluster(course)
    yield cluster
    cluster.close()
    course.assert_nothing_is_left()


def test_the_same_lines_as_locally(course, cluster):
    expected = undisturbed(course)
    assert course.run("grade", "--scheduler", cluster.address) == (1, "", "")
    assert sorted(course.lines()) == sorted(expected)
    (course.folder / course.names[0]).write_text("")
    (course.folder / "broken.ipynb").write_text("no notebook")
    course.names.append("broken.ipynb")
    code, _, errors = course.run("grade", "--scheduler", cluster.address)
    assert code == 2
    assert "broken.ipynb is not a notebook" in errors
    new = course.raw_lines()[len(expected) :]  # the others are not graded again
    assert sorted(line["answer"] for line in new) == [course.names[0], "broken.ipynb"]


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificates")
def test_with_tls_nothing_can_be_read_on_the_way_and_strangers_stay_outside(course):
    expected, ours = undisturbed(course), certificates(course.folder)
    cluster = Cluster(course, "tls", ours)
    relay = Relay(int(cluster.address.rpartition(":")[2]))
    try:
        run = course.run("grade", "--scheduler", f"tls://{relay.address}", env=ours)
        heard = bytes(relay.heard)
        stranger = course.run("grade", "--scheduler", cluster.address, env=certificates(course.folder, "others"))
    finally:
        relay.close()
        cluster.close()
    assert run == (1, "", "")
    assert sorted(course.lines()) == sorted(expected)
    assert heard.startswith(b"\x16\x03") and len(heard) > 10_000  # a handshake of TLS, and then everything
    for word in (b"autograder", b"work_on", b"one_query", b"pickle"):
        assert word not in heard
    assert stranger[:2] == (2, "") and "no Dask scheduler answers" in stranger[2]
    course.assert_nothing_is_left()


def test_a_worker_is_killed(course, cluster):
    expected = undisturbed(course)
    run = course.start("grade", "--scheduler", cluster.address)
    assert course.has_grown_to(1, run)
    cluster.workers[0].kill()
    assert run.communicate(timeout=120) == ("", "")
    assert run.returncode == 1
    assert sorted(course.lines()) == sorted(expected)  # each once


def test_the_scheduler_is_killed(course, cluster):
    expected = undisturbed(course)
    run = course.start("grade", "--scheduler", cluster.address)
    assert course.has_grown_to(1, run)
    cluster.scheduler.kill()
    output, errors = run.communicate(timeout=120)
    assert (run.returncode, output) == (2, "")
    assert errors.startswith(f"no Dask scheduler answers at {cluster.address}")
    assert errors.endswith("start one there and give the same command again; what is graded is kept\n")
    assert errors.count("\n") == 1
    held = course.lines()
    assert 1 <= len(held) < len(expected)
    assert course.run("grade", "--jobs", "1") == (1, "", "")
    assert course.lines()[: len(held)] == held
    assert sorted(course.lines()) == sorted(expected)


def test_control_c_leaves_the_cluster_as_it_was(course, cluster):
    run = course.start("grade", "--scheduler", cluster.address)
    assert course.has_grown_to(1, run)
    os.killpg(run.pid, signal.SIGINT)
    assert run.communicate(timeout=60) == ("", "")
    assert run.returncode == 130
    assert course.run("grade", "--scheduler", cluster.address) == (1, "", "")
    assert len(set(course.lines())) == len(course.lines()) == len(course.names)


def test_no_scheduler_answers(course):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
    code, output, errors = course.run("grade", "--scheduler", address)
    assert (code, output) == (2, "")
    assert errors.startswith(f"no Dask scheduler answers at {address} (")
    assert errors.count("\n") == 1
    assert course.lines() == []
