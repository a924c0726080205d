"""Pictures of terminals, as SVG."""

import io
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from support.pictures.answers import learners_folder, make_mistake
from support.terminal import Terminal

ATTN = Path(sys.executable).with_name("attn")
_CLEARED = "\x1b[2J\x1b[H"
_WHEN = re.compile(r"checked at \d\d:\d\d:\d\d")
_ONE_QUERY = ["single_dot_attention_score", "dot_attention_score", "normalize_by_sum"]


def watch(folder):
    """What `attn watch` shows after a wrong answer was saved."""
    path = learners_folder(folder, "one_query", _ONE_QUERY)
    terminal = _terminal(folder, "watch")
    try:
        terminal.wait_for(r"Next: write softmax.*quit")
        make_mistake(path, "softmax", "no_maximum_subtracted")
        terminal.wait_for(r"wrong.*quit")
        return _svg(terminal.raw.rpartition(_CLEARED)[2], "attn watch")
    finally:
        terminal.close()


def verdict(folder):
    """What `attn check` says of a chapter with a mistake in it."""
    solved = ["attention_scores", "context_vectors", "batched_softmax"]
    learners_folder(folder, "all_queries", solved, ("causal_mask", "looks_ahead"))
    terminal = _terminal(folder, "check", "all_queries")
    try:
        terminal.wait_for(r"Next: .*\n")
        return _svg(terminal.raw, "attn check all_queries")
    finally:
        terminal.close()


SCREENS = {"watch": watch, "verdict": verdict}


def _terminal(folder, *arguments):
    return Terminal(ATTN, *arguments, cwd=folder, COLORTERM="truecolor", LANG="C.UTF-8")


def _svg(written, title):
    """The picture of what was written, without codes that move, and without a font from elsewhere."""
    text = re.sub(r"[^\n]*(\r|\n[^\n]*\x1b\[1A)\x1b\[2K", "", written)  # lines that were wiped
    text = re.sub(r"\x1b\[[\d;?]*[A-LN-Za-ln-z]", "", text).replace("\r", "")
    text = _WHEN.sub("checked at 10:24:00", text).strip("\n")
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(text), soft_wrap=True)
    svg = console.export_svg(title=title, unique_id=title.replace(" ", "-"))
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
