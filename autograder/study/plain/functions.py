"""Functions without their helpers: options are filled in, and what is one expression stands where it is called."""

import ast

from autograder.study.plain.folding import Folder, unfolded, uses
from autograder.study.plain.trees import (
    NotPlain,
    bind,
    expression_of,
    flat,
    has_options,
    has_stars,
    names_in,
    replace,
    simple,
    stores,
    substituted,
    unstarred,
)

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
_DEPTH = 12  # helpers that call helpers


class Functions:
    """Puts helpers and options where they are used.

    Parameters
    ----------
    known : dict of str -> ast.AST
        The functions and classes of the file, without docstrings.
    """

    def __init__(self, known):
        self.known, self.local = known, {}

    def fill_in(self, function):
        """Put helpers and options where they are used, until nothing changes."""
        local = self.local | {part.name: part for part in function.body if isinstance(part, ast.FunctionDef)}
        body = [part for part in function.body if not isinstance(part, ast.FunctionDef)]
        sizes = _required(function) if function.name == "__init__" else ()
        inliner, folder = _Inliner(self.known | local), Folder(sizes)
        for _ in range(_DEPTH):
            before = [ast.dump(part) for part in body]
            body = flat([folder.visit(inliner.visit(part)) for part in body])
            if before == [ast.dump(part) for part in body]:
                body = flat([self._hoisted(part, local) for part in body])
            if before == [ast.dump(part) for part in body]:
                break
        left = [part for name, part in local.items() if any(name in names_in(statement) for statement in body)]
        function.body = left + flat([unfolded(part) for part in body])
        if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Lambda) for n in ast.walk(function)):
            raise NotPlain("a lambda is called in it")
        if ast.unparse(function.body).strip() in ("return None", ""):
            raise NotPlain("it does nothing")

    def _hoisted(self, statement, local):
        """``x = helper(...)[0]`` as the statements of the helper and ``x = result[0]``."""
        if not isinstance(statement, (ast.Return, ast.Assign)) or statement.value is None:
            return statement
        call = statement.value
        while isinstance(call, (ast.Subscript, ast.Attribute)) or (
            isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and not call.args
        ):
            call = call.func if isinstance(call, ast.Call) else call.value
        callee = getattr(call, "func", None)
        name = getattr(callee, "id", "")
        helper = callee if isinstance(callee, ast.Lambda) else (self.known | local).get(name)
        may_stay = isinstance(helper, ast.FunctionDef) and name[:1] == "_" and not has_options(helper)
        if not isinstance(helper, _FUNCTIONS) or (may_stay and name not in local) or has_stars(call):
            return statement
        whole = expression_of(helper)
        before, last = ([], whole) if whole else (helper.body[:-1], getattr(helper.body[-1], "value", None))
        early = any(isinstance(n, ast.Return) for part in before for n in ast.walk(part))
        if last is None or (early and not (isinstance(statement, ast.Return) and statement.value is call)):
            raise NotPlain(f"{name} cannot be taken apart")
        bound = bind(helper, call)
        stored = {n.id for part in before for n in ast.walk(part) if isinstance(n, ast.Name) and stores(n)}
        first, targets = [], []
        for param, value in list(bound.items()):
            same = isinstance(value, ast.Name) and value.id == param
            if not same and (param in stored or not (simple(value) or uses(helper, param, value) < 2)):
                first.append(value)
                targets.append(ast.Name(param, ast.Store()))
            elif not same:
                continue
            bound.pop(param)
        replace(statement, call, substituted(last, bound))
        if len(first) > 1:  # at once: one may be named in the other
            first, targets = [ast.Tuple(first, ast.Load())], [ast.Tuple(targets, ast.Store())]
        first = [ast.Assign([target], value, lineno=0) for target, value in zip(targets, first, strict=True)]
        return [*first, *(substituted(part, bound) for part in before), statement]


class _Inliner(ast.NodeTransformer):
    """Puts helpers of one expression, and lambdas, where they are called."""

    def __init__(self, known):
        self.known = known

    def visit_Lambda(self, node):
        return node  # written out where it is called

    def visit_Call(self, node):
        self.generic_visit(node)
        node = unstarred(node)
        if any(isinstance(arg, ast.Starred) for arg in node.args):
            return node
        function = node.func if isinstance(node.func, ast.Lambda) else self.known.get(getattr(node.func, "id", ""))
        expression = expression_of(function)
        if expression is None:
            return node
        bound = bind(function, node)
        used = [n.id for n in ast.walk(expression) if isinstance(n, ast.Name)]
        if any(used.count(name) > 1 and not simple(value) for name, value in bound.items()):
            return node
        return Folder().visit(substituted(expression, bound))


def _required(function):
    """Parameters without a default."""
    args = function.args.args
    return {arg.arg for arg in args[: len(args) - len(function.args.defaults)]}
