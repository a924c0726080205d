"""Hidden suite of train_step: the loss before the step, old gradients, training mode, clipping, and optimizers."""

import numpy as np
import pytest

from autograder.suite import Harness, Tensor, as_array
from autograder.suite.modules import model_to_train, require_final_weights, tensor


def _tokens(rng, b, n, c):
    return tensor(rng.permutation(np.resize(np.arange(c), b * n)).reshape(b, n), "int64")


def _harness(draw, c, tells, *earlier, size=1.0, **changed):
    """Return a harness with a model of c characters. Gradients grow with `size`, the size of its weights."""
    settings = {
        "weights": model_to_train(draw, c, size=size),
        "optimizer": "gradient",
        "rate": 0.5,
        "left": False,
        "training": True,
    }
    settings["grouped"] = False
    settings |= {"earlier": list(earlier), "tells": tells} | changed
    # Words for what a learner would have to do before the shown call.
    before = " with old gradients" * settings["left"] + " in evaluation mode" * (not settings["training"])
    before += f" after {len(earlier)} step{'s' * (len(earlier) > 1)}" if earlier else ""
    groups = " with a group for each parameter" * settings["grouped"]
    return Harness("train", f"model{before}, optimizer{groups}", settings)


def _weights(answer, harness, *arguments):
    """Return the reply, and the weights after the step, which must have the original number and shapes."""
    reply = answer(harness, *arguments)
    results, before = ([as_array(weights) for weights in both] for both in (reply.value, harness.settings["weights"]))
    if [weights.shape for weights in results] != [weights.shape for weights in before]:
        reply.fails("left the model with weights of other shapes", "values")
    if all(np.array_equal(*pair) for pair in zip(results, before, strict=True)):
        reply.fails("did not change the weights of the model", "values")
    return reply, results


def _losses(answer, solution, harness, *arguments):
    reply, expected = answer(harness, *arguments), solution(harness, *arguments)
    value = reply.value
    if isinstance(value, Tensor) and value.requires_grad:
        reply.call.expected_value = expected
        reply.fails("returned a tensor that is still attached to its graph, expected a float", "type")
    reply.equals(tensor(expected, "float64") if isinstance(value, Tensor) else expected)


@pytest.mark.points(1, checks=["The `next_token_loss` of the batch, before the step."])
def test_the_loss_before_the_step(answer, solution, draw, rng):
    for b, n, c in ((3, 5, 4), (1, 2, 6), (4, 3, 3)):
        _losses(answer, solution, _harness(draw, c, "returned"), _tokens(rng, b, n, c))
    # After an earlier step, the loss is that of the new batch. Clipping has no effect on the signs of gradients.
    harness = _harness(draw, 5, "returned", _tokens(rng, 2, 6, 5), optimizer="sign", rate=0.25)
    _losses(answer, solution, harness, _tokens(rng, 3, 4, 5), 0.5)


@pytest.mark.points(0.5, checks=["the weights after it, whatever the optimizer"])
def test_the_step(answer, solution, draw, rng):
    # Gradients shorter than `max_norm`; all sizes differ, so that no two parameters can be confused.
    for b, n, c in ((3, 5, 4), (1, 2, 6), (4, 3, 3)):
        harness = _harness(draw, c, "weights", rate=2.0)
        require_final_weights(answer, solution, harness, _tokens(rng, b, n, c), 1e3, why="a step along its gradients")


@pytest.mark.points(0.5, checks=["the weights after it, whatever the optimizer"])
def test_the_step_of_another_optimizer(answer, solution, draw, rng):
    for rate in (0.1, 0.25):
        harness = _harness(draw, 4, "weights", optimizer="sign", rate=rate)
        require_final_weights(answer, solution, harness, _tokens(rng, 3, 5, 4), 1e3, why="a step of its optimizer")


@pytest.mark.points(1, checks=["`backward` adds to whatever is in `.grad` already"])
def test_one_step_after_the_other(answer, solution, draw, rng):
    for earlier in (1, 2):
        # Gradients shorter than 1, so that the clipping limit has no effect.
        harness = _harness(draw, 5, "weights", *(_tokens(rng, 2, 4, 5) for _ in range(earlier)), size=0.1)
        reason = "a step along the gradients of this batch alone"
        require_final_weights(answer, solution, harness, _tokens(rng, 3, 5, 5), 1e3, why=reason)


@pytest.mark.points(0.5, checks=["with old ones left in `.grad`"])
def test_old_gradients_change_nothing(answer, draw, rng):
    """Compare the steps with and without old gradients, however the answer computes its loss."""
    tokens, harness = _tokens(rng, 3, 5, 5), _harness(draw, 5, "weights", left=True, optimizer="sign")
    clean = Harness(harness.name, "model, optimizer", harness.settings | {"left": False})
    (_, wanted), (reply, found) = (_weights(answer, each, tokens, 1e3) for each in (clean, harness))
    if not all(np.allclose(*pair) for pair in zip(found, wanted, strict=True)):
        reply.fails("left the model with the wrong weights: the step depends on old gradients", "values")


@pytest.mark.points(0.5, checks=["with old ones left in `.grad`"])
def test_gradients_that_somebody_left(answer, solution, draw, rng):
    # The optimizer uses only signs, because clipping is checked below. With larger weights, some gradients would be
    # nearly 0, where rounding decides their signs.
    for size in (1.0, 0.5):
        harness = _harness(draw, 5, "weights", size=size, left=True, optimizer="sign")
        reason = "a step along the gradients of this batch alone"
        require_final_weights(answer, solution, harness, _tokens(rng, 3, 5, 5), 1e3, why=reason)


@pytest.mark.points(0.5, checks=["Put the model into **training mode**."])
def test_the_mode_before_changes_nothing(answer, draw, rng):
    """Check that the model's mode before the step does not change the loss, however the answer computes it."""
    tokens, harness = _tokens(rng, 3, 5, 4), _harness(draw, 4, "returned", training=False)
    training = Harness(harness.name, "model, optimizer", harness.settings | {"training": True})
    expected, reply = (answer(each, tokens) for each in (training, harness))
    if not np.all(as_array(expected.value) > 0):
        expected.fails("returned no loss for a batch with wrong predictions", "values")
    if not np.allclose(as_array(reply.value), as_array(expected.value)):
        reply.fails("returned a different loss than in training mode", "values")


@pytest.mark.points(0.5, checks=["Put the model into **training mode**."])
def test_training_mode(answer, solution, draw, rng):
    # In training mode the model gives other logits.
    for b, n, c in ((3, 5, 4), (1, 3, 6)):
        _losses(answer, solution, _harness(draw, c, "returned", training=False), _tokens(rng, b, n, c))


@pytest.mark.points(0.5, checks=["*all gradients together*, as one long vector. If its length exceeds `max_norm`"])
def test_a_clipped_step_has_the_length_of_max_norm(answer, draw, rng):
    for size, max_norm in ((4.0, 0.01), (8.0, 0.25)):
        harness = _harness(draw, 4, "weights", size=size)
        reply, results = _weights(answer, harness, _tokens(rng, 3, 5, 4), max_norm)
        before = [as_array(weights) for weights in harness.settings["weights"]]
        length = np.sqrt(sum(((one - other) ** 2).sum() for one, other in zip(results, before, strict=True)))
        if not np.isclose(length, harness.settings["rate"] * max_norm, rtol=1e-3):
            reply.fails("moved the weights by a distance that is not the learning rate times max_norm", "values")


@pytest.mark.points(1.5, checks=["*all gradients together*, as one long vector. If its length exceeds `max_norm`"])
def test_all_gradients_together_are_clipped(answer, solution, draw, rng):
    # Gradients far longer than `max_norm`, a little longer, and shorter; the last ones with the default of 1.
    reason = "a step along its gradients, whose common norm is clipped to max_norm"
    for size, limits in ((4.0, (0.01, 0.25, 2.0)), (0.5, (0.001, 5.0)), (8.0, ())):
        tokens = _tokens(rng, 3, 5, 4)
        for limit in limits:
            require_final_weights(answer, solution, _harness(draw, 4, "weights", size=size), tokens, limit, why=reason)
        require_final_weights(
            answer, solution, _harness(draw, 4, "weights", size=size, grouped=True), tokens, why=reason
        )


@pytest.mark.points(1, checks=["It is called once, with all n tokens."])
def test_the_model_is_called_once_with_all_tokens(answer, solution, draw, rng):
    for b, n, c in ((3, 5, 4), (1, 2, 6)):
        harness, tokens = _harness(draw, c, "calls"), _tokens(rng, b, n, c)
        reply, expected = answer(harness, tokens), solution(harness, tokens)
        calls = reply.value
        reply.call.expected_value = expected
        if calls != expected:
            shapes = ", ".join(str(tuple(shape)) for shape in calls[:3]) or "nothing"
            reply.fails(f"called the model on tokens of shape {shapes}, expected one call on {tuple(expected[0])}")
