"""What a slip puts in the place of arguments, or of the weights of a module."""

import itertools

import numpy as np

from autograder.judging.observe.comparing import softmax
from autograder.judging.observe.inputs import as_numbers
from autograder.worker.values import Tensor


def alterations(given, parameters):
    """(Words, name -> value) of other arguments."""
    for one, other in itertools.combinations(given, 2):
        if _are_alike(given[one], given[other]):
            yield f"{one} and {other} exchanged", {one: given[other], other: given[one]}
    for one, other in itertools.permutations(given, 2):
        if _are_alike(given[one], given[other]):
            yield f"{other} in place of {one}", {one: given[other]}
    for name, value in given.items():
        array = as_numbers(value)
        if array is not None and array.ndim:
            yield from ((f"{name} {words}", {name: _like(value, other)}) for words, other in _other_arrays(array))
        elif type(value) is int:
            yield f"{name} {value - 1} in place of {value}", {name: value - 1}
            yield f"{name} {value + 1} in place of {value}", {name: value + 1}
        elif isinstance(value, str):
            yield f"{name} in lower case", {name: value.lower()}
    if "mask" in parameters:
        if given.get("mask") is not None:
            yield "a call without the mask", {"mask": None}
        else:
            sizes = [as_numbers(given[name]).shape[-2] for name in parameters[:2]]
            yield "a causal mask, which nobody asked for", {"mask": _like(given[parameters[0]], np.tri(*sizes) > 0)}


def of_weights(weights):
    """(Words, path -> tensor) of other weights for a module: layers exchanged, one in place of another, no bias."""
    layers = {}
    for path in weights:
        layers.setdefault(path.rpartition(".")[0] or path, {})[path.rpartition(".")[2]] = path
    pairs = [
        (one, other)
        for one, other in itertools.permutations(layers, 2)
        if [weights[path].array.shape for path in layers[one].values()]
        == [weights[path].array.shape for path in layers[other].values()]
    ]
    for one, other in pairs:
        mine, theirs = layers[one].values(), layers[other].values()
        there = {path: weights[source] for path, source in zip(mine, theirs, strict=True)}
        if one < other:
            back = {path: weights[source] for path, source in zip(theirs, mine, strict=True)}
            yield f"{one} and {other} exchanged", {**weights, **there, **back}
        yield f"{other} in place of {one}", {**weights, **there}
    for path, tensor in weights.items():
        if path.endswith(".bias"):
            yield f"{path} 0", {**weights, path: Tensor(np.zeros_like(tensor.array))}


def _other_arrays(array):
    if array.dtype == bool:
        yield "with True and False exchanged", ~array
    elif (np.trunc(array) != array).any():
        yield "cut to whole numbers", np.trunc(array)
    if array.ndim > 1 and array.shape[-1] == array.shape[-2]:
        yield "transposed", np.ascontiguousarray(array.swapaxes(-2, -1))
    if array.dtype != bool:
        yield "without its signs", np.abs(array)
        yield "with the sign turned round", -array
    for axis, things in ((-2, "row"), (-1, "column")):
        if array.ndim >= -axis and array.shape[axis] > 1:
            things = things if array.ndim > 1 else "number"
            yield f"with its {things}s in reverse order", np.ascontiguousarray(np.flip(array, axis))
            yield f"without its last {things}", np.ascontiguousarray(np.delete(array, -1, axis))
            yield f"without its first {things}", np.ascontiguousarray(np.delete(array, 0, axis))
    if array.dtype != bool and array.size > 1:
        yield from _shifted(array)
        yield "put through softmax", softmax(array)


def _shifted(array):
    """The numbers less their smallest, their largest or their mean; all together, or column by column."""
    found = {"smallest number": np.min, "largest number": np.max, "mean": np.mean}
    for words, of in found.items():
        yield f"with its {words} subtracted", array - of(array)
        if array.ndim > 1:
            yield f"with the {words} of each column subtracted from it", array - of(array, axis=-2, keepdims=True)


def _are_alike(one, other):
    arrays = as_numbers(one), as_numbers(other)
    return all(each is not None and each.ndim for each in arrays) and arrays[0].ndim == arrays[1].ndim


def _like(value, array):
    """An array in the form of a value: a tensor for a tensor."""
    return Tensor(array) if isinstance(value, Tensor) else array
