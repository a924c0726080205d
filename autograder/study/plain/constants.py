"""Constants of a file of misconceptions: what is made of them alone is written as its value."""

import ast
import copy

from autograder.study.plain.trees import free_names, simple


def constants_of(tree):
    """Name -> value in the syntax tree, of names that the file gives a plain value."""
    found = {}
    for part in tree.body:
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and _is_literal(part.value):
            found[part.targets[0].id] = part.value
    return found


class Evaluated(ast.NodeTransformer):
    """Puts its value in place of an expression such as ``_NAMES | {"norm": "LayerNorm"}``, and of a short constant.

    Parameters
    ----------
    constants : dict of str -> ast.expr
    """

    def __init__(self, constants):
        self.constants = constants
        self.values = {name: ast.literal_eval(value) for name, value in constants.items()}

    def visit(self, node):
        names = free_names(node) if isinstance(node, ast.expr) else set()
        if not names or not names <= set(self.constants):
            return self.generic_visit(node)
        if isinstance(node, ast.Name):
            return copy.deepcopy(self.constants[node.id]) if simple(self.constants[node.id]) else node
        return self._value_of(node) or self.generic_visit(node)

    def _value_of(self, node):
        """The value of an expression of constants as an expression, or None where it cannot be written so."""
        try:  # the file is ours
            written = repr(eval(ast.unparse(node), {"__builtins__": {}}, self.values))
            return ast.parse(written, mode="eval").body if ast.literal_eval(written) is not None else None
        except Exception:
            return None


def _is_literal(node):
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True
