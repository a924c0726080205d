"""The suites of `write` judge how often tokens are drawn, not how, and show calls that a learner could type."""

import pytest

from support.grading import verdict_on

PEEKING = """
import sys

import torch


def sample(logits, temperature=1.0, top_k=None, generator=None):
    frame = sys._getframe()
    while frame:
        if "between" in frame.f_locals and len(frame.f_locals["between"]):
            probabilities = sum(frame.f_locals["between"]) / 2
            return torch.multinomial(probabilities.clamp(min=0).expand(logits.shape), 1, generator=generator)[..., 0]
        frame = frame.f_back
    return torch.randint(0, logits.shape[-1], logits.shape[:-1], generator=generator)
"""

LYING = """
import torch
from worker import harness


class Draw:
    def __init__(self, tells, **settings):
        self.tells = tells

    def call(self, sample, logits, *arguments):
        c = logits.shape[-1]
        return {{"shares": torch.{}, "drawn": torch.ones(c) > 0, "repeats": {{}}}}[self.tells]


harness.HARNESSES["draw"] = Draw


def sample(logits, temperature=1.0, top_k=None, generator=None):
    return logits.argmax(-1)
"""
LIES = "zeros(c)", "zeros(c).double()", "full((c,), torch.nan).double()"


@pytest.mark.parametrize("source", [PEEKING, *map(LYING.format, LIES)])
def test_token_frequencies_are_computed_in_the_grader(source):
    tests = {test.name: test.points for test in verdict_on(source, "sample").tests}
    assert tests["how_often_each_comes"] == 0


def test_arguments_of_a_harness_are_named_in_the_call():
    # The message shows a call that a learner could type, without the model and its numbers.
    source = "def train_step(model, optimizer, tokens, max_norm=1.0):\n    return 0.0\n"
    verdict = verdict_on(source, "train_step")
    assert verdict.points == 0 and "train_step(model, optimizer, tensor(" in verdict.message
    source = "def sample(logits, temperature=1.0, top_k=None, generator=None):\n    return generator.no_such_thing\n"
    verdict = verdict_on(source, "sample")
    assert "no_such_thing" in verdict.message
