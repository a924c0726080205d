"""The chapter `translate`: its claims are true, and a failed training names the reason."""

import dataclasses
import io
import sys
from functools import partial

import pytest

from autograder.boundary.session import Session
from autograder.chapters import curriculum
from autograder.chapters.answers import Task, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.judge import Judge
from autograder.judging.run.kit_code import open_misconception_session
from given.progress import WIDTH, track
from support.grading import SECRET, load_solution
from support.late import LazyModule

CHAPTER, torch = LazyModule("translate", load_solution), LazyModule("torch")
EXERCISE = read_chapter("translate").get_exercise("Translator")
TRAINING = "translates_sentences_that_were_held_back"


@pytest.fixture(scope="module")
def judge():
    return Judge([EXERCISE], SECRET)


def model_of(*sizes, seed=0):
    torch.manual_seed(seed)
    return CHAPTER.Translator(*sizes)


# Claims of the chapter ----------------------------------------------------------------------------------------------


def make_pairs(*steps):
    """Return sentences such as "one is three" and their translations, as indices. A step is the words' distance."""
    sentences = [[first + 1, 0, (first + step) % 9 + 1] for step in steps for first in range(9)]
    return torch.tensor(sentences), torch.tensor([[9 - first, 9, 9 - last] for first, _, last in sentences])


def compute_share(model, sources, targets):
    return (model.translate(sources, 3)[0] == targets).all(dim=-1).float().mean().item()


def average_of_words(self, states, annotations, words):
    """Attend to all words equally; this function replaces `Translator.attend`."""
    return CHAPTER.cross_attention(self.Wq(states), 0 * self.Wk(annotations), words)


@pytest.mark.parametrize("seed", range(2))
def test_nine_sentences_are_learned_in_sixty_steps(seed):
    model, (sources, targets) = model_of(10, 10, seed=seed), make_pairs(0)
    losses = model.learn(sources, targets, range(60))
    assert losses[-1] < 0.05 < 1 < losses[0]
    assert compute_share(model, sources, targets) == 1


@pytest.mark.slow
def test_attention_translates_held_out_pairs_and_an_average_does_not():
    practice, held_back, seeds_own = make_pairs(1, 2, 3, 4), make_pairs(0, 5, 6, 7, 8), make_pairs(0)
    model = model_of(10, 10)
    model.learn(*practice, range(60))
    assert compute_share(model, *practice) == compute_share(model, *held_back) == 1
    looks = model.translate(held_back[0], 3)[1].mean(dim=0)
    assert looks[0].argmax() == 0 and looks[2].argmax() == 2

    torch.manual_seed(0)
    average = CHAPTER.Translator(10, 10)
    average.attend = partial(average_of_words, average)
    average.learn(*practice, range(200))
    assert compute_share(average, *practice) == 1, "it learns by heart"
    assert compute_share(average, *seeds_own) == 1, "order does not count in them"
    assert compute_share(average, *held_back) < 0.3


# Judging ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("misconception", "said"),
    [
        ("parameters_unchanged", "it hardly fell"),
        ("gradient_ascent", "in the wrong direction"),
        ("only_the_last_layer_learns", "not all parameters"),
        ("decoder_input_not_shifted", "shift_right"),
    ],
)
def test_a_failed_training_suggests_a_reason(judge, misconception, said):
    session, _ = open_misconception_session(EXERCISE)
    verdict = judge.judge(EXERCISE, session.replace_function(misconception))
    test = next(test for test in verdict.tests if test.name == TRAINING)
    assert test.outcome == "wrong" and "of 45 new translations right" in test.finding
    assert said in test.finding


@pytest.mark.slow
def test_training_has_more_time_than_other_exercises_and_still_an_end(judge):
    assert EXERCISE.seconds == 60
    source = (curriculum.SOLUTIONS / "translate.py").read_text(encoding="utf-8")
    endless = source.replace("for _ in steps:", "while True:")
    session = Session(Task(parse_script("endless.py", endless), read_chapter("translate"), ()))
    try:
        verdict = judge.judge(dataclasses.replace(EXERCISE, seconds=8), session)
    finally:
        session.close()
    assert verdict.outcome == "timeout" and "within 2 seconds" in verdict.message


# Progress bar -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seen", [True, False])
def test_a_progress_bar_is_drawn_only_on_a_terminal_or_in_a_notebook(monkeypatch, seen):
    screen = io.StringIO()
    screen.isatty = lambda: seen
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert list(track(range(7), "seven")) == list(range(7))
    assert screen.getvalue() == (f"seven, 7 steps\n{'·' * WIDTH}\n{'█' * WIDTH}\n" if seen else "")


@pytest.mark.slow
def test_a_word_finds_its_digit_as_often_as_the_chapter_says():
    cell = next(cell.source for cell in read_chapter("translate").cells if "class Finder" in cell.source)
    space = {**vars(load_solution("translate"))}
    exec(cell.partition("\nfinder = ")[0], space)
    practice, (asked, patches, there, digits) = space["make_pictures"](600, 1), space["make_pictures"](300, 2)
    assert not (digits == asked)[there == 0].any() and (digits == asked).any(dim=-1)[there > 0].all()
    rights, finds = [], []
    for seed in range(10):
        finder = space["learn_to_find"](*practice[:3], seed)
        with torch.no_grad():
            logits, weights = finder(asked, patches)
        rights.append(((logits > 0) == (there > 0)).float().mean().item())
        largest = digits.gather(1, weights.argmax(dim=-1, keepdim=True))
        finds.append((largest == asked)[there > 0].float().mean().item())
    assert (min(rights), max(rights)) == pytest.approx((0.95, 0.99), abs=0.015)
    assert (min(finds), max(finds)) == pytest.approx((0.92, 1.0), abs=0.02)
