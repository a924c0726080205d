"""Small things one does with syntax trees."""

import ast
import copy


class NotPlain(Exception):
    """A misconception whose machinery cannot be taken out."""


def bind(function, call, skip_self=False):
    """Parameter -> argument; starred ones -> a tuple, keywords left over -> a dict."""
    spec = function.args
    params = [arg.arg for arg in spec.args][skip_self:]
    defaults = dict(zip([arg.arg for arg in spec.args][::-1], spec.defaults[::-1], strict=False))
    bound = dict(zip(params, call.args, strict=False))
    if any(isinstance(arg, ast.Starred) for arg in call.args) or (len(call.args) > len(params) and not spec.vararg):
        raise NotPlain("arguments in a star")
    if spec.vararg:
        bound[spec.vararg.arg] = ast.Tuple(call.args[len(params) :], ast.Load())
    rest = {}
    for keyword in call.keywords:
        if keyword.arg is None:
            raise NotPlain("options in two stars")
        (bound if keyword.arg in params else rest)[keyword.arg] = keyword.value
    if spec.kwarg:
        bound[spec.kwarg.arg] = ast.Dict([ast.Constant(key) for key in rest], list(rest.values()))
    elif rest:
        raise NotPlain("an unknown option")
    for name in params:
        if name not in bound and name not in defaults:
            raise NotPlain("an argument is missing")
        bound.setdefault(name, defaults.get(name))
    return bound


def unstarred(node):
    """A call with ``*(a, b)`` and ``**{"c": d}`` written out."""
    args, keywords = [], []
    for arg in node.args:
        inner = arg.value if isinstance(arg, ast.Starred) else None
        args += inner.elts if isinstance(inner, ast.Tuple) else [arg]
    for keyword in node.keywords:
        if keyword.arg is None and isinstance(keyword.value, ast.Dict):
            pairs = zip(keyword.value.keys, keyword.value.values, strict=True)
            keywords += [ast.keyword(key.value, value) for key, value in pairs]
        else:
            keywords.append(keyword)
    return ast.Call(node.func, args, keywords)


def substituted(node, bound):
    """A copy with names replaced by what is bound to them."""

    class Replace(ast.NodeTransformer):
        def visit_Name(self, node):
            return copy.deepcopy(bound[node.id]) if node.id in bound and not stores(node) else node

        def visit_Lambda(self, node):
            own = {arg.arg for arg in node.args.args} | ({node.args.vararg.arg} if node.args.vararg else set())
            node.body = substituted(node.body, {name: value for name, value in bound.items() if name not in own})
            return node

    return Replace().visit(copy.deepcopy(node))


def replace(statement, old, new):
    """Put one node in another's place."""
    for parent in ast.walk(statement):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list) and old in value:
                value[value.index(old)] = new


def expression_of(function):
    """What a function of one expression returns, or None."""
    if isinstance(function, ast.Lambda):
        return function.body
    if not isinstance(function, ast.FunctionDef):
        return None
    body = function.body
    if len(body) == 1 and isinstance(body[0], ast.Return):
        return body[0].value
    if len(body) == 2 and isinstance(body[0], ast.If) and isinstance(body[1], ast.Return):
        inner = body[0].body
        if len(inner) == 1 and isinstance(inner[0], ast.Return) and not body[0].orelse:
            return ast.IfExp(body[0].test, inner[0].value, body[1].value)
    return None


def init_of(node):
    return next((part for part in node.body if getattr(part, "name", "") == "__init__"), None)


def of_self(node, name=None):
    """Whether it is ``self.name``, or any attribute of ``self``."""
    own = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self"
    return own and name in (None, node.attr)


def calls_of(name, parts):
    return [n for part in parts for n in ast.walk(part) if getattr(getattr(n, "func", None), "id", "") == name]


def names_in(tree):
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def has_options(function):
    """Whether calls can ask for something special."""
    return len(function.args.defaults) > 0 or function.args.kwarg is not None


def has_stars(call):
    return any(isinstance(arg, ast.Starred) for arg in call.args) or any(k.arg is None for k in call.keywords)


def stores(name):
    return not isinstance(name.ctx, ast.Load)


def stored_in(body):
    """Names that statements give a value."""
    return {n.id for part in body for n in ast.walk(part) if isinstance(n, ast.Name) and stores(n)}


def returns(body):
    """Whether something is returned in these statements."""
    return any(isinstance(n, ast.Return) for part in body for n in ast.walk(part))


def pairs(assign):
    """What an assignment sets and to what, taken apart where both sides are tuples."""
    target, value = assign.targets[0], assign.value
    if len(assign.targets) > 1:
        return [(target, value) for target in assign.targets]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def simple(node):
    """Whether it may be written twice."""
    if isinstance(node, (ast.Attribute, ast.UnaryOp)):
        return simple(node.value if isinstance(node, ast.Attribute) else node.operand)
    return isinstance(node, (ast.Name, ast.Constant, ast.Lambda))


def is_constant(node):
    return simple(node) and not names_in(node)


def is_long_literal(node):
    """Whether it is a dictionary or list that is better given a name."""
    return isinstance(node, (ast.Dict, ast.List)) and not names_in(node) and len(ast.unparse(node)) > 60


def free_names(node):
    """Names of an expression that come from outside it."""
    own = {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)} | stored_in([node])
    return names_in(node) - own


def is_itself(target, value):
    """Whether this would be ``x = x``."""
    return ast.unparse(target) == ast.unparse(value)


def is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def is_something(node):
    """Whether it is known not to be None."""
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.value).endswith("shape")
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in ("math.sqrt", "np.sqrt", "float")
    return isinstance(node, (ast.Lambda, ast.BinOp, ast.UnaryOp)) or (
        isinstance(node, ast.Constant) and node.value is not None
    )


def flat(parts):
    return [one for part in parts for one in (part if isinstance(part, list) else [part])]
