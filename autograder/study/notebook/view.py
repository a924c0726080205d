"""Verdicts in a notebook: a card with colours, pictures and hints to unfold, or the text that a terminal shows."""

import html
import io
import re

from autograder.chapters.text import clean
from autograder.views.pictures import page, picture_of
from autograder.views.terminal import LOOKS, Report

_CSS = """\
.attn-check{font:14px/1.5 system-ui,sans-serif;color:var(--jp-content-font-color1,inherit);max-width:60em}
.attn-check section{border-left:4px solid #8888;padding:.1em 0 .1em .9em;margin:.5em 0}
.attn-check section.attn-green{border-color:#1a7f37}.attn-check section.attn-red{border-color:#c62828}
.attn-check section.attn-magenta{border-color:#8e24aa}
.attn-check h4{font-size:15px;font-weight:600;margin:.1em 0}.attn-check h4 small{font-weight:400;opacity:.8}
.attn-check p{margin:.4em 0}.attn-check pre{white-space:pre-wrap;margin:.3em 0;font-size:13px}
.attn-check .attn-lesson{font-weight:600}.attn-check details{margin:.4em 0}
.attn-check details details{margin-left:0}
.attn-check summary{display:inline-block;cursor:pointer;border:1px solid #8888;border-radius:6px;padding:.1em .7em}
.attn-check summary:hover{background:#8882}
"""


class Checked:
    """What a check in a notebook found.

    Parameters
    ----------
    verdicts : list of (Task, ExerciseVerdict)
    """

    def __init__(self, verdicts):
        self.verdicts = verdicts

    def __repr__(self):
        from rich.console import Console  # noqa: PLC0415  (only where there is no page)

        text = io.StringIO()
        # A kernel looks like a page to Rich, which would then print pages of its own.
        report = Report(Console(file=text, width=100, highlight=False, force_jupyter=False, force_terminal=False))
        for task, verdict in self.verdicts:
            report.add(task, verdict)
        report.finish()
        return "\n".join(line.rstrip() for line in text.getvalue().strip("\n").split("\n"))

    def _repr_html_(self):
        """The card: every text in it is escaped."""
        cards = "".join(_card(task, verdict) for task, verdict in self.verdicts)
        return f'<style>{_CSS}{page.CSS}</style><div class="attn-check">{cards}</div>'


def _card(task, verdict):
    sign, _, word, style = LOOKS[verdict.outcome]
    points = f"{verdict.points} of {verdict.max_points} points"
    parts = [f"<h4>{sign} {_text(verdict.exercise)}: {word} <small>({points})</small></h4>"]
    if verdict.outcome != "passed":
        test = verdict.speaking
        parts += [f"<pre>{_text(test.call)}</pre>"] if test.call else []
        parts.append(f"<p>{_text(test.finding)}</p>")
        picture = picture_of(test.mismatch)
        parts += [page.as_html(picture)] if picture else []
        parts += [f'<p class="attn-lesson">{_prose(verdict.lesson)}</p>'] if verdict.lesson else []
        parts += [f"<p>{_prose(verdict.hint)}</p>"] if verdict.hint else []
        parts.append(_hints(task.chapter.exercise(verdict.exercise).hints))
    if verdict.printed:
        parts.append(f"<details><summary>What it printed</summary><pre>{_text(verdict.printed)}</pre></details>")
    return f'<section class="attn-{style}">{"".join(parts)}</section>'


def _hints(hints):
    """Hints to unfold, each inside the one before: one more each time."""
    folded = ""
    for number, hint in reversed(list(enumerate(hints, start=1))):
        folded = f"<details><summary>Hint {number} of {len(hints)}</summary><p>{_prose(hint)}</p>{folded}</details>"
    return folded


def _text(text):
    return html.escape(clean(text))


def _prose(text):
    """Our own prose, in which code stands between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", _text(text))
