"""Prediction questions: learners predict what code returns. The reply to a wrong prediction explains its mistake."""

import datetime
import random
import sys
from collections.abc import Callable

from autograder.chapters import curriculum
from autograder.chapters.answers import find_chapter
from autograder.chapters.chapter import read_chapter
from autograder.questions.computed import FORMS, Known, questions_on, uncomputed, with_questions
from autograder.study.progress import Progress

_SURPRISES = " The exercises show why: come back to these questions after them."
_TRIES = 2
_AGAIN, _AGAIN_COUNT = "(again)", 2  # key of the last review's date in the progress, and number of review questions


def require_unit_or_chapter(name: str) -> str:
    """Return `name` if it is the name of a unit or chapter. Raises `UnknownName` otherwise."""
    return name if name in curriculum.UNITS else find_chapter(name).name


def ask(
    name: str, read_line: Callable[[str], str], tell: Callable[[str], None], progress: Progress | None = None
) -> int:
    """Ask the unanswered questions on a chapter or unit, or all again if none is left.

    Return the number of questions that were answered correctly on the first try, now or earlier. `read_line` takes a
    prompt and may raise EOFError.
    """
    questions = questions_on(name)
    firsts = progress.read().get(name, {}).get("predicted", []) if progress else []
    firsts = firsts if len(firsts) < len(questions) else []
    title = f"Carried over from {name}" if name in curriculum.UNITS else read_chapter(name).title
    tell(f"{title}: {len(questions)} questions. {_describe_keys()}.")
    if firsts:
        tell(f"You continue with number {len(firsts) + 1}.")
    for number, known in enumerate(questions[len(firsts) :], start=len(firsts) + 1):
        tell("")
        _show_question(known, f"{number} of {len(questions)}", tell)
        firsts = [*firsts, _ask_one(known, read_line, tell)]
        if progress:
            progress.change(lambda facts, now=firsts: facts.setdefault(name, {}).update(predicted=now))
    tell("")
    right = firsts.count(True)
    tell(f"{right} of {len(questions)} on the first try." + _SURPRISES * (2 * right < len(questions)))
    return firsts.count(True)


def choose_review_questions(progress: Progress) -> list[tuple[str, int]]:
    """Return (chapter, number) of the review questions for today, preferably of those that were answered wrongly."""
    facts, today = progress.read(), datetime.date.today().isoformat()
    if today == facts.get(_AGAIN, {}).get("passed"):
        return []
    done_earlier = {name for name, entry in facts.items() if entry.get("passed", today) < today}
    begun = [name for name in with_questions() if done_earlier & {*read_chapter(name).names}]
    open_ = [(name, number) for name in begun for number in range(len(uncomputed(name)[1]))]
    random.Random(today).shuffle(open_)
    firsts = {name: dict(enumerate(facts.get(name, {}).get("predicted", []))) for name in begun}
    ranks = {False: 0, None: 1, True: 2}
    return sorted(open_, key=lambda place: ranks[firsts[place[0]].get(place[1])])[:_AGAIN_COUNT]


def ask_review_questions(read_line: Callable[[str], str], tell: Callable[[str], None], progress: Progress) -> None:
    """Ask today's review questions, and record which are answered correctly."""
    if not (places := choose_review_questions(progress)):
        return
    progress.change(lambda facts: facts.setdefault(_AGAIN, {}).update(passed=datetime.date.today().isoformat()))
    tell(f"Welcome back. Two questions about what you did before: {_describe_keys()}.")
    for name, number in places:
        known = questions_on(name)[number]
        tell("")
        _show_question(known, name, tell)
        if _ask_one(known, read_line, tell):
            progress.change(lambda facts, name=name, number=number: _record_correct(facts.get(name, {}), number))
    tell("")


def _describe_keys() -> str:
    """Return a phrase on the keys to press. Ctrl-D is only mentioned in a terminal."""
    return "Enter shows the answer" + ", Ctrl-D leaves" * sys.stdin.isatty()


def _record_correct(facts: dict, number: int) -> None:
    if number < len(facts.get("predicted", [])):
        facts["predicted"][number] = True


def _show_question(known: Known, title: str, tell: Callable[[str], None]) -> None:
    tell(f"{title}. {known.question.asks}")
    for line in known.question.given.splitlines():
        tell(f"    {line}")
    for letter, words in known.choices.items():
        tell(f"  {letter}) {words}")


def record_first_try(progress: Progress, chapter: str, number: int, is_right: bool) -> None:
    """Record the result of the first try at a question, if it is the next question without a result."""

    def edit(content: dict[str, dict]) -> None:
        firsts = content.setdefault(chapter, {}).setdefault("predicted", [])
        firsts += [is_right] * (len(firsts) == number)

    progress.change(edit)


def judge_reply(known: Known, text: str) -> tuple[bool | None, str]:
    """Return whether the typed answer is correct (None if it is malformed), and a sentence for the learner."""
    answer = known.read(text)
    if answer is None:
        return None, FORMS[known.kind]
    if known.is_right(answer):
        return True, f"Yes. {known.question.because}"
    return False, f"No. {known.reply(answer) or 'The result is different.'}"


def _ask_one(known: Known, read_line: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    tries = 0
    while tries < _TRIES and (text := read_line(f"{known.kind}: ")).strip():
        is_right, reply = judge_reply(known, text)
        tell(reply)
        if is_right:
            return tries == 0
        tries += is_right is not None
    tell(f"It is {known.solution()}")
    tell(known.question.because)
    return False
