"""Tensors, and modules with given weights next to the reference: tests that several suites share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.judging.ask.answer import Answer, Built, Reference
from autograder.judging.ask.reply import Reply
from autograder.judging.values.compare import Mismatch, as_array, named
from autograder.worker.garbage import GARBAGE
from autograder.worker.values import Harness, Tensor

Weights = Mapping[str, np.ndarray]

EVEN = 1e-3  # if the weights of a row differ by less, they count as equal
ROUGHLY = 1e-4  # the error of a sum of 1 in float32
NEARLY = (
    "The sums are nearly 1, but not exactly, for example because numbers are rounded or converted to float32, or a "
    "small number is added."
)
CLIPPED = 1e-5  # torch adds a tiny number to the divisor when it clips a norm; answers may or may not
# The least accuracy of float64: float32 on the way, rounding or an epsilon leave less.
FLOAT64 = 1e-10
FLOAT64_SCALED = 1e-9  # after scaling of scores, if the square root of the dimension is an integer
ALL_DIGITS = 1e-13  # error of a sum in float64
SMALL = {"low": -1, "high": 1}  # bounds of random inputs: large scores would saturate softmax and hide a wrong scale


def tensor(values: Any, dtype: str = "float32", requires_grad: bool = False, apart: bool = False) -> Tensor:
    """Return a torch tensor of these numbers; booleans stay booleans, and `apart` makes it non-contiguous."""
    array = np.asarray(values)
    return Tensor(array if array.dtype == bool else array.astype(dtype), requires_grad, apart)


def build(thing: Any, sizes: Sequence, weights: Weights, dtype: str = "float32", **how: bool) -> Any:
    """Return a module of the answer, or of the solution, with these weights by attribute path."""
    return thing.build(*sizes, weights={name: tensor(weight, dtype) for name, weight in weights.items()}, **how)


def expected_of(solution: Reference, sizes: Sequence, weights: Weights, *inputs: Any) -> tuple:
    """Return the reference's output and weights for some inputs, in double precision."""
    return _results(build(solution, sizes, weights, "float64"), inputs)


def build_by_shape(answer: Answer, sizes: Sequence, weights: Weights) -> Built:
    """Build the answer's module and set the weights whose shapes fit, whatever its parameters are called."""
    model = answer.build(*sizes)
    model.set({name: tensor(weight) for name, weight in weights.items()}, by_name=False, partly=True)
    return model


def build_both(
    answer: Answer, solution: Reference, sizes: Sequence, weights: Weights, dtype: str = "float32", **how: bool
) -> tuple[Built, Reference]:
    """Return the answer's module and, in double precision, the reference with the same weights.

    If the answer has no bias, or a norm without weight, those of the reference are neutral. `has_parameters` tests
    names and missing parameters; `Built.set` does not match by name here unless it is told to.
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
    model.set({name: tensor(weight, dtype) for name, weight in present.items()}, **{"by_name": False, **how})
    return model, build(solution, sizes, neutral | present, "float64")


def compare_modules(
    answer: Answer, solution: Reference, sizes: Sequence, weights: Weights, *several: Any, dtype: str = "float32"
) -> None:
    """Compare the answer's module with the solution's on several inputs; building is slower than calling."""
    model, same = build_both(answer, solution, sizes, weights, dtype)
    for inputs in several:
        model(*(tensor(numbers, dtype) for numbers in inputs)).equals(_results(same, inputs))


def _results(same: Reference, inputs: Sequence) -> tuple:
    return named("output weights", same(*(tensor(numbers, "float64") for numbers in inputs)))


def first_numbers(model: Built, names: Iterable[str]) -> tuple[Reply, dict[str, np.ndarray]]:
    """Return the initial values of parameters with these names. Fails unless they are finite and were set."""
    reply = model.method("state_dict")
    state = reply.value if isinstance(reply.value, dict) else {}
    held = {name: state[name].array for name in names if isinstance(state.get(name), Tensor)}
    for name, array in held.items():
        if not np.isfinite(array).all() or (array == GARBAGE).all():
            reply.fails(f"has uninitialised memory in {name}", reason=f"`torch.empty` sets no values: fill {name}.")
    return reply, held


def require_learnable(model: Built, others: Mapping[tuple[str, ...], str]) -> None:
    """Require finite initial values, and no group of zeros that would keep gradients from other parameters."""
    reply, held = first_numbers(model, {name for names in others for name in names})
    for names, kept in others.items():
        if all(name in held and not held[name].any() for name in names):
            zeros = " and ".join(names)
            reason = f"No gradient reaches {kept} while there are only zeros in {zeros}."
            reply.fails(f"contains only zeros in {zeros}: use other initial values", reason=reason)


def require_shares(reply: Reply, mask: Any = True, atol: float = ROUGHLY) -> None:
    """Require weights that sum to 1 in each row, differ between keys, and are 0 where the mask is False."""
    _, weights = _output_and_weights(reply)
    try:
        mask = np.broadcast_to(mask, weights.shape)
    except ValueError:
        reply.fails(f"returned weights of shape {weights.shape}")
    off = np.abs(weights.sum(axis=-1) - 1).max(initial=0) if weights.size else np.inf
    if not off <= atol or (weights < 0).any():
        reason = NEARLY if atol < off <= ROUGHLY and (weights >= 0).all() else ""
        reply.fails("should return weights that are not negative and sum to 1 in each row", reason=reason)
    if (np.where(mask, 0, weights) != 0).any():
        reply.fails("should return weights that are 0 where the mask is False")
    if np.ptp(np.where(mask, weights, weights.max()), axis=-1).max() < EVEN:
        reply.fails("should return weights that differ between keys")


def require_small_weights(reply: Reply, expected: np.ndarray) -> None:
    """Require weights that are accurate to their own digits, not only relative to the largest."""

    def keep_their_digits(weights: np.ndarray) -> bool:
        sums = weights.sum(axis=-1)
        return bool(np.allclose(weights / expected, 1, atol=1e-6) and np.abs(sums - 1).max() < ALL_DIGITS)

    reply.equals(expected, rtol=FLOAT64).satisfies(keep_their_digits, "weights correct to all digits, even tiny ones")


def require_weighted_sum(reply: Reply, values: np.ndarray, out: np.ndarray | None = None) -> None:
    """Require that the output is the weighted sum of these values with the module's own weights, heads merged."""
    output, weights = _output_and_weights(reply)
    try:
        mixture = weights @ values
        if mixture.ndim > output.ndim:
            mixture = np.swapaxes(mixture, -3, -2).reshape(*output.shape[:-1], -1)
        mixture = mixture if out is None else mixture @ out
    except ValueError:  # shapes do not fit
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
    """Return the mask (n, n) in which each token may attend to itself and those before it."""
    return np.tril(np.ones((n, n), dtype=bool))


def tokens_to_norm(draw: Callable, *batch: int, n: int = 5, d_model: int = 12, **how: bool) -> np.ndarray:
    """Return tokens that are not normalised, of different sizes, with a spread that makes an eps negligible."""
    return 8 * draw(*batch, n, d_model, **SMALL, **how) + 0.5


def pieces_to_read(tells: str) -> Iterator[tuple[tuple[int, ...], int, Tensor | None, Harness]]:
    """Yield batch shape, number of tokens, mask, and a harness that lets a block read them with a cache."""
    for mask_of in (None, causal) if tells == "output" else (None,):
        for batch, lengths, start in (((), (4,), 2), ((2,), (3, 1, 1), 0), ((), (1, 1, 1, 1), 0), ((2, 2), (2, 3), 4)):
            pieces = f", in pieces of {' + '.join(map(str, lengths))} tokens" if len(lengths) > 1 else ""
            settings = {"lengths": list(lengths), "start": start, "tells": tells}
            harness = Harness("read", f"cache, start={start}{pieces}", settings)
            yield batch, sum(lengths), tensor(mask_of(sum(lengths))) if mask_of else None, harness


def model_to_train(draw: Callable, c: int, width: int = 3, size: float = 1.0) -> list[Tensor]:
    """Return weights for a harness's model of c characters; larger ones give longer gradients."""
    shapes = (c, width), (width, c), (c,)
    return [tensor(size * draw(*shape, low=-1, high=1, exact=False), "float64") for shape in shapes]


def require_final_weights(answer: Answer, solution: Reference, harness: Harness, *arguments: Any, why: str) -> None:
    """Require that training leaves the model with the reference's weights; `why` names them."""
    reply, expected = answer(harness, *arguments), solution(harness, *arguments)
    found, wanted = ([as_array(weights) for weights in both] for both in (reply.value, expected))
    reply.call.expected_value = expected
    is_same = [weights.shape for weights in found] == [weights.shape for weights in wanted]
    pairs = zip(found, wanted, strict=True) if is_same else ()
    if not (is_same and all(np.abs(one - other).max() <= CLIPPED * np.abs(other).max() for one, other in pairs)):
        reply.fails(f"left the model with the wrong weights: expected those after {why}", "values")
