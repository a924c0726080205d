"""What the keys of `attn watch` do. The commands of the same names do the same."""

import functools
from collections.abc import Callable, Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.chapters.tasks import Task
from autograder.chapters.text import clean
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.debug import Case, folder_beside
from autograder.study.drawing import first_picture, save_picture
from autograder.study.editor import open_in_browser, open_in_editor
from autograder.study.hints import next_hints
from autograder.study.listing import listing
from autograder.study.predict import ask
from autograder.study.reset import reset_exercise
from autograder.study.solution import is_open, open_undone, solution_lines
from autograder.study.watching import screen_pages
from autograder.study.watching.chooser import Chooser
from autograder.study.watching.moves import jump, show, take_saves
from autograder.study.watching.state import State
from autograder.views.terminal import explanation
from autograder.views.words import words_of


def _on_current(act: Callable) -> Callable:
    """What is done with the exercise where one is; where all are done there is a word on it."""

    @functools.wraps(act)
    def wrapped(state: State) -> None:
        if state.current:
            return act(state, state.current)
        state.screen.note("Everything is done: g goes to any exercise, b goes back.")

    return wrapped


def _page(state: State, lines: Iterable[RenderableType]) -> None:
    state.screen.page([], list(lines), screen_pages.foot(state))


def _ask(state: State, question: str, yes: Callable[[], object], no: str) -> None:
    def answer(key: str) -> None:
        yes() if key in ("y", "Y") else state.screen.note(no)

    state.screen.note(f"{question} y for yes, any other key for no.")
    state.takes_keys = answer


@_on_current
def hint(state: State, exercise: Exercise) -> None:
    """the next hint"""
    lines = next_hints(state.folder, exercise, "S, the capital letter, shows the solution")
    if sum(line.startswith("Hint ") for line in lines) > 1:  # all of them once more
        _page(state, lines)
    else:
        state.screen.add(lines)


def solution(state: State) -> None:
    """the solution beside your answer, once that is right"""
    for exercise in filter(None, (state.current, state.subject)):
        if is_open(state.folder, exercise):
            return _page(state, solution_lines(state.folder, exercise))
    state.screen.note(f"{state.subject.name} is not done yet: S, the capital letter, gives up and shows its solution.")


@_on_current
def give_up(state: State, exercise: Exercise) -> None:
    """give up and see the solution (it asks first)"""

    def open_it() -> None:
        open_undone(state.folder, exercise)
        solution(state)

    if is_open(state.folder, exercise):
        return solution(state)
    _ask(state, f"Give up on {exercise.name} and see its solution?", open_it, "Not given up. h shows a hint.")


@_on_current
def start_over(state: State, exercise: Exercise) -> None:
    """start over: put the stub back (it asks first)"""

    def reset() -> None:
        reset_exercise(state.folder, exercise)
        take_saves(state, {state.folder.file_of(exercise).name})
        state.screen.note(f"What you had: attn reset {exercise.name} --list")

    if state.is_stub(exercise):
        return state.screen.note(f"{exercise.name} is the stub already.")
    _ask(state, f"Put the stub of {exercise.name} back? The present file is kept.", reset, "Nothing was changed.")


def go_on(state: State) -> None:
    """on to the next exercise that is not done"""
    at = state.exercises.index(state.current) + 1 if state.current in state.exercises else 0
    ahead = [exercise for exercise in (*state.exercises[at:], *state.exercises[:at]) if exercise.name not in state.done]
    if ahead and ahead[0] is not state.current:
        jump(state, ahead[0])
    else:
        state.screen.note("None of the others that you watch is to do." if ahead else "Everything is done.")


def go_back(state: State) -> None:
    """back to where you were before"""
    if not state.trail:
        at = state.exercises.index(state.current) if state.current in state.exercises else 0
        state.trail = state.exercises[max(at - 1, 0) : at]
    if not state.trail:
        return state.screen.note("This is where you began. g goes to any exercise.")
    *before, to = state.trail
    jump(state, to)
    state.trail = before  # the way back is not remembered as a way on


@_on_current
def again(state: State, exercise: Exercise) -> None:
    """show the verdict again, and check anew"""
    show(state)
    _check_anew(state, [exercise])


def check_all(state: State) -> None:
    """check everything that you have written"""
    if all(map(state.is_stub, state.exercises)):
        state.screen.note("There is nothing to check yet.")
    _check_anew(state, state.exercises)


def _check_anew(state: State, exercises: list[Exercise]) -> None:
    state.failed = False
    for exercise in exercises:
        if not state.is_stub(exercise):
            state.judged.pop(exercise.name, None)


def go_to(state: State) -> None:
    """go to any exercise: a list to move in"""
    if state.screen.redraw:
        state.takes_keys = Chooser(state, lambda exercise: jump(state, exercise) if exercise else show(state)).key
        return
    with state.keyboard.lent():
        name = input("Go to which exercise? ").strip()
    if name:
        jump(state, state.folder.exercise(name))


def show_list(state: State) -> None:
    """what is done and what is to do"""
    chapters = [state.current.chapter] if state.current else ()
    _page(state, listing(state.folder, chapters, state.screen.unicode, state.current))


@_on_current
def picture(state: State, exercise: Exercise) -> None:
    """yours, target and difference as a picture in a file"""
    finding = state.findings.get(exercise.name)
    drawn = first_picture(finding.verdict) if finding else None
    if not drawn:
        return state.screen.note("There is nothing to draw: a picture needs a wrong array of numbers.")
    show(state)
    try:
        state.drawn = save_picture(drawn, state.folder, exercise.name)
    except OSError as error:
        return state.screen.note(str(error))
    state.screen.note(f"The same as a file: {state.drawn}    o opens it")


def predict(state: State) -> None:
    """predict first: questions on the chapter"""
    state.screen.page([], [], [])
    with state.keyboard.lent():
        try:
            ask(state.subject.chapter, input, lambda line: state.screen.add([line]), state.folder.progress)
        except EOFError:
            print()  # below the prompt
        input("Enter leads back. ")
    show(state)


def debug(state: State) -> None:
    """find the bug in an answer that looks right"""
    exercise = state.subject
    case = Case(exercise, folder_beside(state.folder.path))

    def write() -> None:
        open_undone(state.folder, exercise)
        case.write()
        state.screen.note(f"One mistake is in {case.path}. Find it, repair it there, save it, and press d again.")

    def judge() -> Iterator[Callable]:
        yield functools.partial(_show_case, state, *case.judge())

    if case.is_worked_on():
        state.screen.note("Checking your repair ...")
        state.wanted.append(judge)
    elif is_open(state.folder, exercise):
        write()
    else:
        _ask(state, case.warning, write, "Nothing was written.")


def _show_case(state: State, task: Task, verdict: ExerciseVerdict, lesson: str) -> None:
    """What has come of a repair."""
    if verdict.outcome == "passed":
        lines = [Text("Repaired.", "bold green"), f"This was the mistake: {lesson}" if lesson else ""]
    else:
        lines = [Text(f"Not repaired yet: {clean(task.answer.path)}", "bold"), explanation(verdict)]
    _page(state, filter(None, lines))


@_on_current
def edit(state: State, exercise: Exercise) -> None:
    """open your editor at the line to look at"""
    trouble = open_in_editor(state.place(exercise), state.keyboard)
    show(state)
    if trouble:
        state.screen.note(trouble)


def open_page(state: State) -> None:
    """open the chapter, or the picture just drawn"""
    if state.drawn:
        state.screen.note(open_in_browser(state.drawn))
    else:
        state.screen.note(open_in_browser(curriculum.SITE / f"{state.subject.chapter}.html", f"#{state.subject.name}"))


def whole(state: State) -> None:
    """all of a page that was cut, and the whole call"""
    finding = state.findings.get(state.current.name) if state.current else None
    words = words_of(finding.verdict) if finding else ()
    state.screen.all_of_it([f"The whole call: {word.text}" for word in words if word.kind == "whole"])


def keys(state: State) -> None:
    """these keys"""
    lines = [Text.assemble((f"  {key}  ", "bold"), act.__doc__ or "") for key, act in ACTIONS.items()]
    _page(state, [*lines, Text.assemble(("  q  ", "bold"), "quit")])


ACTIONS = {
    "h": hint,
    "s": solution,
    "S": give_up,
    "n": go_on,
    "b": go_back,
    "g": go_to,
    "r": again,
    "c": check_all,
    "l": show_list,
    "p": picture,
    "x": start_over,
    "m": predict,
    "d": debug,
    "e": edit,
    "o": open_page,
    "v": whole,
    "?": keys,
}
