"""Tensors, and modules with weights that are set, beside the reference: what several suites ask in the same way."""

import numpy as np

from autograder.judging.values.compare import named
from autograder.worker.values import Tensor

SMALL = {"low": -1, "high": 1}  # bounds of what is drawn: large scores would saturate softmax and hide a wrong scale


def tensor(values, dtype="float32", requires_grad=False, apart=False):
    """A torch tensor of these numbers, as `Tensor`; booleans stay booleans, and `apart` makes it no contiguous one."""
    array = np.asarray(values)
    return Tensor(array if array.dtype == bool else array.astype(dtype), requires_grad, apart)


def build(thing, sizes, weights, dtype="float32"):
    """A module of the answer, or of the solution, with these arrays as weights, by attribute path."""
    return thing.build(*sizes, weights={name: tensor(weight, dtype) for name, weight in weights.items()})


def expected_of(solution, sizes, weights, *inputs):
    """What the reference makes of inputs, in double precision: its output and its weights."""
    return _results(build(solution, sizes, weights, "float64"), inputs)


def build_both(answer, solution, sizes, weights, dtype="float32"):
    """The answer's module and, in double precision, the reference with the same weights.

    Where the answer has no bias, that of the reference is 0: what is missing is asked for by `has_parameters`.
    """
    model = answer.build(*sizes)
    made = model.value.parts["parameters"] if model.is_module else weights
    present = {name: weight for name, weight in weights.items() if name in made or not name.endswith("bias")}
    model.set({name: tensor(weight, dtype) for name, weight in present.items()})
    zeros = {name: np.zeros_like(weight) for name, weight in weights.items()}
    return model, build(solution, sizes, zeros | present, "float64")


def compare_modules(answer, solution, sizes, weights, *several, dtype="float32"):
    """One module with these weights on several inputs: to make one takes longer than to call it."""
    model, same = build_both(answer, solution, sizes, weights, dtype)
    for inputs in several:
        model(*(tensor(numbers, dtype) for numbers in inputs)).equals(_results(same, inputs))


def _results(same, inputs):
    return named("output weights", same(*(tensor(numbers, "float64") for numbers in inputs)))
