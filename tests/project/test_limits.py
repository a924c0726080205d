"""docs/limits.md lists all limits of time and size. `python tests/project/test_limits.py` creates it from constants."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "limits.md"
IS_LIMIT = re.compile(r"_?(MAX|MIN|MOST|LONGEST|LARGEST)(_\w+)?|\w*(SECONDS|BYTES)(_\w+)?|\w+_MS")
ROOMS = ("worker", "boundary", "judging", "grading", "chapters", "study", "serve", "classroom", "platforms")
HEAD = """\
# Limits

Every bound of time and size, with the module to change it in. A test compares this page with the constants;
`.venv/bin/python tests/project/test_limits.py` writes it. What an answer may use of the machine is `LIMITS` in
`boundary/sandbox.py`.
"""


def limits_of(path):
    """Yield (names, value, comment) for each limit among the constants of a module."""
    text = path.read_text(encoding="utf-8")
    for node in ast.parse(text).body:
        if not (isinstance(node, ast.Assign) and isinstance(node.value, (ast.Constant, ast.BinOp, ast.Tuple))):
            continue
        names = ast.unparse(node.targets[0]).strip("()")
        if all(map(IS_LIMIT.fullmatch, names.split(", "))):
            code, _, comment = text.splitlines()[node.lineno - 1].partition("  # ")
            yield names, code.partition(" = ")[2], comment.replace("|", "\\|")


def page():
    lines = [HEAD]
    for room in ROOMS:
        paths = sorted((ROOT / "autograder" / room).rglob("*.py"))
        rows = [(path, *row) for path in paths if "templates" not in path.parts for row in limits_of(path)]
        if rows:
            lines += [f"## {room}\n", "| limit | value | of what | module |", "| --- | --- | --- | --- |"]
            lines += [
                f"| `{names}` | {value} | {comment} | `{path.relative_to(ROOT / 'autograder').as_posix()}` |"
                for path, names, value, comment in rows
            ]
            lines.append("")
    return "\n".join(lines)


def test_the_page_lists_every_limit():
    assert "| `CALL_SECONDS` | 5.0 |" in page()
    assert PAGE.read_text(encoding="utf-8") == page(), "run `.venv/bin/python tests/project/test_limits.py`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
