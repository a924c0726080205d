"""The pages of the book, as Markdown: one for each chapter, one for each solution, and the list of chapters."""

import html
import itertools
import re
import textwrap

from autograder.book import asked, machine
from autograder.book.exercise import box
from autograder.chapters import curriculum
from autograder.chapters.chapter import BEGIN, END, is_aside, read_chapter

OURS = "Computed by us, with the 90 MB of weights that this computer does not have; with them, your own code shows it."
TERMS = "**What is graded:**"
NOTEBOOKS = "notebooks"  # their folder, beside the pages


def unit_title(unit):
    """The title of a unit, made from its name."""
    return unit.replace("-", " ").capitalize()


def contents():
    """Units and chapters with links, for the start page, and how long all of it takes."""
    every = [exercise for name in curriculum.CHAPTERS for exercise in read_chapter(name).exercises]
    yield f"{len(every)} exercises, {_duration(every)} of writing in all."
    for unit, chapters in curriculum.UNITS.items():
        yield f"### {unit_title(unit)}"
        yield "\n".join(map(_row, chapters))  # a list, because a table breaks the names on a phone


def _row(name):
    chapter = read_chapter(name)
    about = f", {machine.HERE[name][1]}" if name in machine.HERE else ""
    return f"- **[{chapter.title}]({name}.md)**{about}: {_duration(chapter.exercises)}"


def _duration(exercises):
    minutes = sum(exercise.minutes or 0 for exercise in exercises)
    return f"about {minutes} minutes" if minutes < 90 else f"about {round(minutes / 60)} hours"


def chapter_page(chapter, drawn):
    """The page of a chapter: prose, pictures, exercises with their hints folded. No solution is on it.

    Parameters
    ----------
    chapter : autograder.chapters.chapter.Chapter
    drawn : list of autograder.book.pictures.Drawn
        One for each picture cell.

    Returns
    -------
    str
        Markdown that links to `pictures/<chapter>/<file>` and to `solutions/<exercise>.md`.
    """
    title, _, opening = chapter.cells[0].source.partition("\n")
    parts = [title, _summary(chapter), machine.drawing(chapter.name), opening]
    pictures, level, terms = iter(drawn), 2, _terms(chapter)
    questions = asked.questions(chapter)
    for cell in chapter.cells[1:]:
        if cell.kind == "picture":
            parts += _picture(chapter, cell, next(pictures))
        elif "exercise" in cell.options:
            exercise = chapter.exercise(cell.options["exercise"])
            parts += [asked.markdown(each, chapter) for each in questions if each["before"] == exercise.name]
            parts += _exercise(exercise, level, terms.get(exercise.name))
        elif cell.kind == "code":
            parts.append(_code(cell.source))
        elif not is_aside(cell) and cell.source not in terms.values():
            parts.append(cell.source)
            level = 3 if re.search(r"^## ", cell.source, re.MULTILINE) else level
    if carried := [asked.markdown(each, chapter) for each in questions if not each["before"]]:
        parts += [
            "## Carried over",
            "The unit ends here. Three questions about other things, with the same ideas:",
            *carried,
        ]
    return "\n\n".join(parts) + "\n"


def solution_page(exercise):
    """The page of a solution, which the search of the book does not look into."""
    lines, solved, inside = [], [], False
    for line in exercise.source.splitlines():
        if BEGIN in line or END in line:
            inside = BEGIN in line
            continue
        lines.append(line)
        if inside:
            solved.append(len(lines))
    return "\n\n".join(
        [
            "---\nsearch:\n  exclude: true\nhide:\n  - toc\n---",
            f"# A solution of `{exercise.name}`",
            f"[Back to the exercise](../{exercise.chapter}.md#{exercise.name})",
            "One way among many. The lines that answer the exercise are marked; the reasons stand in the chapter.",
            _code("\n".join(lines), solved),
            read_chapter(exercise.chapter).after(exercise.name),
        ]
    )


def _summary(chapter):
    count, file = len(chapter.exercises), f"{chapter.name}.ipynb"
    return (
        f"{count} exercise{'s' * (count != 1)}, {_points(chapter)} points, in `exercises/{chapter.name}.py`; also "
        f'[as a notebook]({NOTEBOOKS}/{file}){{ download="{file}" }}\n{{ .summary }}'
    )


def _points(chapter):
    return sum(exercise.points for exercise in chapter.exercises)


def _terms(chapter):
    """What is graded, where a cell of its own behind an exercise says so."""
    pairs = itertools.pairwise(chapter.cells)
    return {
        cell.options["exercise"]: after.source
        for cell, after in pairs
        if "exercise" in cell.options and after.source.startswith(TERMS)
    }


def _exercise(exercise, level, terms):
    yield f"{'#' * level} Exercise: `{exercise.name}` {{ #{exercise.name} }}"
    worth = ", ".join(part for part in (f"{exercise.points} points", exercise.effort) if part)
    yield f"{worth}. Check yours: `attn check {exercise.name}`\n{{ .summary }}"
    yield from box(exercise)
    if terms:
        text = terms.removeprefix(TERMS).strip()
        yield _folded("note", "What is graded", text[0].upper() + text[1:])
    for number, hint in enumerate(exercise.hints, start=1):
        yield _folded("tip", f"Hint {number} of {len(exercise.hints)}", hint)
    yield f"[A solution of `{exercise.name}`](solutions/{exercise.name}.md)\n{{ .solution }}"


def _picture(chapter, cell, drawn):
    if drawn.absent:
        if drawn.absent.startswith("NameError: "):
            told = "It needs what a cell above could not get."
        else:
            told = f"It needs something that this computer does not have: {html.escape(drawn.absent)}"
        yield _open("note", "No picture here", told)
    for figure in drawn.figures:
        alone = f"pictures/{chapter.name}/{figure.wide[0]['file']}"
        shown = "".join(_views(chapter, figure))
        yield f'<figure class="picture"><a href="{alone}" title="The picture alone">{shown}</a></figure>'
    code = _code(cell.source)
    if drawn.figures or drawn.absent:
        code = _folded("code", "The code of this picture" if drawn.figures else "The code of this cell", code)
    printed = f"```text\n{drawn.printed.rstrip()}\n```" if drawn.printed else ""
    if drawn.is_shipped:
        yield f"{OURS}\n{{ .summary }}"
    yield from (printed, code) if drawn.figures else (code, printed)


def _views(chapter, figure):
    """A picture for wide and for narrow pages, where it looks different there, each for light and dark ones.

    The theme hides what ends in `#only-light` or `#only-dark`. HTML, since in Markdown a bracket would end the words.
    """
    if figure.title:
        yield f'<strong class="narrow title">{html.escape(figure.title)}</strong>'
    rooms = {"any": figure.wide} if figure.narrow == figure.wide else {"wide": figure.wide, "narrow": figure.narrow}
    for room, views in rooms.items():
        words = html.escape(figure.words)  # said once, with the first part
        for view in views:
            width, height, left, full = (view[name] for name in ("width", "height", "left", "full"))
            cut = f"width: {100 * full / width:.2f}%; margin-left: {-100 * left / width:.2f}%"
            look = f'alt="{words}" width="{full}" height="{height}" style="{cut}" loading="lazy"'
            source = f"pictures/{chapter.name}/{view['file']}"
            images = "".join(f'<img src="{source}#only-{scheme}" {look}>' for scheme in ("light", "dark"))
            yield f'<span class="{room}" style="width: {width}px; aspect-ratio: {width} / {height}">{images}</span>'
            words = ""


def _code(source, marked=()):
    lines = f' hl_lines="{" ".join(map(str, marked))}"' if marked else ""
    return f"``` {{ .python{lines} }}\n{source}\n```"


def _folded(kind, title, text):
    return _open(kind, title, text).replace("!!!", "???", 1)


def _open(kind, title, text):
    return f'!!! {kind} "{title}"\n\n' + textwrap.indent(text, "    ")
