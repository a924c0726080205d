"""What the keys of `attn watch` do. The commands of the same names do the same."""

from rich.syntax import Syntax

from autograder.study.drawing import first_picture, save_picture
from autograder.study.hints import next_hints
from autograder.study.listing import listing, place_of
from autograder.study.solution import comparison, is_open
from autograder.views.pictures.cells import Cells


def hint(watch):
    """The next hint for the current exercise."""
    if watch.current:
        watch.screen.lines(next_hints(watch.folder, watch.current, "S, the capital letter, shows the solution"))


def solution(watch, give_up=False):
    """The solution of the current exercise where it is open, else of the one just done."""
    names = [watch.current and watch.current.name, watch.last]
    for exercise in [watch.folder.exercise(name) for name in names if name]:
        if is_open(watch.folder, exercise, give_up and exercise is watch.current):
            watch.screen.lines(solution_lines(watch.folder, exercise), clear=True)
            watch.footer()
            break
    else:
        watch.screen.note(f"{names[0]} is not done yet: S, the capital letter, gives up and shows its solution.")


def give_up(watch):
    """Open the solution of the current exercise."""
    solution(watch, give_up=True)


def skip(watch):
    """Go to the next exercise that is not done."""
    watch.skip()
    watch.screen.lines([], clear=True)
    watch.footer()


def show_list(watch):
    """What is done and what is to do."""
    chapters = [watch.current.chapter] if watch.current else ()
    lines = listing(watch.folder, chapters, watch.screen.unicode, watch.current)
    watch.screen.lines(lines, clear=True)
    watch.footer()


def picture(watch):
    """Yours, target and difference of the exercise that was wrong last."""
    verdict = watch.current and watch.verdicts.get(watch.current.name)
    drawn = verdict and first_picture(verdict)
    if not drawn:
        watch.screen.note("There is nothing to draw: a picture needs a wrong array of numbers.")
        return
    watch.screen.lines([watch.current.name, Cells(drawn)], clear=True)
    with watch.screen.busy("drawing a file of it"):
        path = save_picture(drawn, watch.folder, watch.current.name)
    watch.screen.note(f"The same as a file: {path}")
    watch.footer()


ACTIONS = {"h": hint, "s": solution, "S": give_up, "n": skip, "l": show_list, "p": picture}


def solution_lines(folder, exercise):
    """The comparison of an answer with the solution, for a terminal."""
    lines = comparison(folder, exercise)
    yield f"{exercise.name}: - is yours ({place_of(folder, exercise)}), + is the solution"
    yield Syntax("\n".join(lines), "diff", theme="ansi_dark", word_wrap=True)
    if not any(line[:1] in "+-" for line in lines):
        yield "Yours is the same, line by line."
