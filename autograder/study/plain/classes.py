"""Classes without their bases: methods are gathered, calls of `super()` written out, options filled in."""

import ast
import copy

from autograder.study.plain.folding import Folder
from autograder.study.plain.functions import Functions
from autograder.study.plain.trees import NotPlain, bind, init_of, replace, substituted


class Classes(Functions):
    """Writes classes without their bases.

    Parameters
    ----------
    known : dict of str -> ast.AST
    contract : dict of str -> ast.AST
        What the stub of the exercise defines.
    name : str
        The exercise.
    """

    def __init__(self, known, contract, name):
        super().__init__(known)
        self.contract, self.name = contract, name

    def one_class(self, node, local=()):
        """A class and its bases of the file as one."""
        base = (self.known | dict(local)).get(ast.unparse(node.bases[0]))
        if base is None:
            return node
        base = self.one_class(copy.deepcopy(base))
        methods = {method.name: method for method in base.body}
        for method in node.body:
            if not isinstance(method, ast.FunctionDef):
                raise NotPlain("more than methods")
            methods[method.name] = _without_super(method, methods.get(method.name))
        for method in methods.values():
            method.body = _without_dead(method.body)
        node.bases, node.body = base.bases, list(methods.values())
        return node

    def without_options(self, node):
        """The class with an `__init__` that takes what the exercise names, and nothing else."""
        init, contract = init_of(node), init_of(self.contract[self.name])
        if init is None or not init.args.kwarg:
            return node
        own = [ast.Name(arg.arg, ast.Load()) for arg in contract.args.args[1:]]
        return self._specialised(node, ast.Call(ast.Name(node.name, ast.Load()), own, []), {}, contract.args)

    def class_of_maker(self, function):
        """The class whose instance a function makes with ``return _Class(...)``."""
        self.fill_in(function)
        *before, last = function.body
        call = getattr(last, "value", None)
        base = self.known.get(ast.unparse(call.func)) if isinstance(call, ast.Call) else None
        if not isinstance(base, ast.ClassDef):
            raise NotPlain("no class is made at its end")
        local = {part.name: part for part in before if isinstance(part, ast.FunctionDef)}
        node = self._specialised(self.one_class(copy.deepcopy(base)), call, local, function.args)
        init = init_of(node)
        init.body[1:1] = [part for part in before if not isinstance(part, ast.FunctionDef)]
        return node

    def _specialised(self, node, call, local, args):
        """The class with the options that one call gives, and an `__init__` with these arguments."""
        init, given, body = init_of(node), {}, []
        bound = bind(init, call, skip_self=True)
        functions = self.known | local
        for statement in init.body:
            body += _without_given(Folder(functions).visit(substituted(statement, bound)), given, functions)
        init.args, init.body = copy.deepcopy(args), body
        self.local |= local
        init.args.args = [ast.arg("self"), *(arg for arg in init.args.args if arg.arg != "self")]
        for method in node.body:
            if method is not init:
                method.body = [_with_attributes(part, given) for part in method.body]
        return node

    def with_parts(self, node):
        """A class behind the classes that its methods make objects of."""
        parts = {}
        for method in node.body:
            local = {part.name: part for part in method.body if isinstance(part, (ast.ClassDef, ast.FunctionDef))}
            for call in [n for n in ast.walk(method) if isinstance(n, ast.Call)]:
                kind = (self.known | local).get(getattr(call.func, "id", ""))
                if not isinstance(kind, ast.ClassDef):
                    continue
                name = next((name for name in self.contract if name != self.name), None)
                if name is None:
                    raise NotPlain("the exercise has one class only")
                part = self.one_class(copy.deepcopy(kind), local)
                init = init_of(part)
                keep = len(init.args.args) - len(init.args.defaults)
                args = ast.arguments([], init.args.args[1:keep], None, [], [], None, [])
                parts[name] = self._specialised(part, Folder().visit(call), local, args)
                parts[name].name = call.func.id = name
                call.args, call.keywords = [ast.Name(arg.arg, ast.Load()) for arg in args.args], []
            method.body = [part for part in method.body if not isinstance(part, ast.ClassDef)]
        return [*parts.values(), node]


def _without_super(method, above):
    """A method with what it calls of its base written out."""
    body = []
    for statement in method.body:
        calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call) and _is_super(n, method.name)]
        if not calls or above is None:
            body.append(statement)
            continue
        bound = bind(above, calls[0], skip_self=True)
        *before, last = [substituted(part, bound) for part in above.body]
        if method.name == "__init__":
            body += [*before, last]
            continue
        plain = isinstance(statement, (ast.Return, ast.Assign, ast.Expr))
        if not isinstance(last, ast.Return) or len(calls) > 1 or not plain:
            raise NotPlain("its base cannot be written out")
        if isinstance(statement, ast.Expr):
            raise NotPlain("the result of its base is dropped")
        replace(statement, calls[0], last.value)
        body += [*before, statement]
    method.body = [Folder().visit(part) for part in body]
    return method


def _without_dead(body):
    """Statements without attributes that are deleted again, so that another can take their place."""
    dead = {ast.unparse(part.targets[0]) for part in body if isinstance(part, ast.Delete)}
    for name in dead:
        first = next(part for part in body if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == name)
        body = [part for part in body if part is not first and ast.unparse(part) != f"del {name}"]
    return body


def _is_super(node, name):
    return isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == f"super().{name}"


def _without_given(statement, given, functions):
    """The statement without attributes that hold a function or options; these are noted in `given`."""
    targets = statement.targets[0] if isinstance(statement, ast.Assign) else None
    values = statement.value if targets is not None else None
    pairs = zip(targets.elts, values.elts, strict=True) if _tuples(targets, values) else [(targets, values)]
    kept = []
    for target, value in pairs:
        if isinstance(value, (ast.Lambda, ast.Dict)) or getattr(value, "id", None) in functions:
            given[target.attr] = value
        elif target is None:
            return [statement]
        else:
            kept.append((target, value))
    if not kept or not given:
        return [statement] if kept else []
    return [ast.Assign([target], value, lineno=0) for target, value in kept]


def _tuples(one, other):
    return isinstance(one, ast.Tuple) and isinstance(other, ast.Tuple)


def _with_attributes(node, given):
    """The statement with what is given in place of ``self.attribute``."""

    class Replace(ast.NodeTransformer):
        def visit_Attribute(self, node):
            self.generic_visit(node)
            own = isinstance(node.value, ast.Name) and node.value.id == "self"
            return copy.deepcopy(given[node.attr]) if own and node.attr in given else node

    return Replace().visit(node)
