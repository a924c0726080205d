"""Trains the model of the chapter `stories` and writes `stories.npz`.

    cd solutions
    PYTHONPATH=../exercises python -m given.make_stories

takes an hour and a half on one core. The stories come from the grammar `plots.txt`, in an order that a seed decides;
the model is `StoryModel` of `stories.py`, and `train` of `write.py` trains it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, nn

from given.plots import Grammar, read_grammar, text_of, tokens_of
from given.stories import END, WEIGHTS, tell
from given.yours import yours

SEED, STEPS, BATCH, LENGTH = 1, 14_000, 16, 176  # length: tokens of a piece, which begins with a story
PEAK, WARM_UP_STEPS = 3e-3, 200
HELD_OUT_SEED, SAMPLES = 2, 200
MAX_VOCABULARY_STORIES = 40_000

Loss = Callable[[Tensor, Tensor], Tensor]


def words_of(grammar: Grammar) -> list[str]:
    """Return the words that the model knows: the end of a story, and each token of many stories."""
    source = random.Random(SEED)
    return [END, *sorted({token for _ in range(MAX_VOCABULARY_STORIES) for token in grammar.tell(source)})]


def batches(grammar: Grammar, words: list[str], seed: int) -> Iterator[Tensor]:
    """Yield batches of stories without end, int64 of shape (b, n + 1). Every row begins with the start of a story."""
    source, places = random.Random(seed), {word: place for place, word in enumerate(words)}
    while True:
        rows = []
        for _ in range(BATCH):
            row = [0]
            while len(row) <= LENGTH:
                row += [*(places[token] for token in grammar.tell(source) if token in places), 0]
            rows.append(row[: LENGTH + 1])
        yield torch.tensor(rows)


def consistent_share(stories: list[str], grammar: Grammar) -> float:
    """Return the share of stories of which the grammar explains every word."""
    return sum(grammar.plot_of(tokens_of(story)) is not None for story in stories) / len(stories)


def held_out_loss(model: nn.Module, loss: Loss, grammar: Grammar, words: list[str], batches_read: int = 20) -> float:
    """Return the loss per token on stories that the model has not learned from."""
    with torch.no_grad():
        held_out = itertools.islice(batches(grammar, words, HELD_OUT_SEED), batches_read)
        return float(np.mean([loss(model(tokens), tokens).item() for tokens in held_out]))


def main() -> None:
    """Train, measure and save."""
    parser = argparse.ArgumentParser(description="Train the model that tells stories.")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"steps of training ({STEPS})")
    parser.add_argument("--output", default=str(WEIGHTS), help="the file to write")
    asked = parser.parse_args()
    grammar = read_grammar()
    words = words_of(grammar)
    torch.manual_seed(SEED)
    model = yours("stories", "StoryModel")(len(words))
    print(f"{sum(weight.numel() for weight in model.parameters()):,} weights, {len(words):,} words", flush=True)
    losses = yours("write", "train")(model, batches(grammar, words, SEED), asked.steps, PEAK, WARM_UP_STEPS)

    stored = {name: weight.detach().half() for name, weight in model.state_dict().items()}
    model.load_state_dict({name: weight.float() for name, weight in stored.items()})  # what a reader will have
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
