"""The terminal output of `attn check`: finished exercises, wrong ones with explanations, and the next step."""

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.chapters.answers import Task
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.chapters.text import clean
from autograder.judging.verdict.finding import round_points
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.views.lines import has_unicode, look_of, make_link
from autograder.views.picture import DIFFERENCES, ODD, STEPS, VALUES, MatrixPanel, Picture, choose_ink
from autograder.views.words import find_place, label_hints, list_own_hints, list_parts, merge_hints

PRINTED_LINES = 4  # lines of an answer's output; more would push the verdict off a small screen
PRINTED_LENGTH = 300
ROWS, COLUMNS = 6, 8  # a larger matrix is cropped to fit a terminal
_GAP = 3


class TerminalReport:
    """A report that prints each verdict as it arrives, and a summary at the end."""

    def __init__(self, console: Console) -> None:
        self.console, self.unicode = console, has_unicode(console)
        self.verdicts: list[tuple[Task, ExerciseVerdict]] = []
        self.chapter: Chapter | None = None
        self._blank = False  # whether the last printed line is empty

    def add(self, task: Task, verdict: ExerciseVerdict) -> None:
        if task.chapter is not self.chapter:
            self.chapter = task.chapter
            gap = "" if self._blank else "\n"
            path = make_link(task.answer.path, self.console, "dim")
            self._print_path(Text.assemble(gap, (task.chapter.title, "bold"), "  ", path))
        self.verdicts.append((task, verdict))
        width = max(len(exercise.name) for exercise in task.chapter.exercises)
        self.console.print(format_line(verdict, width, self.unicode))
        self._blank = verdict.outcome not in ("passed", "unattempted")
        if self._blank:
            self._print_below(explain(verdict, is_whole=not self.console.is_terminal), 1)
        elif verdict.outcome == "unattempted" and not task.answer.is_untouched(
            task.chapter.get_exercise(verdict.exercise)
        ):
            self._print_below(Text(verdict.message, "dim"), 0)
        if verdict.stopped and not self._blank:
            self._print_below(Text(verdict.stopped, "dim"), 0)

    def add_line(self, verdict: ExerciseVerdict) -> None:
        """Print the sentence on the small change that makes every test pass, if one was found."""
        if verdict.change:
            self.console.print(Text.assemble("  ", (verdict.exercise, "bold"), f"  {clean(verdict.change.sentence)}"))
            self._blank = False

    def finish(self) -> None:
        done = sum(verdict.outcome == "passed" for _, verdict in self.verdicts)
        points = round_points(sum(verdict.points for _, verdict in self.verdicts))
        possible = round_points(sum(verdict.max_points for _, verdict in self.verdicts))
        if not self._blank:
            self.console.print()
        total = len(self.verdicts)
        self.console.print(f"{done} of {total} exercise{'s' * (total != 1)} done, {points} of {possible} points")
        for step in self._next_steps():
            self._print_path(step)

    def _print_below(self, content: RenderableType, gap: int) -> None:
        """Print indented content, and `gap` empty lines after it. In a pipe, trailing spaces are removed."""
        padded = Padding(content, (0, 0, 0, 4), expand=False)
        if self.console.is_terminal:
            self.console.print(padded)
        else:
            with self.console.capture() as captured:
                self.console.print(padded)
            self.console.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))
        self.console.print("\n" * gap, end="")

    def _print_path(self, text: Text) -> None:
        """Print a line that contains a path. In a pipe, it is not wrapped."""
        self.console.print(text, soft_wrap=not self.console.is_terminal)

    def _next_steps(self) -> Iterator[Text]:
        failures = [pair for pair in self.verdicts if pair[1].outcome not in ("passed", "unattempted", "fault")]
        to_do = [pair for pair in self.verdicts if pair[1].outcome == "unattempted"]
        for label, pairs, verb in (("Fix", failures, ""), ("Next", to_do, "write ")):
            if pairs:
                # Name a wrong exercise before exercises that only call it.
                task, verdict = min(pairs, key=lambda pair: bool(pair[1].carried_from))
                place = task.answer.locate(verdict.exercise, find_place(verdict)) or task.answer.path
                step = f"{verb}{verdict.exercise} in "
                if not task.answer.cells:
                    step = f"attn reset {task.chapter.name}, because there is nothing in "
                yield Text.assemble((f"{label}: ", "bold"), step, make_link(place, self.console, "cyan"))
        if not failures and not to_do:
            yield Text("Everything here is done.", "green")


def format_line(verdict: ExerciseVerdict, width: int, unicode: bool) -> Text:
    """Return a verdict as a line: the sign, the exercise, the points, and the word for the outcome."""
    look, name_style = look_of(verdict), "" if verdict.outcome == "unattempted" else "bold"
    points = f"{verdict.points}/{verdict.max_points}".rjust(6) + "  "
    name = f"{verdict.exercise:{width}} "
    return Text.assemble("  ", look.mark(unicode), (name, name_style), points, (look.word, look.style))


def list_hints(verdict: ExerciseVerdict) -> list[str]:
    """Return all hints for a verdict: those on the mistake, then those on the exercise."""
    return merge_hints(list_own_hints(verdict), read_chapter(verdict.chapter).get_exercise(verdict.exercise).hints)


def explain(verdict: ExerciseVerdict, is_whole: bool = False) -> Group:
    """Return the explanation of a wrong exercise: first the mistake, then the evidence for it."""
    row = list_hints(verdict)
    parts: list[RenderableType] = []
    for word in list_parts(verdict):
        if word.picture:
            parts.append(PrintablePicture(word.picture))
            continue
        text = _SHOWN.get(word.kind, str)(word.text)
        if word.kind == "hint":
            text = f"{label_hints(len(row))} {text}"
        if is_whole or word.kind != "whole":
            parts.append(Text(text, _STYLES.get(word.kind, "")))
    return Group(*parts)


def _shorten_output(output: str) -> str:
    """Return the first lines of an answer's output."""
    place, _, body = output.partition("\n")
    full_text = body.strip()
    text = "\n".join(full_text.split("\n")[:PRINTED_LINES])[:PRINTED_LENGTH].rstrip()
    return f"{place}\n{text}{' ...' * (text != full_text)}".rstrip()


_STYLES = {
    "lesson": "bold",
    "hint": "italic",
    "call": "cyan",
    "whole": "dim",
    "printed": "dim",
    "cause": "bold",
    "relation": "bold",
    "line": "bold",
}
_SHOWN = {"whole": "The whole call: {}".format, "printed": _shorten_output}


class PrintablePicture:
    """A picture as coloured cells, without the panel of the difference if there is no room for it.

    Without colours, asterisks mark differences.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        coloured = console.color_system not in (None, "standard", "windows")  # 16 colours are too few for a scale
        picture, grids, row = self.picture, list[Group](), None
        for columns in range(COLUMNS, 0, -1):
            picture = self.picture.crop(ROWS, columns)
            grids = [_make_grid(picture, panel, coloured) for panel in picture.make_panels()]
            rows = map(_place_in_row, (grids, grids[:2]))
            if row := next((row for row in rows if _measure_width(console, options, row) <= options.max_width), None):
                break
        yield from [row] if row else grids[:2]
        for note in picture.notes:
            yield Text(note, "dim")


def _place_in_row(panels: list[Group]) -> Table:
    row = Table.grid(padding=(0, _GAP, 0, 0))
    row.add_row(*panels)
    return row


def _measure_width(console: Console, options: ConsoleOptions, row: Table) -> int:
    return Measurement.get(console, options.update(width=1000), row).maximum


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
