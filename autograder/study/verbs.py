"""The verbs: actions on an exercise that the terminal, `attn watch`, notebooks and the book share.

A verb yields or returns lines. Other lines list the exercises with their progress, or describe finished exercises.
"""

import datetime
import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from autograder.chapters import curriculum
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Chapter, Exercise
from autograder.chapters.text import clean, split_prose_and_code
from autograder.study.folder import Folder, Judged
from autograder.views.lines import LOOKS, OutcomeStyle
from autograder.worker.reading.definitions import find_docstring_lines

if TYPE_CHECKING:  # because only checks import the judging code
    from autograder.judging.budget import Budget
    from autograder.judging.grader import Grader
    from autograder.study.versions import AnswerVersion

_DIFF = {"-": "red", "+": "green"}
_STATES = {
    "done": LOOKS["passed"],
    "changed": OutcomeStyle("~", "~", "changed since it was done", "yellow"),
    "begun": OutcomeStyle("~", "~", "begun", "yellow"),
    "to do": LOOKS["unattempted"],
}


GIVE_UP = "Give up on {} and see its solution?"
Line = str | Text
Agrees = Callable[[str], bool]  # gets the text of a question, and returns whether the learner agrees


def check(grader: "Grader", tasks: Iterable[Task], done: Collection[str] = ()) -> Iterator[Judged]:
    """Yield (task, verdict) of each exercise. A mistake in a called exercise costs the calling one no points."""
    return ((task, verdict.carry_forward()) for task in tasks for verdict in grader.grade(task, done))


def locate(grader: "Grader", verdicts: Iterable[Judged], budget: "Budget") -> Iterator[Judged]:
    """Yield the (task, verdict) pairs for which the line of the mistake was found in time."""
    return ((task, verdict) for task, verdict in verdicts if grader.locate_mistake(task, verdict, budget))


def suggest_next(folder: Folder, command: str) -> Iterator[str]:
    """Yield lines about the next exercise. `command`: prefix of the front end's commands, such as "attn "."""
    if exercise := folder.find_current():
        name, title = exercise.name, folder.chapter_of(exercise).title
        yield f"{name} ({exercise.points} points) in {find_place(folder, exercise)}, “{title}”"
        yield f"Check it: {command}check {name}    A hint: {command}hint {name}"
    else:
        yield "Every exercise is done."


def start_over(
    folder: Folder, exercise: Exercise, versions_hint: str, version: "AnswerVersion | None" = None
) -> Iterator[str]:
    """Replace the answer with the stub or `version`. Yield a line. `versions_hint`: where old versions are shown."""
    from autograder.study.reset import reset_exercise  # noqa: PLC0415  (rarely asked for)

    reset_exercise(folder, exercise, version)
    folder.go_to(exercise.name)
    result = "has its earlier version" if version else "is a stub"
    yield f"{exercise.name} {result} again. Your earlier code: {versions_hint}"


def start_bug_hunt(
    folder: Folder, exercise: Exercise, check: str, agrees: Agrees, seed: int | None = None
) -> Iterator[str]:
    """Write an answer with a mistake to repair. Yield lines about it. `check`: command that judges the repair."""
    from autograder.study.debug import BuggyFile, find_debug_folder  # noqa: PLC0415  (rarely asked for)

    name, case = exercise.name, BuggyFile(exercise, find_debug_folder(folder.path))
    if not is_unlocked(folder, exercise):
        warning = f"{name} is not done, and the file shows most of its solution, so it counts as given up. Continue?"
        if not agrees(warning):
            return
        give_up(folder, exercise)
    backup = case.write(seed)
    yield f"One mistake is in {case.path}. Find and repair it there."
    if backup:
        yield f"Your earlier version is kept: {backup}"
    yield f"Then: {check}"


def is_unlocked(folder: Folder, exercise: Exercise) -> bool:
    """Return whether the learner may see the solution: the exercise is passed or given up."""
    return bool({"passed", "gave_up"} & set(folder.progress.read().get(exercise.name, {})))


def give_up(folder: Folder, exercise: Exercise) -> None:
    if not is_unlocked(folder, exercise):
        today = datetime.date.today().isoformat()
        folder.progress.change(lambda facts: facts.setdefault(exercise.name, {}).update(gave_up=today))


def show_solution(folder: Folder, exercise: Exercise, hint: str, agrees: Agrees) -> Iterator[Line]:
    """Yield a small change that repairs the answer, if one was found, then a diff of the answer and the solution."""
    if not is_unlocked(folder, exercise):
        if not agrees(GIVE_UP.format(exercise.name)):
            yield f"Not given up. A hint: {hint}"
            return
        give_up(folder, exercise)
    if located_line := folder.read_located_line(exercise):
        yield f"With one small change in {located_line['where']} of your code every test passes:"
        changed_lines = [*_mark_lines("-", located_line["was"]), *_mark_lines("+", located_line["becomes"])]
        for line in changed_lines:
            yield _format_code(line)
        yield ""
    cell, _ = folder.read_task(exercise).answer.definitions.get(exercise.name, (None, 0))
    own_lines = _split_body(clean(cell.source.expandtabs(4))) if cell else []
    differences = difflib.ndiff(own_lines, _split_body(exercise.solution))
    lines = [line.rstrip() for line in differences if not line.startswith("?")]
    yield f"{exercise.name}: - is yours ({find_place(folder, exercise)}), + is the solution"
    for line in lines:
        yield _format_code(line)
    if not any(line[:1] in "+-" for line in lines):
        yield "Yours is the same, line by line."


def show_next_hints(folder: Folder, exercise: Exercise, way_out: str) -> list[str]:
    """Return the next hint as lines, and record that it was shown.

    The hints in the last verdict come before the hints of the exercise. After the last hint, all are shown again.
    """
    from autograder.views.words import merge_hints  # noqa: PLC0415  (needs NumPy, which commands load when they judge)

    facts = folder.progress.read().get(exercise.name, {})
    own_hints = [] if "passed" in facts else [str(hint) for hint in facts.get("own", [])]
    row, seen = merge_hints(own_hints, exercise.hints), facts.get("seen", [])
    new = [number for number, hint in enumerate(row) if hint not in seen][:1]
    if new:
        update = {"seen": [*seen, row[new[0]]], "hints_asked": facts.get("hints_asked", 0) + 1}
        folder.progress.change(lambda progress: progress.setdefault(exercise.name, {}).update(update))
    lines = list[str]()
    for number in new or range(len(row)):
        first, *other_lines = _split_hint(row[number])
        lines += [f"Hint {number + 1} of {len(row)} for {exercise.name}: {first}", *other_lines]
    if not new or new == [len(row) - 1]:
        lines.append(f"These are all. If you are stuck: {way_out}")
    return lines


def _format_code(line: str) -> Text:
    return Text(line, _DIFF.get(line[:1], ""))


def _mark_lines(sign: str, lines: str) -> list[str]:
    return [f"{sign} {line}" for line in clean(lines.expandtabs(4)).split("\n")]


def _split_body(source: str) -> list[str]:
    """Return the lines of a cell without its docstrings."""
    docstring_lines = find_docstring_lines(source)
    return [line for number, line in enumerate(source.rstrip().splitlines(), start=1) if number not in docstring_lines]


def _split_hint(hint: str) -> Iterator[str]:
    """Yield each paragraph of a hint as one line, which the terminal wraps, and each line of code separately."""
    for is_code, part in split_prose_and_code(hint):
        if is_code:
            yield from (f"    {line}" for line in part.splitlines())
        else:
            yield " ".join(part.split())


def list_progress(
    folder: Folder, chapters: Collection[str] = (), unicode: bool = True, current: Exercise | None = None
) -> Iterator[Text]:
    """Yield a line for each chapter, and for each exercise of the named chapters (by default, the current one)."""
    states, progress = folder.read_states(), folder.progress.read()
    current = current or folder.find_current(states)
    unfolded = chapters or ([current.chapter] if current else ())
    width = max(len(chapter.title) for chapter in folder.chapters)
    for chapter in folder.chapters:
        done = sum(states[exercise.name] == "done" for exercise in chapter.exercises)
        line = Text(f"{chapter.title:{width}}  {done:2} of {len(chapter.exercises):2} done  ", "bold")
        yield line.append(chapter.name, "dim")
        for exercise in chapter.exercises if chapter.name in unfolded else ():
            look, work = _STATES[states[exercise.name]], describe_work(progress.get(exercise.name, {}))
            note = "  <- you are here" if exercise is current else ""
            parts = (look.mark(unicode), f"{exercise.name:28} ", (look.word, look.style), (work, "dim"), (note, "bold"))
            yield Text.assemble("  ", *parts)


def list_beginning(folder: Folder, unicode: bool) -> Iterator[Line]:
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


def list_afterwords(names: Sequence[str], chapters: Sequence[Chapter], done: Collection[str]) -> list[str]:
    """Return the afterwords of the first two of these exercises, and of each chapter that these exercises complete."""
    sentences = [chapter.afterword_of(name) for name in names[:2] for chapter in chapters if name in chapter.names]
    for chapter in chapters:
        if {*chapter.names} <= {*done} and not {*chapter.names}.isdisjoint(names):
            sentences += [f"That completes the chapter: {chapter.title}.", chapter.afterword_of(chapter.name)]
    return [sentence for sentence in sentences if sentence]
