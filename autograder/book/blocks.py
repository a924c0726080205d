"""Blocks of the pages' Markdown: code, boxes, and boxes that are folded."""

import textwrap
from collections.abc import Collection


def code(source: str, marked: Collection[int] = (), name: str = "") -> str:
    """Python, with some lines marked; a script finds it by its name."""
    lines = f' hl_lines="{" ".join(map(str, marked))}"' if marked else ""
    return f"``` {{ .python{name and f' #{name}'}{lines} }}\n{source}\n```"


def box(kind: str, title: str, text: str) -> str:
    return f'!!! {kind} "{title}"\n\n' + textwrap.indent(text, "    ")


def fold(kind: str, title: str, text: str) -> str:
    return box(kind, title, text).replace("!!!", "???", 1)
