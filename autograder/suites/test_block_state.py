"""Hidden suite of block_state: the chosen layer, also of more than ten, and an unchanged checkpoint."""

import numpy as np
import pytest

from autograder.suite.modules import tensor

PARTS = ("self.query", "self.key", "self.value", "output.dense", "output.LayerNorm")
FEED_FORWARD = {"intermediate.dense": (8, 2), "output.dense": (2, 8), "output.LayerNorm": (2,)}


def _checkpoint(draw, *layers, d=2):
    """Return a checkpoint with realistic names: these layers, embeddings and a pooler, all with different tensors."""
    shapes = {"embeddings.word_embeddings": (5, d), "embeddings.LayerNorm": (d,), "pooler.dense": (d, d)}
    for layer in layers:
        start = f"encoder.layer.{layer}"
        shapes |= {f"{start}.attention.{part}": (d,) if "Norm" in part else (d, d) for part in PARTS}
        shapes |= {f"{start}.{part}": shape for part, shape in FEED_FORWARD.items()}
    weights = {f"{name}.weight": tensor(draw(*shape) / 3) for name, shape in shapes.items()}
    biases = {f"{name}.bias": tensor(draw(shape[0]) / 3) for name, shape in shapes.items() if "word" not in name}
    return weights | biases | {"embeddings.position_ids": tensor(np.arange(5)[None], "int64")}


@pytest.mark.points(1.25, checks=["a dictionary with exactly ten names"])
def test_first_layer(answer, solution, draw):
    checkpoint = _checkpoint(draw, 0)
    answer(checkpoint, 0).equals(solution(checkpoint, 0))


@pytest.mark.points(1.25, checks=["Each has the unchanged tensor of the chosen layer, counted from 0"])
def test_other_layers(answer, solution, draw):
    checkpoint = _checkpoint(draw, 2, 0, 3, 1)  # in a mixed order
    for layer in (3, 2):
        answer(checkpoint, layer).equals(solution(checkpoint, layer))


@pytest.mark.points(3, checks=["Each has the unchanged tensor of the chosen layer, counted from 0"])
def test_more_than_ten_layers(answer, solution, draw):
    # In two orders, because an answer may take the first or the last of several similar names.
    for layers, asked in (((1, 10, 11), (1, 11)), ((11, 10, 1, 0), (0, 1))):
        checkpoint = _checkpoint(draw, *layers)
        for layer in asked:
            answer(checkpoint, layer).equals(solution(checkpoint, layer))


@pytest.mark.points(0.5, checks=["the checkpoint stays unchanged"])
def test_checkpoint_stays_as_it_is(answer, solution, draw):
    checkpoint = _checkpoint(draw, 0, 1)
    first = answer(checkpoint, 1).leaves_arguments_alone()
    answer(checkpoint, 0).equals(solution(checkpoint, 0))
    first.still_equals(solution(checkpoint, 1))
