"""Another thread can interrupt a wait for a worker, and later requests work as before."""

import contextlib
import os
import resource
import socket
from pathlib import Path

import pytest

from autograder.boundary.channel import InterruptFlag, WaitInterrupted, allow_interrupt, wait_until_readable
from autograder.boundary.session import Session
from autograder.chapters.answers import Task, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.ask.answer import Answer

LOOP = (
    "# %%\ndef softmax(scores):\n    while True:\n        pass\n\n# %%\ndef attend(state, annotations):\n    return 1\n"
)


@pytest.fixture
def session():
    opened = Session(Task(parse_script("one_query.py", LOOP), read_chapter("one_query"), ()))
    opened.load()
    yield opened
    opened.close()


def test_an_interrupt_before_the_start_prevents_only_this_wait(session):
    interrupt = InterruptFlag()
    interrupt.set()
    with allow_interrupt(interrupt), pytest.raises(WaitInterrupted):
        Answer("softmax", session)([1, 2])
    interrupt.close()
    session.start_afresh() if session.worker else None
    assert Answer("attend", session)([1], [[1]]).value == 1


def test_a_server_may_have_more_descriptors_than_select_knows():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2048)), hard))
    with contextlib.ExitStack() as stack:
        for _ in range(1024):
            stack.enter_context(Path(os.devnull).open())
        channel, other = (stack.enter_context(end) for end in socket.socketpair())
        interrupt = stack.enter_context(contextlib.closing(InterruptFlag()))
        assert channel.fileno() > 1024
        with allow_interrupt(interrupt):
            other.send(b"!")
            wait_until_readable(channel, 1)
            interrupt.set()
            with pytest.raises(WaitInterrupted):
                wait_until_readable(channel, 1)
