"""Writes a misconception out as an answer that somebody could have written.

Misconceptions share helpers with options ("attention in which one step can be done wrong"), base classes and lambdas,
which would point at the mistake. Here options are filled in, helpers of one expression are put where they are called,
and base classes become one class. What cannot be written plainly raises `NotPlain`, and is not offered.
"""

import ast
import builtins
import contextlib
import copy
import functools
import re
import symtable

from autograder import curriculum
from autograder.study.plain.classes import Classes
from autograder.study.plain.methods import with_fewer_methods
from autograder.study.plain.trees import NotPlain, names_in

_KINDS = (ast.FunctionDef, ast.ClassDef)


def plain_answer(exercise, misconception):
    """The source of an answer to an exercise that makes this mistake.

    Parameters
    ----------
    exercise : autograder.chapter.Exercise
    misconception : str

    Raises
    ------
    NotPlain
    """
    text = (curriculum.MISCONCEPTIONS / f"{exercise.name}.py").read_text(encoding="utf-8")
    return _Writer(_without_docstrings(text), exercise).write(misconception)


@functools.lru_cache(maxsize=1)
def _without_docstrings(text):
    """The syntax tree of a file; what is written out of it are copies."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, _KINDS) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return tree


class _Writer(Classes):
    """Writes answers out of one file of misconceptions."""

    def __init__(self, tree, exercise):
        known = {node.name: node for node in tree.body if isinstance(node, _KINDS)}
        contract = {node.name: node for node in ast.parse(exercise.stub).body if isinstance(node, _KINDS)}
        super().__init__(known, contract, exercise.name)
        self.imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]

    def write(self, misconception):
        node = copy.deepcopy(self.known[misconception])
        if not node.body:
            raise NotPlain("it has no body")
        if isinstance(node, ast.ClassDef):
            node = self.without_options(self.one_class(node))
        elif isinstance(self.contract[self.name], ast.ClassDef):
            node = self.class_of_maker(node)
        parts = [node] if isinstance(node, ast.FunctionDef) else self.with_parts(node)
        for part in parts:
            contract = self.contract.get(self.name if part is node else part.name)
            if isinstance(part, ast.ClassDef) and contract:
                with_fewer_methods(part, contract)
            for function in [part, *part.body]:
                if isinstance(function, ast.FunctionDef):
                    self.fill_in(function)
        node.name, node.decorator_list = self.name, []
        module = [*self._needed(parts), *parts]
        used = names_in(ast.Module(module, []))
        public = {name for name in self.known if name[0] != "_"} - {self.name}
        if left := (used & public) | {name for name in used if "wrong" in name}:
            raise NotPlain(f"{min(left)} is still in it")
        imports = [part for part in self.imports if any((a.asname or a.name) in used for a in part.names)]
        if left := _undefined(module, imports):
            raise NotPlain(f"{left} has no value there")
        for part in parts:
            if part.name in self.contract:
                _describe(part, self.contract[part.name])
        texts = [_tidy(ast.unparse(ast.fix_missing_locations(part))) for part in module]
        return "\n\n\n".join(["\n".join(map(ast.unparse, imports)), *texts]) + "\n"

    def _needed(self, parts):
        """Helpers that are still called, and their helpers, in the order of the file."""
        needed, waiting = set(), list(parts)
        while waiting:
            found = {name for name in names_in(waiting.pop()) if name in self.known and name[0] == "_"} - needed
            needed |= found
            waiting += [self.known[name] for name in found]
        helpers = [copy.deepcopy(self.known[name]) for name in self.known if name in needed]
        for helper in helpers:
            if isinstance(helper, ast.ClassDef) or any(isinstance(value, ast.Name) for value in helper.args.defaults):
                raise NotPlain(f"{helper.name} is still in it")
        return helpers


def _describe(node, contract):
    """Docstrings of the contract, on a function or on a class and its methods."""
    described = {part.name: part for part in contract.body if isinstance(part, ast.FunctionDef)}
    pairs = [(node, contract)] + [(part, described.get(getattr(part, "name", ""))) for part in node.body]
    for ours, theirs in pairs:
        if theirs is not None and (text := ast.get_docstring(theirs, clean=False)):
            ours.body.insert(0, ast.Expr(ast.Constant(text)))


def _tidy(text):
    """The text without the brackets that `ast.unparse` puts around every tuple."""
    lines = []
    text = text.replace("nn.Module.__init__(self)", "super().__init__()").replace("1000000000.0", "1e9")
    for line in text.split("\n"):
        match = re.fullmatch(r"( *(?:return|[\w., ]+ =) )\((.+)\)", line)
        with contextlib.suppress(SyntaxError):
            if match and ast.dump(ast.parse(match[2])) == ast.dump(ast.parse(f"({match[2]})")):
                line = match[1] + match[2]
        lines.append(line)
    return "\n".join(lines)


def _undefined(module, imports):
    """A name that the module uses and nobody defines, or None."""
    text = "\n".join(map(ast.unparse, [*imports, *map(ast.fix_missing_locations, module)]))
    tables, known = [symtable.symtable(text, "<answer>", "exec")], set(dir(builtins))
    known |= {symbol.get_name() for symbol in tables[0].get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    for table in tables:
        tables += table.get_children()
    symbols = [symbol for table in tables for symbol in table.get_symbols() if symbol.is_global()]
    return next((symbol.get_name() for symbol in symbols if symbol.get_name() not in known), None)
