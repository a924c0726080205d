"""Biases that an answer's module does without and that nobody sets: in a module made again they are 0, and unseen.

Where the contract leaves open whether there is a bias, the reference has one and the answer may have none.
"""

from dataclasses import replace

import numpy as np

from autograder.worker.values import Described, Tensor


def left_out(call, again, calls):
    """Name -> shape of each such bias, where a call, and the same made again, made a module."""
    modules = [
        each.value for each in (call, again) if isinstance(each.value, Described) and each.value.kind == "module"
    ]
    if len(modules) < 2:
        return {}
    has, other = (module.parts.get("parameters") for module in modules)
    if not (isinstance(has, dict) and isinstance(other, dict)):
        return {}
    weights = [name for each in calls if each.kind == "set" for name in each.args[0]]
    biases = {name for name in other if name.rpartition(".")[2] == "bias"} - {*has, *weights}
    return {name: other[name][0] for name in biases} if weights else {}


def with_zeros(call, biases):
    """The arguments of a call, and 0 for these biases where it sets weights, in their precision."""
    weights = call.args[0] if call.args and (call.kind == "set" or call.method == "load_state_dict") else None
    if not (biases and isinstance(weights, dict)):
        return call.args
    dtypes = [weight.array.dtype for weight in weights.values() if isinstance(weight, Tensor)]
    zeros = {name: Tensor(np.zeros(shape, *dtypes[:1])) for name, shape in biases.items()}
    return ({**weights, **zeros}, *call.args[1:])


def unseen(call, biases):
    """What a call came to, without these biases: a module, its gradients, or what it holds."""
    value = call.value
    if call.error:
        return value
    if isinstance(value, Described):
        return replace(value, parts={**value.parts, "parameters": _without(value.parts["parameters"], biases)})
    if call.kind == "gradients":
        return {**value, "parameters": _without(value["parameters"], biases)}
    return _without(value, biases) if call.method == "state_dict" else value


def _without(named, biases):
    return {name: found for name, found in named.items() if name not in biases}
