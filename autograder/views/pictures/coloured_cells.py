"""The comparison of a result with the target as coloured terminal cells. Without colour, asterisks mark differences."""

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from autograder.views.pictures import DIFFERENCES, ODD, STEPS, VALUES, choose_ink
from autograder.views.pictures.picture import MatrixPanel, Picture

ROWS, COLUMNS = 6, 8  # a larger matrix is cropped to fit a terminal
BESIDE = 3  # minimum number of columns for panels next to each other; panels with fewer are stacked
_GAP = 3


class PrintablePicture:
    """A picture that Rich can print. The panel with the difference is left out if there is no room for it."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        picture, columns = self.picture.crop(ROWS, COLUMNS), COLUMNS
        coloured = console.color_system not in (None, "standard", "windows")  # 16 colours are too few for a scale
        grids = [_make_grid(picture, panel, coloured) for panel in picture.make_panels()]
        while columns > 1 and not _has_room(console, options, grids, columns <= BESIDE):
            columns -= 1
            picture = self.picture.crop(ROWS, columns)
            grids = [_make_grid(picture, panel, coloured) for panel in picture.make_panels()]
        for count in (3, 2):
            panels_in_row = grids[:count]
            if sum(_measure_width(console, options, grid) + _GAP for grid in panels_in_row) - _GAP <= options.max_width:
                row = Table.grid(padding=(0, _GAP, 0, 0))
                row.add_row(*panels_in_row)
                yield row
                break
        else:
            yield from grids[:2]
        for note in picture.notes:
            yield Text(note, "dim")


def _has_room(console: Console, options: ConsoleOptions, grids: list[Group], one_by_one: bool) -> bool:
    """Return whether the panels "yours" and "target" fit next to each other or, if `one_by_one`, stacked."""
    yours, target = (_measure_width(console, options, grid) for grid in grids[:2])
    return (max(yours, target) if one_by_one else yours + _GAP + target) <= options.max_width


def _measure_width(console: Console, options: ConsoleOptions, grid: Group) -> int:
    return Measurement.get(console, options.update(width=1000), grid).maximum


def _make_grid(picture: Picture, panel: MatrixPanel, coloured: bool) -> Group:
    grid = Table(box=None, show_header=False, padding=0)
    scale = DIFFERENCES if panel.diverging else VALUES
    height, width = panel.values.shape
    margin = panel.format_sums()
    for _ in range(width + bool(picture.row_axis) + bool(margin)):
        grid.add_column(justify="right", no_wrap=True)
    if picture.row_axis:
        header = ("", *picture.columns[:width], *(["sum"] if margin else []))
        grid.add_row(*(Text(f"{label} ", "dim") for label in header))
    rows = zip(picture.rows[:height], panel.format_numbers(), panel.marks, panel.find_colour_levels(STEPS), strict=True)
    for number, (label, texts, marks, levels) in enumerate(rows):
        cells = [
            _format_cell(text, mark and not panel.diverging, scale[level] if level >= 0 else ODD, coloured)
            for text, mark, level in zip(texts, marks, levels, strict=True)
        ]
        margin_cells = [Text(f" {margin[0][number]} ", "italic")] if margin else []
        grid.add_row(*([Text(f"{label} ", "dim")] if picture.row_axis else []), *cells, *margin_cells)
    if margin:
        grid.add_row(Text("sum ", "dim"), *(Text(f" {text} ", "italic") for text in margin[1]), Text(""))
    return Group(Text(panel.title, "dim"), grid)


def _format_cell(text: str, mark: bool, colour: str, coloured: bool) -> Text:
    content = f" {text}{'*' if mark else ' '}"
    if coloured:
        return Text(content, f"{'bold ' if mark else ''}{choose_ink(colour)} on {colour}")
    return Text(content, "bold red" if mark else "")
