"""The parameters of a module beside those that it should have: names, shapes, and which axis is as long as what."""

import itertools
import math

from autograder.chapters.text import in_a_row
from autograder.judging.observe.between import shown_pair
from autograder.worker.values import Described

A_FEW = 3  # parameters that are told by name


def of_parameters(evidence, exercise, parameters, part):
    """What sets the parameters of a module that is made apart from those that are asked for."""
    shown, right = shown_pair(evidence)
    if not (_is_module(shown) and _is_module(right)):
        return ""
    found, wanted = _shapes(shown), _shapes(right)
    missing = {name: shape for name, shape in wanted.items() if name not in found}
    extra = {name: shape for name, shape in found.items() if name not in wanted}
    if wanted and not found:
        return "The module has no parameter that torch would train."
    return (
        _other_kind(missing, extra)
        or _other_names(found, wanted, missing, extra)
        or _other_lengths(evidence, parameters)
    )


def of_more_parameters(evidence, exercise, parameters, part):
    """Parameters that nobody asked for, in a module that is called: they may have a part in what is wrong."""
    shown, right = shown_pair(evidence)
    is_called = shown.of is not None and not shown.error and _is_module(shown.of)
    return _extra(_shapes(shown.of), _shapes(right.of)) if is_called else ""


def of_gradients(evidence, exercise, parameters, part):
    """Parameters that the results are not made of, as far as gradients show, and should be."""
    for call, right in zip(evidence.calls, evidence.right, strict=True):
        if call.kind == "gradients" and isinstance(call.value, dict) and isinstance(right.value, dict):
            found, wanted = call.value["parameters"], right.value["parameters"]
            lost = [name for name, gradient in wanted.items() if gradient is not None and found.get(name, 0) is None]
            if lost:
                return f"No gradient reaches {_listed(lost)}, as if the result were made of something else."
    return ""


def _is_module(call):
    return isinstance(call.value, Described) and call.value.kind == "module"


def _shapes(call):
    return {name: shape for name, (shape, _) in call.value.parts["parameters"].items()}


def _other_kind(missing, extra):
    """A layer in place of a parameter, a parameter in place of a layer, or layers without what they should have."""
    layer = next((name for name in missing if any(other.startswith(f"{name}.") for other in extra)), "")
    if layer:
        return f"`{layer}` is a module with parameters of its own here: what is asked for is the parameter itself."
    alone = next((name for name in extra if any(other.startswith(f"{name}.") for other in missing)), "")
    if alone:
        asked = [other for other in missing if other.startswith(f"{alone}.")]
        return f"`{alone}` is one parameter here: what is asked for is a layer, with {' and '.join(asked)}."
    if missing and not extra and all(name.endswith(".bias") for name in missing):
        return f"{_listed([name.removesuffix('.bias') for name in missing])} should have a bias, and have none."
    return ""


def _other_names(found, wanted, missing, extra):
    if missing and sorted(missing.values()) == sorted(extra.values()):
        return "The parameters have the expected shapes, under other names."
    if missing and not extra:
        other = next((name for name, shape in found.items() if shape != wanted[name]), "")
        if other:
            return f"It has no {next(iter(missing))}, and {other} has another shape than expected."
        return f"All the parameters that it has are expected ones, but {next(iter(missing))} is not among them."
    if told := _extra(found, wanted):
        return told
    if missing and len({sum(math.prod(shape) for shape in shapes.values()) for shapes in (found, wanted)}) == 1:
        return "The parameters hold as many numbers as expected, under other names and in other shapes."
    return ""


def _extra(found, wanted):
    extra = [name for name in found if name not in wanted]
    if not extra or any(name not in found for name in wanted):
        return ""
    return f"All expected parameters are there, and more than these: {_listed(extra)}."


def _other_lengths(evidence, parameters):
    """Which axes are as long as what, where that is the same for all modules that were made."""
    made = [
        (dict(zip(parameters, call.args, strict=True)), _shapes(call), _shapes(right))
        for call, right in zip(evidence.calls, evidence.right, strict=True)
        if call.of is None and _is_module(call) and _is_module(right) and len(call.args) == len(parameters)
    ]
    told = {}
    for name, shape in made[0][2].items() if made else ():
        pairs = [(sizes, found.get(name, ()), wanted[name]) for sizes, found, wanted in made if name in wanted]
        if any(len(found) != len(shape) for _, found, _ in pairs):
            continue
        if all(found == wanted[::-1] for _, found, wanted in pairs) and any(
            found != wanted for _, found, wanted in pairs
        ):
            told.setdefault("have the expected axes, exchanged", []).append(name)
            continue
        for axis in range(len(shape)):
            is_long = _length([(sizes, found[axis]) for sizes, found, _ in pairs])
            should_be = _length([(sizes, wanted[axis]) for sizes, _, wanted in pairs])
            if is_long and should_be and is_long != should_be:
                told.setdefault(
                    f"have an axis {axis} of length {is_long}, and should have one of {should_be}", []
                ).append(name)
    words, names = next(iter(told.items()), ("", []))
    words = words if len(names) > 1 else words.replace("have", "has", 1)
    return f"{_listed(names)} {words}." if words else ""


def _length(lengths):
    """What a length is of the numbers that a module is made of, if there is one answer only."""
    fitting = None
    for sizes, length in lengths:
        known = {words for words, size in _expressions(sizes) if size == length} | {str(length)}
        fitting = known if fitting is None else fitting & known
    shortest = min((words.count(" ") for words in fitting), default=0)
    simple = [words for words in fitting if words.count(" ") == shortest]
    return simple[0] if len(simple) == 1 else ""


def _expressions(sizes):
    """(Words, length) of what is made of one, two or three of these numbers."""
    whole = {name: size for name, size in sizes.items() if type(size) is int and size > 0}
    yield from whole.items()
    for one, other in itertools.permutations(whole, 2):
        if one < other:
            yield f"{one} * {other}", whole[one] * whole[other]
        yield f"{one} // {other}", whole[one] // whole[other]
        if one < other:
            yield f"{one} + {other}", whole[one] + whole[other]
    yield from ((f"2 * {name}", 2 * size) for name, size in whole.items())
    for one, other, third in itertools.permutations(whole, 3):
        if one < other and whole[one] * whole[other] % whole[third] == 0:
            yield f"{one} * {other} // {third}", whole[one] * whole[other] // whole[third]


def _listed(names):
    told = [f"`{name}`" for name in names]
    if len(told) > A_FEW:
        return f"{', '.join(told[:A_FEW])} and {len(told) - A_FEW} more"
    return in_a_row(told)
