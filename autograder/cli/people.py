"""The commands about people and dates: `attn course roster`, `due` and `extend`."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.classroom import summary
from autograder.classroom.course import deadlines, times
from autograder.classroom.course.course import find_course
from autograder.classroom.roster.groups import in_group
from autograder.classroom.roster.people import People
from autograder.classroom.roster.table import read_table
from autograder.cli.options import CourseFolder

people_app = typer.Typer()


@people_app.command("roster")
def course_roster(
    file: Annotated[
        Path | None, typer.Argument(help="A CSV file: your own, Moodle's worksheet, a gradebook exported from Canvas.")
    ] = None,
    course: CourseFolder = None,
    leave: Annotated[bool, typer.Option("--leave", help="Whoever is not in the file has left the course.")] = False,
    same: Annotated[
        tuple[str, str] | None, typer.Option("--same", help="Two student ids of one learner: OLD becomes ID.")
    ] = None,
) -> None:
    """Say who is in the course; without a file, list them."""
    found_course = find_course(course)
    if same:
        from autograder.classroom.inbox.owners import join

        join(found_course, *same)
        summary.say(f"{same[0]} is {same[1]} now.")
    people = People(found_course)
    if file is None:
        summary.show_people(people)
        return
    table = read_table(file)
    change = people.take(table)
    if leave:
        people.leave(change.missing)
    people.save()
    summary.show_roster(people, change, leave, table.notes)


@people_app.command("due")
def course_due(
    assignment: Annotated[str | None, typer.Argument(help="All are listed where none is named.")] = None,
    when: Annotated[str | None, typer.Argument(help="The new due date, such as 2027-02-01T12:00.")] = None,
    course: CourseFolder = None,
) -> None:
    """List due dates and extensions, or set a due date.

    It goes into course.toml and into the gradebook.
    """
    found_course = find_course(course)
    names = found_course.released([assignment] if assignment else ())
    if assignment is not None and when is not None:
        due = found_course.plan.zoned(times.read_due(when))
        found_course.set_key(assignment, "due", due)
        found_course.write_due_dates()
        print("Next: attn course build, which writes it into the notebooks; attn course grade, if any came late.")
    summary.show_due(found_course, names)


@people_app.command("extend")
def course_extend(
    student: Annotated[str, typer.Argument(help="An id, an e-mail address or a name; or a section or group.")],
    assignment: str,
    span: Annotated[
        str, typer.Argument(help="How much longer: 2d, 12h, 90m, 1w; until when: 2027-02-03T12:00; 0 takes it back.")
    ],
    course: CourseFolder = None,
) -> None:
    """Give a learner or a section longer. It counts from the next grading on, which notices it."""
    found_course = find_course(course)
    (name,) = found_course.released([assignment])
    people = People(found_course)
    due = found_course.due(name)
    longer = deadlines.read_longer(span, due, found_course.plan.zoned)
    for who in in_group(found_course, name, [person.id for person in people.meant_by(student)]):
        person = people.known(who)
        deadlines.extend(found_course, who, name, longer)
        words = f"{times.spelled(longer)} longer" if longer else "no longer than everybody"
        until = f", until {due + longer:%a %d %b %Y %H:%M %Z}" if due and longer else ""
        summary.say(f"{person.name or person.id}: {name}, {words}{until}.")
    summary.say(f"Next: attn course grade {name}")
