"""What the keys of `attn watch` do. The commands of the same names do the same."""

import functools
from collections.abc import Callable, Iterable

from rich.console import RenderableType
from rich.text import Text

from autograder.chapters.chapter import Exercise
from autograder.study.editor import open_in_editor
from autograder.study.verbs import Question, answered, is_open, next_hints
from autograder.study.verbs import solution as solution_of
from autograder.study.watching import screen_pages
from autograder.study.watching.moves import jump, show
from autograder.study.watching.state import State
from autograder.views.words import words_of


def _on_current(act: Callable) -> Callable:
    """What is done with the exercise where one is; where all are done there is a word on it."""

    @functools.wraps(act)
    def wrapped(state: State) -> None:
        if state.current:
            return act(state, state.current)
        state.screen.note("Everything is done. To work on one exercise: attn watch NAME")

    return wrapped


def _page(state: State, lines: Iterable[RenderableType]) -> None:
    state.screen.page([], list(lines), screen_pages.foot(state))


@_on_current
def hint(state: State, exercise: Exercise) -> None:
    """the next hint"""
    lines = next_hints(state.folder, exercise, "s shows the solution")
    if sum(line.startswith("Hint ") for line in lines) > 1:  # all of them once more
        _page(state, lines)
    else:
        state.screen.add(lines)


def solution(state: State) -> None:
    """the solution beside your answer (of what is not done it asks first)"""
    exercise = next((e for e in (state.current, state.subject) if e and is_open(state.folder, e)), state.subject)

    def show_it(key: str = "") -> None:
        lines = [*answered(solution_of(state.folder, exercise, "h"), lambda _: key in ("y", "Y"))]
        _page(state, lines) if is_open(state.folder, exercise) else state.screen.note(str(lines[0]))

    if is_open(state.folder, exercise):
        return show_it()
    if isinstance(asked := next(solution_of(state.folder, exercise, "h")), Question):
        state.screen.note(f"{asked.text} y for yes, any other key for no.")
    state.takes_keys = show_it


def go_on(state: State) -> None:
    """on to the next exercise that is not done"""
    at = state.exercises.index(state.current) + 1 if state.current in state.exercises else 0
    ahead = [exercise for exercise in (*state.exercises[at:], *state.exercises[:at]) if exercise.name not in state.done]
    if ahead and ahead[0] is not state.current:
        jump(state, ahead[0])
    else:
        state.screen.note("None of the others that you watch is to do." if ahead else "Everything is done.")


@_on_current
def again(state: State, exercise: Exercise) -> None:
    """show the verdict again, and check anew"""
    show(state)
    state.failed = False
    if not state.is_stub(exercise):
        state.judged.pop(exercise.name, None)


@_on_current
def edit(state: State, exercise: Exercise) -> None:
    """open your editor at the line to look at"""
    trouble = open_in_editor(state.place(exercise), state.keyboard)
    show(state)
    if trouble:
        state.screen.note(trouble)


def whole(state: State) -> None:
    """all of a page that was cut, and the whole call"""
    finding = state.findings.get(state.current.name) if state.current else None
    words = words_of(finding.verdict) if finding else ()
    state.screen.all_of_it([f"The whole call: {word.text}" for word in words if word.kind == "whole"])


def keys(state: State) -> None:
    """these keys"""
    lines = [Text.assemble((f"  {key}  ", "bold"), act.__doc__ or "") for key, act in ACTIONS.items()]
    commands = "Commands, in another terminal: attn list, check, reset, predict, debug, book. attn --help lists them."
    _page(state, [*lines, Text.assemble(("  q  ", "bold"), "quit"), Text(commands, "dim")])


ACTIONS = {"h": hint, "s": solution, "n": go_on, "r": again, "e": edit, "v": whole, "?": keys}
