"""Hidden suite of train: the learning rate of each step, clipping, batches of any kind, and errors."""

import pytest

from autograder.suite import Harness
from autograder.suite.modules import model_to_train, require_final_weights, tensor


def _harness(draw, rng, c, count, tells, kind="list", size=1.0):
    """Return a harness with a model of c characters, and with batches of different shapes."""
    weights = model_to_train(draw, c, size=size)
    batches = [tensor(rng.integers(0, c, (2 + n % 2, 4 + n % 3)), "int64") for n in range(count)]
    settings = {"weights": weights, "batches": batches, "kind": kind, "tells": tells}
    return Harness("fit", f"model, a {kind} of {count} batches", settings)


NO_STEPS = 1e-9  # a peak so low that no schedule changes the model


@pytest.mark.points(1, checks=["The loss of each step, as `train_step` returns it."])
def test_the_losses(answer, solution, draw, rng):
    for steps, warmup in ((5, 2), (2, 1), (8, 7)):
        harness = _harness(draw, rng, 5, steps, "returned", size=0.25)
        answer(harness, steps, NO_STEPS, warmup, 1e3).equals(solution(harness, steps, NO_STEPS, warmup, 1e3))
    harness = _harness(draw, rng, 5, 2, "returned", size=0.25)
    before = solution(harness, 2, 1.5, 1, 1e3)[0]
    first = "a list whose first loss is that of the model before any step"
    answer(harness, 2, 1.5, 1, 1e3).satisfies(lambda losses: abs(losses[0] - before) < 1e-4, first)


@pytest.mark.points(1, checks=["The number of steps in which the rate rises to the peak."])
def test_one_batch_again_and_again(answer, solution, draw, rng):
    for warmup in (1, 3):
        harness = _harness(draw, rng, 4, warmup + 1, "weights", size=0.25)
        require_final_weights(answer, solution, harness, warmup + 1, 0.1, warmup, 1e3)


@pytest.mark.points(2, checks=["with its defaults except for the rate"])
def test_the_rate_of_each_step(answer, solution, draw, rng):
    for steps, peak, warmup in ((9, 0.1, 3), (6, 0.3, 1), (7, 0.02, 6), (12, 0.1, 5)):
        harness = _harness(draw, rng, 4, steps, "weights", size=0.25)
        require_final_weights(answer, solution, harness, steps, peak, warmup, 1e3)


@pytest.mark.points(
    0.5,
    checks=["the weights after the last step, for several peaks, lengths of the warm-up and limits of the gradients"],
)
def test_the_usual_settings(answer, solution, draw, rng):
    harness = _harness(draw, rng, 4, 55, "weights")
    reason = "training with the defaults: a peak of 3e-3, 50 steps of warm-up, clipping to 1"
    require_final_weights(answer, solution, harness, 55, why=reason)


@pytest.mark.points(1, checks=["The length to which all gradients together are clipped in each step."])
def test_gradients_are_clipped(answer, solution, draw, rng):
    reason = "training with gradients clipped to max_norm in each step"
    for max_norm in (0.01, 0.25):
        # Both steps are at the peak.
        harness = _harness(draw, rng, 4, 2, "weights", size=4.0)
        require_final_weights(answer, solution, harness, 2, 0.1, 1, max_norm, why=reason)


@pytest.mark.points(1, checks=["batches from a list, an iterator or a generator, and how many of them are taken"])
def test_batches_of_any_kind(answer, solution, draw, rng):
    for kind in ("list", "generator"):
        harness = _harness(draw, rng, 5, 9, "returned", kind, size=0.25)
        answer(harness, 6, NO_STEPS, 2, 1e3).equals(solution(harness, 6, NO_STEPS, 2, 1e3))


@pytest.mark.points(0.5, checks=["Take no more than `steps` of them"])
def test_how_many_batches_are_taken(answer, solution, draw, rng):
    for steps, count in ((4, 6), (3, 3)):
        harness = _harness(draw, rng, 5, count, "taken", "generator")
        reply = answer(harness, steps, 0.1, 1)
        reply.call.expected_value = solution(harness, steps, 0.1, 1)
        if reply.value != steps:
            reply.fails(f"took {reply.value} batches for {steps} steps", "values")


@pytest.mark.points(1, checks=["the error, which must leave model and batches unchanged"])
def test_errors(answer, solution, draw, rng):
    for steps, warmup in ((3, 3), (3, 0), (2, 50), (5, -1)):
        harness = _harness(draw, rng, 4, 6, "unchanged", "generator")
        answer(harness, steps, 0.1, warmup).equals(solution(harness, steps, 0.1, warmup))
