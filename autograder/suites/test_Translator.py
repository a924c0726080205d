"""Hidden suite of Translator: exact losses of the first steps, translations word by word, and held-out sentences."""

import numpy as np
import pytest

from autograder.suite import EXAMPLES, Mismatch, Stream, Tensor, as_array, named
from autograder.suite.modules import tensor

STEPS = 60


def _shapes(source_size, target_size, d):
    shapes = {"source_words.weight": (source_size, d), "target_words.weight": (target_size + 1, d)}
    for gru in ("encoder", "decoder"):
        shapes |= {f"{gru}.weight_{which}_l0": (3 * d, d) for which in ("ih", "hh")}
        shapes |= {f"{gru}.bias_{which}_l0": (3 * d,) for which in ("ih", "hh")}
    for layer, size, width in (("Wq", d, d), ("Wk", d, d), ("join", d, 2 * d), ("out", target_size, d)):
        shapes |= {f"{layer}.weight": (size, width), f"{layer}.bias": (size,)}
    return shapes


def _weights(rng, *sizes, dtype="float64"):
    """Return weights like PyTorch's initial ones: normal for word vectors, others uniform within 1 / sqrt(d) of 0."""
    results = {}
    for name, shape in _shapes(*sizes).items():
        near = 1 / np.sqrt(sizes[-1])
        results[name] = tensor(rng.normal(size=shape) if "words" in name else rng.uniform(-near, near, shape), dtype)
    return results


def _sentences(rng, size, *shape):
    return tensor(rng.integers(0, size, shape), "int64")


def _learns_like(model, same, *arguments):
    reply, losses = model.method("learn", *arguments).leaves_arguments_alone(), same.method("learn", *arguments)
    reply.equals(_in_the_form_of(reply.value, losses))


def _in_the_form_of(value, losses):
    """Return `losses` in the form of the answer's `value`: numbers, tensors of one number each, or one tensor."""
    if isinstance(value, (list, tuple)) and any(isinstance(each, Tensor) for each in value):
        return tuple(tensor(loss, "float64") for loss in losses)
    return tensor(losses, "float64") if isinstance(value, Tensor) else np.array(losses)


def _translates_like(model, same, sources, length):
    expected = named("words weights", same.method("translate", sources, length))
    model.method("translate", sources, length).leaves_arguments_alone().equals(expected)


@pytest.mark.points(1, checks=[EXAMPLES])
def test_example(answer, solution):
    weights = {name: tensor(np.zeros(shape), "float64") for name, shape in _shapes(3, 3, 8).items()}
    model, same = (thing.build(3, 3, 8, weights=weights) for thing in (answer, solution))
    _learns_like(model, same, tensor([[0, 2, 0]], "int64"), tensor([[2, 0, 2]], "int64"), list(range(3)))


@pytest.mark.points(1, checks=["the losses of the first steps to five digits"])
def test_sentences_of_one_word(answer, solution, rng):
    weights = _weights(rng, 5, 6, 4)
    model, same = (thing.build(5, 6, 4, weights=weights) for thing in (answer, solution))
    _learns_like(model, same, _sentences(rng, 5, 6, 3), _sentences(rng, 6, 6, 1), list(range(3)), 0.5)


@pytest.mark.points(1, checks=["the losses of the first steps to five digits"])
def test_losses_of_the_first_steps(answer, solution, rng):
    weights = _weights(rng, 7, 5, 6)
    for name in ("out.weight", "source_words.weight"):  # long gradients, to reveal answers that clip them
        weights[name] = tensor(4 * weights[name].array, "float64")
    model, same = (thing.build(7, 5, 6, weights=weights) for thing in (answer, solution))
    _learns_like(model, same, _sentences(rng, 7, 8, 4), _sentences(rng, 5, 8, 3), list(range(4)), 0.5)


@pytest.mark.points(
    1, checks=["So set the gradients to zero before each backward pass.", "It may be wrapped in a progress bar."]
)
def test_learning_goes_on(answer, solution, rng):
    # Each call gets other sentences, which reveals gradients left in `.grad`.
    weights = _weights(rng, 4, 6, 4)
    model, same = (thing.build(4, 6, 4, weights=weights) for thing in (answer, solution))
    for b, n_s, n_t, steps, rate in ((3, 2, 4, 1, 1.0), (2, 5, 1, 2, 0.25), (1, 1, 3, 2, 0.5)):
        arguments = _sentences(rng, 4, b, n_s), _sentences(rng, 6, b, n_t), Stream(list(range(steps))), rate
        _learns_like(model, same, *arguments)
    for length in (3, 5):  # as long as the training sentences, and longer
        _translates_like(model, same, _sentences(rng, 4, 4, 3), length)


@pytest.mark.points(1, checks=["the losses of the first steps to five digits"])
def test_other_sizes(answer, solution, rng):
    for sizes, b, n_s, n_t in (((3, 8, 5), 4, 6, 2), ((9, 2, 3), 3, 3, 3), ((2, 3, 1), 2, 1, 5)):
        weights = _weights(rng, *sizes)
        model, same = (thing.build(*sizes, weights=weights) for thing in (answer, solution))
        _learns_like(model, same, _sentences(rng, sizes[0], b, n_s), _sentences(rng, sizes[1], b, n_t), [0, 1, 2])


@pytest.mark.points(3, checks=["Write translations word by word, each given the words written before it."])
def test_words_are_written_one_after_the_other(answer, solution, rng):
    # Long translations of many sentences, by models that rarely repeat themselves.
    for sizes, b, n_s, length in (((7, 9, 6), 8, 4, 6), ((5, 12, 9), 6, 7, 5), ((3, 8, 5), 1, 3, 8)):
        weights = _weights(rng, *sizes)
        for name in ("target_words.weight", "out.weight", "join.weight"):
            weights[name] = tensor(4 * weights[name].array, "float64")
        model, same = (thing.build(*sizes, weights=weights) for thing in (answer, solution))
        _translates_like(model, same, _sentences(rng, sizes[0], b, n_s), length)
    # Word 0 at every position: it is an ordinary word, which does not end a translation.
    weights = _weights(rng, 4, 6, 4)
    weights["out.bias"] = tensor([9, 0, 0, 0, 0, 0], "float64")
    model, same = (thing.build(4, 6, 4, weights=weights) for thing in (answer, solution))
    _translates_like(model, same, _sentences(rng, 4, 2, 3), 4)


@pytest.mark.points(1, checks=["The number of words to write."])
def test_shortest_sentences(answer, solution, rng):
    weights = _weights(rng, 6, 5, 4)
    model, same = (thing.build(6, 5, 4, weights=weights) for thing in (answer, solution))
    for b, n_s, length in ((1, 1, 1), (3, 1, 2), (2, 4, 1)):
        _translates_like(model, same, _sentences(rng, 6, b, n_s), length)


def _translated_after_learning(answer, rng):
    """Return the results of `learn` and `translate`, and the correct words of the held-out sentences."""
    # The chapter's sentences, renumbered at random, so that an answer knows neither meanings nor held-out sentences.
    source_of, target_of = rng.permutation(10), rng.permutation(10)
    steps = rng.permutation(np.arange(1, 9))
    practice, held_back = steps[:4], [0, *steps[4:]]
    sentences = [
        [[first, 9, (first + step) % 9] for step in each for first in range(9)] for each in (practice, held_back)
    ]
    (sources, targets), (new, expected) = ((source_of[each], target_of[each]) for each in sentences)

    model = answer.build(10, 10, weights=_weights(rng, 10, 10, 32, dtype="float32"))
    learned = model.method("learn", tensor(sources, "int64"), tensor(targets, "int64"), list(range(STEPS)))
    learned.value  # noqa: B018  (raises if `learn` failed)
    return learned, model.method("translate", tensor(new, "int64"), 3), expected


@pytest.mark.points(
    4, checks=["your model is trained on sentences that you have not seen, and has to translate others"]
)
def test_translates_sentences_that_were_held_back(answer, rng):
    learned, reply, expected = _translated_after_learning(answer, rng)
    words, _ = _two_results(reply, expected.shape)
    right = (words == expected).all(axis=-1).sum()
    if right < len(expected):
        losses = _losses(learned)
        reason = _why(losses[0], losses[-1])
        reply.fails(f"got {right} of {len(expected)} new translations right: {reason}")


@pytest.mark.points(1, checks=["weights that look at the right words"])
def test_shows_where_it_looked(answer, rng):
    _, reply, expected = _translated_after_learning(answer, rng)
    _, weights = _two_results(reply, expected.shape)
    shape = (len(expected), 3, 3)
    if weights.shape != shape:
        reply.fails(f"did not return weights of shape {shape}")
    looks = weights.mean(axis=0)
    if looks[0].argmax() != 0 or looks[2].argmax() != 2:
        reply.fails(
            "gave weights that do not show where the decoder looked: the first word should come from the first position"
        )


def _losses(reply):
    """Return the losses as an array, for numbers as well as tensors."""
    value = reply.value
    try:
        results = [as_array(each) for each in value] if isinstance(value, (list, tuple)) else as_array(value)
        return np.array(results, dtype=float).reshape(STEPS)
    except (Mismatch, ValueError, TypeError):
        reply.fails(f"did not return one loss for each of {STEPS} steps")


def _two_results(reply, shape):
    """Return the words, which must have this shape, and the weights, as arrays."""
    value, arrays = reply.value, []
    if isinstance(value, (tuple, list)) and len(value) == 2:
        try:
            arrays = [np.asarray(as_array(part)) for part in value]
        except Mismatch:
            arrays = []
    if not arrays or arrays[0].shape != shape:
        reply.fails(f"did not return words of shape {shape} and weights")
    return arrays


def _why(first, last):
    """Return the likely reason for wrong translations, judged by the loss of the first and last step."""
    fell = f"the loss went from {first:.2f} to {last:.2f} in {STEPS} steps"
    if not np.isfinite(last) or last > 1.2 * first:
        return f"{fell}. Perhaps gradients of earlier steps accumulate, or a step goes in the wrong direction"
    if last > 0.6 * first:
        return f"{fell}, so it hardly fell. Perhaps no parameter is updated, `detach` is used, or softmax comes twice"
    if last > 0.2:
        return f"{fell}. Perhaps it is not the plain mean over all words, or not all parameters are updated"
    return (
        f"{fell}. Perhaps the decoder read what it had to write (shift_right), not every word counts in the loss, "
        "`translate` does not read its own words, or the weights do not depend on the query"
    )
