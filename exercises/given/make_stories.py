"""Script that trains the model of the chapter `stories` and writes `stories.npz`.

    cd solutions
    PYTHONPATH=../exercises python -m given.make_stories

This takes an hour and a half on one core. The stories come from the grammar `plots.txt`, in an order that depends on a
seed. The model is `StoryModel` of `stories.py`, and `train_step` of `write.py` trains it.

The training has three stages. Only one story in five names a place twice, so the model is slow to learn to copy places.
The second stage uses only such stories, and the third uses all stories again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from given.plots import Grammar, read_grammar, text_of, tokens_of
from given.stories import END, WEIGHTS, tell
from given.yours import yours


@dataclass(frozen=True)
class Stage:
    """A part of the training, with its own stories, and learning rates that rise and fall once."""

    seed: int
    steps: int
    rate: float = 1.0  # share of `RATES`
    repeats_places: bool = False  # only stories that name a place twice


SEED, BATCH = 1, 24
STAGES = (Stage(SEED, 10_000), Stage(3, 3000, 0.5, repeats_places=True), Stage(5, 3000, 0.5))
SORTED_BATCHES = 32  # batches whose stories are sorted by length together, so that a batch needs little padding
RATES = {"matrices": 0.01, "rest": 0.006}
WARM_UP_STEPS = 200
HELD_OUT_SEED, SAMPLES = 2, 200
MAX_VOCABULARY_STORIES = 40_000

Loss = Callable[[Tensor, Tensor], Tensor]
TrainStep = Callable[[nn.Module, Any, Tensor], float]


def words_of(grammar: Grammar) -> list[str]:
    """Return the words that the model knows: the end of a story, and each token of many stories."""
    source = random.Random(SEED)
    return [END, *sorted({token for _ in range(MAX_VOCABULARY_STORIES) for token in grammar.tell(source)})]


def batches(grammar: Grammar, words: list[str], seed: int, repeats_places: bool = False) -> Iterator[Tensor]:
    """Yield endless batches of whole stories, int64 of shape (b, n), padded with the token of a story's end."""
    source, places = random.Random(seed), {word: place for place, word in enumerate(words)}
    stories = (grammar.tell(source) for _ in itertools.count())
    if repeats_places:
        stories = (story for story in stories if names_a_place_twice(grammar, story))
    while True:
        told = itertools.islice(stories, BATCH * SORTED_BATCHES)
        rows = sorted(([0, *(places[token] for token in story if token in places), 0] for story in told), key=len)
        starts = list(range(0, len(rows), BATCH))
        source.shuffle(starts)
        for start in starts:
            longest = len(rows[start + BATCH - 1])
            yield torch.tensor([row + [0] * (longest - len(row)) for row in rows[start : start + BATCH]])


def names_a_place_twice(grammar: Grammar, story: list[str]) -> bool:
    """Return whether a story names the same place twice."""
    text = text_of(story)
    return any(text.count(f"the {row['']}") > 1 for row in grammar.tables["place"])


class MuonAndAdam:
    """Muon for the matrices of the blocks, AdamW for all other weights, with a warm-up and a linear decay.

    Muon gives every direction of a matrix the same share of an update (Jordan et al., 2024). With it, the model learns
    in far fewer steps to copy a name from an earlier sentence.
    """

    def __init__(self, model: nn.Module, steps: int, rate: float) -> None:
        matrices = [weight for weight in model.blocks.parameters() if weight.ndim == 2]
        rest = [weight for weight in model.parameters() if all(weight is not matrix for matrix in matrices)]
        self.parts = (
            torch.optim.Muon(matrices, RATES["matrices"], weight_decay=0, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW(rest, RATES["rest"], betas=(0.9, 0.95), weight_decay=0),
        )

        def share(step: int) -> float:
            return rate * min((step + 1) / WARM_UP_STEPS, 1, 2 * (steps - step) / steps)

        self.schedules = [torch.optim.lr_scheduler.LambdaLR(part, share) for part in self.parts]

    def zero_grad(self) -> None:
        """Reset the gradients."""
        for part in self.parts:
            part.zero_grad()

    def step(self) -> None:
        """Update the weights, and then the learning rates."""
        for part in (*self.parts, *self.schedules):
            part.step()


def train(model: nn.Module, train_step: TrainStep, grammar: Grammar, words: list[str], stage: Stage) -> Iterator[float]:
    """Train the model in one stage, and yield the loss of each step."""
    optimizer = MuonAndAdam(model, stage.steps, stage.rate)
    data = batches(grammar, words, stage.seed, stage.repeats_places)
    for step, tokens in enumerate(itertools.islice(data, stage.steps)):
        loss = train_step(model, optimizer, tokens)
        if step % 250 == 0:
            print(f"step {step:,}: loss {loss:.3f}", flush=True)
        yield loss


def consistent_share(stories: list[str], grammar: Grammar) -> float:
    """Return the share of the stories in which the grammar explains every word."""
    return sum(grammar.plot_of(tokens_of(story)) is not None for story in stories) / len(stories)


def held_out_loss(model: nn.Module, loss: Loss, grammar: Grammar, words: list[str], batches_read: int = 20) -> float:
    """Return the loss per token on stories that the model has not learned from."""
    with torch.no_grad():
        held_out = itertools.islice(batches(grammar, words, HELD_OUT_SEED), batches_read)
        return float(np.mean([loss(model(tokens), tokens).item() for tokens in held_out]))


def main() -> None:
    """Train the model, measure it and save its weights."""
    parser = argparse.ArgumentParser(description="Train the model that tells stories.")
    parser.add_argument("--output", default=str(WEIGHTS), help="the file to write")
    asked = parser.parse_args()
    grammar = read_grammar()
    words = words_of(grammar)
    torch.manual_seed(SEED)
    model = yours("stories", "StoryModel")(len(words))
    print(f"{sum(weight.numel() for weight in model.parameters()):,} weights, {len(words):,} words", flush=True)
    train_step = yours("write", "train_step")
    losses = [loss for stage in STAGES for loss in train(model, train_step, grammar, words, stage)]

    stored = {name: weight.detach().half() for name, weight in model.state_dict().items()}
    model.load_state_dict({name: weight.float() for name, weight in stored.items()})  # Measure what is saved.
    model.eval()
    told = [
        tell(model, yours("write", "sample"), yours("efficient", "KeyValueCache"), words, seed=seed)
        for seed in range(SAMPLES)
    ]
    history = {
        "steps": len(losses),
        "first training losses": losses[:3],
        "last training loss": float(np.mean(losses[-100:])),
        "held-out loss": held_out_loss(model, yours("write", "next_token_loss"), grammar, words),
        "consistent": consistent_share(told, grammar),
    }
    print(json.dumps(history, indent=1), told[0], sep="\n")
    arrays = {name: weight.numpy() for name, weight in stored.items()}
    for name, text in (("words", "\n".join(words)), ("history", json.dumps(history))):
        arrays[name] = np.frombuffer(text.encode(), dtype=np.uint8)
    np.savez_compressed(asked.output, **arrays)


if __name__ == "__main__":
    sys.path.insert(0, "")
    main()
