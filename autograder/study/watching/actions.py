"""Handlers of `attn watch` for saved files, verdicts and key presses, and the pages that they show.

A page has a head, a body and a foot.
"""

import functools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from autograder.chapters.chapter import Exercise
from autograder.study import verbs
from autograder.study.editor import open_in_editor
from autograder.study.folder import record_verdicts
from autograder.study.watching.state import WatchState
from autograder.views.lines import LOOKS, make_link
from autograder.views.terminal import explain, format_line
from autograder.views.words import list_parts

Page = tuple[list[RenderableType], list[RenderableType], list[RenderableType]]  # head, body, foot
_GLAD = ("Well done.", "That is it.", "Right, all of it.", "Good work.", "Just so.")
_KEYS = "h hint  s solution  n next  r again  e edit  v all of it  ? keys  q quit"


def show(state: WatchState) -> None:
    state.takes_keys = None
    state.screen.show_page(*build_current_page(state))


def jump(state: WatchState, exercise: Exercise) -> None:
    state.go_to(exercise)
    state.just_done = None
    show(state)


def handle_saves(state: WatchState) -> None:
    """Handle saved files. Stubs are reported immediately, and all other code is judged by the checker."""
    tasks = state.saves.read_changes()
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
    state.go_to_next(first_wrong.verdict.exercise if first_wrong else None)
    state.unlocated = first_wrong if state.locates else None
    state.screen.show_page(*build_verdict_page(state, names, newly_passed))


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
    state.screen.show_page([], list(lines), build_foot(state))


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


def build_welcome_page(state: WatchState) -> Page:
    invitation = "Open the file named below in your editor: each time you save it, it is checked."
    body: list[RenderableType] = [Text(invitation)]
    if state.screen.keys and not any("passed" in facts for facts in state.folder.progress.read().values()):
        body.append(Text("New here? attn book shows the same chapter in a browser, to read. ? lists the keys.", "dim"))
    return [], body, build_foot(state)


def build_verdict_page(state: WatchState, names: Sequence[str], newly_passed: Sequence[str] = ()) -> Page:
    """Return a page of verdicts. The first wrong exercise is explained, the others have a line."""
    findings = [state.findings[name] for name in names]
    wrong = [finding for finding in findings if finding.verdict.outcome != "passed"]
    explained_finding = wrong[0] if wrong else None
    width = max(map(len, names))
    header, body, chapter = list[RenderableType](), list[RenderableType](), None
    for finding in [*wrong, *(finding for finding in findings if finding not in wrong)]:
        if finding.task.chapter is not chapter:
            chapter = finding.task.chapter
            path = make_link(finding.task.answer.path, state.screen.console, "dim")
            title = Text.assemble((chapter.title, "bold"), "  ", path, (f"  checked at {finding.time}", "dim"))
            (header if finding in (explained_finding, findings[0]) and not header else body).append(title)
        line = format_line(finding.verdict, width, state.screen.unicode)
        (header if finding is explained_finding else body).append(line)
        if finding is explained_finding:
            body.append(Padding(explain(finding.verdict), (0, 0, 0, 4), expand=False))
    body += _praise(state, newly_passed) if newly_passed else []
    return header, [*body, Text("")], build_foot(state)


def build_current_page(state: WatchState) -> Page:
    """Return the page of the current exercise, with its verdict or, if there is none, its summary."""
    exercise = state.current
    if exercise is None:
        return build_welcome_page(state)
    if exercise.name in state.findings:
        return build_verdict_page(state, [exercise.name])
    look = LOOKS["passed" if exercise.name in state.done else "unattempted"]
    parts = ((exercise.name, "bold"), (f"  {exercise.points} points  ", "dim"), (look.word, look.style))
    line = Text.assemble("  ", look.mark(state.screen.unicode), *parts, (f"  {exercise.effort}", "dim"))
    body = Padding(Text(exercise.summary), (0, 0, 1, 4))
    return [Text(state.folder.chapter_of(exercise).title, "bold"), line], [body], build_foot(state)


def build_foot(state: WatchState) -> list[RenderableType]:
    done, total, screen = len(state.done), len(state.exercises), state.screen
    count: RenderableType = f"{done} of {total} exercise{'s' * (total != 1)} done"
    if screen.can_redraw and not screen.console.no_color:  # Without colours, the bar would be invisible.
        row = Table.grid(padding=(0, 1))
        row.add_row(ProgressBar(total, done, 30, style="dim", complete_style="green", finished_style="green"), count)
        count = row
    return [count, _suggest_next_step(state), *([Text(_KEYS, "dim")] if screen.keys else [])]


def _suggest_next_step(state: WatchState) -> Text:
    exercise, step = state.current, Text(style="bold")
    if exercise is None:
        return step.append("Everything is done. attn finish writes a page on what you built.")
    if exercise.name in state.done:
        return step.append(f"{exercise.name} is done.").append(" n continues." * state.screen.keys)
    step.append(f"{'Fix' if exercise.name in state.findings else 'Next: write'} {exercise.name} in ")
    return step.append_text(make_link(state.find_place(exercise), state.screen.console))


def _praise(state: WatchState, names: Sequence[str]) -> Iterator[Text]:
    """Yield praise and the afterwords of exercises that passed for the first time."""
    subject = " and ".join(names) if len(names) < 3 else f"{len(names)} exercises"
    yield Text(f"{_GLAD[len(state.done) % len(_GLAD)]} {subject}: done.", "bold green")
    afterwords = verbs.list_afterwords(names, state.saves.chapters, state.done)
    yield from map(Text, afterwords)
    if len(afterwords) > len(names[:2]):  # A chapter is complete.
        yield Text(f"Ready to go deeper? attn debug {names[-1]} has a bug for you to find.", "dim")
