"""What the keys of `attn watch` do. The commands of the same names do the same."""

import contextlib
import functools
import random
import textwrap

from rich.text import Text

from autograder.chapters.curriculum import BOOK
from autograder.chapters.errors import InputError
from autograder.chapters.text import clean
from autograder.study import debug as bugs
from autograder.study.drawing import first_picture, save_picture
from autograder.study.editor import open_in_browser, open_in_editor
from autograder.study.hints import next_hints
from autograder.study.listing import listing
from autograder.study.predict import ask
from autograder.study.solution import is_open, open_undone, solution_lines
from autograder.study.watching import events, pages
from autograder.study.watching.chooser import Chooser
from autograder.views.pictures.cells import Cells
from autograder.views.terminal import explanation


def hint(watch):
    """the next hint"""
    if watch.current:
        watch.screen.add(next_hints(watch.folder, watch.current, "S, the capital letter, shows the solution"))


def solution(watch):
    """the solution beside your answer, once that is right"""
    names = [watch.current and watch.current.name, watch.last]
    for exercise in [watch.folder.exercise(name) for name in names if name]:
        if is_open(watch.folder, exercise):
            return watch.screen.page([], list(solution_lines(watch.folder, exercise)), pages.foot(watch))
    if names[0]:
        watch.screen.note(f"{names[0]} is not done yet: S, the capital letter, gives up and shows its solution.")


def give_up(watch):
    """give up on an exercise and see its solution (it asks first)"""
    exercise = watch.current
    if exercise is None:
        return

    def answer(key):
        if key in "yY":
            open_undone(watch.folder, exercise)
            solution(watch)
        else:
            watch.screen.note("Not given up. h shows a hint.")

    if is_open(watch.folder, exercise):
        return solution(watch)
    watch.screen.note(f"Give up on {exercise.name} and see its solution? y for yes, any other key for no.")
    watch.takes_keys = answer


def go_on(watch):
    """on to the next exercise that is not done"""
    at = watch.exercises.index(watch.current) + 1 if watch.current in watch.exercises else 0
    ahead = [each for each in (*watch.exercises[at:], *watch.exercises[:at]) if each.name not in watch.done]
    if ahead and ahead[0] is not watch.current:
        watch.jump(ahead[0])
    else:
        watch.screen.note("This is the only exercise that is not done." if ahead else "Everything is done.")


def go_back(watch):
    """back to where you were before"""
    if not watch.trail:
        at = watch.exercises.index(watch.current) if watch.current in watch.exercises else 0
        watch.trail = watch.exercises[max(at - 1, 0) : at]
    if not watch.trail:
        return watch.screen.note("This is where you began. g goes to any exercise.")
    to = watch.trail.pop()
    watch.current = to  # so that the way back is not remembered as a way on
    watch.jump(to)


def again(watch):
    """show the verdict again, and check anew"""
    if watch.current:
        watch.show()
        _check_anew(watch, [watch.current])


def check_all(watch):
    """check everything that you have written"""
    tasks = watch.saves.tasks
    attempted = [e for e in watch.exercises if e.chapter in tasks and not tasks[e.chapter].answer.is_untouched(e)]
    if not attempted:
        watch.screen.note("There is nothing to check yet.")
    _check_anew(watch, attempted)


def _check_anew(watch, exercises):
    for exercise in exercises:
        if exercise.chapter in watch.saves.tasks and not _is_stub(watch, exercise):
            watch.judged.pop(exercise.name, None)
    if watch.due():
        watch.check(watch.due())


def _is_stub(watch, exercise):
    return watch.saves.tasks[exercise.chapter].answer.is_untouched(exercise)


def go_to(watch):
    """go to any exercise: a list to move in"""
    if watch.screen.redraw:
        watch.takes_keys = Chooser(watch).key
        return
    with watch.keyboard.lent():
        name = input("Go to which exercise? ").strip()
    watch.jump(watch.folder.exercise(name) if name else watch.current)


def show_list(watch):
    """what is done and what is to do"""
    chapters = [watch.current.chapter] if watch.current else ()
    lines = list(listing(watch.folder, chapters, watch.screen.unicode, watch.current))
    watch.screen.page([], lines, pages.foot(watch))


def picture(watch):
    """yours, target and difference, also as a file"""
    found = watch.current and watch.found.get(watch.current.name)
    drawn = found and first_picture(found.verdict)
    if not drawn:
        watch.screen.note("There is nothing to draw: a picture needs a wrong array of numbers.")
        return
    call = Text(clean(textwrap.shorten(drawn.call, 230, placeholder=" ...")), "cyan")
    watch.screen.page([call], [Cells(drawn)], pages.foot(watch))
    name = watch.current.name

    def draw():  # the first takes a second
        try:
            watch.inbox.put(("drew", save_picture(drawn, watch.folder, name)))
        except (InputError, OSError) as error:
            watch.inbox.put(("said", str(error)))

    events.start(draw)


def predict(watch):
    """predict first: questions on the chapter"""
    chapter = (watch.current or watch.exercises[0]).chapter
    watch.screen.page([], [], [])
    with watch.keyboard.lent():
        with contextlib.suppress(EOFError):
            ask(chapter, input, lambda line: watch.screen.add([line]), watch.folder.progress)
        input("Enter leads back. ")
    watch.show() if watch.current else watch.screen.page(*pages.welcome(watch))


def debug(watch):
    """find the bug: repair an answer that looks right and is not"""
    if not watch.current:
        return
    exercise = watch.current
    if not bugs.is_worked_on(exercise):
        path, _ = bugs.write_case(exercise, random.randrange(1 << 16))
        watch.screen.note(f"One mistake is in {path}. Find it, repair it there, save it, and press d again.")
        return

    def work():
        task, verdict, told = bugs.judge_case(exercise)
        yield functools.partial(show_case, watch, task, verdict, told)

    watch.screen.note("Checking your repair ...")
    watch.waiting.append(work)


def show_case(watch, task, verdict, told):
    """What has come of a repair."""
    if verdict.outcome == "passed":
        lines = [Text("Repaired.", "bold green"), f"This was the mistake: {told}" if told else ""]
    else:
        place = task.answer.place_to_write(verdict.exercise) or task.answer.path
        lines = [Text(f"Not repaired yet: {clean(place)}", "bold"), explanation(verdict)]
    watch.screen.page([], [each for each in lines if each], pages.foot(watch))


def edit(watch):
    """open your editor at the line to look at"""
    if watch.current:
        open_in_editor(pages.place(watch), watch.keyboard, watch.screen.note)
        watch.show()


def open_page(watch):
    """open the chapter, or the picture just drawn, in the browser"""
    exercise = watch.current or watch.exercises[-1]
    if watch.drawn:
        watch.screen.note(open_in_browser(watch.drawn))
    else:
        watch.screen.note(open_in_browser(BOOK / f"{exercise.chapter}.html", f"#{exercise.name}"))


def whole(watch):
    """all of a page that was cut"""
    watch.screen.all_of_it()


def keys(watch):
    """these keys"""
    lines = [Text.assemble((f"  {key}  ", "bold"), act.__doc__) for key, act in ACTIONS.items()]
    watch.screen.page([], [*lines, Text.assemble(("  q  ", "bold"), "quit")], pages.foot(watch))


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
    "m": predict,
    "d": debug,
    "e": edit,
    "o": open_page,
    "v": whole,
    "?": keys,
}
