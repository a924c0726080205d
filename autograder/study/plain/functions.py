"""Functions without their helpers: options are filled in, and what is one expression stands where it is called."""

import ast
import copy

from autograder.study.plain.folding import Folder, unfolded, uses, without_idle
from autograder.study.plain.trees import (
    NotPlain,
    bind,
    calls_of,
    expression_of,
    flat,
    has_options,
    has_stars,
    is_constant,
    is_itself,
    is_long_literal,
    is_something,
    names_in,
    replace,
    returns,
    simple,
    stored_in,
    stores,
    substituted,
    unstarred,
)

_FUNCTIONS = (ast.FunctionDef, ast.Lambda)
_DEPTH = 12  # helpers that call helpers
_LONG = 120  # characters of an expression that stays a helper rather than being put into another


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
        params = {arg.arg for arg in function.args.args}
        sure = (_required(function) if function.name == "__init__" else set()) | set(local)
        for _ in range(_DEPTH):
            before = [ast.dump(part) for part in body]
            given = sure | _given_something(body)
            inliner, folder = Inliner(self.known | local), Folder(given)
            body = flat([folder.visit(inliner.visit(part)) for part in body])
            if before == [ast.dump(part) for part in body]:
                body = self._all_hoisted(body, local, params, given)
                lambdas = _named_lambdas(body)
                local |= lambdas
                body = without_idle([part for part in body if getattr(part, "value", 0) not in lambdas.values()])
            if before == [ast.dump(part) for part in body]:
                break
        left = [part for name, part in local.items() if any(name in names_in(statement) for statement in body)]
        if any(isinstance(part, ast.Lambda) for part in left):
            raise NotPlain("a lambda is left")
        function.body = left + unfolded(body)
        if any(isinstance(n, ast.Call) and isinstance(n.func, ast.Lambda) for n in ast.walk(function)):
            raise NotPlain("a lambda is called in it")
        if ast.unparse(function.body).strip() in ("return None", ""):
            raise NotPlain("it does nothing")

    def _all_hoisted(self, body, local, params, given):
        """Statements with helpers written out; `NotPlain` where that changes a name that is needed later."""
        done = []
        for number, part in enumerate(body):
            inner = flat([self._hoisted(part, local, given)])
            if stored_in(inner[:-1]) & (params | stored_in(done)) & _needed(body[number + 1 :]) - stored_in([part]):
                raise NotPlain("a name would mean two things")
            done += inner
        return done

    def _hoisted(self, statement, local, given):
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
        inner = written_out([ast.Return(whole)] if whole else helper.body, bind(helper, call), given)
        if isinstance(statement, ast.Return) and statement.value is call:
            return inner
        if not inner or returns(inner[:-1]) or getattr(inner[-1], "value", None) is None:
            raise NotPlain(f"{name} cannot be taken apart")
        replace(statement, call, inner.pop().value)
        return [*inner, statement]


def without_idle_options(function, parts):
    """Fill in the options of a function for which all calls in these parts give the same, or nothing."""
    calls = calls_of(function.name, parts)
    if _uses(function.name, parts) > len(calls) or any(map(has_stars, calls)):
        return
    args = function.args
    for arg, default in zip(args.args[len(args.args) - len(args.defaults) :], list(args.defaults), strict=True):
        values = [bind(function, call)[arg.arg] for call in calls]
        if len({ast.dump(value) for value in values}) == 1 and (values[0] is default or is_constant(values[0])):
            position = args.args.index(arg)
            for call in calls:
                del call.args[position : position + 1]
                call.keywords = [keyword for keyword in call.keywords if keyword.arg != arg.arg]
            function.body = written_out(function.body, {arg.arg: values[0]})
            args.args.remove(arg)
            args.defaults.remove(default)


def written_out(body, bound, given=()):
    """Statements of a function with its arguments in place of its parameters.

    An argument that would have to be written twice, or whose parameter is changed, gets the parameter's name first.
    `given` are names in the arguments that are not None.
    """
    sure = {param for param, value in bound.items() if is_something(value) or getattr(value, "id", None) in given}
    known = {param: value for param, value in bound.items() if is_constant(value) or isinstance(value, ast.Lambda)}
    rest = {param: bound[param] for param in bound if param not in known and getattr(bound[param], "id", "") != param}
    for param, value in known.items():
        body = _begun_with(body, param, value)
    body = _folded(body, sure)
    changed = stored_in(body)
    twice = {param for param in rest if uses(ast.Module(body, []), param, rest[param]) > 1 and not simple(rest[param])}
    named = {param for param in rest if param in changed | twice or is_long_literal(rest[param])}
    while more := {param for param in rest if param not in named and names_in(rest[param]) & (changed | named)}:
        named |= more  # it would mean something else once the others have their names
    used = {param: value for param, value in rest.items() if param not in named}
    body = _folded([substituted(part, used) for part in body], (sure & named) | set(given))
    targets, values = [ast.Name(p, ast.Store()) for p in rest if p in named], [rest[p] for p in rest if p in named]
    if len(targets) > 1:  # at once: one may be named in the other
        targets, values = [ast.Tuple(targets, ast.Store())], [ast.Tuple(values, ast.Load())]
    return [*(ast.Assign([target], value, lineno=0) for target, value in zip(targets, values, strict=True)), *body]


def _begun_with(body, param, value):
    """Statements with a value in place of a name, up to where the name is given another."""
    for number, part in enumerate(body):
        if param in stored_in([part]):
            if not isinstance(part, ast.Assign):
                return [ast.Assign([ast.Name(param, ast.Store())], value, lineno=0), *body]
            number += 1
            break
    else:
        number = len(body)
    return [substituted(part, {param: value}) for part in body[:number]] + body[number:]


def _folded(body, given=()):
    """Statements with what is known decided, no ``x = x``, and nothing behind a `return`."""
    body = flat([Folder(given).visit(copy.deepcopy(part)) for part in body])
    body = [part for part in body if not (isinstance(part, ast.Assign) and is_itself(part.targets[0], part.value))]
    ends = [number for number, part in enumerate(body, start=1) if isinstance(part, ast.Return)]
    return body[: ends[0]] if ends else body


class Inliner(ast.NodeTransformer):
    """Puts helpers of one expression, and lambdas, where they are called."""

    def __init__(self, known):
        self.known, self.whole = known, None

    def visit_Lambda(self, node):
        return node  # written out where it is called

    def visit_Assign(self, node):
        self.whole = node.value
        return self.generic_visit(node)

    visit_Return = visit_Assign

    def visit_Call(self, node):
        is_whole = node is self.whole
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
        if any((used.count(name) > 1 and not simple(value)) or is_long_literal(value) for name, value in bound.items()):
            return node
        inner = Folder().visit(substituted(expression, bound))
        return inner if is_whole or len(ast.unparse(inner)) < _LONG else node


def _needed(body):
    """Names whose value statements take from before."""
    needed, stored = set(), set()
    for part in body:
        needed |= {n.id for n in ast.walk(part) if isinstance(n, ast.Name) and not stores(n)} - stored
        stored |= stored_in([part]) if isinstance(part, ast.Assign) else set()
    return needed


def _given_something(body):
    """Names that are set once, and not to None."""
    sets = [part for part in body if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)]
    names = [n.id for part in body for n in ast.walk(part) if isinstance(n, ast.Name) and stores(n)]
    return {part.targets[0].id for part in sets if is_something(part.value) and names.count(part.targets[0].id) == 1}


def _named_lambdas(body):
    """Name -> lambda, for names that are set once, to it, and called only."""
    sets = [part for part in body if isinstance(part, ast.Assign) and isinstance(part.value, ast.Lambda)]
    lambdas = {ast.unparse(part.targets[0]): part.value for part in sets}
    return {name: value for name, value in lambdas.items() if _uses(name, body) == len(calls_of(name, body)) + 1}


def _uses(name, parts):
    return sum(isinstance(n, ast.Name) and n.id == name for part in parts for n in ast.walk(part))


def _required(function):
    """Parameters without a default."""
    args = function.args.args
    return {arg.arg for arg in args[: len(args) - len(function.args.defaults)]}
