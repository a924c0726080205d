"""The answer in a running notebook: the last executed definition of each name, with its dependencies.

The saved file is not used, because it may be older than the cells. Cells that only draw or train are left out, because
they do not affect functions.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.reading.reach import build_call_graph, find_bound_names

_TRANSPARENT = ("time", "capture", "prun")  # cell magics that run the code below them
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def rebuild_answer(inputs: Sequence[str], names: Iterable[str], transform: Callable[[str], str] = str) -> AnswerFile:
    """Return an answer with the executed definitions of `names` and what they use. `inputs`: IPython's list ``In``."""
    numbered = list(enumerate(inputs))[1:]
    cells = tuple(cell for number, text in numbered for cell in _split_statements(number, text, transform))
    statements = build_call_graph(cells)
    needed = {(place, node.lineno) for name in names for place, node in statements.find_used_statements(name)}
    names_by_cell = [_find_definitions(cell) for cell in cells]
    last = {name: number for number, names in enumerate(names_by_cell) for name in names}
    needed_cells = []
    for number, cell in enumerate(cells):
        lines = range(cell.line, cell.line + cell.source.count("\n") + 1)
        is_last = not names_by_cell[number] or any(last[name] == number for name in names_by_cell[number])
        if is_last and any(place == cell.place and line in lines for place, line in needed):
            needed_cells.append(cell)
    return AnswerFile("this notebook", tuple(needed_cells), notebook=True)


def _split_statements(number: int, text: str, transform: Callable[[str], str]) -> Iterator[CodeCell]:
    """Yield each top-level statement of an executed input as a cell. Yields nothing if the input is invalid Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines, spans = text.split("\n"), list[list[int]]()
    for node in tree.body:
        if body := _read_magic_body(node):
            yield from _split_statements(number, transform(body), transform)
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))])
        end = node.end_lineno or first
        if spans and first <= spans[-1][1]:  # Two statements on one line.
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([first, end])
    for first, end in spans:
        yield CodeCell(f"cell [{number}]", first, "\n".join(lines[first - 1 : end]))


def _read_magic_body(node: ast.stmt) -> str | None:
    """Return the code below a magic such as ``%%time``, or None for other statements."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or getattr(call.func, "attr", "") != "run_cell_magic":
        return None
    texts = [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
    return "\n" + texts[2] if len(texts) == 3 and texts[0] in _TRANSPARENT else None


def _find_definitions(cell: CodeCell) -> list[str]:
    """Return the names that a cell defines if its first statement defines a function or class, otherwise []."""
    body = ast.parse(cell.source).body
    return [name for node in body for name in find_bound_names(node)] if isinstance(body[0], _DEFINITIONS) else []
