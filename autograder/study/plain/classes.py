"""Classes without their bases: methods are gathered, calls of `super()` written out, options filled in."""

import ast
import copy

from autograder.study.plain.folding import Folder
from autograder.study.plain.functions import Functions, Inliner, written_out
from autograder.study.plain.trees import (
    NotPlain,
    bind,
    flat,
    init_of,
    of_self,
    pairs,
    replace,
    returns,
    simple,
    stores,
    substituted,
)


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
        bases = map(ast.unparse, getattr(contract[name], "bases", []))
        self.above = {f"_{base}": base for base in bases if f"_{base}" in known}  # the chapter gives it

    def one_class(self, node, local=()):
        """A class and its bases of the file as one, with what their bodies set put where ``self`` is asked for it."""
        node.bases, methods, attributes = self._members(node, self.known | dict(local))
        changed = {n.attr for method in methods.values() for n in ast.walk(method) if of_self(n) and stores(n)}
        if changed & set(attributes) or not all(map(simple, attributes.values())):
            raise NotPlain("an attribute of the class may change")
        for method in methods.values():
            method.body = _without_dead(_with_attributes(method.body, attributes))
        node.body = list(methods.values())
        return node

    def _members(self, node, known):
        """The bases that are not in the file, the methods and the attributes of a class."""
        name = ast.unparse(node.bases[0]) if node.bases else ""
        base, bases, methods, attributes = known.get(name), node.bases, {}, {}
        if name in self.above:
            bases = [ast.Name(self.above[name], ast.Load())]
        elif isinstance(base, ast.ClassDef):
            bases, methods, attributes = self._members(copy.deepcopy(base), known)
        for part in node.body:
            if isinstance(part, ast.FunctionDef):
                methods[part.name] = _without_super(part, methods.get(part.name))
            elif isinstance(part, ast.Assign):
                attributes |= {ast.unparse(target): value for target, value in pairs(part)}
            elif not isinstance(part, ast.Pass):
                raise NotPlain("more than methods and attributes")
        return bases, methods, attributes

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
        if init is None:
            raise NotPlain("nothing takes its options")
        bound = bind(init, call, skip_self=True)
        once = _set_once(node)
        functions = self.known | local
        for statement in init.body:
            for part in flat([Folder(functions).visit(substituted(statement, bound))]):
                body += _without_given(part, given, functions, once)
        init.args, init.body = copy.deepcopy(args), body
        self.local |= local
        init.args.args = [ast.arg("self"), *(arg for arg in init.args.args if arg.arg != "self")]
        for method in node.body:
            if method is not init:
                method.body = [Inliner({}).visit(part) for part in _with_attributes(method.body, given)]
        return node

    def with_parts(self, node):
        """A class behind the one that it is made from and those that its methods make objects of."""
        parts = {}
        for known, name in self.above.items():
            parts[name] = self.one_class(copy.deepcopy(self.known[known]))
            parts[name].name = name
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
                if init is None:
                    raise NotPlain("it has no __init__")
                keep = len(init.args.args) - len(init.args.defaults)
                args = ast.arguments([], init.args.args[1:keep], None, [], [], None, [])
                part = self._specialised(part, Folder().visit(call), local, args)
                part.name = call.func.id = name
                if name in parts and ast.dump(part) != ast.dump(parts[name]):
                    raise NotPlain("two classes for one of the exercise")
                parts[name] = part
                call.args, call.keywords = [ast.Name(arg.arg, ast.Load()) for arg in args.args], []
            method.body = [part for part in method.body if not isinstance(part, ast.ClassDef)]
        return [*parts.values(), node]


def _without_super(method, above):
    """A method with what it calls of its base written out."""
    method.body = _body_without_super(method.body, method.name, above)
    return method


def _body_without_super(statements, name, above):
    body = []
    for statement in statements:
        if isinstance(statement, (ast.With, ast.If, ast.For)):
            statement.body = _body_without_super(statement.body, name, above)
        calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call) and _is_super(n, name)]
        if not calls or above is None:
            body.append(statement)
            continue
        inner = written_out(above.body, bind(above, calls[0], skip_self=True))
        if name == "__init__":
            body += inner
            continue
        *before, last = inner
        alone = isinstance(statement, (ast.Return, ast.Assign, ast.Expr)) and len(calls) == 1
        if not alone or not isinstance(last, ast.Return) or returns(before):
            raise NotPlain("its base cannot be written out")
        body += before
        if statement.value is calls[0] and isinstance(statement, ast.Expr):
            continue  # its result is not used
        replace(statement, calls[0], last.value)
        body.append(statement)
    return flat([Folder().visit(part) for part in body])


def _without_dead(body):
    """Statements without attributes that are deleted, or replaced before anything asks for them."""
    for number, part in enumerate(body):
        if not isinstance(part, ast.Assign) or not of_self(part.targets[0]):
            continue
        name = part.targets[0].attr
        found = ((n, other) for other in body[number + 1 :] for n in ast.walk(other) if of_self(n, name))
        node, end = next(found, (None, None))
        if isinstance(end, ast.Delete):
            return _without_dead([other for other in body if other not in (part, end)])
        if isinstance(end, ast.Assign) and stores(node) and not _asks_for(end.value, name):
            return _without_dead([other for other in body if other is not part])
    return body


def _asks_for(node, name):
    return any(of_self(n, name) for n in ast.walk(node))


def _is_super(node, name):
    return isinstance(node.func, ast.Attribute) and ast.unparse(node.func) == f"super().{name}"


def _without_given(statement, given, functions, once):
    """The statement without attributes that hold a function, options or a number; these are noted in `given`."""
    if not isinstance(statement, ast.Assign):
        return [statement]
    kept, before = [], len(given)
    for target, value in pairs(statement):
        is_given = isinstance(value, (ast.Lambda, ast.Dict)) or getattr(value, "id", None) in functions
        is_number = isinstance(value, ast.Constant) and getattr(target, "attr", "") in once
        if (is_given or is_number) and isinstance(target, ast.Attribute):
            given[target.attr] = value
        else:
            kept.append(ast.Assign([target], value, lineno=0))
    return kept if len(given) > before else [statement]


def _with_attributes(body, given):
    """Statements with what is given in place of ``self.attribute``."""

    class Replace(ast.NodeTransformer):
        def visit_Attribute(self, node):
            self.generic_visit(node)
            return copy.deepcopy(given[node.attr]) if of_self(node) and node.attr in given else node

    return [Replace().visit(part) for part in body]


def _set_once(node):
    """Attributes that are given a value in one place only."""
    names = [n.attr for n in ast.walk(node) if of_self(n) and stores(n)]
    return {name for name in names if names.count(name) == 1}
