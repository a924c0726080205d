"""Prediction questions: learners predict what code returns. The reply to a wrong prediction explains its mistake."""

import datetime
import random
from collections.abc import Callable

from autograder.chapters import curriculum
from autograder.chapters.answers import find_chapter
from autograder.chapters.chapter import read_chapter
from autograder.questions.computed import FORMS, SolvedQuestion, list_quizzed_chapters, load_questions, questions_on
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
    first_tries = progress.read().get(name, {}).get("predicted", []) if progress else []
    first_tries = first_tries if len(first_tries) < len(questions) else []
    title = f"Carried over from {name}" if name in curriculum.UNITS else read_chapter(name).title
    tell(f"{title}: {len(questions)} questions. Enter shows the answer.")
    if first_tries:
        tell(f"You continue with number {len(first_tries) + 1}.")
    for number, question in enumerate(questions[len(first_tries) :], start=len(first_tries) + 1):
        tell("")
        _show_question(question, f"{number} of {len(questions)}", tell)
        first_tries = [*first_tries, _ask_one(question, read_line, tell)]
        if progress:
            progress.change(lambda facts, tries=first_tries: facts.setdefault(name, {}).update(predicted=tries))
    tell("")
    right_count = first_tries.count(True)
    tell(f"{right_count} of {len(questions)} on the first try." + _SURPRISES * (2 * right_count < len(questions)))
    return first_tries.count(True)


def choose_review_questions(progress: Progress) -> list[tuple[str, int]]:
    """Return (chapter, number) of today's review questions, missed ones first; [] if they were asked already."""
    facts, today = progress.read(), datetime.date.today().isoformat()
    if today == facts.get(_AGAIN, {}).get("passed"):
        return []
    done_earlier = {name for name, entry in facts.items() if entry.get("passed", today) < today}
    chapters = [name for name in list_quizzed_chapters() if done_earlier & {*read_chapter(name).names}]
    open_ = [(name, number) for name in chapters for number in range(len(load_questions(name)[1]))]
    random.Random(today).shuffle(open_)
    first_tries = {name: dict(enumerate(facts.get(name, {}).get("predicted", []))) for name in chapters}
    ranks = {False: 0, None: 1, True: 2}
    return sorted(open_, key=lambda place: ranks[first_tries[place[0]].get(place[1])])[:_AGAIN_COUNT]


def ask_review_questions(read_line: Callable[[str], str], tell: Callable[[str], None], progress: Progress) -> None:
    """Ask today's review questions, and record which are answered correctly."""
    if not (places := choose_review_questions(progress)):
        return
    progress.change(lambda facts: facts.setdefault(_AGAIN, {}).update(passed=datetime.date.today().isoformat()))
    tell("Welcome back. Two questions about what you did before: Enter shows the answer.")
    for name, number in places:
        question = questions_on(name)[number]
        tell("")
        _show_question(question, name, tell)
        if _ask_one(question, read_line, tell):
            progress.change(lambda facts, name=name, number=number: _record_correct(facts.get(name, {}), number))
    tell("")


def _record_correct(facts: dict, number: int) -> None:
    if number < len(facts.get("predicted", [])):
        facts["predicted"][number] = True


def _show_question(question: SolvedQuestion, title: str, tell: Callable[[str], None]) -> None:
    tell(f"{title}. {question.question.asks}")
    for line in question.question.given.splitlines():
        tell(f"    {line}")
    for letter, words in question.choices.items():
        tell(f"  {letter}) {words}")


def record_first_try(progress: Progress, chapter: str, number: int, is_right: bool) -> None:
    """Record the result of the first try at a question, if it is the next question without a result."""

    def edit(content: dict[str, dict]) -> None:
        first_tries = content.setdefault(chapter, {}).setdefault("predicted", [])
        first_tries += [is_right] * (len(first_tries) == number)

    progress.change(edit)


def judge_reply(question: SolvedQuestion, text: str) -> tuple[bool | None, str]:
    """Return whether the typed prediction is correct (None if it is malformed), and a sentence for the learner."""
    answer = question.read(text)
    if answer is None:
        return None, FORMS[question.kind]
    if question.is_right(answer):
        return True, f"Yes. {question.question.because}"
    return False, f"No. {question.find_reply(answer) or 'The result is different.'}"


def _ask_one(question: SolvedQuestion, read_line: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    tries = 0
    while tries < _TRIES and (text := read_line(f"{question.kind}: ")).strip():
        is_right, reply = judge_reply(question, text)
        tell(reply)
        if is_right:
            return tries == 0
        tries += is_right is not None
    tell(f"It is {question.format_solution()}")
    tell(question.question.because)
    return False
