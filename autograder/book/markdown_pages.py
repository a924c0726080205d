"""The pages of the book as Markdown: one for each chapter and each solution, and the list of chapters."""

import html
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from autograder.api import Cell
from autograder.book.boxes import (
    ask_prediction,
    make_box,
    make_code,
    make_fold,
    read_predictions,
    render_exercise_box,
)
from autograder.book.pictures import DrawnCell, Figure
from autograder.chapters import curriculum
from autograder.chapters.chapter import BEGIN, END, Chapter, Exercise, is_aside, read_chapter

TERMS = "**What is graded:**"
NOTEBOOKS = "notebooks"  # a folder next to the pages
# CSS pixels. Wider pictures would be unreadable if they were shrunk to the width of a phone.
PHONE_PIXELS = 440

DRAWING = curriculum.ROOT / "book" / "machine.svg"
# Marks the place in a chapter's prose where the complete drawing is inserted.
PLACE = re.compile(r"<div data-machine>.*?</div>")

# chapter -> (its highlighted parts, the caption)
HERE = {
    "one_query": (("attention", "scores", "softmax", "average"), "attention itself, for one query"),
    "all_queries": (("attention", "scores", "mask", "softmax", "average"), "attention for all words at once, masked"),
    "embeddings": (("embeddings",), "where words become vectors"),
    "qkv": (("queries", "keys", "values"), "the three projections, which are learned"),
    "additive": (("scores",), "another way to make scores"),
    "multi_head": (("heads", "mix"), "several heads side by side"),
    "positions": (("positions",), "how attention learns where a word is"),
    "efficient": (("cache", "average"), "attention that does not waste time and memory"),
    "backward": (("gradients",), "the way back, by which everything learns"),
    "translate": (("source", "next-word"), "attention to another sentence, in a model that learns"),
    "write": (("block", "next-word"), "all of it: a language model of your own"),
    "stories": (("block", "next-word"), "the block of the open models of today"),
    "pretrained": (("block",), "a whole block, in a real model"),
}


def read_unit_title(unit: str) -> str:
    return unit.replace("-", " ").capitalize()


def list_chapters() -> Iterator[str]:
    """Yield Markdown for the start page: the units and chapters, with links and the time that they take."""
    exercises = [exercise for name in curriculum.CHAPTERS for exercise in read_chapter(name).exercises]
    short = [exercise for exercise in exercises if exercise.chapter in curriculum.SHORT_WAY]
    yield f"{len(exercises)} exercises, {_sum_time(exercises)} of writing in all."
    yield (
        f"**In a hurry?** The chapters with a ★ are the short way from one dot product to a model that tells stories: "
        f"{_sum_time(short)}, and an hour and a half less if you write only the cache of *Efficient*. The others can "
        "be read later, in any order."
    )
    for unit, chapters in curriculum.UNITS.items():
        yield f"### {read_unit_title(unit)}"
        rows: list[str] = []
        for chapter in map(read_chapter, chapters):
            star = " ★" if chapter.name in curriculum.SHORT_WAY else ""
            tool, time = HERE[chapter.name][1], _sum_time(chapter.exercises)
            rows.append(f"- **[{chapter.title}]({chapter.name}.md)**{star}, {tool}: {time}")
        yield "\n".join(rows)


def _sum_time(exercises: Iterable[Exercise]) -> str:
    minutes = sum(exercise.minutes or 0 for exercise in exercises)
    return f"about {minutes} minutes" if minutes < 90 else f"about {round(minutes / 60)} hours"


def render_chapter(chapter: Chapter, drawn: Sequence[DrawnCell]) -> str:
    """Return the page of a chapter: prose, pictures, and exercises with folded hints, without solutions."""
    title, _, opening = chapter.cells[0].source.partition("\n")
    parts = [title, _summarise(chapter), render_drawing(chapter.name), opening]
    pictures, level, terms = iter(drawn), 2, _find_terms(chapter)
    questions = read_predictions(chapter)
    for cell in chapter.cells[1:]:
        if cell.kind == "picture":
            parts += _render_picture(chapter, cell, next(pictures))
        elif "exercise" in cell.options:
            exercise = chapter.get_exercise(cell.options["exercise"])
            parts += [ask_prediction(question, chapter) for question in questions if question.before == exercise.name]
            parts += _render_exercise(exercise, level, terms.get(exercise.name))
        elif cell.kind == "code":
            parts.append(make_code(cell.source))
        elif not is_aside(cell) and cell.source not in terms.values():
            parts.append(PLACE.sub(lambda _: render_drawing(""), cell.source))
            level = 3 if re.search(r"^## ", cell.source, re.MULTILINE) else level
    if carried := [ask_prediction(question, chapter) for question in questions if not question.before]:
        ending = "This group of chapters ends here. Three questions about other things, with the same ideas:"
        parts += ["## Carried over", ending, *carried]
    status = "---\nstatus: short\n---\n\n" if chapter.name in curriculum.SHORT_WAY else ""
    return status + "\n\n".join(parts) + "\n"


def render_drawing(chapter: str) -> str:
    """Return the drawing of a Transformer as HTML, with a chapter's parts highlighted; with "", no part is highlighted.

    The left half shows the path of a text through one block, the right half the contents of the box "attention". Every
    part links to an exercise. Parts of later chapters are outlines without a name.
    """
    lit, words = HERE.get(chapter, ((), ""))
    svg = DRAWING.read_text(encoding="utf-8").strip()
    for name in lit:
        svg = svg.replace(f'part {name}"', f'part {name} lit"')
    chapters = curriculum.CHAPTERS[: curriculum.CHAPTERS.index(chapter) + 1] if chapter in HERE else curriculum.CHAPTERS
    later = re.compile(rf'(<a href="(?!(?:{"|".join(chapters)})\.html)[^"]*" class="(?![^"]* lit)[^"]*)"')
    svg = later.sub(r'\1 later"', svg)
    caption = f"<figcaption>You are here: {html.escape(words)}.</figcaption>" if words else ""
    return f'<figure class="machine" data-search-exclude>{svg}{caption}</figure>'


def render_solution(exercise: Exercise) -> str:
    """Return the page of a solution, which the book's search leaves out."""
    lines: list[str] = []
    line_numbers: list[int] = []
    is_inside = False
    for line in exercise.source.splitlines():
        if BEGIN in line or END in line:
            is_inside = BEGIN in line
            continue
        lines.append(line)
        if is_inside:
            line_numbers.append(len(lines))
    return "\n\n".join(
        [
            "---\nsearch:\n  exclude: true\nhide:\n  - toc\n---",
            f"# A solution of `{exercise.name}`",
            f"[Back to the exercise](../{exercise.chapter}.md#{exercise.name})",
            "One way among many. The lines that answer the exercise are marked; the reasons are in the chapter.",
            make_code("\n".join(lines), line_numbers),
            read_chapter(exercise.chapter).afterword_of(exercise.name),
        ]
    )


def _summarise(chapter: Chapter) -> str:
    count, file = len(chapter.exercises), f"{chapter.name}.ipynb"
    return (
        f"{count} exercise{'s' * (count != 1)} in `exercises/{chapter.name}.py`; also "
        f'[as a notebook]({NOTEBOOKS}/{file}){{ download="{file}" }}\n{{ .summary }}'
    )


def _find_terms(chapter: Chapter) -> dict[str, str]:
    """Return exercise -> text on the grading, for each exercise whose next cell contains such a text."""
    pairs = itertools.pairwise(chapter.cells)
    return {
        cell.options["exercise"]: next_cell.source
        for cell, next_cell in pairs
        if "exercise" in cell.options and next_cell.source.startswith(TERMS)
    }


def _render_exercise(exercise: Exercise, level: int, terms: str | None) -> Iterator[str]:
    yield f"{'#' * level} Exercise: `{exercise.name}` {{ #{exercise.name} }}"
    check = f'<span class="static">Check yours: `attn check {exercise.name}`</span>'
    yield f"{exercise.effort}{'. ' * bool(exercise.effort)}{check}\n{{ .summary }}"
    yield render_exercise_box(exercise)
    if terms:
        text = terms.removeprefix(TERMS).strip()
        yield make_fold("note", "What is graded", text[0].upper() + text[1:])
    for number, hint in enumerate(exercise.hints, start=1):
        yield make_fold("tip", f"Hint {number} of {len(exercise.hints)}", hint)
    yield f"[A solution of `{exercise.name}`](solutions/{exercise.name}.md)\n{{ .solution }}"


def _render_picture(chapter: Chapter, cell: Cell, picture: DrawnCell) -> Iterator[str]:
    if not picture.is_current:
        command = f"`make drawings NAME={chapter.name}`"
        text = f"This code has changed since its picture was drawn: {command} draws it."
        yield make_box("note", "Not drawn yet", text)
    for figure in picture.figures:
        yield _render_figure(f"pictures/{chapter.name}/{figure.file}", figure)
    source = make_code(cell.source)
    if picture.figures:
        source = make_fold("code", "The code of this picture", source)
    output = f"```text\n{picture.printed.rstrip()}\n```" if picture.printed else ""
    yield from (output, source) if picture.figures else (source, output)


def _render_figure(address: str, figure: Figure) -> str:
    """Return a picture as HTML. In Markdown, a bracket would end its alternative text."""
    attributes = f'alt="{html.escape(figure.words)}" width="{figure.width}" height="{figure.height}" loading="lazy"'
    room = " wide" * (figure.width > PHONE_PIXELS)
    image = f'<a href="{address}" title="The picture alone"><img src="{address}" {attributes}></a>'
    return f'<figure class="picture{room}">{image}</figure>'
