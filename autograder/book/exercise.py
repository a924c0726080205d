"""An exercise as a box: its signature, parameters, results, examples, and the stub to copy."""

import ast
import inspect
import re
from collections.abc import Iterator

from autograder.book.blocks import box, code, fold
from autograder.chapters.chapter import STUB, Exercise

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
Definition = ast.FunctionDef | ast.ClassDef
_NAMES = {"Parameters": "Goes in", "Returns": "Comes out", "Attributes": "Keeps", "Raises": "Raises"}


def contract(exercise: Exercise) -> str:
    definitions = [node for node in ast.parse(exercise.stub).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    main = next(node for node in definitions if node.name == exercise.name)
    content = [*_explain(main)]
    for node in definitions:
        if node is not main:
            content += [f"Part of it: **`{signature(node)}`**", *_explain(node)]
    button = f'<button type="button" class="copies" data-copies="stub-{exercise.name}">Copy the stub</button>'
    to_do = [number for number, line in enumerate(exercise.stub.splitlines(), 1) if line.strip() in STUB]
    stub = fold("stub", "The stub, as it is in your file", code(exercise.stub, to_do, f"stub-{exercise.name}"))
    return box("exercise", f"`{signature(main)}`", "\n\n".join([*content, button, stub]))


def signature(node: Definition) -> str:
    """Return how to call a function, or how to make an instance of a class."""
    functions = [node, *node.body] if isinstance(node, ast.ClassDef) else [node]
    calls = [call for call in functions if isinstance(call, ast.FunctionDef) and call.name in (node.name, "__init__")]
    written = ast.unparse(calls[0].args) if calls else ""
    return f"{node.name}({re.sub(r'^self(, )?', '', written)})"


def sections(docstring: str) -> dict[str, str]:
    """Return the sections of a NumPy-style docstring by name; the text before them has the name ""."""
    first, *others = _SECTION.split(docstring)
    return {"": first.strip(), **{name: text.strip("\n") for name, text in zip(others[::2], others[1::2], strict=True)}}


def entries(section: str) -> list[tuple[str, str, str]]:
    """Return (name, type, description) of each entry; a result may have no name."""
    rows: list[tuple[str, str, str]] = []
    for line in section.splitlines():
        if line.startswith(" ") or not line.strip():
            name, kind, text = rows[-1]
            rows[-1] = name, kind, f"{text} {line.strip()}".strip()
        else:
            name, colon, kind = line.partition(" : ")
            rows.append((name if colon else "", kind if colon else name, ""))
    return rows


def _explain(node: Definition) -> Iterator[str]:
    """Yield a docstring's sections, then those of the methods."""
    said = sections(ast.get_docstring(node) or "")
    yield said.pop("")
    said |= {name: said.pop(name) for name in ("References",) if name in said}  # after the examples
    for name, text in said.items():
        if name == "Examples":
            yield f"**Examples**\n\n{_examples(text)}"
        elif name in _NAMES:
            yield f"**{_NAMES[name]}**"
            yield "\n".join(_list_item(*entry, thrown=name == "Raises") for entry in entries(text))
        else:
            yield f"**{name}.** {inspect.cleandoc(text)}"
    for method in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(method, ast.FunctionDef) and method.name != "__init__" and ast.get_docstring(method):
            yield f"**`.{signature(method)}`**"
            yield from _explain(method)


def _list_item(name: str, kind: str, text: str, thrown: bool = False) -> str:
    what = f"`{kind}`" if thrown and not name else kind
    return f"- {f'**`{name}`** ' if name else ''}{what}{f': {text}' if text else ''}"


def _examples(text: str) -> str:
    """Return examples as code that a reader could type, with the sentences in between."""
    paragraphs = (part.strip("\n") for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(
        f"``` {{ .pycon }}\n{paragraph}\n```" if paragraph.startswith(">>>") else paragraph for paragraph in paragraphs
    )
