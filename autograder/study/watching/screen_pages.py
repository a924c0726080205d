"""The pages of `attn watch`: each is a head, a body and a foot, in the order of what matters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise
from autograder.views.lines import link
from autograder.views.looks import LOOKS
from autograder.views.terminal import explanation, line_of
from autograder.views.words import where_of

if TYPE_CHECKING:
    from autograder.study.watching.watch import Finding, Watch

MAX_LINES = 6  # of a page with verdicts; of more that passed, the number is told
SOME = 20  # exercises: who did as many has done more than a chapter
Page = tuple[list[RenderableType], list[RenderableType], list[RenderableType]]  # head, body, foot
_GLAD = ("Well done.", "That is it.", "Right, all of it.", "Good work.", "Just so.")


def welcome(watch: Watch) -> Page:
    invitation = "Open the file named below in your editor: each time you save it, it is checked."
    body: list[RenderableType] = [Text(invitation)]
    if watch.screen.keys and not any("passed" in facts for facts in watch.folder.progress.read().values()):
        reading = "o opens the chapter to read, " if book_page(watch).is_file() else ""
        body.append(Text(f"New here? {reading}m asks what you expect, ? tells all keys.", "dim"))
    return [], body, foot(watch)


def book_page(watch: Watch) -> Path:
    """Where the chapter of the current exercise is to read."""
    return curriculum.SITE / f"{watch.subject.chapter}.html"


def verdicts(watch: Watch, names: Sequence[str], glad: Sequence[str] = ()) -> Page:
    """What a save has come to: the first exercise that is wrong explained, the others in a line each.

    Of more than would leave room for an explanation, those that passed are counted.
    """
    findings = [watch.findings[name] for name in names]
    wrong = [finding for finding in findings if finding.verdict.outcome != "passed"]
    explained = wrong[0] if wrong else None
    others = [finding for finding in findings if finding not in wrong]
    listed = wrong if len(findings) > MAX_LINES else [*wrong, *others]
    width = max(map(len, names))
    head, body, chapter = list[RenderableType](), list[RenderableType](), None
    for finding in listed:
        if finding.task.chapter is not chapter:
            chapter = finding.task.chapter
            title = _title(watch, finding)
            (head if finding in (explained, findings[0]) and not head else body).append(title)
        line = line_of(finding.verdict, width, watch.screen.unicode)
        (head if finding is explained else body).append(line)
        if finding is explained:
            body.append(Padding(explanation(finding.verdict), (0, 0, 0, 4), expand=False))
    if (right := len(findings) - len(listed)) and not glad:
        sign = LOOKS["passed"][0 if watch.screen.unicode else 1]
        text = f"{right} others are right." if wrong else f"All {right} that you have written are right."
        body.append(Text(f"  {sign} ", "green").append(text, "default"))
    body += _praise(watch, glad) if glad else []
    return head, [*body, Text("")], foot(watch)


def current(watch: Watch) -> Page:
    """The exercise one is at: its verdict, or what it asks for."""
    exercise, screen = watch.current, watch.screen
    if exercise is None:
        return welcome(watch)
    if exercise.name in watch.findings:
        return verdicts(watch, [exercise.name])
    chapter, state = watch.folder.chapter_of(exercise), "passed" if exercise.name in watch.done else "unattempted"
    sign, plain, word, style = LOOKS[state]
    line = Text("  ").append(f"{sign if screen.unicode else plain} ", style)
    line.append(exercise.name, "bold").append(f"  {exercise.points} points  ", "dim").append(word, style)
    line.append(f"  {exercise.effort}", "dim")
    body = Padding(Text(exercise.summary), (0, 0, 1, 4))
    return [Text(chapter.title, "bold"), line], [body], foot(watch)


def stub_again(watch: Watch, names: list[str]) -> Page:
    body = Text(f"{' and '.join(names)}: a stub again.")
    return [], [body, Text("")], foot(watch)


def foot(watch: Watch) -> list[RenderableType]:
    return watch.screen.footer(len(watch.done), len(watch.exercises), step(watch))


def step(watch: Watch) -> Text:
    exercise, step = watch.current, Text(style="bold")
    if exercise is None:
        step.append("Everything is done.")
        return step.append(" attn finish writes a page on what you built." * (len(watch.exercises) > SOME))
    if exercise.name in watch.done:
        return step.append(f"{exercise.name} is done.").append(" n goes on." * watch.screen.keys)
    step.append(f"{'Fix' if exercise.name in watch.findings else 'Next: write'} {exercise.name} in ")
    return step.append_text(link(place(watch, exercise), watch.screen.console))


def place(watch: Watch, exercise: Exercise) -> str:
    """Where to look for an exercise, as ``file:line``."""
    finding, task = watch.findings.get(exercise.name), watch.saves.tasks.get(exercise.chapter)
    if task is None:
        return f"{exercise.chapter}.py, which cannot be read"
    return task.answer.place_to_write(exercise.name, where_of(finding.verdict) if finding else None) or task.answer.path


def _title(watch: Watch, finding: Finding) -> Text:
    title = Text.assemble((finding.task.chapter.title, "bold"), "  ")
    return title.append_text(link(finding.task.answer.path, watch.screen.console, "dim")).append(
        f"  checked at {finding.time}", "dim"
    )


def _praise(watch: Watch, names: Sequence[str]) -> Iterator[Text]:
    """A good word for exercises that were not done before, and what was the point of them."""
    what = " and ".join(names) if len(names) < 3 else f"{len(names)} exercises"
    yield Text(f"{_GLAD[len(watch.done) % len(_GLAD)]} {what}: done.", "bold green")
    for name in names[:2]:
        yield Text(watch.findings[name].task.chapter.after(name))
    for chapter in watch.saves.chapters:
        exercises = {exercise.name for exercise in chapter.exercises}
        if exercises & set(names) and exercises <= watch.done:
            yield Text(f"\nWith it the chapter is done: {chapter.title}.", "bold green")
            yield Text(chapter.after(chapter.name))
            if watch.screen.keys:
                name = watch.subject.name
                yield Text(f"Ready to go deeper? d has a bug in {name} for you to find, m asks what you expect.", "dim")
