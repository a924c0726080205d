"""Hidden suite of sample: temperature, top k, frequencies of the drawn tokens, the generator, and errors."""

import numpy as np
import pytest

from autograder.suite import TENSORS_STAY, Harness
from autograder.suite.modules import tensor

MANY = 600  # draws in which every token occurs whose probability is a twentieth or more
SHARES = 6000  # draws that show how often each token occurs
REPEATED = 64  # draws that show whether two runs are the same


def _harness(rng, tells, seeds=1, own=False, between=None):
    """Return a harness with generators of different hidden seeds, the first one twice if there are several."""
    hidden = (int(rng.integers(1, 2**31)) + np.arange(seeds)).tolist()
    settings = {"seeds": hidden[:1] * (seeds > 1) + hidden, "own": own, "tells": tells}
    return Harness("draw", "" if own else "generator", settings, between)


def _rows(logits, count):
    """Return `count` equal rows of logits, one for each draw."""
    return tensor(np.broadcast_to(logits, (count, *np.shape(logits))).copy(), "float64")


def _shuffled(rng, *logits):
    """Return these logits in a random order."""
    return rng.permutation(np.array(logits, dtype=float))


def _comes(answer, solution, rng, logits, temperature, top_k=None):
    """Check that exactly the tokens that the solution draws occur in many draws from each row."""
    arguments = _rows(logits, MANY), temperature, top_k, _harness(rng, "drawn")
    reply, expected = answer(*arguments), solution(*arguments)
    if reply.array.shape != expected.array.shape:
        reply.equals(expected)
    reply.call.expected_value = expected
    for *row, token in np.argwhere(reply.array != expected.array):
        comes = expected.array[(*row, token)]
        which = f"token {token}{f' of row {row[0]}' if row else ''}"
        reply.fails(f"never drew {which} in {MANY} draws" if comes else f"drew {which}, which is impossible", "values")


@pytest.mark.points(1, checks=["0 gives the token with the largest logit", TENSORS_STAY])
def test_temperature_zero_is_the_largest(answer, solution, draw, rng):
    for shape in ((5,), (3, 4), (2, 3, 6), (1,), (4, 1), (2, 1, 3), (1, 5), (2, 2)):
        numbers = rng.permuted(np.broadcast_to(np.arange(shape[-1]) / 8, shape), axis=-1) - 0.25
        logits = tensor(numbers, apart=len(shape) > 2)
        answer(logits, 0.0).leaves_arguments_alone().equals(solution(logits, 0.0))
        answer(logits, 0, shape[-1]).equals(solution(logits, 0, shape[-1]))
        # `top_k=1` gives the largest, too, and so does one far larger logit, whose exponential overflows.
        answer(logits, 1.0, 1).leaves_arguments_alone().equals(solution(logits, 0.0))
        far = tensor(40_000 * logits.array, "float64")
        answer(far).leaves_arguments_alone().equals(solution(far, 0.0))
        answer(far, 0.5, min(2, shape[-1])).leaves_arguments_alone().equals(solution(far, 0.0))
    for temperature in (0.0, 1.0):
        reply = answer(logits, temperature, 1)
        if (results := reply.array.dtype) != "int64":
            reply.fails(f"returned numbers of {results}, expected int64", "dtype")


# At temperature 1, differences of about 100 exclude a token; at temperature 100, every token occurs. In the first row,
# ignoring the temperature and multiplying by it also exclude different tokens.
FAR = (0, 1, -120, 2), (0, 100), (0, 90, 180)


@pytest.mark.points(0.5, checks=["how often each token is drawn, whichever way you draw"])
def test_which_tokens_come(answer, solution, rng):
    for logits in FAR:
        _comes(answer, solution, rng, _shuffled(rng, *logits), 1.0)


@pytest.mark.points(1.5, checks=["What the logits are divided by, 0 or more."])
def test_temperature(answer, solution, rng):
    for logits in FAR:
        _comes(answer, solution, rng, _shuffled(rng, *logits), 100.0)
    for temperature in (0.02, 0.1):
        _comes(answer, solution, rng, _shuffled(rng, 0.0, 1.0, 5.0), temperature)
    rows = np.stack([_shuffled(rng, 0, 150, 300) for _ in range(3)])
    _comes(answer, solution, rng, rows, 150.0)
    _comes(answer, solution, rng, 40 + 20 * _shuffled(rng, 0.5, 0.0, -0.5, -1.0, -1.5), 20.0, 3)


@pytest.mark.points(2, checks=["How many of the largest logits count, from 1 to c."])
def test_top_k(answer, solution, rng):
    logits = _shuffled(rng, 0.5, 0.0, -0.5, -1.0, -1.5)
    for shift in (50, -50):
        _comes(answer, solution, rng, logits + shift, 1.0, 3)
    for top_k in (1, 2, 3, 4, 5):
        _comes(answer, solution, rng, logits, 1.0, top_k)
    _comes(answer, solution, rng, np.stack([_shuffled(rng, 3, 2.5, 2, 1.5) for _ in range(4)]), 1.0, 2)
    _comes(answer, solution, rng, np.stack([_shuffled(rng, -9, -8, -7), _shuffled(rng, 9, 8, 7)]), 1.0, 2)
    # One logit is so much larger than all others that it alone is drawn, although two count.
    _comes(answer, solution, rng, _shuffled(rng, 0, 0.5, -1, 80), 1.0, 2)


@pytest.mark.points(1, checks=["how often each token is drawn, whichever way you draw"])
def test_how_often_each_comes(answer, solution, rng):
    for logits, temperature, top_k in (
        (_shuffled(rng, 0.0, 100.0, 200.0), 1000.0, None),
        (_shuffled(rng, 0.0, 1.0, 2.0, -1.0), 1.0, None),
        (_shuffled(rng, 0.0, 1.0, 2.0, -1.0), 2.0, None),
        (_shuffled(rng, 0.0, 0.5, 1.0, -0.5), 0.5, None),
        (_shuffled(rng, 0.0, 1.0, 2.0, -1.0, 1.5), 1.5, 3),
    ):
        probabilities = _probabilities(logits, temperature, top_k)
        # Allow seven standard deviations. A token of probability 0 must never occur.
        near = 7 * np.sqrt(probabilities * (1 - probabilities) / SHARES)
        between = probabilities - near, probabilities + near
        harness = _harness(rng, "shares", between=between)
        arguments = _rows(logits, SHARES), temperature, top_k, harness
        if (temperature, top_k) == (1.0, None):  # the defaults
            defaults = _harness(rng, "shares", own=True, between=between)
            _draws_as_often(answer(arguments[0], defaults), solution(*arguments), probabilities)
        _draws_as_often(answer(*arguments), solution(*arguments), probabilities)


def _draws_as_often(reply, expected, probabilities):
    """Check that each token occurs as often as its probability says, up to chance."""
    results = reply.array
    if results.shape != probabilities.shape:
        reply.equals(expected)
    reply.call.expected_value = expected
    for token, (sign, probability) in enumerate(zip(results, probabilities, strict=True)):
        if sign:
            how = "rarely" if sign < 0 else "often"
            reply.fails(f"drew token {token} too {how}: its probability is {probability:.3f}", "values")


def _probabilities(logits, temperature, top_k):
    kept = logits >= np.sort(logits)[-(top_k or len(logits))]
    exponentials = np.where(kept, np.exp(logits / temperature), 0)
    return exponentials / exponentials.sum()


@pytest.mark.points(1, checks=["that the same seed gives the same tokens, that the next draw gives different ones"])
def test_the_generator_decides(answer, solution, rng):
    rows = _rows(np.arange(8) / 16, REPEATED)  # all different: which of equal logits are kept is not graded
    for own in (False, True):
        for settings in ((1.0, None), (0.7, 5)):
            arguments = rows, *settings, _harness(rng, "repeats", 2, own)
            reply, expected = answer(*arguments), solution(*arguments)
            results, reply.call.expected_value = reply.value, expected
            for fact in (fact for fact in expected if not (isinstance(results, dict) and results.get(fact))):
                reply.fails(f"should {fact}", "values")


@pytest.mark.points(1, checks=["both errors, at temperature 0 too"])
def test_what_cannot_be_asked(answer):
    for shape in ((4,), (2, 3), (2, 1, 6)):
        logits, c = tensor(np.arange(np.prod(shape)).reshape(shape) / 4), shape[-1]
        for settings in ((-1.0,), (-0.25, 1), (1.0, 0), (1.0, c + 1), (0.5, -2), (0.0, 0), (0.0, c + 1), (0, -1)):
            answer(logits, *settings).raises("ValueError")
