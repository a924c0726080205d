"""Finds ready-made functions that an exercise bans, by reading the source of the answer.

Only what the exercise can reach counts: a cell that compares one's own attention with torch's is welcome.
"""

import ast
from dataclasses import dataclass

from autograder.chapter import statements

# What stands for the same shortcut under another name.
_KIN = {
    "MultiheadAttention": ("multi_head_attention_forward", "native_multi_head_attention", "Transformer"),
    "scaled_dot_product_attention": ("scaled_dot_product", "flex_attention"),
}
_OWN = ("self", "cls")


@dataclass(frozen=True)
class Shortcut:
    """A banned name, as it can be written, and where it is used."""

    name: str
    place: str


def find_shortcut(answer, exercise):
    """The first use of something that the exercise bans, or None.

    Parameters
    ----------
    answer : autograder.answer_file.AnswerFile
    exercise : autograder.chapter.Exercise
    """
    if not exercise.bans:
        return None
    source = _Source(answer)
    starts = {prefix for ban in exercise.bans for prefix in (ban, *_KIN.get(ban, ()))}
    for place, node in source.reachable_from(exercise.name):
        for inner in ast.walk(node):
            name = source.banned(inner, tuple(starts))
            if name:
                return Shortcut(name, f"{place}, line {inner.lineno}" if answer.notebook else f"line {inner.lineno}")
    return None


class _Source:
    """All code of an answer: what its names mean and which definitions use which."""

    def __init__(self, answer):
        self.bound, self.statements = {}, []  # name -> its top-level statements; all of them with their place
        trees = []
        for cell in answer.cells:
            try:
                tree = ast.parse("\n" * (cell.line - 1) + cell.source)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue  # what cannot be parsed cannot run
            trees.append(tree)
            self.statements += [(cell.place, node) for node in statements(tree.body)]
        self.aliases, self.has_star = {}, False
        for tree in trees:
            self._read_imports(tree)
        for _ in range(3):  # an alias of an alias of an alias
            for tree in trees:
                self._read_assignments(tree)
        for place, node in self.statements:
            for name in _names_bound(node):
                self.bound.setdefault(name, []).append((place, node))

    def _read_imports(self, tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.aliases[alias.asname or alias.name.partition(".")[0]] = (
                        alias.name if alias.asname else alias.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    self.has_star |= alias.name == "*"
                    self.aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def _read_assignments(self, tree):
        for node in ast.walk(tree):
            if isinstance(node, (ast.Assign, ast.NamedExpr, ast.AnnAssign)) and (path := self._path(node.value)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        self.aliases.setdefault(target.id, path)

    def reachable_from(self, name):
        """Places and statements that have a part in what the name does."""
        names, waiting, found = set(), [name], []
        while waiting:
            name = waiting.pop()
            if name in names:
                continue
            names.add(name)
            nodes = self.bound.get(name, []) + [pair for pair in self.statements if _alters(pair[1], name)]
            for pair in nodes:
                if pair not in found:
                    found.append(pair)
                    waiting += [inner.id for inner in ast.walk(pair[1]) if isinstance(inner, ast.Name)]
        return found

    def banned(self, node, starts):
        """The banned name that a piece of code uses, or an empty string."""
        if isinstance(node, (ast.Attribute, ast.Name)):
            return self._banned_name(node, starts)
        if isinstance(node, ast.Call):
            runs_text = isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec")
            for argument in node.args:
                text = _text(argument)
                if text and (_is_banned(text, starts) or (runs_text and any(start in text for start in starts))):
                    return text
        if isinstance(node, ast.Subscript) and (text := _text(node.slice)) and _is_banned(text, starts):
            return text
        return ""

    def _banned_name(self, node, starts):
        path = self._path(node)
        if path:
            return path if any(_is_banned(part, starts) for part in path.split(".")[1:]) else ""
        if isinstance(node, ast.Name):
            from_star = self.has_star and node.id not in self.bound
            return node.id if from_star and _is_banned(node.id, starts) else ""
        root = _root(node)
        own = isinstance(root, ast.Name) and (root.id in _OWN or root.id in self.bound)
        return node.attr if _is_banned(node.attr, starts) and not own else ""

    def _path(self, node):
        """Dotted path of an expression that leads to something imported, or None."""
        if isinstance(node, ast.Name):
            return self.aliases.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self._path(node.value)
            return f"{base}.{node.attr}" if base else None
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("__import__", "import_module") and node.args:
                return _text(node.args[0])
            if called == "getattr" and len(node.args) > 1 and (base := self._path(node.args[0])):
                return f"{base}.{_text(node.args[1])}"
        return None


def _is_banned(name, starts):
    return name.lstrip("_").startswith(starts)


def _names_bound(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [inner.id for target in targets for inner in ast.walk(target) if isinstance(inner, ast.Name)]
    return []


def _alters(node, name):
    """Whether a statement is a call about a name, such as ``setattr(Module, "forward", ...)``."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    call = node.value
    return getattr(call.func, "id", "") == "setattr" and bool(call.args) and getattr(call.args[0], "id", "") == name


def _root(node):
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _text(node):
    """A string as it is written, also in pieces: ``"Multihead" + "Attention"``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return left + right if left is not None and right is not None else None
    return None
