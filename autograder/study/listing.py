"""Lines for a terminal that list exercises with their progress, or that describe finished exercises."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from rich.text import Text

from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, Exercise
from autograder.study.folder import DONE, Folder, list_finished
from autograder.views.lines import LOOKS, HangingLine, OutcomeStyle

_STATES = {
    "done": LOOKS["passed"],
    "given": OutcomeStyle("·", ".", "given", "dim"),
    "changed": OutcomeStyle("~", "~", "changed since it was done", "yellow"),
    "begun": OutcomeStyle("~", "~", "begun", "yellow"),
    "to do": LOOKS["unattempted"],
}


def list_progress(
    folder: Folder, chapters: Collection[str] = (), unicode: bool = True, current: Exercise | None = None
) -> Iterator[HangingLine]:
    """Yield a line for each chapter, and for each exercise of the named chapters (by default, the current one)."""
    states, progress = folder.read_states(), folder.progress.read()
    current = current or folder.find_current(states)
    unfolded = chapters or ([current.chapter] if current else ())
    width = max(len(chapter.title) for chapter in folder.chapters)
    for chapter in folder.chapters:
        done = sum(states[exercise.name] in DONE for exercise in chapter.exercises)
        line = Text(f"{chapter.title:{width}}  {done:2} of {len(chapter.exercises):2} done  ", "bold")
        yield HangingLine(line.append(chapter.name, "dim"), 4)
        for exercise in chapter.exercises if chapter.name in unfolded else ():
            look, work = _STATES[states[exercise.name]], describe_work(progress.get(exercise.name, {}))
            note = "  <- you are here" if exercise is current else ""
            parts = (look.mark(unicode), f"{exercise.name:28} ", (look.word, look.style), (work, "dim"), (note, "bold"))
            yield HangingLine(Text.assemble("  ", *parts), 35)


def list_beginning(folder: Folder, unicode: bool) -> Iterator[HangingLine | str]:
    """Yield the list of exercises, and how to begin, for a learner who has not started yet."""
    yield from list_progress(folder, unicode=unicode)
    points = sum(exercise.points for exercise in folder.exercises)
    first, watch = folder.exercises[0], "make watch" if Path.cwd() == curriculum.ROOT else "attn watch"
    yield ""
    yield f"0 of {len(folder.exercises)} exercises done, 0 of {points} points: nothing is written yet."
    yield f"Next: write {first.name} in {find_place(folder, first)}"
    yield f"Open that file in your editor, read, put your code there and save. `{watch}` checks each save by itself."


def describe_work(facts: dict) -> str:
    """Return a phrase about the work on an exercise, such as "  3 checks, 12 min", or "" if nothing is recorded."""
    counts = {"check": facts.get("checks", 0), "hint": facts.get("hints_asked", 0)}
    parts = [f"{count} {word}{'s' * (count != 1)}" for word, count in counts.items() if count]
    minutes = round(facts.get("seconds", 0) / 60)
    parts += [f"{minutes} min"] if minutes else []
    return f"  {', '.join(parts)}" if parts else ""


def find_place(folder: Folder, exercise: Exercise) -> str:
    answer = folder.read_task(exercise).answer
    return answer.locate(exercise.name) or str(answer.path)


def list_afterwords(folder: Folder, names: Sequence[str]) -> list[str]:
    """Return the afterwords of the first two of these exercises, and of each chapter that these exercises complete."""
    sentences = [folder.chapter_of(folder.get_exercise(name)).afterword_of(name) for name in names[:2]]
    for chapter in find_finished_chapters(names, folder.chapters, list_finished(folder.read_states())):
        sentences += [f"That completes the chapter: {chapter.title}.", chapter.afterword_of(chapter.name)]
    return [sentence for sentence in sentences if sentence]


def find_finished_chapters(names: Collection[str], chapters: Iterable[Chapter], done: set[str]) -> list[Chapter]:
    """Return the chapters that are complete and contain one of the just finished exercises `names`."""
    own_names = [(chapter, {*chapter.names}) for chapter in chapters]
    return [chapter for chapter, own in own_names if own <= done and not own.isdisjoint(names)]
