"""Writes a misconception out as an answer that somebody could have written.

Misconceptions share helpers with options ("attention in which one step can be done wrong"), base classes and lambdas,
which would point at the mistake. Here options are filled in, helpers of one expression are put where they are called,
and base classes become one class. What cannot be written plainly raises `NotPlain`, and is not offered.
"""

import ast
import builtins
import copy
import functools
import symtable

from autograder.chapters import curriculum
from autograder.study.plain.classes import Classes
from autograder.study.plain.constants import Evaluated, constants_of
from autograder.study.plain.functions import without_idle_options
from autograder.study.plain.layout import text_of
from autograder.study.plain.methods import with_fewer_methods
from autograder.study.plain.trees import NotPlain, names_in

_KINDS = (ast.FunctionDef, ast.ClassDef)


def plain_answer(exercise, misconception):
    """The source of an answer to an exercise that makes this mistake.

    Parameters
    ----------
    exercise : autograder.chapters.chapter.Exercise
    misconception : str

    Raises
    ------
    NotPlain
        With a cause where its shape is one that nobody has thought of.
    """
    text = (curriculum.MISCONCEPTIONS / f"{exercise.name}.py").read_text(encoding="utf-8")
    try:
        return _Writer(_read(text), exercise).write(misconception)
    except (AttributeError, LookupError, TypeError, ValueError, SyntaxError, RecursionError) as error:
        raise NotPlain("its shape is unknown") from error


@functools.lru_cache(maxsize=1)
def _read(text):
    """The syntax tree of a file, without docstrings; what is written out of it are copies."""
    tree = ast.parse(text)
    tree = Evaluated(constants_of(tree)).visit(tree)
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
        self.constants = constants_of(tree)
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
        module = [*self._used_constants(module), *module]
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
        texts = [text_of(part) for part in module]
        head = ["\n".join(map(ast.unparse, imports))] if imports else []
        return "\n\n\n".join([*head, *texts]) + "\n"

    def _needed(self, parts):
        """Helpers that are still called, and their helpers, in the order of the file."""
        reached = _reached(parts, self.known)
        helpers = [copy.deepcopy(self.known[name]) for name in self.known if name in reached]
        for helper in helpers:
            if isinstance(helper, ast.ClassDef):
                raise NotPlain(f"{helper.name} is still in it")
            without_idle_options(helper, [*parts, *helpers])
        for helper in helpers:
            self.fill_in(helper)
        reached = _reached(parts, {helper.name: helper for helper in helpers})
        helpers = [helper for helper in helpers if helper.name in reached]
        for helper in helpers:
            if any(isinstance(value, ast.Name) for value in helper.args.defaults):
                raise NotPlain(f"{helper.name} is still in it")
        return helpers

    def _used_constants(self, parts):
        """The constants that these parts use, with names that begin with no underscore there and here."""
        names = {name: name.lstrip("_") for name in self.constants if name in names_in(ast.Module(parts, []))}
        for part in parts:
            for node in ast.walk(part):
                if isinstance(node, ast.Name) and node.id in names:
                    node.id = names[node.id]
        values = [copy.deepcopy(self.constants[name]) for name in names]
        targets = [ast.Name(name, ast.Store()) for name in names.values()]
        return [ast.Assign([target], value, lineno=0) for target, value in zip(targets, values, strict=True)]


def _reached(parts, known):
    """Names of our own that are used in these parts, or in what they use."""
    reached, waiting = set(), list(parts)
    while waiting:
        found = {name for name in names_in(waiting.pop()) if name in known and name[0] == "_"} - reached
        reached |= found
        waiting += [known[name] for name in found]
    return reached


def _describe(node, contract):
    """Docstrings of the contract, on a function or on a class and its methods."""
    described = {part.name: part for part in contract.body if isinstance(part, ast.FunctionDef)}
    pairs = [(node, contract)] + [(part, described.get(getattr(part, "name", ""))) for part in node.body]
    for ours, theirs in pairs:
        if theirs is not None and (text := ast.get_docstring(theirs, clean=False)):
            ours.body.insert(0, ast.Expr(ast.Constant(text)))


def _undefined(module, imports):
    """A name that the module uses and nobody defines, or None."""
    text = "\n".join(map(ast.unparse, [*imports, *map(ast.fix_missing_locations, module)]))
    tables, known = [symtable.symtable(text, "<answer>", "exec")], set(dir(builtins))
    known |= {symbol.get_name() for symbol in tables[0].get_symbols() if symbol.is_assigned() or symbol.is_imported()}
    for table in tables:
        tables += table.get_children()
    symbols = [symbol for table in tables for symbol in table.get_symbols() if symbol.is_global()]
    return next((symbol.get_name() for symbol in symbols if symbol.get_name() not in known), None)
