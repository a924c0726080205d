"""The chapter `translate`: its solutions agree with torch's own, its claims hold, failed trainings say why."""

import dataclasses
import inspect
import io
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional

from autograder.boundary.session import Session
from autograder.chapters import curriculum
from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import parse_chapter, read_chapter
from autograder.chapters.errors import ChapterError
from autograder.judging.judge import Judge
from autograder.judging.run.kit_code import misconception_session
from given.progress import WIDTH, track
from support.grading import SECRET, solution_module

CHAPTER = solution_module("translate")
STEADY = settings(max_examples=30, derandomize=True, deadline=None, database=None)
EXERCISE = read_chapter("translate").exercise("Translator")
TRAINING = "translates_sentences_that_were_held_back"

sizes = st.integers(1, 6)
batches = st.lists(st.integers(1, 3), max_size=2).map(tuple)
generators = st.integers(0, 2**32 - 1).map(lambda seed: torch.Generator().manual_seed(seed))


@pytest.fixture(autouse=True)
def one_core():
    """Training by small steps gains nothing from more."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def judge():
    """The suite of Translator."""
    return Judge([EXERCISE], SECRET)


def model_of(*sizes, seed=0):
    torch.manual_seed(seed)
    return CHAPTER.Translator(*sizes)


def test_names_and_parameters_stay():
    signatures = {
        CHAPTER.shift_right: "(targets, start)",
        CHAPTER.cross_attention: "(queries, keys, values)",
        CHAPTER.Translator: "(source_size, target_size, d_model=32)",
        CHAPTER.Translator.learn: "(self, sources, targets, steps, learning_rate=1.0)",
        CHAPTER.Translator.translate: "(self, sources, length)",
    }
    assert {thing: str(inspect.signature(thing)) for thing in signatures} == signatures


@STEADY
@given(batches, sizes, st.integers(0, 9), generators)
def test_shift_right_word_by_word(batch, n, start, generator):
    targets = torch.randint(0, 9, (*batch, n), generator=generator)
    before, got = targets.clone(), CHAPTER.shift_right(targets, start)
    assert torch.equal(targets, before) and got.shape == targets.shape
    for row, words in zip(got.reshape(-1, n).tolist(), targets.reshape(-1, n).tolist(), strict=True):
        assert row == [start, *words][:n]


@STEADY
@given(batches, sizes, sizes, sizes, sizes, st.sampled_from([torch.float32, torch.float64]), generators)
def test_cross_attention_is_that_of_torch(batch, n_q, n_k, d, d_v, dtype, generator):
    shapes = (n_q, d), (n_k, d), (n_k, d_v)
    q, k, v = (torch.randn(*batch, *shape, generator=generator, dtype=dtype) for shape in shapes)
    context, weights = CHAPTER.cross_attention(q, k, v)
    tolerance = 1e-6 if dtype == torch.float64 else 1e-4
    assert torch.allclose(context, functional.scaled_dot_product_attention(q, k, v), tolerance, tolerance)
    assert torch.allclose(weights @ v, context, tolerance, tolerance)
    assert torch.allclose(weights.sum(dim=-1), torch.ones_like(weights[..., 0]), tolerance)


def test_learning_is_that_of_torchs_optimizer():
    sources, targets = torch.randint(0, 6, (2, 5, 4)).unbind()
    ours, theirs = (model_of(6, 6, 5).double() for _ in range(2))
    optimizer, losses = torch.optim.SGD(theirs.parameters(), lr=0.5), []
    for _ in range(5):
        optimizer.zero_grad()
        scores, _ = theirs(sources, CHAPTER.shift_right(targets, theirs.start))
        losses.append(nn.CrossEntropyLoss()(scores.transpose(1, 2), targets))
        losses[-1].backward()
        optimizer.step()
    found = ours.learn(sources, targets, range(5), 0.5)
    np.testing.assert_allclose(found, [loss.item() for loss in losses], rtol=1e-9)
    for one, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-12)


def test_translating_one_sentence_at_a_time_comes_to_the_same():
    model, sources = model_of(7, 9, 6), torch.randint(0, 7, (5, 4))
    words, weights = model.translate(sources, 6)
    assert words.max() < model.start, "the start word is never written"
    for sentence, got, looks in zip(sources, words, weights, strict=True):
        written = [model.start]
        for place in range(6):
            scores, rows = model(sentence[None], torch.tensor([written]))
            written.append(int(scores[0, place].argmax()))
            torch.testing.assert_close(looks[: place + 1], rows[0])
        assert got.tolist() == written[1:]


# What the chapter claims --------------------------------------------------------------------------------------------


def pairs(*steps):
    """Sentences such as "one is three" and translations, as numbers; the distance of the two words is a step."""
    sentences = [[first + 1, 0, (first + step) % 9 + 1] for step in steps for first in range(9)]
    return torch.tensor(sentences), torch.tensor([[9 - first, 9, 9 - last] for first, _, last in sentences])


def share_right(model, sources, targets):
    return (model.translate(sources, 3)[0] == targets).all(dim=-1).float().mean().item()


class Averaging(CHAPTER.Translator):
    def attend(self, states, annotations, words):
        return CHAPTER.cross_attention(self.Wq(states), 0 * self.Wk(annotations), words)


@pytest.mark.parametrize("seed", range(2))
def test_nine_sentences_are_learned_in_sixty_steps(seed):
    model, (sources, targets) = model_of(10, 10, seed=seed), pairs(0)
    losses = model.learn(sources, targets, range(60))
    assert losses[-1] < 0.05 < 1 < losses[0]
    assert share_right(model, sources, targets) == 1


def test_attention_translates_what_was_held_back_and_an_average_does_not():
    practice, held_back, seeds_own = pairs(1, 2, 3, 4), pairs(0, 5, 6, 7, 8), pairs(0)
    model = model_of(10, 10)
    model.learn(*practice, range(60))
    assert share_right(model, *practice) == share_right(model, *held_back) == 1
    looks = model.translate(held_back[0], 3)[1].mean(dim=0)
    assert looks[0].argmax() == 0 and looks[2].argmax() == 2

    torch.manual_seed(0)
    average = Averaging(10, 10)
    average.learn(*practice, range(200))
    assert share_right(average, *practice) == 1, "it learns by heart"
    assert share_right(average, *seeds_own) == 1, "order does not count in them"
    assert share_right(average, *held_back) < 0.3


# Judging ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("misconception", "said"),
    [
        ("nothing_is_moved", "hardly at all"),
        ("uphill", "the wrong way"),
        ("only_the_last_layer_learns", "not all parameters"),
        ("reads_what_it_has_to_write", "shift_right"),
    ],
)
def test_a_training_that_fails_says_why_it_may(judge, misconception, said):
    session, _ = misconception_session(EXERCISE)
    verdict = judge.verdict(EXERCISE, session.standing_in(misconception))
    test = next(test for test in verdict.tests if test.name == TRAINING)
    assert test.outcome == "wrong" and "of 45 new sentences" in test.finding
    assert said in test.finding


def test_training_has_more_time_than_other_exercises_and_still_an_end(judge):
    assert EXERCISE.seconds == 60
    source = (curriculum.SOLUTIONS / "translate.py").read_text(encoding="utf-8")
    endless = source.replace("for _ in steps:", "while True:")
    session = Session(script_answer("endless.py", endless), read_chapter("translate"))
    try:
        verdict = judge.verdict(dataclasses.replace(EXERCISE, seconds=8), session)
    finally:
        session.close()
    assert verdict.outcome == "timeout" and "within 2 seconds" in verdict.message


@pytest.mark.parametrize("seconds", ["0", '"soon"'])
def test_seconds_are_a_number(seconds):
    text = (curriculum.SOLUTIONS / "translate.py").read_text(encoding="utf-8")
    with pytest.raises(ChapterError, match="seconds=N"):
        parse_chapter("translate", text.replace("seconds=60", f"seconds={seconds}"))


# The bar ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [True, False])
def test_a_bar_is_drawn_where_somebody_looks(monkeypatch, seen):
    screen = io.StringIO()
    screen.isatty = lambda: seen
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert list(track(range(7), "seven")) == list(range(7))
    assert screen.getvalue() == (f"seven, 7 steps\n{'·' * WIDTH}\n{'█' * WIDTH}\n" if seen else "")
