"""Markdown blocks of the pages: code, boxes and folded boxes."""

import textwrap
from collections.abc import Collection


def make_code(source: str, marked: Collection[int] = (), name: str = "") -> str:
    """Return a Markdown block of Python that highlights the line numbers `marked`. `name` is the block's HTML ID."""
    lines = f' hl_lines="{" ".join(map(str, marked))}"' if marked else ""
    return f"``` {{ .python{name and f' #{name}'}{lines} }}\n{source}\n```"


def make_box(kind: str, title: str, text: str) -> str:
    return f'!!! {kind} "{title}"\n\n' + textwrap.indent(text, "    ")


def make_fold(kind: str, title: str, text: str) -> str:
    return make_box(kind, title, text).replace("!!!", "???", 1)
