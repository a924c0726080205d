"""Predict first: asks what code will give before it is written, and answers a wrong prediction with its mistake."""

import datetime
import random
import sys
from collections.abc import Callable

from autograder.chapters import curriculum
from autograder.chapters.answers import known_chapter
from autograder.chapters.chapter import read_chapter
from autograder.questions.computed import FORMS, Known, questions_on, uncomputed, with_questions
from autograder.study.progress import Progress

_SURPRISES = " The exercises show why: come back to these questions after them."
_TRIES = 2
_AGAIN, _AGAIN_COUNT = "(again)", 2  # where progress keeps the day on which earlier questions were asked; how many


def subject(name: str) -> str:
    """What is asked about: a unit, at its end, or the chapter of that name."""
    return name if name in curriculum.UNITS else known_chapter(name).name


def ask(
    name: str, read_line: Callable[[str], str], tell: Callable[[str], None], progress: Progress | None = None
) -> int:
    """Ask the questions on a chapter, or at the end of a unit, that are open, or all of them once more.

    What `read_line` takes is a prompt, and it may raise EOFError. Gives how many were right at the first try, those
    answered before included.
    """
    questions = questions_on(name)
    firsts = progress.read().get(name, {}).get("predicted", []) if progress else []
    firsts = firsts if len(firsts) < len(questions) else []
    title = f"Carried over from {name}" if name in curriculum.UNITS else read_chapter(name).title
    tell(f"{title}: {len(questions)} questions. {_keys()}.")
    if firsts:
        tell(f"You go on with number {len(firsts) + 1}.")
    for number, known in enumerate(questions[len(firsts) :], start=len(firsts) + 1):
        tell("")
        _show(known, f"{number} of {len(questions)}", tell)
        firsts = [*firsts, _ask_one(known, read_line, tell)]
        if progress:
            progress.change(lambda facts, now=firsts: facts.setdefault(name, {}).update(predicted=now))
    tell("")
    right = firsts.count(True)
    tell(f"{right} of {len(questions)} at the first try." + _SURPRISES * (2 * right < len(questions)))
    return firsts.count(True)


def due_again(progress: Progress) -> list[tuple[str, int]]:
    """Return the questions that come back today, once a day: first what was wrong, then what was never asked."""
    facts, today = progress.read(), datetime.date.today().isoformat()
    if today == facts.get(_AGAIN, {}).get("passed"):
        return []
    before = {name for name, entry in facts.items() if entry.get("passed", today) < today}
    begun = [name for name in with_questions() if before & {*read_chapter(name).names}]
    open_ = [(name, number) for name in begun for number in range(len(uncomputed(name)[1]))]
    random.Random(today).shuffle(open_)
    firsts = {name: dict(enumerate(facts.get(name, {}).get("predicted", []))) for name in begun}
    ranks = {False: 0, None: 1, True: 2}
    return sorted(open_, key=lambda place: ranks[firsts[place[0]].get(place[1])])[:_AGAIN_COUNT]


def ask_again(read_line: Callable[[str], str], tell: Callable[[str], None], progress: Progress) -> None:
    """Ask what comes back today, and remember what is right now."""
    if not (places := due_again(progress)):
        return
    progress.change(lambda facts: facts.setdefault(_AGAIN, {}).update(passed=datetime.date.today().isoformat()))
    tell(f"Welcome back. Two questions on what you did before: {_keys()}.")
    for name, number in places:
        known = questions_on(name)[number]
        tell("")
        _show(known, name, tell)
        if _ask_one(known, read_line, tell):
            progress.change(lambda facts, name=name, number=number: _remember(facts.get(name, {}), number))
    tell("")


def _keys() -> str:
    """What the keys do; a notebook has no Ctrl-D."""
    return "Enter alone shows the answer" + ", Ctrl-D leaves" * sys.stdin.isatty()


def _remember(facts: dict, number: int) -> None:
    if number < len(facts.get("predicted", [])):
        facts["predicted"][number] = True


def _show(known: Known, title: str, tell: Callable[[str], None]) -> None:
    tell(f"{title}. {known.question.asks}")
    for line in known.question.given.splitlines():
        tell(f"    {line}")
    for letter, words in known.choices.items():
        tell(f"  {letter}) {words}")


def record_first(progress: Progress, chapter: str, number: int, is_right: bool) -> None:
    """Keep how the first try at a question went, of those that come in turn: the list has no gaps."""

    def edit(content: dict[str, dict]) -> None:
        firsts = content.setdefault(chapter, {}).setdefault("predicted", [])
        firsts += [is_right] * (len(firsts) == number)

    progress.change(edit)


def reply_to(known: Known, text: str) -> tuple[bool | None, str]:
    """Whether what was typed is right, None where it is no answer of this kind; and what is said to it."""
    answer = known.read(text)
    if answer is None:
        return None, FORMS[known.kind]
    if known.is_right(answer):
        return True, f"Yes. {known.question.because}"
    return False, f"No. {known.reply(answer) or 'Something else comes out.'}"


def _ask_one(known: Known, read_line: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    tries = 0
    while tries < _TRIES and (text := read_line(f"{known.kind}: ")).strip():
        is_right, said = reply_to(known, text)
        tell(said)
        if is_right:
            return tries == 0
        tries += is_right is not None
    tell(f"It is {known.solution()}")
    tell(known.question.because)
    return False
