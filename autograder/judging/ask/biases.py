"""Biases that an answer's module lacks and that are never set: in a module made again they are 0, and left out.

Where the contract leaves open whether there is a bias, the reference has one and the answer may have none.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.judging.ask.call import Call
from autograder.worker.values import Described, Tensor

Shapes = dict[str, tuple[int, ...]]


def missing_biases(call: Call, again: Call, calls: Iterable[Call]) -> Shapes:
    """Name -> shape of each such bias, where a call, and the same made again, made a module."""
    has, other = _parameters(call.value), _parameters(again.value)
    if has is None or other is None:
        return {}
    weights = [name for setting in calls if setting.kind == "set" for name in setting.args[0]]
    biases = {name for name in other if name.rpartition(".")[2] == "bias"} - {*has, *weights}
    return {name: other[name][0] for name in biases} if weights else {}


def _parameters(value: object) -> dict | None:
    parameters = value.parts.get("parameters") if isinstance(value, Described) and value.kind == "module" else None
    return parameters if isinstance(parameters, dict) else None


def set_missing_biases(call: Call, biases: Shapes) -> tuple:
    """The arguments of a call, and 0 for these biases where it sets weights, in their precision."""
    weights = call.args[0] if call.args and (call.kind == "set" or call.method == "load_state_dict") else None
    if not (biases and isinstance(weights, dict)):
        return call.args
    dtype = next((weight.array.dtype for weight in weights.values() if isinstance(weight, Tensor)), np.dtype(float))
    zeros = {name: Tensor(np.zeros(shape, dtype)) for name, shape in biases.items()}
    return ({**weights, **zeros}, *call.args[1:])


def strip_missing_biases(call: Call, biases: Shapes) -> object:
    """What a call came to, without these biases: a module, its gradients, or what it holds."""
    value: Any = call.value
    if call.error:
        return value
    if isinstance(value, Described):
        return replace(value, parts={**value.parts, "parameters": _drop_biases(value.parts["parameters"], biases)})
    if call.kind == "gradients":
        return {**value, "parameters": _drop_biases(value["parameters"], biases)}
    return _drop_biases(value, biases) if call.method == "state_dict" else value


def _drop_biases(named: dict, biases: Shapes) -> dict:
    return {name: value for name, value in named.items() if name not in biases}
