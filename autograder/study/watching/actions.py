"""Handlers of `attn watch` for saved files, verdicts and key presses."""

import functools
import time
from collections.abc import Callable, Collection, Iterable

from rich.console import RenderableType
from rich.text import Text

from autograder.chapters.chapter import Exercise
from autograder.study import verbs
from autograder.study.editor import open_in_editor
from autograder.study.folder import record_verdicts
from autograder.study.watching import screen_pages
from autograder.study.watching.state import WatchState
from autograder.views.words import list_parts


def show(state: WatchState) -> None:
    state.takes_keys = None
    state.screen.show_page(*screen_pages.build_current_page(state))


def jump(state: WatchState, exercise: Exercise) -> None:
    state.go_to(exercise)
    state.just_done = None
    show(state)
    follow_in_editor(state)


def follow_in_editor(state: WatchState) -> None:
    if state.current:
        state.options.opens(state.find_place(state.current))


def handle_saves(state: WatchState, names: Collection[str] = ()) -> None:
    """Handle saved files. Stubs are reported immediately, and all other code is judged by the checker."""
    tasks = state.saves.read_changes(names)
    stubs = state.forget_stubs(tasks)
    state.failed = state.failed and not tasks
    due = state.find_due()
    if tasks and due and not (state.current and state.current.name in due):
        state.go_to_next(next(iter(due)))  # The learner has just saved this exercise.
    if stubs:
        state.just_done = state.takes_keys = None
        state.go_to_next(stubs[0])
        _show_page(state, [Text(f"{' and '.join(stubs)}: a stub again."), Text("")])
    elif tasks and not due and state.checking:  # The saved code has been judged before.
        show(state)
    elif tasks and not due:
        state.screen.show_briefly(f"Saved at {format_time()}. No answer has changed.")


def handle_verdicts(state: WatchState) -> None:
    """Show the new verdicts, and continue with the next exercise."""
    names = [name for name in state.unshown if name in state.findings]
    state.unshown = []
    if not names:
        return
    findings = [state.findings[name] for name in names]
    record_verdicts(state.folder.path, [(finding.task, finding.verdict) for finding in findings])
    newly_passed = [each.name for each in state.exercises if each.name in state.newly_passed and each.name in names]
    state.newly_passed.clear()
    first_wrong = next((finding for finding in findings if finding.verdict.outcome != "passed"), None)
    state.takes_keys = None
    state.just_done = state.folder.get_exercise(newly_passed[-1]) if newly_passed and not first_wrong else None
    exercise_before = state.current
    if state.just_done and state.options.stays:
        state.current = state.just_done
    else:
        state.go_to_next(first_wrong.verdict.exercise if first_wrong else None)
    if exercise_before and state.current and exercise_before.chapter != state.current.chapter:
        follow_in_editor(state)
    state.on_screen, state.unlocated = (names, newly_passed), first_wrong if state.options.locates else None
    state.screen.show_page(*screen_pages.build_verdict_page(state, names, newly_passed))


def format_time() -> str:
    return time.strftime("%H:%M:%S")


def _on_current(act: Callable) -> Callable:
    """Return an action that calls `act` with the current exercise, or shows a note if all exercises are done."""

    @functools.wraps(act)
    def wrapped(state: WatchState) -> None:
        if state.current:
            return act(state, state.current)
        state.screen.add_note("Everything is done. To work on one exercise: attn watch NAME")

    return wrapped


def _show_page(state: WatchState, lines: Iterable[RenderableType]) -> None:
    state.screen.show_page([], list(lines), screen_pages.build_foot(state))


@_on_current
def show_hint(state: WatchState, exercise: Exercise) -> None:
    lines = verbs.show_next_hints(state.folder, exercise, "s shows the solution")
    if sum(line.startswith("Hint ") for line in lines) > 1:  # All hints are repeated, so show a page.
        _show_page(state, lines)
    else:
        state.screen.add(lines)


def show_solution(state: WatchState) -> None:
    exercise = state.subject
    if state.current and verbs.is_unlocked(state.folder, state.current):
        exercise = state.current

    def show_it(key: str = "") -> None:
        lines = [*verbs.show_solution(state.folder, exercise, "h", lambda _: key in ("y", "Y"))]
        _show_page(state, lines) if verbs.is_unlocked(state.folder, exercise) else state.screen.add_note(str(lines[0]))

    if verbs.is_unlocked(state.folder, exercise):
        return show_it()
    state.screen.add_note(f"{verbs.GIVE_UP.format(exercise.name)} y for yes, any other key for no.")
    state.takes_keys = show_it


def show_next(state: WatchState) -> None:
    i = state.exercises.index(state.current) + 1 if state.current in state.exercises else 0
    to_do = [exercise for exercise in (*state.exercises[i:], *state.exercises[:i]) if exercise.name not in state.done]
    if to_do and to_do[0] is not state.current:
        jump(state, to_do[0])
    else:
        state.screen.add_note("All others that you watch are done." if to_do else "Everything is done.")


@_on_current
def check_again(state: WatchState, exercise: Exercise) -> None:
    show(state)
    state.failed = False
    if not state.is_stub(exercise):
        state.judged.pop(exercise.name, None)


@_on_current
def open_editor(state: WatchState, exercise: Exercise) -> None:
    trouble = open_in_editor(state.find_place(exercise), state.keyboard)
    show(state)
    if trouble:
        state.screen.add_note(trouble)


def show_whole(state: WatchState) -> None:
    finding = state.findings.get(state.current.name) if state.current else None
    words = list_parts(finding.verdict) if finding else ()
    state.screen.show_whole([f"The whole call: {word.text}" for word in words if word.kind == "whole"])


def show_keys(state: WatchState) -> None:
    lines = [Text.assemble((f"  {key}  ", "bold"), text) for key, (_, text) in ACTIONS.items()]
    commands = "Commands, in another terminal: attn list, check, reset, predict, debug, book. attn --help lists them."
    _show_page(state, [*lines, Text.assemble(("  q  ", "bold"), "quit"), Text(commands, "dim")])


ACTIONS = {  # key -> (action, its description on the page of keys)
    "h": (show_hint, "the next hint"),
    "s": (show_solution, "the solution beside your answer (asks first if you are not done)"),
    "n": (show_next, "go to the next exercise that is not done"),
    "r": (check_again, "check again and show the verdict"),
    "e": (open_editor, "open your editor at the line to look at"),
    "v": (show_whole, "show the rest of a cut page, and the whole call"),
    "?": (show_keys, "these keys"),
}
