"""The text of an answer: without the brackets that only `ast.unparse` writes, and without lines that are too long."""

import ast
import itertools
import re

_WIDTH = 120
_PIECES = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[(\[{]|[)\]}]|, | for | if """)


def text_of(node):
    """The text of a function, a class or an assignment."""
    text = ast.unparse(ast.fix_missing_locations(node))
    text = text.replace("nn.Module.__init__(self)", "super().__init__()").replace("1000000000.0", "1e9")
    lines = text.split("\n")
    for number in set(range(len(lines))) - _described(text):
        line = _without_brackets(lines[number])
        broken = _broken(line)
        lines[number] = broken if _tree(broken) == _tree(line) else line
    return "\n".join(lines)


def _described(text):
    """Numbers of the lines of docstrings."""
    numbers = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            numbers |= set(range(node.body[0].lineno - 1, node.body[0].end_lineno))
    return numbers


def _without_brackets(line):
    """The line without brackets around a whole tuple, and without the second ones around a generator."""
    match = re.fullmatch(r"( *(?:return|[\w., ]+ =) )\((.+)\)", line)
    if match and _tree(match[1] + match[2]) == _tree(line):
        line = match[1] + match[2]
    pairs = _pairs(line)
    for start, end in pairs:
        shorter = line[:start] + line[start + 1 : end - 1] + line[end:]
        if (start + 1, end - 1) in pairs and line[start : start + 2] == "((" and _tree(shorter) == _tree(line):
            return _without_brackets(shorter)
    return line


def _broken(line):
    """A long line as several, broken as formatters do: at its last brackets, then at what stands between commas."""
    if len(line) <= _WIDTH:
        return line
    margin = line[: len(line) - len(line.lstrip())]
    pairs = _pairs(line)
    outer = [(s, e) for s, e in pairs if s < _WIDTH and e > s + 1 and not any(a < s and e < b for a, b in pairs)]
    if not outer:
        return line
    start, end = outer[-1]
    inner = f"{margin}    {line[start + 1 : end]}"
    parts = [inner] if len(inner) <= _WIDTH else [f"{margin}    {part}" for part in _cut(inner.strip())]
    return "\n".join([line[: start + 1], *map(_broken, parts), margin + line[end:]])


def _cut(text):
    """What stands between the commas of a list, or the parts of a comprehension."""
    places, depth = [], 0
    for piece in _PIECES.finditer(text):
        depth += (piece[0] in "([{") - (piece[0] in ")]}")
        if depth == 0 and piece[0] in (", ", " for ", " if "):
            places.append(piece)
    loops = list(itertools.dropwhile(lambda piece: piece[0] != " for ", places))
    places = [piece for piece in loops if piece[0] != ", "] or [piece for piece in places if piece[0] == ", "]
    starts = [0, *(piece.start() + 1 if loops else piece.end() for piece in places)]
    ends = [*(piece.start() for piece in places), len(text)]
    comma = "," if places and not loops else ""
    return [text[start:end] + comma for start, end in zip(starts, ends, strict=True)]


def _pairs(line):
    """Where brackets open and close, in the order in which they open."""
    opened, pairs = [], []
    for piece in _PIECES.finditer(line):
        if piece[0] in "([{":
            opened.append(piece.start())
        elif piece[0] in ")]}" and opened:
            pairs.append((opened.pop(), piece.start()))
    return sorted(pairs)


def _tree(text):
    """What a line says, whatever its brackets; something of its own where it is no statement."""
    text = text.strip()
    try:
        return ast.dump(ast.parse(f"{text} pass" if text.endswith(":") else text))
    except SyntaxError:
        return object()
