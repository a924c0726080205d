"""Detection of edits that change the text of a program but not its behaviour."""

import ast
import functools
import itertools

from mutants.plain_calls import plain_call

_WITH_NAMES_OF_ITS_OWN = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WHOLE = (ast.dump(ast.Constant(...)), ast.dump(ast.Slice()))  # indices that select a whole axis


def is_same_program(before, after):
    """Return whether two texts are the same program after normalisation."""
    first, second = (_CodeNormaliser().visit(ast.parse(text)) for text in (before, after))
    return ast.dump(first) == ast.dump(second) or _differ_in_order(first, second)


class _CodeNormaliser(ast.NodeTransformer):
    """A transformer that normalises equivalent code."""

    def visit_Expr(self, node):
        """Drop strings that are statements, because they have no effect."""
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_Pass(self, node):
        return None

    def visit_Constant(self, node):
        """Treat 2.0 as 2."""
        is_whole = isinstance(node.value, float) and node.value.is_integer()
        return ast.Constant(int(node.value)) if is_whole else node

    def visit_UnaryOp(self, node):
        """Treat -0 as 0, and -(-1) as 1."""
        node = self.generic_visit(node)
        inner = node.operand
        if not isinstance(node.op, ast.USub):
            return node
        if isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.USub):
            return inner.operand
        return inner if isinstance(inner, ast.Constant) and inner.value == 0 else node

    def visit_Call(self, node):
        return plain_call(self.generic_visit(node))

    def visit_Assign(self, node):
        """Treat `a, b = [], []` as two assignments, in any order."""
        node = self.generic_visit(node)
        targets, values = getattr(node.targets[0], "elts", ()), getattr(node.value, "elts", ())
        if len(node.targets) == 1 and targets and len(targets) == len(values) and not _set_by(node) & _read_by(node):
            pairs = sorted(zip(targets, values, strict=True), key=lambda pair: ast.dump(pair[0]))
            node.targets = [ast.Tuple([target for target, _ in pairs], ast.Store())]
            node.value = ast.Tuple([value for _, value in pairs], ast.Load())
        return node

    def visit_BinOp(self, node):
        """Treat `a * (b * c)` as `a * b * c`, and joined strings likewise."""
        node = self.generic_visit(node)
        parts = list(_parts(node, type(node.op)))
        if not (isinstance(node.op, ast.Mult) or (isinstance(node.op, ast.Add) and any(map(_is_text, parts)))):
            return node
        return functools.reduce(lambda left, right: ast.BinOp(left, node.op, right), parts)

    def visit_Subscript(self, node):
        """Treat the index `..., :` as `:, ...`."""
        node = self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            groups = itertools.groupby(node.slice.elts, key=lambda each: ast.dump(each) in _WHOLE)
            node.slice.elts = [
                each for is_whole, group in groups for each in (sorted(group, key=ast.dump) if is_whole else group)
            ]
        return node

    def visit_FunctionDef(self, node):
        """Drop the second of two equal assignments in a row."""
        node = self.generic_visit(node)
        kept = []
        for each in node.body:
            is_again = bool(kept) and isinstance(each, ast.Assign) and ast.dump(each) == ast.dump(kept[-1])
            if not (is_again and not _set_by(each) & _read_by(each)):
                kept.append(each)
        node.body = kept
        return node

    visit_For = visit_With = visit_If = visit_FunctionDef


def _parts(node, operator):
    """Return the factors of a product, or the terms of a sum, from the left."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, operator):
        yield from _parts(node.left, operator)
        yield from _parts(node.right, operator)
    else:
        yield node


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _differ_in_order(first, second):
    """Return whether two programs differ only in the order of two independent adjacent statements."""
    for one in ast.walk(first):
        body = getattr(one, "body", None)
        for i in range(len(body) - 1 if isinstance(body, list) else 0):
            if _are_independent(body[i], body[i + 1]):
                body[i], body[i + 1] = body[i + 1], body[i]
                is_same = ast.dump(first) == ast.dump(second)
                body[i], body[i + 1] = body[i + 1], body[i]
                if is_same:
                    return True
    return False


def _are_independent(one, other):
    """Return whether neither statement returns, or reads or sets a name that the other sets."""
    ends = any(isinstance(node, (ast.Return, ast.Raise)) for node in (one, other))
    return not (ends or _set_by(one) & (_set_by(other) | _read_by(other)) or _set_by(other) & _read_by(one))


def _set_by(node):
    """Return the names, and the attributes of `self`, that a statement sets."""
    return _named(node, ast.Store)


def _read_by(node):
    """Return the names and attributes that a statement reads; `+=` also reads what it sets."""
    return _named(node, ast.Load) | (_set_by(node) if isinstance(node, ast.AugAssign) else set())


def _named(node, context):
    """Yield the names that a node sets or reads, except those local to a comprehension."""
    found = {ast.unparse(node)} if isinstance(getattr(node, "ctx", None), context) else set()
    found = found.union(*(_named(child, context) for child in ast.iter_child_nodes(node)))
    if isinstance(node, _WITH_NAMES_OF_ITS_OWN):
        own = set().union(*(_set_by(each.target) for each in node.generators))
        found = (found - own) | _named(node.generators[0].iter, context)
    return found
