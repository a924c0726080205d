"""Commands for a teacher: `attn course`. Each is a thin wrapper around a module of `autograder.classroom`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_output
from autograder.classroom import summary
from autograder.classroom.course.course import find_course, open_own_chapters
from autograder.classroom.roster.people import People, limit_course
from autograder.cli.export import export_app
from autograder.cli.options import Jobs
from autograder.cli.people import OpenCourse, Section, Student, people_app
from autograder.grading.executors import make_executor_factory

course_app = typer.Typer(
    help="Run a course with nbgrader: release, grade, return.",
    no_args_is_help=True,
    suggest_commands=False,
    add_completion=False,
    rich_markup_mode=None,
)
course_app.add_typer(export_app, name="export")


Assignments = Annotated[list[str] | None, typer.Argument(help="Assignments; by default, all that were built.")]
ExchangeFolder = Annotated[
    Path | None,
    typer.Option("--exchange", help="The folder of nbgrader's exchange; by default, the configured one."),
]


@course_app.command("new")
def course_new(
    folder: Annotated[Path, typer.Argument(help="The folder of the course.")],
    last: Annotated[
        Path | None, typer.Option("--from", help="A course to copy: its settings, chapters and texts, no grades.")
    ] = None,
    exchange: Annotated[
        Path | None, typer.Option(help="The folder of nbgrader's exchange: created if missing, and remembered.")
    ] = None,
) -> None:
    """Create a course: its plan (course.toml), configuration, gradebook and secret."""
    from autograder.classroom.course.new import create_course

    create_course(folder, last, exchange)
    if last:
        print("Left out, set them again: dates in course.toml, and what nbgrader_config.py marks as of last year.")
    print(f"{folder} is now a course. Next: list its assignments in {folder / 'course.toml'}, and then")
    print(f"attn course build --course {folder}")


@course_app.command("build")
def course_build(
    course: OpenCourse,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite changes in source/ that conflict with the new text.")
    ] = False,
) -> None:
    """Build the notebooks that course.toml describes.

    source/ gets the versions with solutions, and release/ the learners' versions. Your changes in source/ are kept.
    """
    from autograder.classroom.release.build import build_assignments

    build_assignments(course, print, force)
    folder = course.folder / "release"
    print(f"Next: hand out the folders in {folder}, or use nbgrader's exchange: attn course release")


@course_app.command("own")
def course_own(name: Annotated[str, typer.Argument(help="The chapter's name.")], course: OpenCourse) -> None:
    """Write a first chapter of your own, to fill in.

    The chapter has prose, a solution, a suite and known mistakes, and works as it is.
    """
    from autograder.classroom.course.new import write_own_chapter

    folder = course.folder
    print("\n".join(f"Wrote {path}." for path in write_own_chapter(course, name)))
    print(f'Next: change them, try them with `attn stubs --check --course {folder}`, and add "{name}" to the')
    print(f"chapters of an assignment in {folder / 'course.toml'}.")


@course_app.command("release")
def course_release(course: OpenCourse, assignments: Assignments = None, exchange: ExchangeFolder = None) -> None:
    """Put assignments into nbgrader's exchange."""
    from autograder.classroom.inbox import exchange as exchanges

    names = course.select_assignments(assignments or ())
    exchanges.use_exchange(course, exchange)
    names = exchanges.release(course, names, is_named=bool(assignments), log=print)
    print(f"Released: {', '.join(names) or 'nothing'}. Next, when they have been submitted: attn course collect")


@course_app.command("collect")
def course_collect(
    course: OpenCourse,
    assignments: Assignments = None,
    exchange: ExchangeFolder = None,
    download: Annotated[
        Path | None,
        typer.Option("--from", help="A zip file or folder of downloaded submissions, as Moodle and Canvas make them."),
    ] = None,
    worksheet: Annotated[
        Path | None,
        typer.Option(help="With --from: Moodle's grading worksheet, which contains e-mail addresses and times."),
    ] = None,
) -> None:
    """Collect submissions from nbgrader's exchange or a download."""
    names = course.select_assignments(assignments or ())
    if download is not None:
        from autograder.classroom.inbox.downloads import collect_download

        _require_one(names)
        got = collect_download(course, names[0], download, worksheet)
        counts = len(got["new"]), len(got["replaced"]), len(got["same"])
        summary.show_collected({names[0]: counts}, got["problems"], "as before")
    else:
        from autograder.classroom.inbox import exchange as exchanges

        exchanges.use_exchange(course, exchange)
        summary.show_collected(*exchanges.collect(course, names), "here")
    from autograder.classroom.inbox.arrivals import find_all_notebooks

    summary.show_problems(find_all_notebooks(course, names))
    print("Next: attn course grade")


@course_app.command("grade")
def course_grade(
    course: OpenCourse,
    assignments: Assignments = None,
    section: Section = None,
    student: Student = None,
    again: Annotated[bool, typer.Option("--all", help="Also grade unchanged submissions again.")] = False,
    is_preview: Annotated[
        bool, typer.Option("--dry-run", help="Show whose points would change, how and why; write nothing.")
    ] = False,
    regroup: Annotated[
        bool, typer.Option("--regroup", help="Also use today's groups for work that was graded with earlier groups.")
    ] = False,
    jobs: Jobs = 0,
) -> None:
    """Grade every submission that is new or has changed."""
    from autograder.classroom.marking.grade import grade_course, preview_course

    limit_course(course, section, student)
    course.regroups = regroup
    names = course.select_assignments(assignments or ())
    # Each process imports nbgrader, which is slow, so start one only for every ten answers.
    make_executor = make_executor_factory(jobs, answers_per_process=10)
    arguments = names, again, make_executor, Console(stderr=True, highlight=False)
    if is_preview:
        return summary.show_preview(course, preview_course(course, *arguments))
    raise typer.Exit(summary.show_grading(course, grade_course(course, *arguments)))


@course_app.command("show")
def course_show_evidence(
    student: Annotated[str, typer.Argument(help="An id, an e-mail address or a name.")],
    assignment: str,
    course: OpenCourse,
    exercise: Annotated[str | None, typer.Argument(help="An exercise; by default, all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    page: Annotated[Path | None, typer.Option(help="Write one HTML file instead, for an appeal.")] = None,
) -> None:
    """Show the evidence for a learner's points: each test, its full call, the expected and the returned value.

    The command judges the submission again, also in exams, and changes nothing.
    """
    from autograder.classroom.returns import evidence

    (name,) = course.select_assignments([assignment])
    student_id = People(course).require(student).id
    gathered = evidence.gather_evidence(course, student_id, name, exercise, with_cards=page is not None)
    if page is not None:
        write_output(page, evidence.render(gathered, "html"))
        print(f"Wrote {page}.")
    else:
        summary.say(json.dumps(gathered, indent=1) if as_json else evidence.render(gathered, "txt"))


@course_app.command("feedback")
def course_feedback(
    course: OpenCourse,
    assignments: Assignments = None,
    section: Section = None,
    student: Student = None,
    exchange: ExchangeFolder = None,
    zipped: Annotated[
        Path | None,
        typer.Option("--zip", help="Also write a zip file of one assignment, for Moodle, Canvas or e-mail."),
    ] = None,
    let_go: Annotated[
        bool, typer.Option("--release", help="Release the pages of an exam, and record that in course.toml.")
    ] = False,
) -> None:
    """Write the feedback pages.

    They are also copied to nbgrader's exchange if there is one. For other platforms and e-mail, use --zip.
    """
    from autograder.classroom.returns import feedback

    limit_course(course, section, student)
    names = course.select_assignments(assignments or ())
    if let_go:
        if not assignments:  # An exam's feedback is never released for all assignments at once.
            raise CourseError("name the assignments whose pages to release")
        for name in assignments:
            if not course.plan.get_assignment(name).returns_feedback:
                course.set_key(name, "feedback", True)
    names = feedback.select_returnable(course, names, assignments or (), print)
    if not names:
        raise typer.Exit
    pages = feedback.write_pages(course, names, Console(stderr=True, highlight=False))
    returned_count = feedback.return_pages(course, names, exchange)
    code = summary.show_pages(course, pages, returned_count)
    if zipped is not None:
        _require_one(names)
        summary.say(feedback.write_zip(course, names[0], zipped))
    raise typer.Exit(code)


def _require_one(assignments: list[str]) -> None:
    """Raise `CourseError` if there are several assignments, because a download contains only one."""
    if len(assignments) > 1:
        raise CourseError(f"a download belongs to one assignment, so name it: {', '.join(assignments)}")


@course_app.command("report")
def course_report(
    course: OpenCourse,
    assignments: Assignments = None,
    section: Section = None,
    table: Annotated[
        Path | None, typer.Option("--csv", help="Also write one line for each exercise of each learner to this file.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="The page; by default, report.html in the course's folder.")
    ] = None,
    similar: Annotated[Path | None, typer.Option(help="Write similar answers side by side to this page.")] = None,
    last: Annotated[
        Path | None, typer.Option(help="Another course, such as last year's, whose answers are compared as well.")
    ] = None,
) -> None:
    """Write a report on the class.

    The report shows scores, hard exercises, misconceptions and similar answers.
    """
    from autograder.classroom.returns.report import write_report, write_side_by_side

    limit_course(course, section)
    output = output or course.folder / "report.html"
    last_course = find_course(last) if last else None
    open_own_chapters(course.folder)  # Opening another course has closed them.
    pairs = write_report(course, course.select_assignments(assignments or ()), output, table, last_course)
    if similar:
        write_side_by_side(similar, pairs)
    print(f"Wrote {' and '.join(str(path) for path in (output, table, similar) if path)}, for teachers only.")


@course_app.command("overview")
def course_overview(
    course: OpenCourse,
    section: Section = None,
    table: Annotated[Path | None, typer.Option("--csv", help="Write one line for each learner to this file.")] = None,
) -> None:
    """Show everybody's points."""
    from autograder.classroom.returns.scores import read_scores, write_overview

    limit_course(course, section)
    assignments = read_scores(course)
    if table is not None:  # Write the file first, because the reader of a pipe may close it early.
        write_overview(table, assignments)
    summary.show_overview(assignments)
    if table is not None:
        print(f"Wrote {table}.")


@course_app.command("demo")
def course_demo(
    folder: Annotated[Path, typer.Argument(help="The folder of the course, new or empty.")],
) -> None:
    """Demonstrate a course with a small sample class.

    The command makes a course with sample submissions, and grades it.
    """
    from autograder.cli.demo import run_demo

    raise typer.Exit(run_demo(typer.main.get_command(course_app), folder))


course_app.registered_commands[2:2] = people_app.registered_commands  # after `build` in the help
