"""A picture as coloured HTML tables of numbers, which are readable without the colours, too."""

import html
from collections.abc import Sequence

from autograder.views.pictures import DIFFERENCES, ODD, STEPS, VALUES, choose_ink
from autograder.views.pictures.picture import MatrixPanel, Picture

MAX_SIDE = 10  # limit for the rows and columns of a table; larger ones are cropped


def _make_scale_css(name: str, scale: Sequence[str]) -> str:
    return "".join(_make_cell_css(f"{name}{step}", colour) for step, colour in enumerate(scale))


def _make_cell_css(name: str, colour: str) -> str:
    # The style sheet of nbgrader's pages would print everything black on white.
    return f".attn-picture .{name}{{background:{colour}!important;color:{choose_ink(colour)}!important}}"


CSS = (
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


def render_picture(picture: Picture) -> str:
    """Return a picture as tables in escaped HTML. The page must contain `CSS` once."""
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
