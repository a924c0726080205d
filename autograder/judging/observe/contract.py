"""What the docstring of an exercise says of its arguments and results."""

import re


def named_shapes(stub):
    """Name of an argument -> its shape in letters, from the docstring: ``queries : Tensor, shape (..., n_q, d)``."""
    found = {}
    for names, shape in re.findall(r"^ +(\w+(?:, \w+)*) : [^\n]*?shapes? (\([^)]*\))", stub, re.MULTILINE):
        found |= dict.fromkeys(names.split(", "), shape)
    return found


def lengths(stub, arrays):
    """Letter of an axis -> its length in a call, counted from the end, where it has one only."""
    found = {}
    for name, shape in named_shapes(stub).items():
        letters = re.findall(r"[A-Za-z_]\w*", shape)
        if name in arrays and len(letters) <= arrays[name].ndim:
            sizes = arrays[name].shape[arrays[name].ndim - len(letters) :]
            if any(found.get(letter, size) != size for letter, size in zip(letters, sizes, strict=True)):
                return {}
            found |= dict(zip(letters, sizes, strict=True))
    return found


def returned_axes(stub):
    """The letters of the axes of each result that the docstring names: ``Tensor, shape (..., n_q, n_k)``."""
    told = stub.partition("Returns\n")[2]
    return [re.findall(r"[A-Za-z_]\w*", shape) for shape in re.findall(r"shape (\([^)]*\))", told)]


def names_of_results(stub, count):
    """What an exercise calls each of so many results; their numbers where it gives no names."""
    for section in re.findall(r"Returns\n +-+\n(.*?)(?=\n\n|\n +\"{3})", stub, re.DOTALL):
        lines = section.split("\n")
        least = min(len(line) - len(line.lstrip()) for line in lines)
        names = [
            name for line in lines if not line[least].isspace() for name in line.partition(" : ")[0].strip().split(", ")
        ]
        if len(names) == count > 1 and " : " in section:
            return names
    return [f"result {number}" for number in range(1, count + 1)]
