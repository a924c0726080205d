"""A language model in training: the text, the held-out part, resuming, and answers from another chapter."""

import json
import os

import pytest

from autograder.book import pictures
from given import ALICE
from given.errors import MissingError, TextError
from given.yours import yours
from support.grading import load_solution
from support.late import LazyModule

CHAPTER, EFFICIENT = LazyModule("write", load_solution), LazyModule("efficient", load_solution)
torch, training = LazyModule("torch"), LazyModule("given.training")


def make_small(c):
    return CHAPTER.LanguageModel(c, d_model=16, num_heads=2, num_blocks=1, window=8)


def write(model, tokens, count):
    return CHAPTER.continue_text(model, tokens, count, EFFICIENT.KeyValueCache)


def training_of(path, folder, steps):
    return training.Training(path, make_small, CHAPTER.train_step, CHAPTER.next_token_loss, write, steps, folder=folder)


def test_the_text_is_alice_and_its_last_tenth_is_held_back():
    text = training.Text(ALICE, "Alice was ")
    whole = ALICE.read_text(encoding="utf-8")
    assert whole.startswith("CHAPTER I\nDown the Rabbit-Hole\nAlice was beginning to get very tired")
    assert whole.isascii() and ALICE.stat().st_size < 300_000
    assert text.string(text.practice) + text.string(text.held_back) == whole
    assert 0.0999 < len(text.held_back) / len(whole) < 0.1001
    assert text.batch().shape == (training.BATCH, training.LENGTH + 1)
    letters, pairs = text.counted()
    assert 3.1 < letters < 3.2 and 2.3 < pairs < 2.5


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"too short", "has 9 characters"),
        (b"\xff\xfe" * 9000, "no text in UTF-8"),
        (b"\0" * 9000, "no text: it has bytes of 0"),
        (None, "cannot be read"),
        (b"x" * 20_000, "is larger than 0 MB"),
    ],
)
def test_a_file_that_is_not_text_is_refused(tmp_path, raw, said, monkeypatch):
    monkeypatch.setattr(training, "MAX_BYTES", 19_000)
    path = tmp_path / "mine.txt"
    if raw is not None:
        path.write_bytes(raw)
    with pytest.raises(TextError, match=said):
        training.read_text(path)


@pytest.mark.parametrize("path", ["/dev/zero", "pipe", "."])
def test_endless_files_are_not_read(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(TextError, match="is no file"):
        training.read_text(path)


@pytest.mark.parametrize("kept", [dict, lambda: {"random": "x"}, lambda: {"random": torch.zeros(1)}])
def test_a_foreign_save_file_is_replaced(tmp_path, kept):
    one = training_of(ALICE, tmp_path, 60)
    states = {"model": one.model.state_dict(), "optimizer": one.optimizer.state_dict()}
    torch.save({**states, "text": one.text.digest, **kept()}, one.saved)
    one._load()
    assert one.losses == [] and one.steps == 60


def test_a_text_may_be_in_any_language(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("Ümläute – und 漢字 dazu.\n" * 300, encoding="utf-8")
    text = training.Text(path)
    assert text.string(text.numbers("漢字")) == "漢字" and text.prompt == "Ümläute – "
    with pytest.raises(TextError, match="'Q' does not occur in mine"):
        text.numbers("Quark")


def test_with_and_without_a_cache_it_writes_the_same():
    torch.manual_seed(0)
    model = CHAPTER.LanguageModel(9, d_model=16, num_heads=2, window=8).double()
    for prompt in (torch.tensor([3]), torch.arange(9), torch.arange(20) % 9):
        plain, cached = (CHAPTER.continue_text(model, prompt, 30, cache) for cache in (None, EFFICIENT.KeyValueCache))
        assert torch.equal(plain, cached) and len(plain) == len(prompt) + 30


def test_a_character_depends_only_on_earlier_ones_in_its_window():
    torch.manual_seed(0)
    model, tokens = (
        CHAPTER.LanguageModel(9, d_model=16, num_heads=2, num_blocks=1, window=8),
        torch.arange(30)[None] % 9,
    )
    logits = model(tokens)
    tokens[0, 20] += 1
    changed = (model(tokens) - logits).abs().amax(dim=-1)[0] > 1e-6
    assert changed.nonzero().flatten().tolist() == list(range(20, 28))


@pytest.mark.slow
def test_an_interrupted_training_continues_as_if_uninterrupted(tmp_path, monkeypatch):
    monkeypatch.setattr(training, "SHOWN", (0, 4, 8))
    whole = training_of(ALICE, tmp_path / "whole", 8).run()
    first = training_of(ALICE, tmp_path / "halves", 8)
    monkeypatch.setattr(training, "track", lambda steps, what: iter(steps[:4]))
    first.run()
    monkeypatch.undo()
    monkeypatch.setattr(training, "SHOWN", (0, 4, 8))
    second = training_of(ALICE, tmp_path / "halves", 8).run()
    assert second.losses == whole.losses and second.samples == whole.samples
    assert [step for step, _ in second.samples] == [0, 4, 8]
    data = json.loads(second.saved.with_suffix(".json").read_text(encoding="utf-8"))
    assert data["losses"] == whole.losses and data["text"] == "alice"
    assert training_of(ALICE, tmp_path / "halves", 8).run().losses == whole.losses, "it is done, and nothing is added"


def test_slow_torch_gets_fewer_steps(tmp_path):
    one = training_of(ALICE, tmp_path, 1200)
    one.losses, one.seconds = [0.0] * 50, 10.0  # Each step took a fifth of a second.
    one._plan()
    assert one.steps == 500
    one.seconds = 100.0
    one._plan()
    assert one.steps == training.FEWEST_STEPS
    few = training_of(ALICE, tmp_path, 60)
    few.losses, few.seconds = [0.0] * 50, 1000.0
    few._plan()
    assert few.steps == 60


@pytest.mark.slow
def test_the_language_model_beats_bigrams_only_with_attention():
    text = training.Text(ALICE)
    torch.manual_seed(0)
    model = CHAPTER.LanguageModel(len(text.characters), window=1)
    training.learn(model, text, CHAPTER.train_step, 200, "")
    content = json.loads((pictures.find_pictures_folder("write") / "alice.json").read_text(encoding="utf-8"))
    _, pairs = text.counted()
    assert content["held_back"][-1][1] < pairs - 0.3
    assert abs(training.held_back_loss(model, text, CHAPTER.next_token_loss) - pairs) < 0.1


def test_an_answer_is_read_from_the_script_or_the_notebook(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MissingError, match=r"Your turn is needed here: put no_such_chapter\.py or no_such"):
        yours("no_such_chapter", "turn")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "a_script.py").write_text("def turn(x):\n    return -x\n", encoding="utf-8")
    assert yours("a_script", "turn")(2) == -2
    sources = ["%magic", "def turn(x):\n    return 3 * x", "print('checked')", "def other(:", "turn = None"]
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    cells[-1]["metadata"]["tags"] = ["active-ipynb"]
    (tmp_path / "a_book.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert yours("a_book", "turn")(2) == 6
    assert capsys.readouterr().out == ""
    with pytest.raises(MissingError, match="Your other is needed here"):
        yours("a_book", "other")


@pytest.mark.slow
def test_the_training_that_the_book_shows_is_the_one_of_this_code(tmp_path):
    """Equal seeds give equal first steps. If the training has changed, run `make drawings`."""
    content = json.loads((pictures.find_pictures_folder("write") / "alice.json").read_text(encoding="utf-8"))
    assert content["steps"] == len(content["losses"]) == training.STEPS
    assert [step for step, _ in content["samples"]] == list(training.SHOWN)
    parts = CHAPTER.LanguageModel, CHAPTER.train_step, CHAPTER.next_token_loss, write
    one = training.Training(ALICE, *parts, prompt="Alice was ", folder=tmp_path)
    one._look()
    step = one.model, one.text, one.train_step, one.optimizer
    losses = [training.one_step(*step, number, one.steps) for number in range(5)]
    assert losses == pytest.approx(content["losses"][:5], rel=1e-3)
    assert one.held_back[0][1] == pytest.approx(content["held_back"][0][1], rel=1e-3)
    assert [*one.samples[0]] == content["samples"][0]
