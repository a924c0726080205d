"""What `attn watch` shows when something has changed: saves were read, verdicts came, the learner went elsewhere."""

import time
from collections.abc import Collection

from autograder.chapters.chapter import Exercise
from autograder.study.folder import record_verdicts
from autograder.study.watching import screen_pages
from autograder.study.watching.state import State


def show(state: State) -> None:
    """The page of the current exercise, in place of anything else."""
    state.takes_keys = None
    state.screen.page(*screen_pages.current(state))


def jump(state: State, exercise: Exercise) -> None:
    state.go_to(exercise)
    state.just_done = None
    show(state)
    come_along(state)


def come_along(state: State) -> None:
    """Have an editor show the exercise. Not within a file: somebody may be typing there."""
    if state.current:
        state.options.opens(state.place(state.current))


def take_saves(state: State, names: Collection[str] = ()) -> None:
    """Files were saved, or it is time to look. Stubs count at once; the checker sees to the rest."""
    tasks = state.saves.look(names)
    stubs = state.forget_stubs(tasks)
    state.failed = state.failed and not tasks
    due = state.due()
    if tasks and due and not (state.current and state.current.name in due):
        state.go_on(next(iter(due)))  # what is worked on now, though no verdict says so yet
    if stubs:
        state.just_done = state.takes_keys = None
        state.go_on(stubs[0])
        state.screen.page(*screen_pages.stubs_again(state, stubs))
    elif tasks and not due and state.checking:  # what is saved now has its verdict already
        show(state)
    elif tasks and not due:
        state.screen.passing(f"Saved at {now()}. No answer has changed.")


def take_verdicts(state: State) -> None:
    """Show what a save has come to, and go on to what is next."""
    names = [name for name in state.fresh if name in state.findings]
    state.fresh = []
    if not names:
        return
    findings = [state.findings[name] for name in names]
    record_verdicts(state.folder.path, [(finding.task, finding.verdict) for finding in findings])
    glad = [exercise.name for exercise in state.exercises if exercise.name in state.glad and exercise.name in names]
    state.glad.clear()
    wrong = next((finding for finding in findings if finding.verdict.outcome != "passed"), None)
    state.takes_keys = None
    state.just_done = state.folder.exercise(glad[-1]) if glad and not wrong else None
    before = state.current
    if state.just_done and state.options.stays:
        state.current = state.just_done
    else:
        state.go_on(wrong.verdict.exercise if wrong else None)
    if before and state.current and before.chapter != state.current.chapter:
        come_along(state)
    state.on_screen, state.unlocated = (names, glad), wrong if state.options.locates else None
    state.screen.page(*screen_pages.verdicts(state, names, glad))


def now() -> str:
    return time.strftime("%H:%M:%S")
