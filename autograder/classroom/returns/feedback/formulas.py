"""Formulas as pictures: MathJax would have to be fetched from the internet by everybody who reads a feedback page."""

from __future__ import annotations

import base64
import functools
import html
import io
import re
from typing import TYPE_CHECKING

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter

if TYPE_CHECKING:
    from autograder.chapters.curriculum import Home


_FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+)\$", re.DOTALL)
_INLINE, _DISPLAY = 11.5, 13.5  # points: as tall as the page's letters, and larger


def with_formulas_drawn(markdown: str) -> str:
    """Prose of ours with an ``img`` for each formula; the few that Matplotlib cannot draw are shown as TeX.

    Only what we wrote is drawn: nobody has tried what a learner's formula can make of the parser.
    """
    return _FORMULA.sub(lambda found: _drawn(_tex(found), bool(found[1])), markdown)


def formgrader_markdown(markdown: str) -> str:
    """Markdown as HTML for Formgrader, which asks the internet for MathJax: formulas of the chapters are drawn here."""
    from nbconvert.filters import markdown2html  # noqa: PLC0415

    known = _of_chapters(curriculum.own_home())
    drawn = _FORMULA.sub(
        lambda found: _drawn(_tex(found), bool(found[1])) if _tex(found) in known else found[0], markdown
    )
    return markdown2html(drawn)


@functools.lru_cache(maxsize=2)
def _of_chapters(own: Home | None) -> set[str]:
    """All formulas in the prose of the kit's chapters, and of a course's own chapters, questions and words."""
    names = [*curriculum.CHAPTERS, *(sorted(path.stem for path in own.solutions.glob("*.py")) if own else ())]
    prose = [cell.source for name in names for cell in read_chapter(name).cells if cell.kind == "markdown"]
    prose += [path.read_text(encoding="utf-8", errors="replace") for path in own.solutions.glob("*.md")] if own else []
    return {_tex(found) for source in prose for found in _FORMULA.finditer(source)}


def _tex(found: re.Match[str]) -> str:
    return " ".join((found[1] or found[2]).split())


@functools.lru_cache(maxsize=1000)
def _drawn(tex: str, is_display: bool) -> str:
    from matplotlib import rc_context  # noqa: PLC0415  (slow to import, and few pages need it)
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415
    from matplotlib.mathtext import math_to_image  # noqa: PLC0415

    file, shown = io.BytesIO(), html.escape(tex)
    tex = tex.replace(r"\le ", r"\leq ")  # Matplotlib knows the longer name alone
    tex = tex.replace(r"\frac", r"\dfrac") if is_display else tex
    style = FontProperties(size=_DISPLAY if is_display else _INLINE, math_fontfamily="stix")
    try:
        with rc_context({"savefig.transparent": True}):  # in the dark the page turns its colours round
            depth = math_to_image(f"${tex}$", file, style, format="svg")
    except ValueError:  # such as \begin{cases}
        return f"<code>{shown}</code>"
    look = "display:block;margin:.8em auto" if is_display else f"display:inline;vertical-align:{-depth:.2f}pt"
    address = base64.b64encode(file.getvalue()).decode()
    look += ";border:0"  # Formgrader draws red boxes around pictures
    return f'<img alt="{shown}" style="{look}" src="data:image/svg+xml;base64,{address}">'
