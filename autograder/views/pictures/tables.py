"""The picture as HTML tables: numbers for all readers, colours for those who see them."""

import html
from collections.abc import Sequence

from autograder.views.pictures import DIFFERENCES, ODD, STEPS, VALUES, choose_ink
from autograder.views.pictures.picture import Panel, Picture

MAX_SIDE = 10  # rows and columns; larger tables are cropped


def _scale_css(name: str, scale: Sequence[str]) -> str:
    return "".join(_cell_css(f"{name}{step}", colour) for step, colour in enumerate(scale))


def _cell_css(name: str, colour: str) -> str:
    # nbgrader's page prints everything black on white unless told otherwise.
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
    f"{_cell_css('o', ODD)}{_scale_css('v', VALUES)}{_scale_css('d', DIFFERENCES)}"
)


def render_picture(picture: Picture) -> str:
    """Return the tables as escaped HTML. The page must contain `CSS` once."""
    summary = picture.summary
    picture = picture.crop(MAX_SIDE, MAX_SIDE)
    tables = "".join(_render_table(picture, panel) for panel in picture.make_panels())
    said = html.escape(" ".join((summary, *picture.notes)))
    return f'<figure class="attn-picture"><div>{tables}</div><figcaption>{said}</figcaption></figure>'


def _render_table(picture: Picture, panel: Panel) -> str:
    height, width = panel.values.shape
    heads, columns = picture.format_labels()
    name = "d" if panel.diverging else "v"
    rows: list[str] = []
    margin = panel.format_sums()
    for number, (head, texts, marks, levels) in enumerate(
        zip(heads[:height], panel.format_numbers(), panel.marks, panel.find_colour_levels(STEPS), strict=True)
    ):
        cells = "".join(
            f"<td class={f'{name}{level}' if level >= 0 else 'o'}>{f'<b>{text}</b>' if mark else text}"
            for text, mark, level in zip(texts, marks, levels, strict=True)
        )
        beside = f"<th>{margin[0][number]}" if margin else ""
        rows.append(f"<tr>{f'<th scope=row>{html.escape(head)}' if picture.row_axis else ''}{cells}{beside}")
    if margin:
        rows.append("<tr><th scope=row>sum" + "".join(f"<th>{text}" for text in margin[1]))
    corner = "<th>" if picture.row_axis else ""
    heads_above = [*columns[:width], *(["sum"] if margin else [])]
    top = "".join(f"<th scope=col>{html.escape(column)}" for column in heads_above)
    caption = f"{panel.title} (yours − target)" if panel.diverging else panel.title
    return f"<table><caption>{caption}</caption><tr>{corner}{top}{''.join(rows)}</table>"
