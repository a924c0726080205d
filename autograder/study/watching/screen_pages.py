"""The pages of `attn watch`, each with a head, a body and a foot."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from autograder.study.verbs import list_afterwords
from autograder.study.watching.state import WatchState
from autograder.views.lines import LOOKS, make_link
from autograder.views.terminal import explain, format_line
from autograder.views.words import choose_preposition

MAX_LINES = 6  # verdicts on a page; if there are more, passed exercises are only counted
MANY_EXERCISES = 20  # if more exercises are watched, they are the whole course and not one chapter
Page = tuple[list[RenderableType], list[RenderableType], list[RenderableType]]  # head, body, foot
_GLAD = ("Well done.", "That is it.", "Right, all of it.", "Good work.", "Just so.")
_KEYS = "h hint  s solution  n next  r again  e edit  v all of it  ? keys  q quit"


def build_welcome_page(state: WatchState) -> Page:
    invitation = "Open the file named below in your editor: each time you save it, it is checked."
    body: list[RenderableType] = [Text(invitation)]
    if state.screen.keys and not any("passed" in facts for facts in state.folder.progress.read().values()):
        body.append(Text("New here? attn book shows the same chapter in a browser, to read. ? lists the keys.", "dim"))
    return [], body, build_foot(state)


def build_verdict_page(state: WatchState, names: Sequence[str], newly_passed: Sequence[str] = ()) -> Page:
    """Return a page of verdicts. The first wrong exercise is explained, the others have a line or are counted."""
    findings = [state.findings[name] for name in names]
    wrong = [finding for finding in findings if finding.verdict.outcome != "passed"]
    explained_finding = wrong[0] if wrong else None
    other_findings = [finding for finding in findings if finding not in wrong]
    listed = wrong if len(findings) > MAX_LINES else [*wrong, *other_findings]
    width = max(map(len, names))
    header, body, chapter = list[RenderableType](), list[RenderableType](), None
    for finding in listed:
        if finding.task.chapter is not chapter:
            chapter = finding.task.chapter
            path = make_link(finding.task.answer.path, state.screen.console, "dim")
            title = Text.assemble((chapter.title, "bold"), "  ", path, (f"  checked at {finding.time}", "dim"))
            (header if finding in (explained_finding, findings[0]) and not header else body).append(title)
        line = format_line(finding.verdict, width, state.screen.unicode)
        (header if finding is explained_finding else body).append(line)
        if finding is explained_finding:
            body.append(Padding(explain(finding.verdict), (0, 0, 0, 4), expand=False))
    if (count := len(findings) - len(listed)) and not newly_passed:
        text = f"{count} others are correct." if wrong else f"All {count} that you have written are correct."
        body.append(Text.assemble("  ", LOOKS["passed"].mark(state.screen.unicode), text))
    body += _praise(state, newly_passed) if newly_passed else []
    return header, [*body, Text("")], build_foot(state)


def build_current_page(state: WatchState) -> Page:
    """Return the page of the current exercise, with its verdict or, if there is none, its summary."""
    exercise = state.current
    if exercise is None:
        return build_welcome_page(state)
    if exercise.name in state.findings:
        return build_verdict_page(state, [exercise.name])
    look = LOOKS["passed" if exercise.name in state.done else "unattempted"]
    parts = ((exercise.name, "bold"), (f"  {exercise.points} points  ", "dim"), (look.word, look.style))
    line = Text.assemble("  ", look.mark(state.screen.unicode), *parts, (f"  {exercise.effort}", "dim"))
    body = Padding(Text(exercise.summary), (0, 0, 1, 4))
    return [Text(state.folder.chapter_of(exercise).title, "bold"), line], [body], build_foot(state)


def build_foot(state: WatchState) -> list[RenderableType]:
    done, total, screen = len(state.done), len(state.exercises), state.screen
    count: RenderableType = f"{done} of {total} exercise{'s' * (total != 1)} done"
    if screen.can_redraw and not screen.console.no_color:  # Without colours, the bar would be invisible.
        row = Table.grid(padding=(0, 1))
        row.add_row(ProgressBar(total, done, 30, style="dim", complete_style="green", finished_style="green"), count)
        count = row
    return [count, _suggest_next_step(state), *([Text(_KEYS, "dim")] if screen.keys else [])]


def _suggest_next_step(state: WatchState) -> Text:
    exercise, step = state.current, Text(style="bold")
    if exercise is None:
        step.append("Everything is done.")
        return step.append(" attn finish writes a page on what you built." * (len(state.exercises) > MANY_EXERCISES))
    if exercise.name in state.done:
        return step.append(f"{exercise.name} is done.").append(" n continues." * state.screen.keys)
    place, finding = state.find_place(exercise), state.findings.get(exercise.name)
    if finding:
        step.append(f"Fix {exercise.name}{choose_preposition(finding.verdict, place)}")
    else:
        step.append(f"Next: write {exercise.name} in ")
    return step.append_text(make_link(place, state.screen.console))


def _praise(state: WatchState, names: Sequence[str]) -> Iterator[Text]:
    """Yield praise and the afterwords of exercises that passed for the first time."""
    subject = " and ".join(names) if len(names) < 3 else f"{len(names)} exercises"
    yield Text(f"{_GLAD[len(state.done) % len(_GLAD)]} {subject}: done.", "bold green")
    afterwords = list_afterwords(names, state.saves.chapters, state.done)
    yield from map(Text, afterwords)
    if len(afterwords) > len(names[:2]):  # A chapter is complete.
        yield Text(f"Ready to go deeper? attn debug {names[-1]} has a bug for you to find.", "dim")
