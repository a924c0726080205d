"""Commands about people and dates: `attn course roster`, `due`, `extend`, `waive` and `forget`."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.classroom import summary
from autograder.classroom.course import deadlines, times
from autograder.classroom.course.course import Course, find_course
from autograder.classroom.course.plan import END_OF_DAY, FULL, NONE
from autograder.classroom.roster.counted import add_group_members
from autograder.classroom.roster.people import People
from autograder.classroom.roster.table import read_table

OpenCourse = Annotated[
    Course,
    typer.Option(
        "--course",
        parser=lambda folder: find_course(Path(folder) if folder else None),
        metavar="PATH",
        default_factory=str,
        show_default=False,
        help="The folder of the course; by default, found from the current folder.",
    ),
]
Student = Annotated[
    str | None, typer.Option("--student", help="Only this learner: an id, an e-mail address or a name.")
]
Section = Annotated[str | None, typer.Option("--section", help="Only the learners of this section of the roster.")]

people_app = typer.Typer()


@people_app.command("roster")
def course_roster(
    course: OpenCourse,
    file: Annotated[
        Path | None, typer.Argument(help="A CSV file: your own, Moodle's worksheet, a gradebook exported from Canvas.")
    ] = None,
    leave: Annotated[bool, typer.Option("--leave", help="Remove learners who are not in the file.")] = False,
    assignment: Annotated[str | None, typer.Option(help="Use the groups in the file for this assignment only.")] = None,
) -> None:
    """Read the learners of the course from a file or, without one, list them."""
    people = People(course)
    if file is None:
        summary.show_people(people)
        return
    table = read_table(file)
    change = people.update(table, assignment or "")
    if leave:
        people.mark_as_left(change.missing)
    people.save()
    summary.show_roster(people, change, leave, table.notes)


@people_app.command("due")
def course_due(
    course: OpenCourse,
    assignment: Annotated[str | None, typer.Argument(help="The assignment; by default, all are listed.")] = None,
    when: Annotated[str | None, typer.Argument(help="The new due date, such as 2027-02-01T12:00.")] = None,
) -> None:
    """List due dates and extensions, or set a due date.

    The due date is written to course.toml and to the gradebook.
    """
    names = course.select_assignments([assignment] if assignment else ())
    if assignment is not None and when is not None:
        due = times.parse_due_date(when)
        is_day = due.time() == END_OF_DAY
        course.set_key(assignment, "due", due.date() if is_day else course.plan.add_zone(due))
        course.write_due_dates()
        print("Next: attn course build, which writes it into the notebooks; attn course grade, if any came late.")
    summary.show_due(course, names)


@people_app.command("forget")
def course_forget(
    student: Annotated[str, typer.Argument(help="An id, an e-mail address or a name.")],
    course: OpenCourse,
    is_sure: Annotated[bool, typer.Option("--yes", help="Remove the data; by default, only list them.")] = False,
) -> None:
    """Remove a learner everywhere: gradebook, roster, submissions, verdicts and pages."""
    from autograder.classroom.inbox.learners import find_files_about, remove_student

    person_id = People(course).require(student).id
    files = find_files_about(course, person_id)
    if is_sure:
        remove_student(course, person_id)
    action = "Removed" if is_sure else "To be removed"
    summary.say(f"{action}: {person_id} in the gradebook and in every list of the course")
    summary.say(*map(str, files))
    print("Clear your own reports, tables, downloads, platforms and backups yourself.")
    if not is_sure:
        summary.say(f"Nothing was removed yet: attn course forget {person_id} --yes")


@people_app.command("waive")
def course_waive(
    assignment: str,
    exercise: Annotated[str, typer.Argument(help="An exercise, question or test, such as why-question.")],
    course: OpenCourse,
    is_none: Annotated[bool, typer.Option("--none", help="Give nobody points for it.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Let the points of tests and graders count again.")] = False,
) -> None:
    """Give full points for an exercise to everybody who handed in, from the next grading on.

    The waiver is recorded in course.toml. Points that a person gave come back with --undo.
    """
    (name,) = course.select_assignments([assignment])
    waivers_before = course.plan.get_assignment(name).waived
    waivers_left = {key: value for key, value in waivers_before.items() if key != exercise}
    waivers = waivers_left if undo else waivers_left | {exercise: NONE if is_none else FULL}
    course.set_key(name, "waived", waivers)
    says = {None: "is not waived", FULL: "full points", NONE: "no points"}[waivers.get(exercise)]
    summary.say(f"{name}: {exercise}, {says}{' for everybody who handed in' if exercise in waivers else ''}.")
    summary.say(f"Next: attn course grade {name}; with --dry-run it says whose points change.")


@people_app.command("extend")
def course_extend(
    student: Annotated[str, typer.Argument(help="An id, an e-mail address or a name; or a section or group.")],
    assignment: str,
    span: Annotated[
        str,
        typer.Argument(help="A length (2d, 12h, 90m, 1w) or a date (2027-02-03T12:00); 0 removes the extension."),
    ],
    course: OpenCourse,
    shorten: Annotated[bool, typer.Option("--shorten", help="Also shorten extensions that are longer.")] = False,
) -> None:
    """Extend the deadline of a learner, a section or a group. Longer extensions stay, unless you use --shorten or 0."""
    (name,) = course.select_assignments([assignment])
    people = People(course)
    plan, due = course.plan, course.find_due_date(name)
    students = add_group_members(course, name, people.select(student))
    new = deadlines.parse_extension(span, due, plan)
    extensions = course.read_extensions()
    for student_id in students:
        person, had = people.require(student_id), extensions.get((name, student_id))
        end, note = new, ""
        if new and had and new < had and not shorten:
            end, note = had, f", which is later than {plan.format_time(new)}: --shorten shortens it"
        extensions[name, student_id] = end
        longer = f", {times.format_duration(end - due)} longer" if end and due and end > due else ""
        words = f"until {plan.format_time(end)}{longer}" if end else "no longer than everybody"
        summary.say(f"{person.name or person.id}: {name}, {words}{note}.")
    deadlines.write_extensions(course.folder, extensions)
    summary.say(f"Next: attn course grade {name}; with --dry-run it says whose points change.")
