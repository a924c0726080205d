"""Edits that change the text and not what it does: whatever calls it, nothing tells the two apart."""

import ast
import copy

_SWAPPING = ("transpose", "swapaxes", "swapdims", "moveaxis")
_LIBRARIES = ("np", "numpy", "torch", "math", "nn", "F")
_MAKES_ONE_ANEW = ("asarray", "array", "float", "list", "tuple", "copy", "clone", "contiguous", "ascontiguousarray")


def is_same_program(before, after):
    """Whether two texts are one program, but for how it is written."""
    try:
        trees = [_Plain().visit(ast.parse(text)) for text in (before, after)]
    except SyntaxError:
        return False
    first, second = (ast.dump(tree) for tree in trees)
    return first == second or _differ_in_order_alone(*trees)


class _Plain(ast.NodeTransformer):
    """Writes in one way what can be written in several."""

    def visit_Expr(self, node):
        node = self.generic_visit(node)
        return None if isinstance(node.value, ast.Constant) else node

    def visit_Pass(self, node):
        return None

    def visit_Constant(self, node):
        if isinstance(node.value, float) and node.value == int(node.value if abs(node.value) < 1e9 else 0.5):
            return ast.Constant(int(node.value))
        return node

    def visit_UnaryOp(self, node):
        """``-(-1)`` is 1, and -0 is 0."""
        node = self.generic_visit(node)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            if node.operand.value == 0:
                return node.operand
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.UnaryOp):
            if isinstance(node.operand.op, ast.USub):
                return node.operand.operand
        return node

    def visit_Call(self, node):
        """Two axes change places, whichever is named first; what is an array already is made none again."""
        node = self.generic_visit(node)
        name = getattr(node.func, "attr", "")
        if name in _SWAPPING[:3] and len(node.args) >= 2 and not node.keywords:
            node.func.attr = "transpose"
            node.args = [*node.args[:-2], *sorted(node.args[-2:], key=ast.dump)]
        return node

    def visit_FunctionDef(self, node):
        node = self.generic_visit(node)
        node.body = _without_repeats(node.body) or [ast.Pass()]
        return node

    def visit_For(self, node):
        node = self.generic_visit(node)
        node.body = _without_repeats(node.body) or [ast.Pass()]
        return node

    visit_While = visit_If = visit_With = visit_For

    def visit_ClassDef(self, node):
        node = self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node


def _without_repeats(body):
    """Statements, where the same thing is not set twice to the same value, one after the other."""
    kept = []
    for node in body:
        again = kept and isinstance(node, ast.Assign) and ast.dump(node) == ast.dump(kept[-1])
        if not (again and not _stored(node) & _read(node)):
            kept.append(node)
    return kept


def _differ_in_order_alone(first, second):
    """Whether neighbours that have nothing to do with each other have changed places."""
    for one, other in zip(ast.walk(first), ast.walk(second), strict=False):
        bodies = [getattr(node, "body", None) for node in (one, other)]
        if not all(isinstance(body, list) for body in bodies) or len(bodies[0]) != len(bodies[1]):
            continue
        different = [i for i, pair in enumerate(zip(*bodies, strict=True)) if ast.dump(pair[0]) != ast.dump(pair[1])]
        if len(different) == 2 and different[1] == different[0] + 1:
            i, j = different
            swapped = ast.dump(bodies[0][i]) == ast.dump(bodies[1][j]) and ast.dump(bodies[0][j]) == ast.dump(
                bodies[1][i]
            )
            if swapped and _are_independent(bodies[0][i], bodies[0][j]):
                again = copy.deepcopy(bodies[0])
                return ast.dump(ast.Module([*again[:i], again[j], again[i], *again[j + 1 :]], [])) == ast.dump(
                    ast.Module(bodies[1], [])
                )
    return False


def _are_independent(one, other):
    """Whether neither statement reads or sets what the other one sets."""
    if isinstance(one, ast.Return) or isinstance(other, ast.Return):
        return False
    stored = [_stored(node) for node in (one, other)]
    return not (stored[0] & (stored[1] | _read(other)) or stored[1] & _read(one))


def _stored(node):
    """Names, and attributes of `self`, that a statement sets."""
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    return found | {ast.dump(each) for each in ast.walk(node) if _is_attribute(each, ast.Store)}


def _read(node):
    found = {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    loads = (each for each in ast.walk(node) if _is_attribute(each, ast.Load))
    return (found - {"self"}) | {ast.dump(each).replace("Load()", "Store()") for each in loads}


def _is_attribute(node, context):
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, context)
