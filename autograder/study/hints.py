"""Hints: one more each time, and all of them again at the end.

Where a check has named a mistake, the last one is what should hold instead.
"""

from collections.abc import Iterator

from autograder.chapters.chapter import Exercise
from autograder.chapters.text import prose_and_code
from autograder.judging.mistakes.misconceptions import read_misconceptions
from autograder.study.folder import Folder


def next_hints(folder: Folder, exercise: Exercise, way_out: str | None = None) -> list[str]:
    """The hints to show now, as lines; how many were seen is kept. What is known of this very answer comes first."""
    if (spot := folder.spot(exercise)) and not spot.get("told"):
        folder.progress.change(lambda progress: progress[exercise.name]["spot"].update(told=True))
        return [f"{spot['hint']} Ask again for the hints of {exercise.name}."]
    facts = folder.progress.read().get(exercise.name, {})
    hints, lines = [*exercise.hints, *_rule(exercise, facts)], list[str]()
    total, seen_count = len(hints), min(facts.get("hints", 0), len(hints))
    now = {"hints": min(seen_count + 1, total)}
    folder.progress.change(lambda progress: progress.setdefault(exercise.name, {}).update(now))
    for number in range(total) if seen_count == total else [seen_count]:
        first, *more = _lines(hints[number])
        lines += [f"Hint {number + 1} of {total} for {exercise.name}: {first}", *more]
    if seen_count + 1 >= total:
        lines.append(f"These are all. If you are stuck: {way_out or f'attn solution {exercise.name} --give-up'}")
    return lines


def _rule(exercise: Exercise, facts: dict) -> list[str]:
    """What should hold in place of the mistake that was named last, while there is one."""
    last = facts.get("mistakes", [])[-1:] if "passed" not in facts else []
    misconceptions = read_misconceptions(exercise.name) if last else {}
    return [mistake.rule for name, mistake in misconceptions.items() if name in last and mistake.rule]


def _lines(hint: str) -> Iterator[str]:
    """Prose in one line each, for the terminal to wrap; code as it stands."""
    for is_code, part in prose_and_code(hint):
        if is_code:
            yield from (f"    {line}" for line in part.splitlines())
        else:
            yield " ".join(part.split())
