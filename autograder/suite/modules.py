"""Tools that several suites share: tensors, modules with given weights, and checks of results."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.judging.ask.answer import Answer, Instance, Solution
from autograder.judging.ask.reply import Reply
from autograder.judging.values.compare import Mismatch, as_array, named
from autograder.worker.inputs import GARBAGE
from autograder.worker.values import Harness, Tensor

Weights = Mapping[str, np.ndarray]

EVEN = 1e-3  # weights in a row that differ by less count as equal
ROUGHLY = 1e-4  # tolerance for a sum of weights in float32
NEARLY = (
    "The weights sum to nearly 1, but not exactly. Is something rounded, converted to float32, or added to the "
    "denominator?"
)
CLIPPED = 1e-5  # tolerance for clipped gradients, because torch adds a tiny number to the divisor
SMALL = {"low": -1, "high": 1}  # bounds of random inputs, because large scores saturate softmax and hide wrong scales


def tensor(values: Any, dtype: str = "float32", requires_grad: bool = False, apart: bool = False) -> Tensor:
    """Return a torch tensor of these numbers. Booleans keep their dtype. `apart` makes the tensor non-contiguous."""
    array = np.asarray(values)
    return Tensor(array if array.dtype == bool else array.astype(dtype), requires_grad, apart)


def build(thing: Any, sizes: Sequence, weights: Weights, dtype: str = "float32", **options: bool) -> Any:
    """Create a module of `thing`, an `Answer` or a `Solution`, and set its weights by attribute path."""
    return thing.build(*sizes, weights={name: tensor(weight, dtype) for name, weight in weights.items()}, **options)


def expected_of(solution: Solution, sizes: Sequence, weights: Weights, *inputs: Any) -> tuple:
    """Return the output and the attention weights of the solution's module, in double precision."""
    return _results(build(solution, sizes, weights, "float64"), inputs)


def build_by_shape(answer: Answer, sizes: Sequence, weights: Weights) -> Instance:
    """Create the answer's module, and assign each weight to a parameter of its shape, whatever its name."""
    model = answer.build(*sizes)
    model.set({name: tensor(weight) for name, weight in weights.items()}, by_name=False, partly=True)
    return model


def build_both(
    answer: Answer, solution: Solution, sizes: Sequence, weights: Weights, dtype: str = "float32", **options: bool
) -> tuple[Instance, Solution]:
    """Return the answer's module, and the solution's module in double precision with the same weights.

    If the answer has no bias or no weight of a norm, the solution's is set to 0 or 1. The answer's parameters may
    have other names, unless `by_name=True` is passed, because `has_parameters` tests the names.
    """
    model = answer.build(*sizes)
    parameters = model.value.parts["parameters"] if model.is_torch_module else dict.fromkeys(weights, ((), ""))
    other_shapes = {tuple(shape) for name, (shape, _) in parameters.items() if name not in weights}
    neutral = {
        name: np.full_like(weight, name.endswith("weight"))
        for name, weight in weights.items()
        if weight.ndim == 1 and name not in parameters and weight.shape not in other_shapes
    }
    present = {name: weight for name, weight in weights.items() if name not in neutral}
    model.set({name: tensor(weight, dtype) for name, weight in present.items()}, **{"by_name": False, **options})
    return model, build(solution, sizes, neutral | present, "float64")


def compare_modules(
    answer: Answer, solution: Solution, sizes: Sequence, weights: Weights, *several: Any, dtype: str = "float32"
) -> None:
    """Create the answer's and the solution's module once, and require equal results for several inputs."""
    model, reference = build_both(answer, solution, sizes, weights, dtype)
    for inputs in several:
        model(*(tensor(numbers, dtype) for numbers in inputs)).equals(_results(reference, inputs))


def _results(reference: Solution, inputs: Sequence) -> tuple:
    return named("output weights", reference(*(tensor(numbers, "float64") for numbers in inputs)))


def first_numbers(model: Instance, names: Iterable[str]) -> tuple[Reply, dict[str, np.ndarray]]:
    """Return the reply to `state_dict`, and name -> initial values of these parameters, which must be finite."""
    reply = model.method("state_dict")
    state = reply.value if isinstance(reply.value, dict) else {}
    arrays = {name: state[name].array for name in names if isinstance(state.get(name), Tensor)}
    for name, array in arrays.items():
        if not np.isfinite(array).all() or (np.abs(array) == GARBAGE).all():
            reply.fails(f"has uninitialised memory in {name}", reason=f"`torch.empty` sets no values: fill {name}.")
    return reply, arrays


def require_learnable(model: Instance, others: Mapping[tuple[str, ...], str]) -> None:
    """Require initial weights that are finite, and for each key of `others` not all 0.

    A key is a group of parameter names. Its value says what gets no gradient if the whole group is 0.
    """
    reply, arrays = first_numbers(model, {name for names in others for name in names})
    for names, problem in others.items():
        if all(name in arrays and not arrays[name].any() for name in names):
            zeros = " and ".join(names)
            reason = f"No gradient reaches {problem} because {zeros} {'are' if names[1:] else 'is'} 0 everywhere."
            reply.fails(f"has initial values of 0 everywhere in {zeros}: use random ones", reason=reason)


def require_shares(reply: Reply, mask: Any = True, atol: float = ROUGHLY) -> None:
    """Require weights that sum to 1 in each row, differ between keys, and are 0 where the mask is False."""
    _, weights = _output_and_weights(reply)
    try:
        mask = np.broadcast_to(mask, weights.shape)
    except ValueError:
        reply.fails(f"returned weights of shape {weights.shape}")
    deviation = np.abs(weights.sum(axis=-1) - 1).max(initial=0) if weights.size else np.inf
    if not deviation <= atol or (weights < 0).any():
        reason = NEARLY if atol < deviation <= ROUGHLY and (weights >= 0).all() else ""
        reply.fails("should return weights that are not negative and sum to 1 in each row", reason=reason)
    if (np.where(mask, 0, weights) != 0).any():
        reply.fails("should return weights that are 0 where the mask is False")
    if np.ptp(np.where(mask, weights, weights.max()), axis=-1).max() < EVEN:
        reply.fails("should return weights that differ between keys")


def require_weighted_sum(reply: Reply, values: np.ndarray, out: np.ndarray | None = None) -> None:
    """Require that the output is the returned weights times `values`, with all heads merged, times `out` if given."""
    output, weights = _output_and_weights(reply)
    try:
        mixture = weights @ values
        if mixture.ndim > output.ndim:
            mixture = np.swapaxes(mixture, -3, -2).reshape(*output.shape[:-1], -1)
        mixture = mixture if out is None else mixture @ out
    except ValueError:  # The shapes do not fit.
        mixture = np.array(np.nan)
    if mixture.shape != output.shape or not np.allclose(mixture, output, rtol=1e-4, atol=1e-4):
        reply.fails("should return the weighted sum of the values with its own weights")
    require_shares(reply)


def _output_and_weights(reply: Reply) -> list[np.ndarray]:
    if not isinstance(reply.value, (tuple, list)) or len(reply.value) != 2:
        reply.fails("should return two results")
    try:
        return [np.asarray(as_array(part)).astype(float) for part in reply.value]
    except Mismatch as mismatch:
        return reply.fails(mismatch.sentence)


def causal(n: int) -> np.ndarray:
    """Return the (n, n) mask in which each token may attend to itself and to earlier tokens."""
    return np.tril(np.ones((n, n), dtype=bool))


def tokens_to_norm(draw: Callable, *batch: int, n: int = 5, d_model: int = 12, **options: bool) -> np.ndarray:
    """Return tokens with a nonzero mean, and a variance that is much larger than the epsilon of any norm."""
    return 8 * draw(*batch, n, d_model, **SMALL, **options) + 0.5


def pieces_to_read(tells: str) -> Iterator[tuple[tuple[int, ...], int, Tensor | None, Harness]]:
    """Yield (batch shape, token count, mask, harness that lets a block read with a cache and reports `tells`)."""
    for mask_of in (None, causal) if tells == "output" else (None,):
        for batch, lengths, start in (((), (4,), 2), ((2,), (3, 1, 1), 0), ((), (1, 1, 1, 1), 0), ((2, 2), (2, 3), 4)):
            pieces = f", in pieces of {' + '.join(map(str, lengths))} tokens" if len(lengths) > 1 else ""
            settings = {"lengths": list(lengths), "start": start, "tells": tells}
            harness = Harness("read", f"cache, start={start}{pieces}", settings)
            yield batch, sum(lengths), tensor(mask_of(sum(lengths))) if mask_of else None, harness


def model_to_train(draw: Callable, c: int, width: int = 3, size: float = 1.0) -> list[Tensor]:
    """Return random weights from -size to size for a harness's model of `c` characters. Gradients grow with `size`."""
    shapes = (c, width), (width, c), (c,)
    return [tensor(size * draw(*shape, low=-1, high=1, exact=False), "float64") for shape in shapes]


def require_final_weights(answer: Answer, solution: Solution, *arguments: Any, why: str = "") -> None:
    """Require that training in the harness gives the solution's weights. `why` describes them for the learner."""
    reply, expected = answer(*arguments), solution(*arguments)
    got, expected_weights = ([as_array(weights) for weights in result] for result in (reply.value, expected))
    reply.call.expected_value = expected
    is_same = [weights.shape for weights in got] == [weights.shape for weights in expected_weights]
    pairs = zip(got, expected_weights, strict=True) if is_same else ()
    if not (is_same and all(np.abs(one - other).max() <= CLIPPED * np.abs(other).max() for one, other in pairs)):
        reply.fails(f"left the model with the wrong weights{why and '. Expected '}{why}", "values")
