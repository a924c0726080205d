"""Normalisation of equivalent calls to the same form."""

import ast

_ALSO_CALLED = {"multiply": "mul", "concat": "cat", "concatenate": "cat"}
_AXES_SWAPPED = ("transpose", "swapaxes", "swapdims")
_AXES_MOVED = ("movedim", "moveaxis")
_JOINING = ("stack", "cat")  # functions whose default axis is the first
_EITHER_WAY = (
    *("max", "min", "np.maximum", "np.minimum", "torch.maximum", "torch.minimum"),
    *("torch.logaddexp", "torch.logical_and", "torch.dot", "torch.linalg.vecdot", "torch.add"),
)


def plain_call(node):
    """Return a call with one name for its function, and its arguments in one order."""
    if ast.unparse(node.func) in _EITHER_WAY and len(node.args) == 2 and not node.keywords:
        node.args = sorted(node.args, key=ast.dump)
    if not isinstance(node.func, ast.Attribute):
        return node
    name = node.func.attr = _ALSO_CALLED.get(node.func.attr, node.func.attr)
    if name == "einsum":
        return _einsum(node)
    if name in _JOINING:
        node.keywords = [each for each in node.keywords if ast.unparse(each) not in ("dim=0", "axis=0")]
    if (name in _AXES_SWAPPED and len(node.args) >= 2) or (name in _AXES_MOVED and _are_neighbours(node.args[-2:])):
        node.func.attr = _AXES_SWAPPED[0]
        node.args = [*node.args[:-2], *sorted(node.args[-2:], key=ast.dump)]
    return node


def _are_neighbours(axes):
    """Return whether two literal axes are adjacent."""
    texts = {ast.unparse(axis) for axis in axes}
    return any(texts == {f"{sign}{i}", f"{sign}{i + 1}"} for sign in ("", "-") for i in range(int(sign == "-"), 4))


def _einsum(node):
    """Return an `einsum` with sorted arrays and with letters in order of appearance. Other calls are unchanged."""
    rule, *arrays = node.args or [None]
    if not (isinstance(rule, ast.Constant) and isinstance(rule.value, str) and "->" in rule.value):
        return node
    terms, result = rule.value.replace(" ", "").split("->")
    pairs = list(zip(terms.split(","), arrays, strict=False))
    if len(pairs) != len(arrays) or terms.count(",") + 1 != len(arrays):
        return node
    pairs.sort(key=lambda pair: (ast.dump(pair[1]), pair[0]))
    text = ",".join(term for term, _ in pairs) + "->" + result
    letters = dict.fromkeys(letter for letter in text if letter.isalpha())
    names = {ord(letter): chr(ord("a") + number) for number, letter in enumerate(letters)}
    node.args = [ast.Constant(text.translate(names)), *(array for _, array in pairs)]
    return node
