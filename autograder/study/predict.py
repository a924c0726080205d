"""Predict first: asks what code will give before it is written, and answers a wrong prediction with its mistake."""

from collections.abc import Callable

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.selection import known_chapter
from autograder.questions.computed import FORMS, Known, questions_on
from autograder.study.progress import Progress

_SURPRISES = " The exercises show why: come back to these questions after them."
_TRIES = 2


def subject(name: str) -> str:
    """What is asked about: a unit, at its end, or the chapter of that name."""
    return name if name in curriculum.UNITS else known_chapter(name).name


def ask(name: str, read: Callable[[str], str], tell: Callable[[str], None], progress: Progress | None = None) -> int:
    """Ask the questions on a chapter, or at the end of a unit, that are open, or all of them once more.

    What `read` takes is a prompt, and it may raise EOFError. Gives how many were right at the first try, those
    answered before included.
    """
    questions = questions_on(name)
    firsts = progress.read().get(name, {}).get("predicted", []) if progress else []
    firsts = firsts if len(firsts) < len(questions) else []
    title = f"Carried over from {name}" if name in curriculum.UNITS else read_chapter(name).title
    tell(f"{title}: {len(questions)} questions. Type what you expect; Enter shows the answer.")
    if firsts:
        tell(f"You go on with number {len(firsts) + 1}.")
    for number, known in enumerate(questions[len(firsts) :], start=len(firsts) + 1):
        tell("")
        tell(f"{number} of {len(questions)}. {known.question.asks}")
        for line in known.question.given.splitlines():
            tell(f"    {line}")
        for letter, words in known.choices.items():
            tell(f"  {letter}) {words}")
        firsts = [*firsts, _ask_one(known, read, tell)]
        if progress:
            progress.change(lambda facts, now=firsts: facts.setdefault(name, {}).update(predicted=now))
    tell("")
    right = firsts.count(True)
    tell(f"{right} of {len(questions)} at the first try." + _SURPRISES * (2 * right < len(questions)))
    return firsts.count(True)


def _ask_one(known: Known, read: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    for attempt in range(_TRIES):
        text = read(f"{known.kind}: ")
        while text.strip() and known.read(text) is None:
            tell(FORMS[known.kind])
            text = read(f"{known.kind}: ")
        if not text.strip():
            break
        answer = known.read(text)
        if known.is_right(answer):
            tell(f"Yes. {known.question.because}")
            return attempt == 0
        tell(f"No. {known.reply(answer) or 'Something else comes out.'}")
    tell(f"It is {known.solution()}")
    tell(known.question.because)
    return False
