"""The output of a teacher's commands: tables, followed by sentences about everything that needs attention."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autograder.chapters.errors import FAULT
from autograder.chapters.text import clean, join_names, shorten
from autograder.classroom.course.course import Course
from autograder.classroom.course.times import format_duration
from autograder.classroom.gradebook.queries import read_graded_submissions, read_max_score, read_released_notebooks
from autograder.classroom.roster.changes import CHANGES
from autograder.classroom.roster.counted import read_counted
from autograder.classroom.roster.people import People, RosterChange, disambiguate_names, make_name_order

if TYPE_CHECKING:
    from autograder.classroom.marking.submissions import Submission
    from autograder.classroom.returns.scores import AssignmentScores


MAX_PROBLEMS = 40
MAX_SENTENCE_CHARACTERS = 500


def show_collected(counts: dict[str, tuple[int, int, int]], problems: list[str], last_status: str) -> None:
    _show_table(("assignment", "new", "replaced", last_status), ((name, *numbers) for name, numbers in counts.items()))
    show_problems(problems)


def show_grading(course: Course, submissions: list[Submission]) -> int:
    """Print what was graded. Return the exit code: 0, or `FAULT` after an internal error."""
    rows = []
    for name in dict.fromkeys(submission.assignment for submission in submissions):
        counts = Counter(submission.status.name for submission in submissions if submission.assignment == name)
        scores = read_graded_submissions(course.query, name).values()
        mean = sum(score.final_score for score in scores) / max(1, len(scores))
        late_count = sum(each.late is None or each.late > 0 for each in read_counted(course.folder, name).values())
        by_hand = sum(score.needs_manual_grade for score in scores)
        graded, kept = counts["GRADED"], counts["KEPT"]
        numbers = graded, kept, counts.total() - graded - kept
        rows.append((name, *numbers, f"{mean:.1f}", f"{read_max_score(course.query, name):g}", late_count, by_hand))
    _show_table(("assignment", "graded", "as before", "not graded", "mean", "of", "late", "by hand"), rows)
    _show_details(course, submissions, f"Changed points (all of them are in {course.folder / CHANGES}):")
    return FAULT if any(submission.status.name == "FAULTED" for submission in submissions) else 0


def _warn_of_old_notebooks(course: Course, submissions: list[Submission]) -> Iterator[str]:
    """Yield a sentence for each assignment whose points in `course.toml` differ from those in the built notebooks."""
    for name in dict.fromkeys(submission.assignment for submission in submissions):
        spec, notebooks = course.plan.get_assignment(name), read_released_notebooks(course.query, name).values()
        new_points = {exercise.name: spec.points_of(exercise) for exercise in spec.graded_exercises}
        new_points |= {each.graded_cell: each.points for each in spec.additions if each.points is not None}
        built_points = {cell: points for notebook in notebooks for cell, points in notebook.points.items()}
        if changed_cells := [cell for cell, points in new_points.items() if built_points.get(cell) != points]:
            cells = join_names(changed_cells)
            yield f"{name}: course.toml is ahead of the notebooks ({cells}): run attn course build first."


def show_preview(course: Course, submissions: list[Submission]) -> None:
    count = sum(each.status.name == "GRADED" or bool(each.changes) for each in submissions)
    change_count = sum(len(each.changes) for each in submissions)
    print(f"{count} would be graded. Points that would change: {change_count or 'none'}. Nothing was written.")
    _show_details(course, submissions, "Changed points:")


def _show_details(course: Course, submissions: list[Submission], title: str) -> None:
    show_problems([f"{each.student}: {problem}" for each in submissions for problem in each.new_problems])
    changes = [(submission, change) for submission in submissions for change in submission.changes]
    if changes:
        print(title)
        show_problems([f"{' and '.join(each.students)}, {each.assignment}: {change}" for each, change in changes])
    say(*_warn_of_old_notebooks(course, submissions))


def show_pages(course: Course, pages: dict[tuple[str, str], str], returned_count: int) -> int:
    """Print where the feedback pages are. Return the exit code: 0, or `FAULT` if a page could not be written."""
    counts = Counter(name for (name, _), problem in pages.items() if not problem)
    _show_table(("assignment", "pages"), ((name, counts[name]) for name in dict.fromkeys(name for name, _ in pages)))
    say(f"The pages are in {course.folder / 'feedback'}/<student>/<assignment>/.")
    if returned_count:
        print(f"Put into the exchange: {returned_count}.")
    show_problems([f"{student}, {name}: {problem}" for (name, student), problem in pages.items() if problem])
    return FAULT if any(pages.values()) else 0


def show_people(people: People) -> None:
    rows = [
        (person.id, person.name, person.email, person.section, person.group, "has left" if person.left else "")
        for person in sorted(people.by_id.values(), key=lambda each: make_name_order(each.name))
    ]
    _show_table(("id", "name", "e-mail", "section", "group", ""), rows, text_columns=6)
    if not people.has_roster:
        print("There is no roster: these are the learners of the gradebook, and learners are identified by name.")


def show_roster(people: People, change: RosterChange, leave: bool, notes: list[str]) -> None:
    current_count = sum(not person.left for person in people.by_id.values())
    print(f"{current_count} learners in {people.path}: {len(change.new)} new, {len(change.changed)} changed.")
    if change.missing:
        words = "have left" if leave else "are not in the file; if they have left, run this again with --leave"
        names = join_names([people.by_id[student].name or student for student in change.missing])
        say(f"{len(change.missing)} {words}: {names}")
    show_problems(notes)


def show_overview(assignments: list[AssignmentScores]) -> None:
    students = assignments[0].students
    names, rows = disambiguate_names(students), list[tuple]()
    for student in students:
        points = [f"{each.points[student.id]:g}" if student.id in each.works else "-" for each in assignments]
        rows.append((names[student.id], *points))
    rows.append(("of", *(f"{each.max_points:g}" for each in assignments)))
    _show_table(("who", *(each.name for each in assignments)), rows)
    say(*(sentence for each in assignments for sentence in each.list_ungraded()))


def show_due(course: Course, assignments: list[str]) -> None:
    rows, names, extensions = list[tuple](), disambiguate_names(People(course).roster), course.read_extensions()
    for name in assignments:
        due = course.find_due_date(name)
        rows.append((name, course.plan.format_time(due) if due else "not in course.toml"))
        for (assignment, student), end in extensions.items():
            if assignment == name and end and (due is None or end > due):
                longer = f", {format_duration(end - due)} longer" if due else ""
                rows.append(("", f"{names.get(student, student)}: until {course.plan.format_time(end)}{longer}"))
    _show_table(("assignment", "due"), rows, text_columns=2)


def show_problems(sentences: list[str]) -> None:
    """Print up to `MAX_PROBLEMS` sentences. If there are more, the first sentence about each learner has priority."""
    console, counts, ranks = Console(highlight=False, markup=False), Counter[str](), list[int]()
    for sentence in sentences:
        subject = re.split("[:/+]", sentence, maxsplit=1)[0]
        ranks.append(counts[subject])
        counts[subject] += 1
    for i in sorted(sorted(range(len(sentences)), key=ranks.__getitem__)[:MAX_PROBLEMS]):
        console.print(Padding(Text(clean(shorten(sentences[i], MAX_SENTENCE_CHARACTERS))), (0, 0, 0, 2)))
    if len(sentences) > MAX_PROBLEMS:
        console.print(f"  and {len(sentences) - MAX_PROBLEMS} more")


def say(*sentences: str) -> None:
    for sentence in sentences:
        print(clean(sentence))


def _show_table(titles: Iterable[str], rows: Iterable[tuple], text_columns: int = 1) -> None:
    """Print a table of text columns, followed by number columns."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for i, title in enumerate(titles):
        table.add_column(title, justify="left" if i < text_columns else "right")
    for row in rows:
        table.add_row(*(Text(clean(str(cell)).replace("\n", " ")) for cell in row))
    console = Console(highlight=False, markup=False)
    # Print lines that are wider than the terminal, because a name must not be cut off.
    console.width = max(console.width, console.measure(table).maximum)
    console.print(table, soft_wrap=True)
