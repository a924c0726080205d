"""What the keys of `attn watch` do. The commands of the same names do the same."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from autograder.chapters.chapter import Exercise
from autograder.chapters.tasks import Task
from autograder.chapters.text import clean
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study import debug as bugs
from autograder.study.drawing import first_picture, save_picture
from autograder.study.editor import open_in_browser, open_in_editor
from autograder.study.folder import course_of
from autograder.study.hints import next_hints
from autograder.study.listing import listing
from autograder.study.predict import ask
from autograder.study.reset import reset_exercise
from autograder.study.solution import is_open, open_undone, solution_lines
from autograder.study.watching import screen_pages
from autograder.study.watching.chooser import Chooser
from autograder.views.terminal import explanation
from autograder.views.words import words_of

if TYPE_CHECKING:
    from autograder.study.watching.watch import Watch


def _on_current(act: Callable) -> Callable:
    """What is done with the exercise where one is; where all are done there is a word on it."""

    @functools.wraps(act)
    def wrapped(watch: Watch) -> None:
        if watch.current:
            return act(watch, watch.current)
        watch.screen.note("Everything is done: g goes to any exercise, b goes back.")

    return wrapped


def _ask(watch: Watch, question: str, yes: Callable[[], object], no: str) -> None:
    def answer(key: str) -> None:
        yes() if key in ("y", "Y") else watch.screen.note(no)

    watch.screen.note(f"{question} y for yes, any other key for no.")
    watch.takes_keys = answer


@_on_current
def hint(watch: Watch, exercise: Exercise) -> None:
    """the next hint"""
    lines = next_hints(watch.folder, exercise, "S, the capital letter, shows the solution")
    if sum(line.startswith("Hint ") for line in lines) > 1:  # all of them once more
        watch.screen.page([], lines, screen_pages.foot(watch))
    else:
        watch.screen.add(lines)


def solution(watch: Watch) -> None:
    """the solution beside your answer, once that is right"""
    for exercise in filter(None, (watch.current, watch.subject)):
        if is_open(watch.folder, exercise):
            return watch.screen.page([], list(solution_lines(watch.folder, exercise)), screen_pages.foot(watch))
    watch.screen.note(f"{watch.subject.name} is not done yet: S, the capital letter, gives up and shows its solution.")


@_on_current
def give_up(watch: Watch, exercise: Exercise) -> None:
    """give up and see the solution (it asks first)"""

    def open_it() -> None:
        open_undone(watch.folder, exercise)
        solution(watch)

    if is_open(watch.folder, exercise):
        return solution(watch)
    _ask(watch, f"Give up on {exercise.name} and see its solution?", open_it, "Not given up. h shows a hint.")


@_on_current
def start_over(watch: Watch, exercise: Exercise) -> None:
    """start over: put the stub back (it asks first)"""

    def reset() -> None:
        backup = reset_exercise(watch.folder, exercise)
        watch.look({watch.folder.file_of(exercise).name})
        watch.screen.note(f"The file as it was: {backup}")

    if _is_stub(watch, exercise):
        return watch.screen.note(f"{exercise.name} is the stub already.")
    _ask(watch, f"Put the stub of {exercise.name} back? The present file is kept.", reset, "Nothing was changed.")


def go_on(watch: Watch) -> None:
    """on to the next exercise that is not done"""
    at = watch.exercises.index(watch.current) + 1 if watch.current in watch.exercises else 0
    ahead = [exercise for exercise in (*watch.exercises[at:], *watch.exercises[:at]) if exercise.name not in watch.done]
    if ahead and ahead[0] is not watch.current:
        watch.jump(ahead[0])
    else:
        watch.screen.note("None of the others that you watch is to do." if ahead else "Everything is done.")


def go_back(watch: Watch) -> None:
    """back to where you were before"""
    if not watch.trail:
        at = watch.exercises.index(watch.current) if watch.current in watch.exercises else 0
        watch.trail = watch.exercises[max(at - 1, 0) : at]
    if not watch.trail:
        return watch.screen.note("This is where you began. g goes to any exercise.")
    to = watch.trail.pop()
    watch.current = to  # so that the way back is not remembered as a way on
    watch.jump(to)


@_on_current
def again(watch: Watch, exercise: Exercise) -> None:
    """show the verdict again, and check anew"""
    watch.show()
    _check_anew(watch, [exercise])


def check_all(watch: Watch) -> None:
    """check everything that you have written"""
    attempted = [exercise for exercise in watch.exercises if not _is_stub(watch, exercise)]
    if not attempted:
        watch.screen.note("There is nothing to check yet.")
    _check_anew(watch, attempted)


def _check_anew(watch: Watch, exercises: list[Exercise]) -> None:
    for exercise in exercises:
        if not _is_stub(watch, exercise):
            watch.judged.pop(exercise.name, None)
    if watch.due():
        watch.check(watch.due())


def _is_stub(watch: Watch, exercise: Exercise) -> bool:
    task = watch.saves.tasks.get(exercise.chapter)
    return task is None or task.answer.is_untouched(exercise)


def go_to(watch: Watch) -> None:
    """go to any exercise: a list to move in"""
    if watch.screen.redraw:
        watch.takes_keys = Chooser(watch).key
        return
    with watch.keyboard.lent():
        name = input("Go to which exercise? ").strip()
    if name:
        watch.jump(watch.folder.exercise(name))


def show_list(watch: Watch) -> None:
    """what is done and what is to do"""
    chapters = [watch.current.chapter] if watch.current else ()
    lines = list(listing(watch.folder, chapters, watch.screen.unicode, watch.current))
    watch.screen.page([], lines, screen_pages.foot(watch))


@_on_current
def picture(watch: Watch, exercise: Exercise) -> None:
    """yours, target and difference as a picture in a file"""
    finding = watch.findings.get(exercise.name)
    drawn = first_picture(finding.verdict) if finding else None
    if not drawn:
        return watch.screen.note("There is nothing to draw: a picture needs a wrong array of numbers.")
    watch.show()
    try:
        watch.drawn = save_picture(drawn, watch.folder, exercise.name)
    except OSError as error:
        return watch.screen.note(str(error))
    watch.screen.note(f"The same as a file: {watch.drawn}    o opens it")


def predict(watch: Watch) -> None:
    """predict first: questions on the chapter"""
    watch.screen.page([], [], [])
    with watch.keyboard.lent():
        try:
            ask(watch.subject.chapter, input, lambda line: watch.screen.add([line]), watch.folder.progress)
        except EOFError:
            print()  # below the prompt
        input("Enter leads back. ")
    watch.show()


def debug(watch: Watch) -> None:
    """find the bug in an answer that looks right"""
    exercise, folder = watch.subject, course_of(watch.folder.path) / bugs.FOLDER

    def write() -> None:
        path, _ = bugs.write_case(exercise, random.randrange(1 << 16), folder)
        watch.screen.note(f"One mistake is in {path}. Find it, repair it there, save it, and press d again.")

    def give_up_and_write() -> None:
        open_undone(watch.folder, exercise)
        write()

    def judge() -> Iterator[Callable]:
        task, verdict, lesson = bugs.judge_case(exercise, folder)
        yield functools.partial(show_case, watch, task, verdict, lesson)

    if bugs.is_worked_on(exercise, folder):
        watch.screen.note("Checking your repair ...")
        watch.waiting.append(judge)
    elif is_open(watch.folder, exercise):
        write()
    else:
        _ask(watch, bugs.warning(exercise), give_up_and_write, "Nothing was written.")


def show_case(watch: Watch, task: Task, verdict: ExerciseVerdict, lesson: str) -> None:
    """What has come of a repair."""
    if verdict.outcome == "passed":
        lines = [Text("Repaired.", "bold green"), f"This was the mistake: {lesson}" if lesson else ""]
    else:
        place = task.answer.place_to_write(verdict.exercise) or task.answer.path
        lines = [Text(f"Not repaired yet: {clean(place)}", "bold"), explanation(verdict)]
    watch.screen.page([], [line for line in lines if line], screen_pages.foot(watch))


@_on_current
def edit(watch: Watch, exercise: Exercise) -> None:
    """open your editor at the line to look at"""
    trouble = open_in_editor(screen_pages.place(watch, exercise), watch.keyboard)
    watch.show()
    if trouble:
        watch.screen.note(trouble)


def open_page(watch: Watch) -> None:
    """open the chapter, or the picture just drawn"""
    if watch.drawn:
        watch.screen.note(open_in_browser(watch.drawn))
    else:
        watch.screen.note(open_in_browser(screen_pages.book_page(watch), f"#{watch.subject.name}"))


def whole(watch: Watch) -> None:
    """all of a page that was cut, and the whole call"""
    finding = watch.findings.get(watch.current.name) if watch.current else None
    words = words_of(finding.verdict) if finding else ()
    watch.screen.all_of_it([f"The whole call: {word.text}" for word in words if word.kind == "whole"])


def keys(watch: Watch) -> None:
    """these keys"""
    lines = [Text.assemble((f"  {key}  ", "bold"), act.__doc__ or "") for key, act in ACTIONS.items()]
    watch.screen.page([], [*lines, Text.assemble(("  q  ", "bold"), "quit")], screen_pages.foot(watch))


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
