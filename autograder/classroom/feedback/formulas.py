"""Formulas as pictures: MathJax would have to be fetched from the internet by everybody who reads a feedback page."""

import base64
import functools
import html
import io
import re

_FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\\$])\$([^$\n]+)\$", re.DOTALL)
_INLINE, _DISPLAY = 11.5, 13.5  # points: as tall as the page's letters, and larger


def with_formulas_drawn(markdown):
    """Prose of ours with an ``img`` for each formula; the few that Matplotlib cannot draw are shown as TeX.

    Only what we wrote is drawn: nobody has tried what a learner's formula can make of the parser.
    """
    return _FORMULA.sub(lambda found: _drawn(" ".join((found[1] or found[2]).split()), bool(found[1])), markdown)


@functools.lru_cache(maxsize=1000)
def _drawn(tex, is_display):
    from matplotlib.font_manager import FontProperties  # noqa: PLC0415  (slow to import, and few pages need it)
    from matplotlib.mathtext import math_to_image  # noqa: PLC0415

    file, shown = io.BytesIO(), html.escape(tex)
    tex = tex.replace(r"\le ", r"\leq ")  # Matplotlib knows the longer name alone
    tex = tex.replace(r"\frac", r"\dfrac") if is_display else tex
    style = FontProperties(size=_DISPLAY if is_display else _INLINE, math_fontfamily="stix")
    try:
        depth = math_to_image(f"${tex}$", file, style, format="svg")
    except ValueError:  # such as \begin{cases}
        return f"<code>{shown}</code>"
    look = "display:block;margin:.8em auto" if is_display else f"display:inline;vertical-align:{-depth:.2f}pt"
    address = base64.b64encode(file.getvalue()).decode()
    return f'<img alt="{shown}" style="{look}" src="data:image/svg+xml;base64,{address}">'
