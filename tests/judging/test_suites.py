"""Suites are collected without the user's pytest options, and draw usable numbers."""

import os

import numpy as np

from autograder.chapters.chapter import read_chapter
from autograder.judging.run.suites import _make_draw, collect_suites

EXERCISE = read_chapter("one_query").get_exercise("softmax")


def test_pytest_options_of_the_user_do_not_reach_suites(monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "-v --no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    assert collect_suites([EXERCISE], b"secret").get_tests("softmax")
    assert os.environ["PYTEST_ADDOPTS"] == "-v --no-such-option"


def test_no_row_of_drawn_numbers_is_zero():
    draw = _make_draw(np.random.default_rng(0))
    assert all(draw(2).any() for _ in range(5000))
