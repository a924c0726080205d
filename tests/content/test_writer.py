"""The language model that lacks its attention: yours is what runs, a cache changes the work alone, and it learns."""

import json
import re

import pytest
import torch

from given import PROSE
from given.errors import MissingError
from given.writer import Writer
from given.yours import yours
from support.grading import solution_module

EFFICIENT, POSITIONS, MULTI_HEAD = map(solution_module, ("efficient", "positions", "multi_head"))
TEXT = PROSE.read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def one_core():
    """Small matrices gain nothing from more."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def grouped():
    return EFFICIENT.GroupedQueryAttention(16, 4, 2)


def writer_of(attentions, window=8, rotate=POSITIONS.rotate):
    return Writer(TEXT, attentions, 4, rotate, lambda n: EFFICIENT.sliding_window_mask(n, window))


@pytest.mark.parametrize("attention", [grouped, lambda: MULTI_HEAD.MultiHeadAttention(16, 4)])
def test_with_and_without_a_cache_it_writes_the_same(attention):
    torch.manual_seed(0)
    writer = writer_of([attention(), attention()]).double()
    for prompt in ("T", "The query "):
        plain, cached = (list(writer.write(40, make_cache, prompt)) for make_cache in (None, EFFICIENT.KeyValueCache))
        assert plain == cached and len(plain) == 40
        assert plain != list(writer.write(40, None, prompt, seed=1))


def test_no_character_sees_what_comes_after_it_or_before_its_window():
    torch.manual_seed(0)
    writer = writer_of([grouped()])
    numbers = writer.text[None, :30].clone()
    logits, (weights,) = writer(numbers)
    numbers[0, 20] += 1
    changed = (writer(numbers)[0] - logits).abs().amax(dim=-1)[0] > 1e-6
    assert changed.nonzero().flatten().tolist() == list(range(20, 28))
    assert weights.shape == (1, 4, 30, 30)


def test_it_is_the_attention_and_the_rotation_that_are_brought_along():
    called = []

    class Noted(EFFICIENT.GroupedQueryAttention):
        def forward(self, *inputs):
            called.append("attention")
            return super().forward(*inputs)

    def rotate(heads, places):
        called.append(places.tolist())
        return POSITIONS.rotate(heads, places)

    writer = writer_of([Noted(16, 4, 2)], rotate=rotate)
    list(writer.write(2, EFFICIENT.KeyValueCache, prompt="one"))
    assert called == [[0, 1, 2], [0, 1, 2], "attention", [3], [3], "attention"]


def test_each_weight_is_counted_once_and_gets_a_gradient():
    writer = writer_of([grouped(), grouped()])
    alone = sum(weight.numel() for _ in range(2) for weight in grouped().parameters())
    others = [writer.embedding, writer.logits, writer.norm, *(layer.norms for layer in writer.layers)]
    others += [layer.feed_forward for layer in writer.layers]
    rest = sum(weight.numel() for part in others for weight in part.parameters())
    assert sum(weight.numel() for weight in writer.parameters()) == alone + rest
    writer(writer.text[None, :20])[0].square().sum().backward()
    assert all(weight.grad is not None for weight in writer.parameters())


def test_an_answer_comes_from_the_script_or_the_notebook_beside(tmp_path, monkeypatch, capsys):
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
def test_it_learns_to_write():
    """With the chapter's settings, in a quarter of its steps: more than pairs of characters tell, and mostly words."""
    torch.manual_seed(0)
    writer = writer_of([EFFICIENT.GroupedQueryAttention(96, 4, 2) for _ in range(2)], window=64)
    losses = writer.learn(300)
    pairs = torch.zeros(2 * (len(writer.characters),))
    pairs.index_put_((writer.text[:-1], writer.text[1:]), torch.ones(len(writer.text) - 1), accumulate=True)
    chances = pairs / pairs.sum(dim=1, keepdim=True).clamp(min=1)
    of_pairs = -chances[writer.text[:-1], writer.text[1:]].log().mean()
    assert sum(losses[-20:]) / 20 < 0.75 * of_pairs
    written = "".join(writer.write(300, EFFICIENT.KeyValueCache)).split()[1:-1]
    words = set(re.findall(r"\w+", TEXT))
    assert sum(word.strip(",.;:()?") in words for word in written) > 0.6 * len(written), written
