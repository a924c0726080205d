"""What the docstring of an exercise says of its arguments and results."""

import re

import numpy as np


def named_shapes(stub: str) -> dict[str, str]:
    """Name of an argument -> its shape in letters, from the docstring: ``queries : Tensor, shape (..., n_q, d)``."""
    shapes: dict[str, str] = {}
    for names, shape in re.findall(r"^ +(\w+(?:, \w+)*) : [^\n]*?shapes? (\([^)]*\))", stub, re.MULTILINE):
        shapes |= dict.fromkeys(names.split(", "), shape)
    return shapes


def lengths(stub: str, arrays: dict[str, np.ndarray]) -> dict[str, int]:
    """Letter of an axis -> its length in a call, counted from the end, where it has one only."""
    known: dict[str, int] = {}
    for name, shape in named_shapes(stub).items():
        letters = re.findall(r"[A-Za-z_]\w*", shape)
        if name in arrays and len(letters) <= arrays[name].ndim:
            sizes = arrays[name].shape[arrays[name].ndim - len(letters) :]
            if any(known.get(letter, size) != size for letter, size in zip(letters, sizes, strict=True)):
                return {}
            known |= dict(zip(letters, sizes, strict=True))
    return known


def returned_axes(stub: str) -> list[list[str]]:
    """The letters of the axes of each result that the docstring names: ``Tensor, shape (..., n_q, n_k)``."""
    text = stub.partition("Returns\n")[2]
    return [re.findall(r"[A-Za-z_]\w*", shape) for shape in re.findall(r"shape (\([^)]*\))", text)]


def names_of_results(stub: str, count: int) -> list[str]:
    """What an exercise calls each of so many results; their numbers where it gives no names."""
    for section in re.findall(r"Returns\n +-+\n(.*?)(?=\n\n|\n +\"{3})", stub, re.DOTALL):
        lines = section.split("\n")
        indent = min(len(line) - len(line.lstrip()) for line in lines)
        heads = [line.partition(" : ")[0].strip() for line in lines if not line[indent].isspace()]
        names = [name for head in heads for name in head.split(", ")]
        if len(names) == count > 1 and " : " in section:
            return names
    return [f"result {number}" for number in range(1, count + 1)]
