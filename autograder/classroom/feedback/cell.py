"""What stands under a grade cell, in Formgrader and on the feedback page: points, the reason, a picture, the output.

All of it is text to a browser: what a learner wrote, printed or raised is cleaned and escaped. It stands alone, styles
included, because each grade cell's output is shown wherever notebooks are.
"""

import html
import re
import sys
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.text import clean
from autograder.views.pictures import picture_of
from autograder.views.pictures.page import CSS as PICTURE_CSS
from autograder.views.pictures.page import as_html

_RIGHT, _PARTLY = "#2e7d32", "#b26a00"
_PLACES = (curriculum.ROOT, sys.prefix, sys.base_prefix, Path.home())

_CSS = (
    ".attn{font:14px/1.5 system-ui,'Helvetica Neue',sans-serif;border-left:4px solid;padding:.1em 0 .1em 1em;"
    "margin:.4em 0 1em;max-width:62em;color:#1b1b1b;overflow-wrap:anywhere}"
    ".attn p{margin:.35em 0;white-space:pre-wrap}"
    ".attn code,.attn pre{font:12.5px/1.45 ui-monospace,Menlo,Consolas,monospace;color:inherit;background:#f4f4f4;"
    "border:0;padding:.1em .3em;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".attn pre{padding:.6em .8em;margin:.3em 0;max-height:18em;overflow:auto}"
    ".attn .attn-lesson{font-weight:600}"
    ".attn .attn-hint,.attn .attn-printed{color:#444}"
    "@media print{.attn pre{max-height:none}.attn,.attn figure{break-inside:avoid}}"
)


def feedback_html(verdict):
    """The feedback on one exercise, for the learner.

    Parameters
    ----------
    verdict : autograder.judging.verdict.ExerciseVerdict

    Returns
    -------
    str
        A ``section`` of HTML.
    """
    speaking, picture = verdict.speaking, ""
    passed = sum(test.outcome == "passed" for test in verdict.tests)
    summary = f"{passed} of {len(verdict.tests)} tests passed."
    parts = [f"<p><strong>{verdict.points:g} of {verdict.max_points:g} points.</strong> {summary}</p>"]
    if speaking:
        call = f"<code>{_escaped(speaking.call)}</code> " if speaking.call else ""
        parts.append(f"<p>{call}{prose(speaking.finding)}</p>")
        if drawn := picture_of(speaking.mismatch):
            picture = as_html(drawn)
            parts.append(picture)
        parts += [f'<p class="attn-lesson">{prose(verdict.lesson)}</p>'] if verdict.lesson else []
        parts += [f'<p class="attn-hint"><em>Hint:</em> {prose(verdict.hint)}</p>'] if verdict.hint else []
    if verdict.printed.strip():
        parts.append(f'<p class="attn-printed">Your code printed:</p><pre>{_escaped(verdict.printed.rstrip())}</pre>')
    colour = _RIGHT if verdict.points == verdict.max_points else _PARTLY
    css = _CSS + (PICTURE_CSS if picture else "")
    return f'<section class="attn" style="border-color:{colour}"><style>{css}</style>{"".join(parts)}</section>'


def prose(sentence):
    """A sentence as HTML: escaped, and what stands in backticks as code."""
    return re.sub("`([^`\n]+)`", r"<code>\1</code>", _escaped(sentence))


def _escaped(text):
    """Text as a browser shows it, without places on the teacher's machine, which an answer may print or raise."""
    text = clean(text.expandtabs(4).replace("\r\n", "\n"))
    for place in sorted({str(place) for place in _PLACES} - {"/", "/usr"}, key=len, reverse=True):
        text = text.replace(place, "…")
    return html.escape(text)
