"""A known mistake is also named if the answer uses functions instead of methods and `@`."""

import ast

import pytest

from autograder.chapters.answers import parse_script
from support.grading import ANSWERS, grade_answers, graded_chapters, read_labelled, read_labels

pytestmark = pytest.mark.slow

LIBRARIES = {"all_queries": "numpy", "backward": "torch", "additive": "torch"}  # quick chapter -> its library
METHODS = ("max", "sum", "mean", "exp", "matmul", "softmax", "masked_fill", "unsqueeze", "squeeze", "argmax", "cumsum")
MODULES = ("np", "torch", "F", "functional", "nn.functional", "torch.nn.functional")
SUITES = {chapter.name: suites for chapter, suites in graded_chapters()}


class OperatorRespeller(ast.NodeTransformer):
    """A transformer from ``x.sum(-1)`` to ``numpy.sum(x, -1)``, and from ``x @ y`` to ``numpy.matmul(x, y)``."""

    def __init__(self, library):
        self.library, self.changes = library, 0

    def call(self, name, *arguments, keywords=()):
        self.changes += 1
        return ast.Call(ast.Attribute(ast.Name(self.library), name), [*arguments], [*keywords])

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.call("matmul", node.left, node.right) if isinstance(node.op, ast.MatMult) else node

    def visit_Call(self, node):
        self.generic_visit(node)
        method = node.func
        if not isinstance(method, ast.Attribute) or method.attr not in METHODS or ast.unparse(method.value) in MODULES:
            return node
        return self.call(method.attr, method.value, *node.args, keywords=node.keywords)


@pytest.mark.parametrize("chapter", LIBRARIES)
def test_a_name_does_not_depend_on_the_spelling(chapter):
    respelled = {}
    for path in (ANSWERS / chapter).rglob("wrong_*.py"):
        answer, library = read_labelled(path), LIBRARIES[chapter]
        names = {exercise: label[1] for exercise, label in read_labels(answer).items() if label[1]}
        spelling = OperatorRespeller(library)
        tree = spelling.visit(ast.parse("\n".join(cell.source for cell in answer.cells)))
        if names and spelling.changes:
            text = f"import {library}\n{ast.unparse(ast.fix_missing_locations(tree))}\n"
            respelled[path.name] = names, parse_script(path.name, text)
    results = grade_answers([answer for _, answer in respelled.values()], chapter, SUITES[chapter])
    assert len(respelled) > 3
    for (name, (names, _)), verdicts in zip(respelled.items(), results, strict=True):
        assert {exercise: verdicts[exercise].misconception for exercise in names} == names, name
