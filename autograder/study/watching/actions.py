"""What the keys of `attn watch` do. The commands of the same names do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.study.hints import next_hints
from autograder.study.listing import listing
from autograder.study.solution import is_open, open_undone, solution_lines
from autograder.study.watching import pages
from autograder.study.watching.chooser import Chooser
from autograder.views.words import words_of

if TYPE_CHECKING:
    from autograder.study.watching.watch import Watch

_ALL_DONE = "Everything is done: l goes to any exercise."


def hint(watch: Watch) -> None:
    if watch.current is None:
        return watch.screen.note(_ALL_DONE)
    lines = next_hints(watch.folder, watch.current, "s shows the solution")
    if sum(line.startswith("Hint ") for line in lines) > 1:  # all of them once more
        watch.screen.page([], lines, pages.foot(watch))
    else:
        watch.screen.add(lines)


def solution(watch: Watch) -> None:
    """The solution of the exercise one is at, or has just done; of one that is not done, after a question."""
    subject = next((each for each in (watch.current, watch.just_done) if each and is_open(watch.folder, each)), None)
    exercise = subject or watch.current or watch.exercises[-1]

    def show() -> None:
        watch.just_done = None  # the next press is about the exercise one is at
        watch.screen.page([], list(solution_lines(watch.folder, exercise)), pages.foot(watch))

    def answer(key: str) -> None:
        if key in ("y", "Y"):
            open_undone(watch.folder, exercise)
            show()
        else:
            watch.screen.note("Not given up. h shows a hint.")

    if subject or is_open(watch.folder, exercise):
        return show()
    watch.screen.note(f"Give up on {exercise.name} and see its solution? y for yes, any other key for no.")
    watch.takes_keys = answer


def go_on(watch: Watch) -> None:
    """On to the next exercise that is not done."""
    at = watch.exercises.index(watch.current) + 1 if watch.current in watch.exercises else 0
    ahead = [each for each in (*watch.exercises[at:], *watch.exercises[:at]) if each.name not in watch.done]
    if ahead and ahead[0] is not watch.current:
        watch.jump(ahead[0])
    else:
        watch.screen.note("None of the others that you watch is to do." if ahead else _ALL_DONE)


def show_list(watch: Watch) -> None:
    """What is done and what is to do: to move in, where the screen can be drawn anew."""
    if watch.screen.redraw:
        watch.takes_keys = Chooser(watch).key
    else:
        watch.screen.page([], list(listing(watch.folder, unicode=watch.screen.unicode)), pages.foot(watch))


def again(watch: Watch) -> None:
    """Show the verdict again, and check anew."""
    if watch.current is None:
        return watch.screen.note(_ALL_DONE)
    watch.show()
    task = watch.saves.tasks.get(watch.current.chapter)
    if task and not task.answer.is_untouched(watch.current):
        watch.judged.pop(watch.current.name, None)
        watch.check(watch.due())


def whole(watch: Watch) -> None:
    """All of a page that was cut, and the whole call."""
    found = watch.found.get(watch.current.name) if watch.current else None
    words = words_of(found.verdict) if found else ()
    watch.screen.all_of_it([f"The whole call: {word.text}" for word in words if word.kind == "whole"])


ACTIONS = {"h": hint, "s": solution, "n": go_on, "l": show_list, "r": again, "v": whole}
