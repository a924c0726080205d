"""What is done, and what comes next, as lines for a terminal."""

from collections.abc import Collection, Iterator
from pathlib import Path

from rich.text import Text

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.study.folder import Folder
from autograder.views.lines import Hanging
from autograder.views.looks import LOOKS

# As `LOOKS`: sign, sign without Unicode, word, style.
_STATES = {
    "done": LOOKS["passed"],
    "changed": ("~", "~", "changed since it was done", "yellow"),
    "begun": ("~", "~", "begun", "yellow"),
    "to do": LOOKS["unattempted"],
}


def listing(folder: Folder, chapters: Collection[str] = (), unicode: bool = True) -> Iterator[Hanging | str]:
    """A line for each chapter, and its exercises below those that are unfolded; then what is next."""
    states = folder.states()
    current = folder.current(states)
    for exercise, line in rows(folder, states, chapters, current, unicode):
        yield Hanging(line, 35 if exercise else 4)
    yield ""
    if current is None:
        yield "Every exercise is done."
    else:
        is_new = states[current.name] == "to do"
        yield f"{'Next: write' if is_new else 'Go on with'} {current.name} in {place_of(folder, current)}"


def rows(
    folder: Folder, states: dict[str, str], chapters: Collection[str], current: Exercise | None, unicode: bool
) -> Iterator[tuple[Exercise | None, Text]]:
    """The lines with the exercise that each is about; where no chapters are named, the current one is unfolded."""
    known, unfolded = folder.progress.read(), chapters or ([current.chapter] if current else ())
    width = max(len(chapter.title) for chapter in folder.chapters)
    for chapter in folder.chapters:
        done = sum(states[exercise.name] == "done" for exercise in chapter.exercises)
        line = Text(f"{chapter.title:{width}}  {done:2} of {len(chapter.exercises):2} done  ", "bold")
        yield None, line.append(chapter.name, "dim")
        for exercise in chapter.exercises if chapter.name in unfolded else ():
            sign, plain, word, style = _STATES[states[exercise.name]]
            line = Text("  ").append(f"{sign if unicode else plain} ", style)
            line.append(f"{exercise.name:28} ", "").append(word, style)
            line.append(work_on(known.get(exercise.name, {})), "dim")
            yield exercise, line.append("  <- you are here" if exercise is current else "", "bold")


def beginning(folder: Folder, unicode: bool) -> Iterator[Hanging | str]:
    """What there is to do, and how to begin, for those who have written nothing yet."""
    points = sum(exercise.points for exercise in folder.exercises)
    watch = "make watch" if Path.cwd() == curriculum.ROOT else "attn watch"
    yield from listing(folder, unicode=unicode)
    yield f"0 of {len(folder.exercises)} exercises done, 0 of {points} points: nothing is written yet."
    yield f"Open that file in your editor, read, put your code there and save. `{watch}` checks each save by itself."


def work_on(facts: dict) -> str:
    """What was put into an exercise, such as "  3 checks, 12 min"; empty where nothing is known of it."""
    parts = [f"{count} {word}{'s' * (count != 1)}" for word in ("check", "hint") if (count := facts.get(f"{word}s"))]
    minutes = round(facts.get("seconds", 0) / 60)
    parts += [f"{minutes} min"] if minutes else []
    return f"  {', '.join(parts)}" if parts else ""


def place_of(folder: Folder, exercise: Exercise) -> str:
    """Where an exercise is to be written, as ``file:line``."""
    answer = folder.task(exercise).answer
    return answer.place_to_write(exercise.name) or str(answer.path)
