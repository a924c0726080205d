"""The parameters of a module beside those that it should have: names, shapes, and which axis is as long as what."""

import itertools
import math
from collections.abc import Iterator

from autograder.chapters.text import in_a_row
from autograder.judging.ask.call import Call
from autograder.judging.observe.comparison import Comparison
from autograder.worker.values import Described

MAX_NAMES = 3  # of parameters that are told

Shapes = dict[str, tuple]


def parameters_beside_parameters(comparison: Comparison) -> str:
    """What sets the parameters of a module that is made apart from those that are asked for."""
    if not (_is_module(comparison.call) and _is_module(comparison.right)):
        return ""
    own, wanted = _shapes(comparison.call), _shapes(comparison.right)
    missing = {name: shape for name, shape in wanted.items() if name not in own}
    extra = {name: shape for name, shape in own.items() if name not in wanted}
    return _other_kind(missing, extra) or _other_names(own, wanted, missing, extra) or _other_lengths(comparison)


def more_parameters(comparison: Comparison) -> str:
    """Parameters that nobody asked for, in a module that is called: they may have a part in what is wrong."""
    call, of = comparison.call, comparison.call.of
    is_called = of is not None and not call.error and _is_module(of)
    return _extra(_shapes(of), _shapes(comparison.right.of)) if is_called else ""


def parameters_without_gradient(comparison: Comparison) -> str:
    """Parameters that the results are not made of, as far as gradients show, and should be."""
    evidence = comparison.evidence
    for call, right in zip(evidence.calls, evidence.right, strict=True):
        if call.kind == "gradients" and isinstance(call.value, dict) and isinstance(right.value, dict):
            own, wanted = call.value["parameters"], right.value["parameters"]
            lost = [name for name, gradient in wanted.items() if gradient is not None and own.get(name, 0) is None]
            if lost:
                return f"No gradient reaches {_listed(lost)}, as if the result were made of something else."
    return ""


def _is_module(call: Call) -> bool:
    return isinstance(call.value, Described) and call.value.kind == "module"


def _shapes(call: Call) -> Shapes:
    return {name: shape for name, (shape, _) in call.value.parts["parameters"].items()}


def _other_kind(missing: Shapes, extra: Shapes) -> str:
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


def _other_names(own: Shapes, wanted: Shapes, missing: Shapes, extra: Shapes) -> str:
    if missing and sorted(missing.values()) == sorted(extra.values()):
        return "The parameters have the expected shapes, under other names."
    if missing and not extra:
        other = next((name for name, shape in own.items() if shape != wanted[name]), "")
        if other:
            return f"It has no {next(iter(missing))}, and {other} has another shape than expected."
        return f"All the parameters that it has are expected ones, but {next(iter(missing))} is not among them."
    if sentence := _extra(own, wanted):
        return sentence
    if missing and len({sum(math.prod(shape) for shape in shapes.values()) for shapes in (own, wanted)}) == 1:
        return "The parameters hold as many numbers as expected, under other names and in other shapes."
    return ""


def _extra(own: Shapes, wanted: Shapes) -> str:
    extra = [name for name in own if name not in wanted]
    if not extra or any(name not in own for name in wanted):
        return ""
    return f"All expected parameters are there, and more than these: {_listed(extra)}."


def _other_lengths(comparison: Comparison) -> str:
    """Which axes are as long as what, where that is the same for all modules that were made."""
    evidence, parameters = comparison.evidence, comparison.parameters
    made = [
        (dict(zip(parameters, call.args, strict=True)), _shapes(call), _shapes(right))
        for call, right in zip(evidence.calls, evidence.right, strict=True)
        if call.of is None and _is_module(call) and _is_module(right) and len(call.args) == len(parameters)
    ]
    phrases = {}
    for name, shape in made[0][2].items() if made else ():
        triples = [(sizes, own.get(name, ()), wanted[name]) for sizes, own, wanted in made if name in wanted]
        if any(len(own) != len(shape) for _, own, _ in triples):
            continue
        for axis in range(len(shape)):
            is_long = _length([(sizes, own[axis]) for sizes, own, _ in triples])
            should_be = _length([(sizes, wanted[axis]) for sizes, _, wanted in triples])
            if is_long and should_be and is_long != should_be:
                words = f"have an axis {axis} of length {is_long}, and should have one of {should_be}"
                phrases.setdefault(words, []).append(name)
    words, names = next(iter(phrases.items()), ("", []))
    words = words if len(names) > 1 else words.replace("have", "has", 1)
    return f"{_listed(names)} {words}." if words else ""


def _length(lengths: list[tuple[dict, int]]) -> str:
    """What a length is of the numbers that a module is made of, if there is one answer only."""
    fitting = None
    for sizes, length in lengths:
        known = {words for words, size in _expressions(sizes) if size == length} | {str(length)}
        fitting = known if fitting is None else fitting & known
    shortest = min((words.count(" ") for words in fitting), default=0)
    simple = [words for words in fitting if words.count(" ") == shortest]
    return simple[0] if len(simple) == 1 else ""


def _expressions(sizes: dict) -> Iterator[tuple[str, int]]:
    """(Words, length) of what is made of one, two or three of these numbers."""
    whole = {name: size for name, size in sizes.items() if type(size) is int and size > 0}
    yield from whole.items()
    for one, other in itertools.permutations(whole, 2):
        if one < other:
            yield f"{one} * {other}", whole[one] * whole[other]
            yield f"{one} + {other}", whole[one] + whole[other]
        yield f"{one} // {other}", whole[one] // whole[other]
    yield from ((f"2 * {name}", 2 * size) for name, size in whole.items())
    for one, other, third in itertools.permutations(whole, 3):
        if one < other and whole[one] * whole[other] % whole[third] == 0:
            yield f"{one} * {other} // {third}", whole[one] * whole[other] // whole[third]


def _listed(names: list[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > MAX_NAMES:
        return f"{', '.join(quoted[:MAX_NAMES])} and {len(quoted) - MAX_NAMES} more"
    return in_a_row(quoted)
