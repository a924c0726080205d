"""The model of `stories`: its grammar, its weights, and the chapter's statements about them."""

import random

import pytest

from autograder.chapters import curriculum
from given import plots, stories
from given.errors import TextError
from support.grading import load_solution
from support.late import LazyModule

torch, make_stories = LazyModule("torch"), LazyModule("given.make_stories")

pytestmark = pytest.mark.slow

GRAMMAR = plots.read_grammar()


@pytest.fixture(scope="module")
def model():
    model = load_solution("stories").StoryModel(len(stories.read_words()))
    model.load_state_dict(stories.read_weights())
    return model


def tell_story(model, **options):
    parts = load_solution("write").sample, load_solution("efficient").KeyValueCache
    return stories.tell(model, *parts, stories.read_words(), **options)


def test_every_story_of_the_grammar_is_consistent_until_a_word_is_changed(monkeypatch):
    source, known = random.Random(5), {*stories.read_words()}
    monkeypatch.setattr(make_stories, "MAX_VOCABULARY_STORIES", 2000)  # 2000 stories contain most of the words.
    assert len(GRAMMAR.plots) == 44 and {*make_stories.words_of(GRAMMAR)} <= known
    assert {word.lower() for word in known - {make_stories.END}} == {word.lower() for word in GRAMMAR.vocabulary()}
    for plot in GRAMMAR.plots:
        story, other = GRAMMAR.tell(source, plot), GRAMMAR.tell(source)
        assert plots.tokens_of(plots.text_of(story)) == story and GRAMMAR.plot_of(story) is not None
        assert GRAMMAR.plot_of(story[:-1]) is None
        assert GRAMMAR.plot_of(story[: len(story) // 2] + other[len(other) // 2 :]) is None


def test_the_training_command_begins_as_the_shipped_training_did():
    torch.manual_seed(make_stories.SEED)
    model = load_solution("stories").StoryModel(len(words := stories.read_words()))
    train_step = load_solution("write").train_step
    losses = make_stories.train(model, train_step, GRAMMAR, words, make_stories.STAGES[0])
    assert [next(losses), next(losses)] == pytest.approx(stories.read_history()["first training losses"][:2], rel=1e-4)


def test_the_shipped_model_is_as_good_as_the_chapter_says(model):
    history, text = stories.read_history(), curriculum.solution_of("stories").read_text("utf-8")
    assert f"{100 * history['consistent']:.0f} % are consistent" in text and stories.WEIGHTS.stat().st_size < 1_200_000
    held_out = model, load_solution("write").next_token_loss, GRAMMAR, stories.read_words(), 2
    assert make_stories.held_out_loss(*held_out) == pytest.approx(history["held-out loss"], rel=0.1)
    share = make_stories.consistent_share([tell_story(model, seed=seed) for seed in range(20)], GRAMMAR)
    assert share == pytest.approx(history["consistent"], abs=0.3)
    with pytest.raises(TextError, match="'Gandalf'"):
        tell_story(model, beginning="Once upon a time Gandalf")
