"""The output of a teacher's command: one table, and below it everything that needs attention."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.chapters.errors import FAULT
from autograder.chapters.text import clean, join_names, shorten
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import format_duration
from autograder.classroom.gradebook.queries import max_score, released, standings
from autograder.classroom.roster.groups import read_counted
from autograder.classroom.roster.people import Change, People, by_name, told_apart

if TYPE_CHECKING:
    from autograder.classroom.marking.submissions import Receipt, Submission
    from autograder.classroom.returns.scores import AssignmentScores


PROBLEMS = 40  # more are not read
MAX_LETTERS = 500  # of one sentence: a learner's path may have any length


def show_collected(collected: dict[str, tuple[int, int, int]], problems: list[str], last: str = "here") -> None:
    _show(("assignment", "new", "replaced", last), ((name, *counts) for name, counts in collected.items()))
    show_problems(problems)


def show_graded(course: Course, submissions: list[Submission]) -> int:
    """Print the results of the submissions; return 3 after an internal error, never because of a submission."""
    from autograder.classroom.marking.submissions import FAULTED, GONE, GRADED, KEPT, LATE, REFUSED  # noqa: PLC0415
    from autograder.classroom.release.changes import CHANGES  # noqa: PLC0415  (imports what grades; others need it not)

    rows = []
    for name in dict.fromkeys(submission.assignment for submission in submissions):
        counts = Counter(submission.status for submission in submissions if submission.assignment == name)
        found = standings(course.read, name).values()
        mean = sum(standing.counts for standing in found) / max(1, len(found))
        most = max_score(course.read, name)
        late = sum(each.late is None or each.late > 0 for each in read_counted(course.folder, name).values())
        by_hand = sum(standing.waits for standing in found)
        counted = counts[GRADED], counts[KEPT] + counts[GONE], counts[LATE] + counts[REFUSED] + counts[FAULTED]
        rows.append((name, *counted, f"{mean:.1f}", f"{most:g}", late, by_hand))
    _show(("assignment", "graded", "as before", "not graded", "mean", "of", "late", "by hand"), rows)
    show_problems([f"{each.student}: {problem}" for each in submissions for problem in each.news])
    if changes := _changes(submissions):
        print(f"Changed points (all of them are in {course.folder / CHANGES}):")
        show_problems(changes)
    say(*_not_built(course, submissions))
    return FAULT if any(submission.status == FAULTED for submission in submissions) else 0


def show_receipts(receipts: list[Receipt]) -> None:
    rows = []
    for receipt in receipts:
        when = receipt.handed_in or ("when is not known" if receipt.digest else "nothing")
        rows.append((receipt.student, receipt.name, when, receipt.digest, f"{receipt.begun} of {receipt.asked}"))
    _show(("id", "name", "handed in", "digest", "begun"), rows, texts=4, whole="digest")


def graded_already(course: Course, assignment: str, what: str, students: Collection[str] | None = None) -> list[str]:
    graded = {path.parent.name for path in (course.folder / "autograded").glob(f"*/{assignment}")}
    count = len(graded if students is None else graded.intersection(students))
    advice = f"`attn course grade {assignment} --dry-run` says what changes"
    return [f"{assignment}: graded with another {what}: {count}; {advice}."] if count else []


def _changes(submissions: list[Submission]) -> list[str]:
    return [f"{of.who}, {of.assignment}: {change}" for of in submissions for change in of.changes]


def _not_built(course: Course, submissions: list[Submission]) -> Iterator[str]:
    """Yield a sentence for each assignment of which `course.toml` was changed after the notebooks were built."""
    for name in dict.fromkeys(submission.assignment for submission in submissions):
        planned, notebooks = course.plan.assignment(name), released(course.read, name).values()
        wanted = {exercise.name: planned.points_of(exercise) for exercise in planned.exercises_asked}
        wanted |= {each.graded_cell: each.points for each in planned.additions if each.points is not None}
        built = {cell: points for notebook in notebooks for cell, points in notebook.points.items()}
        if different := [cell for cell, points in wanted.items() if built.get(cell) != points]:
            cells = join_names(different)
            yield f"{name}: course.toml is ahead of the notebooks ({cells}): run attn course build first."


def show_preview(course: Course, found: list[Submission]) -> None:
    from autograder.classroom.marking.submissions import GRADED  # noqa: PLC0415

    count, changes = sum(each.status == GRADED or bool(each.changes) for each in found), _changes(found)
    print(f"{count} would be graded. Points that would change: {len(changes) or 'none'}. Nothing was written.")
    show_problems(changes)
    show_problems([f"{each.student}: {problem}" for each in found for problem in each.news])
    say(*_not_built(course, found))


def show_pages(course: Course, pages: dict[tuple[str, str], str], returned: int) -> int:
    """Print where the feedback pages are; return 3 if one could not be written."""
    written = Counter(name for (name, _), why in pages.items() if not why)
    failed = Counter(name for (name, _), why in pages.items() if why)
    names = dict.fromkeys(name for name, _ in pages)
    _show(("assignment", "learners", "not written"), ((name, written[name], failed[name]) for name in names))
    say(f"The pages are in {course.folder / 'feedback'}/<student>/<assignment>/.")
    if returned:
        print(f"Put into the exchange: {returned}.")
    show_problems([f"{student}, {name}: {why}" for (name, student), why in pages.items() if why])
    return FAULT if any(pages.values()) else 0


def show_people(people: People) -> None:
    rows = [
        (person.id, person.name, person.email, person.section, person.group, "has left" if person.left else "")
        for person in sorted(people.in_course, key=lambda each: by_name(each.name))
    ]
    _show(("id", "name", "e-mail", "section", "group", ""), rows, texts=6)
    if not people.has_roster:
        print("There is no roster: these are the learners of the gradebook, and names decide who is who.")


def show_roster(people: People, change: Change, leave: bool, notes: list[str]) -> None:
    here = sum(not person.left for person in people.by_id.values())
    print(f"{here} learners in {people.path}: {len(change.new)} new, {len(change.changed)} changed.")
    if change.missing:
        words = "have left" if leave else "are not in the file; if they have left, give it again with --leave"
        names = join_names([people.by_id[student].name or student for student in change.missing])
        say(f"{len(change.missing)} {words}: {names}")
    show_problems(notes)


def show_overview(assignments: list[AssignmentScores]) -> None:
    names = told_apart({score.student: score.name or score.student for score in assignments[0].scores})
    rows = list[tuple]()
    for of_one in zip(*(each.scores for each in assignments), strict=True):
        points = ["-" if score.points is None else f"{score.points:g}" for score in of_one]
        rows.append((names[of_one[0].student], *points))
    rows.append(("of", *(f"{each.max_points:g}" for each in assignments)))
    _show(("who", *(each.name for each in assignments)), rows)
    say(*(sentence for each in assignments for sentence in each.waiting()))


def show_due(course: Course, assignments: list[str]) -> None:
    rows = list[tuple]()
    people = People(course)
    names = told_apart({person.id: person.name or person.id for person in people.listed}) if people.has_roster else {}
    for name in assignments:
        due = course.due(name)
        rows.append((name, course.plan.shown(due) if due else "not in course.toml"))
        for student, end in course.ends(name).items():
            if end and (due is None or end > due):
                longer = f", {format_duration(end - due)} longer" if due else ""
                rows.append(("", f"{names.get(student, student)}: until {course.plan.shown(end)}{longer}"))
    for person in people.listed:
        if person.extra:
            rows.append(("all", f"{names[person.id]}: {person.extra} more, as in the roster"))
    _show(("assignment", "due"), rows, texts=2)


def show_problems(sentences: list[str]) -> None:
    """Print sentences that need attention: one about each learner before a second about any."""
    console, seen, turns = _console(), Counter[str](), list[tuple[int, int]]()
    for at, sentence in enumerate(sentences):
        who = re.split("[:/+]", sentence, maxsplit=1)[0]
        turns.append((seen[who], at))
        seen[who] += 1
    for at in sorted(at for _, at in sorted(turns)[:PROBLEMS]):
        console.print(Padding(Text(clean(shorten(sentences[at], MAX_LETTERS))), (0, 0, 0, 2)))
    if len(sentences) > PROBLEMS:
        console.print(f"  and {len(sentences) - PROBLEMS} more")


def say(*sentences: str) -> None:
    for sentence in sentences:
        print(clean(sentence))


def _console() -> Console:
    return Console(highlight=False, markup=False)


def _show(titles: Iterable[str], rows: Iterable[tuple], texts: int = 1, whole: str = "") -> None:
    """Print a table whose first columns are texts; the `whole` column is never wrapped."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for at, title in enumerate(titles):
        table.add_column(title, justify="left" if at < texts else "right", no_wrap=title == whole)
    for row in rows:
        table.add_row(*(Text(clean(str(cell)).replace("\n", " ")) for cell in row))
    console = _console()
    console.width = max(console.width, console.measure(table).maximum)  # a long line can be read, a cut name cannot
    console.print(table, soft_wrap=True)
