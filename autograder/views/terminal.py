"""The terminal output of `attn check`: finished exercises, wrong ones with explanations, and the next step."""

import itertools
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.text import Text

from autograder.chapters.answers import Task
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.chapters.text import clean
from autograder.judging.verdict.finding import round_points
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.views.lines import has_unicode, look_of, make_link
from autograder.views.pictures.coloured_cells import PrintablePicture
from autograder.views.words import choose_preposition, find_place, label_hints, list_own_hints, list_parts, merge_hints

PRINTED_LINES = 4  # lines of an answer's output; more would push the verdict off a small screen
PRINTED_LENGTH = 300


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
        # Without colours, the unfinished part of the bar would be invisible.
        if self.console.is_terminal and not self.console.no_color:
            width = min(40, self.console.width)
            bar = ProgressBar(possible or 1, points, width, complete_style="green", finished_style="green")
            self.console.print(bar, "\n", sep="", end="")
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
                step = f"{verb}{verdict.exercise}{' in ' if verb else choose_preposition(verdict, place)}"
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
        if word.kind != "warned" and (is_whole or word.kind != "whole"):
            parts.append(Text(text, _STYLES.get(word.kind, "")))
    return Group(*parts)


def _shorten_output(output: str) -> str:
    """Return the first lines of an answer's output, with repeated lines counted, for a terminal."""
    place, _, body = output.partition("\n")
    lines = []
    for line, repetitions in itertools.groupby(body.strip().split("\n")):
        times = len(list(repetitions))
        lines.append(f"{line}  ({times} times)" if times > 1 and line else line)
    text = "\n".join(lines[:PRINTED_LINES])[:PRINTED_LENGTH].rstrip()
    ellipsis = " ..." if len(lines) > PRINTED_LINES or len("\n".join(lines)) > PRINTED_LENGTH else ""
    return f"{place}\n{text}{ellipsis}".rstrip()


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
