"""Suites are collected alike, whatever pytest is told elsewhere."""

import os

from autograder.chapters.chapter import read_chapter
from autograder.judging.run.suites import collect_suites

EXERCISE = read_chapter("one_query").exercise("softmax")


def test_pytest_options_of_the_user_do_not_reach_suites(monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-v --no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    assert collect_suites([EXERCISE], b"secret").of("softmax")
    assert os.environ["PYTEST_ADDOPTS"] == "-v --no-such-option"
