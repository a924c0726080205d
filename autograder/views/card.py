"""A verdict as an HTML card, for notebooks, for grade cells in Formgrader, and for feedback pages.

Code, output and errors of a learner are cleaned and escaped. Each card contains its styles, because a notebook can be
displayed anywhere.
"""

import html
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.text import clean, split_prose_and_code
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.views.lines import look_of
from autograder.views.picture import DIFFERENCES, ODD, STEPS, VALUES, MatrixPanel, Picture, choose_ink
from autograder.views.words import MessagePart, label_hints, list_own_hints, list_parts, merge_hints

_COLOURS = {"green": "#2e7d32", "red": "#b26a00", "magenta": "#8e24aa"}
# Folders of the grading machine, whose paths are removed from cards.
_PLACES = (curriculum.KIT, sys.prefix, sys.base_prefix, Path.home())
MAX_SIDE = 10  # limit for the rows and columns of a table; larger ones are cropped

_CSS = (
    ".attn{font:14px/1.5 system-ui,'Helvetica Neue',sans-serif;border-left:4px solid #8888;padding:.1em 0 .1em 1em;"
    "margin:.4em 0 1em;max-width:62em;color:var(--jp-content-font-color1,#1b1b1b);overflow-wrap:anywhere}"
    ".attn p{margin:.35em 0;white-space:pre-wrap}"
    ".attn code,.attn pre{font:12.5px/1.45 ui-monospace,Menlo,Consolas,monospace;color:inherit;background:#8881;"
    "border:0;padding:.1em .3em;white-space:pre-wrap;overflow-wrap:anywhere}"
    ".attn pre{padding:.6em .8em;margin:.3em 0;max-height:18em;overflow:auto}"
    ".attn .attn-lesson,.attn .attn-relation,.attn .attn-cause,.attn .attn-line{font-weight:600}"
    ".attn .attn-printed{opacity:.85}"
    ".attn summary{display:inline-block;cursor:pointer;border:1px solid #8888;border-radius:6px;padding:.1em .7em}"
    ".attn details{margin:.4em 0}.attn details details{margin-left:0}.attn summary:hover{background:#8882}"
    "@media print{.attn pre{max-height:none}.attn,.attn figure{break-inside:avoid}}"
)


def _make_scale_css(name: str, scale: Sequence[str]) -> str:
    return "".join(_make_cell_css(f"{name}{step}", colour) for step, colour in enumerate(scale))


def _make_cell_css(name: str, colour: str) -> str:
    # The style sheet of nbgrader's pages would print everything black on white.
    return f".attn-picture .{name}{{background:{colour}!important;color:{choose_ink(colour)}!important}}"


_PICTURE_CSS = (
    ".attn-picture{margin:.6em 0;white-space:normal}"
    ".attn-picture>div{display:flex;flex-wrap:wrap;gap:.6em 1.6em;align-items:flex-start}"
    ".attn-picture table{border-collapse:collapse;width:auto;margin:0;display:block;max-width:100%;overflow-x:auto;"
    "font:12px/1.2 ui-monospace,Menlo,Consolas,monospace;border:0;table-layout:auto}"
    ".attn-picture caption{caption-side:top;text-align:left;padding:0 0 .3em;color:inherit;white-space:nowrap;"
    "font:600 13px system-ui,sans-serif}"
    ".attn-picture th{font-weight:400;text-align:right;padding:.2em .5em;white-space:nowrap;border:0;background:none}"
    ".attn-picture td{text-align:right;padding:.35em .5em;white-space:nowrap;border:1px solid #8888;min-width:3em;"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    ".attn-picture figcaption{font:13px system-ui,sans-serif;margin:.3em 0 0;color:inherit}"
    ".attn-picture .o{font-weight:700;border:2px dashed #555}"
    f"{_make_cell_css('o', ODD)}{_make_scale_css('v', VALUES)}{_make_scale_css('d', DIFFERENCES)}"
)


def to_card(verdict: ExerciseVerdict, hints: Sequence[str] = (), with_points: bool = True, unfolds: bool = True) -> str:
    """Return the card of one exercise. The exercise's `hints` are shown after those on the mistake."""
    look, passed_count = look_of(verdict), sum(test.outcome == "passed" for test in verdict.tests)
    points = f'<span class="attn-points">{verdict.points:g} of {verdict.max_points:g} points.</span> ' * with_points
    word, tests = look.word, f"{passed_count} of {len(verdict.tests)} tests passed."
    if not verdict.is_read:
        word, tests = "not read", ""
    parts = [f"<p><strong>{look.sign} {_escape(verdict.exercise)}: {word}.</strong> {points}{tests}</p>"]
    words = list_parts(verdict)
    row = merge_hints(list_own_hints(verdict), hints)
    parts += (_render_part(word, len(row)) for word in words)
    parts += [_render_hints(row, bool(verdict.hint))] if unfolds and verdict.outcome != "passed" else []
    css = _CSS + (_PICTURE_CSS if any(word.picture for word in words) else "")
    colour = _COLOURS.get(look.style, "#888888")
    return f'<section class="attn" style="border-color:{colour}"><style>{css}</style>{"".join(parts)}</section>'


def to_html(sentence: str) -> str:
    """Return a sentence as escaped HTML, with text in backticks as code."""
    return re.sub("`([^`\n]+)`", r"<code>\1</code>", _escape(sentence))


def _render_part(word: MessagePart, hint_count: int) -> str:
    if word.picture:
        return render_picture(word.picture)
    if word.kind == "printed":
        place, _, output = word.text.partition("\n")
        return f'<p class="attn-printed">{_escape(place)}</p>{f"<pre>{_escape(output)}</pre>" if output else ""}'
    if word.kind == "whole":
        return f"<details><summary>The whole call</summary><pre>{_escape(word.text)}</pre></details>"
    if word.kind == "call":
        return f"<p><code>{_escape(word.text)}</code></p>"
    label = f"<strong>{label_hints(hint_count)}</strong> " if word.kind == "hint" else ""
    return f'<p class="attn-{word.kind}">{label}{to_html(word.text)}</p>'


def _render_hint(hint: str) -> str:
    """Return a hint as HTML: paragraphs without line breaks, and code unchanged."""
    return "".join(
        f"<pre>{_escape(part)}</pre>" if is_code else f"<p>{to_html(' '.join(part.split()))}</p>"
        for is_code, part in split_prose_and_code(hint)
    )


def _render_hints(hints: Sequence[str], shown_count: int) -> str:
    """Return the hints after the first `shown_count` as nested <details>, in which each hint contains the next."""
    details = ""
    for number, hint in reversed(list(enumerate(hints, start=1))[shown_count:]):
        details = f"<details><summary>Hint {number} of {len(hints)}</summary>{_render_hint(hint)}{details}</details>"
    return details


def _escape(text: str) -> str:
    """Return escaped text without paths of the grading machine, which may occur in an answer's output or errors."""
    for place in sorted({str(place) for place in _PLACES} - {"/", "/usr"}, key=len, reverse=True):
        text = text.replace(place, "…")
    return html.escape(clean(text))


def render_picture(picture: Picture) -> str:
    """Return a picture as tables in escaped HTML. The page must contain `_PICTURE_CSS` once."""
    summary = picture.summary
    picture = picture.crop(MAX_SIDE, MAX_SIDE)
    tables = "".join(_render_table(picture, panel) for panel in picture.make_panels())
    caption = html.escape(" ".join((summary, *picture.notes)))
    return f'<figure class="attn-picture"><div>{tables}</div><figcaption>{caption}</figcaption></figure>'


def _render_table(picture: Picture, panel: MatrixPanel) -> str:
    height, width = panel.values.shape
    heads, columns = picture.format_labels()
    name = "d" if panel.diverging else "v"
    rows: list[str] = []
    margin = panel.format_sums()
    for number, (label, texts, marks, levels) in enumerate(
        zip(heads[:height], panel.format_numbers(), panel.marks, panel.find_colour_levels(STEPS), strict=True)
    ):
        cells = "".join(
            f"<td class={f'{name}{level}' if level >= 0 else 'o'}>{f'<b>{text}</b>' if mark else text}"
            for text, mark, level in zip(texts, marks, levels, strict=True)
        )
        margin_cell = f"<th>{margin[0][number]}" if margin else ""
        rows.append(f"<tr>{f'<th scope=row>{html.escape(label)}' if picture.row_axis else ''}{cells}{margin_cell}")
    if margin:
        rows.append("<tr><th scope=row>sum" + "".join(f"<th>{text}" for text in margin[1]))
    corner = "<th>" if picture.row_axis else ""
    heads_above = [*columns[:width], *(["sum"] if margin else [])]
    top = "".join(f"<th scope=col>{html.escape(column)}" for column in heads_above)
    caption = f"{panel.title} (yours − target)" if panel.diverging else panel.title
    return f"<table><caption>{caption}</caption><tr>{corner}{top}{''.join(rows)}</table>"
