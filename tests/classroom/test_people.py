"""The identity of learners in all assignments and on all platforms, and their dates, extensions and sections."""

import time
from zoneinfo import ZoneInfo

import nbformat
import pytest

from autograder.chapters.errors import CourseError
from autograder.classroom.course.course import find_course
from autograder.classroom.course.deadlines import parse_span
from autograder.classroom.course.new import create_course
from autograder.classroom.course.plan import Plan
from autograder.classroom.course.plan_file import read_plan
from autograder.classroom.course.times import parse_worksheet_time, read_timestamp
from autograder.classroom.roster.ids import is_id
from autograder.classroom.roster.people import People, disambiguate_names
from autograder.classroom.roster.table import read_people, read_table
from support.course import Course, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

PLAN = """
[assignments.first]
chapters = ["one_query"]
exercises = ["softmax"]

[assignments.second]
chapters = ["one_query"]
exercises = ["attend"]
"""
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (submission),Last modified (grade)
Participant 9001,Ada Lovelace,ada@example.org,Submitted,,8.00,"Monday, 1 February 2027, 11:42 AM",-
Participant 9002,Bo Ek,bo@example.org,Submitted,,8.00,"Tuesday, 2 February 2027, 9:00 AM",-
Participant 9003,Bo Ek,bo2@example.org,No submission,,8.00,-,-
"""


@pytest.fixture
def course(built, tmp_path):
    return built.copy_to(tmp_path / "course")


def download(course, name, assignment, files):
    return course.zip(course.folder.parent / name, dict.fromkeys(files, ("one_query", assignment)))


def name_file(name, number):
    return f"{name}_{number}_assignsubmission_file_/one_query.ipynb"


def list_ids(course):
    with course.kit.open_gradebook() as gradebook:
        return sorted(student.id for student in gradebook.students)


def test_moodles_numbers_change_and_the_learner_stays(course):
    course.does("collect", "first", "--from", download(course, "1.zip", "first", [name_file("Ada Lovelace", 9001)]))
    assert list_ids(course) == ["9001"]
    course.does("collect", "second", "--from", download(course, "2.zip", "second", [name_file("Ada Lovelace", 9011)]))
    assert list_ids(course) == ["9001"]
    assert sorted(path.name for path in (course.folder / "submitted/9001").iterdir()) == ["first", "second"]


def test_a_roster_decides_who_is_enrolled_and_reports_others(course):
    (course.folder / "ws.csv").write_text(WORKSHEET)
    assert "3 learners in roster.csv: 3 new, 0 changed." in course.does("roster", "ws.csv")
    assert (course.folder / "roster.csv").stat().st_mode & 0o777 == 0o600
    assert list_ids(course) == ["ada", "bo", "bo2"]
    files = [name_file("Ada Lovelace", 9001), name_file("Bo Ek", 9002), name_file("Zed Zoe", 9009)]
    zipped = download(course, "1.zip", "first", files)
    output = course.says("collect", "first", "--from", zipped, "--worksheet", "ws.csv")
    assert "Zed Zoe (9009) is not in the roster: recorded as 9009" in output and "Bo Ek" not in output
    assert sorted(path.name for path in (course.folder / "submitted").iterdir()) == ["9009", "ada", "bo"]
    stamp = (course.folder / "submitted/ada/first/timestamp.txt").read_text()
    assert stamp == parse_worksheet_time("Monday, 1 February 2027, 11:42 AM", Plan({}))
    assert stamp.startswith("2027-02-01 ")
    # Without the worksheet, it is unknown which Bo Ek submitted this file.
    zipped = download(course, "b.zip", "first", [name_file("Bo Ek", 9002)])
    assert "Bo Ek (9002): several learners have this name" in course.says("collect", "first", "--from", zipped)


def test_canvas_submissions_are_matched_by_canvas_ids(course):
    course.read_roster(
        "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"
        '"Lovelace, Ada",12345,m-1,alove,Group 1\n"Ek, Bo",12346,m-2,bek,Group 2\n"Student, Test",1,,,\n'
    )
    assert list_ids(course) == ["alove", "bek"]
    assert People(find_course(course.folder)).require("Lovelace Ada").section == "Group 1"
    files = ["lovelaceada_LATE_12345_678910_one_query-1.ipynb", "ekbo_12346_678911_one_query.ipynb"]
    course.does("due", "first", "2027-02-01T12:00")
    zipped = download(course, "c.zip", "first", files)
    assert "marked late by Canvas" in course.says("collect", "first", "--from", zipped)
    assert sorted(path.name for path in (course.folder / "submitted").iterdir()) == ["alove", "bek"]
    output = course.does("grade", "first", "--section", "Group 1")
    assert output.split("first")[1].split()[0] == "1"
    assert not (course.folder / "autograded" / "bek").exists()
    course.does("grade", "first")
    course.does("report", "first", "--csv", "r.csv", "--section", "Group 2")
    assert "alove" not in (course.folder / "r.csv").read_text()
    course.does("overview", "--csv", "all.csv", "--section", "Group 2")
    assert "alove" not in (course.folder / "all.csv").read_text()
    assert "alove is not in section 'Group 2'" in course.refuses("grade", "--section", "Group 2", "--student", "alove")
    output = course.does("extend", "Group 2", "first", "2027-02-03T12:00")
    assert "Bo Ek: first, until Wed 03 Feb 2027 12:00" in output and "2 days longer" in output
    assert "Lovelace" not in output and "Bo Ek: until Wed 03 Feb 2027 12:00" in course.attn("due")[1]
    printed_text = course.refuses("extend", "alove", "first", "2027-01-03T12:00")
    assert "is not after the due date, which is Mon 01 Feb 2027 12:00" in printed_text
    assert "the roster has Group 1, Group 2" in course.refuses("grade", "--section", "Group 3")


def test_leaving_joining_and_being_renamed(course):
    course.read_roster("name,email\nAda Lovelace,ada@example.org\nBo Ek,bo@example.org\n")
    (course.folder / "b.csv").write_text("name,email\nAda King,ada@example.org\nCem Ay,cem@example.org\n")
    output = course.does("roster", "b.csv", "--leave")
    assert "2 learners" in output and "1 new, 1 changed" in output and "1 have left: Bo Ek" in output
    assert People(find_course(course.folder)).by_id["ada"].name == "Ada King"
    course.does("report", "--csv", "r.csv")
    assert "Bo Ek" not in (course.folder / "r.csv").read_text()


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("id,name\nx1,Al One\nx1,Al Two\n", "line 3: Al Two has the id, e-mail address or number of Al One in line 2"),
        ("name,email\nBo Ek,\nBo Ek,\n", "line 3: a second Bo Ek: give each an id or an e-mail address"),
        ("id,name,extra\nada,Ada,soon\n", "extra is 'soon': write a share such as 25%, or 2d"),
    ],
)
def test_tables_that_are_no_roster_are_refused(course, rows, said):
    output = course.assert_refused(rows)
    assert said in output and not (course.folder / "roster.csv").exists()


def test_namesakes_with_ids_are_distinct_and_equal_lines_are_merged(course):
    output = course.read_roster("id,name\nb1,Bo Ek\nb2,Bo Ek\nb2,Bo Ek\n")
    assert "2 learners" in output and list_ids(course) == ["b1", "b2"]


def test_a_learner_can_be_in_two_sections(course):
    course.read_roster(
        "id,name,section,group\nann,Ann A,CS-101 and CS-102,g1\nbo,Bo Ek,CS-101,g1\ncem,Cem Ay,Arts and Crafts,\n"
    )
    people = People(find_course(course.folder))
    results = {name: sorted(people.find_ids_in_section(name)) for name in ("CS-101", "CS-102", "Arts and Crafts", "g1")}
    assert results == {"CS-101": ["ann", "bo"], "CS-102": ["ann"], "Arts and Crafts": ["cem"], "g1": ["ann", "bo"]}


@pytest.mark.parametrize(
    "header",
    [
        "Vorname;Nachname;Matrikelnr;E-Mail-Adresse;Gruppen",
        "Prénom;Nom;Numéro d\u2019identification;Adresse de courriel;Groupes",
        "Nombre;Apellido(s);Número de ID;Dirección de correo;Grupos",
    ],
)
def test_tables_in_other_languages_are_read(tmp_path, header):
    (tmp_path / "table.csv").write_text(f"{header}\nAda;Lovelace;4711;ada@example.org;G1\n", encoding="utf-8")
    ((_, row),) = read_people(read_table(tmp_path / "table.csv"))
    expected = {"name": "Ada Lovelace", "email": "ada@example.org", "number": "4711", "section": "G1"}
    assert {key: value for key, value in row.items() if value} == expected


def test_an_ambiguous_name_lists_the_matching_ids(course):
    course.read_roster("id,name\na1,Anna Schmidt\na2,Anna Schmidt\nb1,Bo Ek\n")
    output = course.refuses("extend", "Anna Schmidt", "first", "2d")
    assert "Anna Schmidt is the name of 2 learners: give the id of one of them, a1, a2" in output
    names = disambiguate_names(People(find_course(course.folder)).roster)
    assert names == {"a1": "Anna Schmidt (a1)", "a2": "Anna Schmidt (a2)", "b1": "Bo Ek"}


def test_due_dates_and_extensions(course):
    assert course.does("due").count("not in course.toml") == 2
    assert "first" in course.does("due", "first", "2027-02-01T12:00+01:00")
    assert "due = 2027-02-01T12:00:00" in (course.folder / "course.toml").read_text()
    assert str(find_course(course.folder).find_due_date("first")) == "2027-02-01 11:00:00+00:00"
    with (course.folder / "nbgrader_config.py").open("a") as config:
        config.write(
            "\nfrom nbgrader.plugins import LateSubmissionPlugin\n\n\nclass Two(LateSubmissionPlugin):\n"
            "    def late_submission_penalty(self, student_id, score, total_seconds_late):\n        return 2\n\n\n"
            "c.AssignLatePenalties.plugin_class = Two\n"
        )
    notebook = solved(course.release("one_query", "first"))
    course.submit("ada", notebook, "one_query", timestamp="2027-02-02 11:00:00 UTC", assignment="first")
    course.does("grade", "first")
    assert read_score(course) == 6
    course.does("extend", "ada", "first", "2d")
    course.does("grade", "first")
    assert read_score(course) == 8
    assert "2 days longer" in course.attn("due")[1]
    course.does("extend", "ada", "first", "0")
    course.does("grade", "first")
    assert read_score(course) == 6
    assert "nobody is nobody's id" in course.refuses("extend", "nobody", "first", "2d")
    assert "write 2d, 12h, 90m, 1w" in course.refuses("extend", "ada", "first", "soon")


def read_score(course):
    from autograder.classroom.returns.scores import read_scores  # noqa: PLC0415

    return read_scores(find_course(course.folder), "first")[0].points["ada"]


def test_the_worksheet_matches_learners_by_any_column(course):
    files = [name_file("Ada Lovelace", 9001), name_file("Cem Ay", 9003)]
    course.attn("collect", "first", "--from", download(course, "1.zip", "first", files))
    course.read_roster("name,email\nAda Lovelace,ada@example.org\n")
    course.does("grade", "first")
    (course.folder / "ws.csv").write_text(
        "Identifier,Full name,Email address,Grade,Maximum Grade,Last modified (grade)\n"
        "Participant 9001,,ada@example.org,,8.00,-\nParticipant 9003,,cem@example.org,,8.00,-\n"
    )
    assert "first: 2 scores filled in." in course.does(
        "export", "moodle", "--roster", "ws.csv", "--assignment", "first"
    )


def test_times_are_those_of_the_courses_place(course, monkeypatch):
    course.edit_plan("", 'timezone = "Europe/Berlin"\n')
    for zone in ("UTC", "America/New_York"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert "Mon 01 Feb 2027 12:00 CET" in course.does("due", "first", "2027-02-01T12:00")
        plan = read_plan(course.folder)
        assert parse_worksheet_time("Monday, 1 February 2027, 11:42 AM", plan) == "2027-02-01 10:42:00 UTC"
        with course.kit.open_gradebook() as gradebook:
            assert str(gradebook.find_assignment("first").duedate) == "2027-02-01 11:00:00"
    monkeypatch.undo()
    time.tzset()
    course.edit_plan("Europe/Berlin", "Berlin")
    assert 'line 1: timezone is "Berlin": write a place such as "Europe/Berlin"' in course.refuses("due")


@pytest.mark.parametrize(
    "text",
    [
        "Friday, 20 November 2026, 2:15 PM",
        "Friday, November 20, 2026, 2:15 PM",
        "Friday, November 20, 2026, 02:15\N{NARROW NO-BREAK SPACE}p.m.",
        "Friday, 20 November 2026, 14:15",
        "Fri, 20 Nov 2026, 14:15",
        "20 November 2026, 02:15 PM",
        "Freitag, 20. November 2026, 14:15",
        "vendredi 20 novembre 2026, 14:15",
        "viernes, 20 de noviembre de 2026, 14:15",
    ],
)
def test_moodles_times_are_read_in_its_languages(text):
    assert parse_worksheet_time(text, Plan({}, timezone=ZoneInfo("Europe/Berlin"))) == "2026-11-20 13:15:00 UTC"


def test_a_time_that_cannot_be_read_is_refused(course):
    assert parse_worksheet_time("-", Plan({})) == ""
    for text in ("yesterday", "Friday, 31 November 2026, 10:15", "11월 20일 2026, 14:15"):
        with pytest.raises(CourseError, match="is not a readable time"):
            parse_worksheet_time(text, Plan({}))
    sheet = "Identifier,Full name,Email address,Last modified (submission)\n"
    (course.folder / "ws.csv").write_text(f"{sheet}Participant 9001,Ada Lovelace,,20 Movember 2026\n")
    zipped = download(course, "1.zip", "first", [name_file("Ada Lovelace", 9001)])
    output = course.refuses("collect", "first", "--from", zipped, "--worksheet", "ws.csv")
    assert "'20 Movember 2026' is not a readable time" in output
    assert not list((course.folder / "submitted").glob("*/first"))
    (course.folder / "ws.csv").write_text(f'{sheet}Participant 9001,Ada Lovelace,,"20 November 2026, 14:15"\n')
    printed_text = course.does("collect", "first", "--from", zipped, "--worksheet", "ws.csv")
    assert "Moodle's times are read in" in printed_text


def test_a_timestamp_file_that_is_not_text_is_not_ignored(tmp_path):
    assert read_timestamp(tmp_path) == ""
    (tmp_path / "timestamp.txt").write_bytes("2027-02-01 12:00".encode("utf-16"))
    assert read_timestamp(tmp_path) == "not a short text"


def test_lengths_of_time():
    assert parse_span("1w2d").days == 9 and parse_span("90m").rest.seconds == 5400 and parse_span("0").days == 0
    with pytest.raises(CourseError, match="not a length of time"):
        parse_span("2 days")


def test_the_whole_course_in_one_table(course):
    for student, assignments in (("ada", ("first", "second")), ("bo", ("first",))):
        for assignment in assignments:
            course.submit(student, solved(course.release("one_query", assignment)), "one_query", assignment=assignment)
    course.does("grade")
    course.does("overview", "--csv", "all.csv")
    course.does("report", "--csv", "each.csv")
    for name in ("all.csv", "each.csv", "report.html"):
        assert (course.folder / name).stat().st_mode & 0o777 == 0o600  # Grades are private on a shared machine.
    assert (course.folder / "all.csv").read_text().splitlines() == [
        "student,name,email,first,second",
        "ada,,,8,6",
        "bo,,,8,",
    ]
    next(course.folder.glob("verdicts/bo/first/*.json")).write_text('{"cut')  # A broken file hides no points.
    output = course.does("overview")
    assert output.splitlines()[2].split() == ["bo", "8", "-"]


def test_a_new_course_can_start_from_an_old_one(course, tmp_path):
    course.does("own", "heat")
    course.does("due", "first", "2027-02-01T12:00")
    source = course.folder / "source/first/one_query.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells[4].source += "\n\nSee slide 12."
    nbformat.write(notebook, source)
    course.configure("c.AssignLatePenalties.plugin_class = 'mine'\nc.Exchange.root = '/srv/last'\n")
    output = course.says("new", tmp_path / "next", "--from", course.folder)
    assert "dates in course.toml" in output
    text = (tmp_path / "next/nbgrader_config.py").read_text()
    assert "\nc.AssignLatePenalties.plugin_class = 'mine'" in text and "\nc.Exchange.root" not in text
    made = Course(tmp_path / "next")
    made.does("build")
    assert made.kit.select_assignments() == ["first", "second"] and made.kit.find_due_date("first") is None
    assert (tmp_path / "next" / "own" / "suites" / "test_heat_weights.py").exists()
    made_of_it = nbformat.read(tmp_path / "next/release/first/one_query.ipynb", as_version=4)
    assert "slide 12" in "".join(cell.source for cell in made_of_it.cells)
    assert (tmp_path / "next" / "secret").read_bytes() != (course.folder / "secret").read_bytes()
    with pytest.raises(CourseError, match="is not a course: name the folder of the course to copy"):
        create_course(tmp_path / "other", last_course=tmp_path)
    assert not (tmp_path / "other" / "nbgrader_config.py").exists()


def test_an_invalid_roster_line_is_refused_with_its_number(course):
    for name in ("ada\u200b", "x" * 101):
        output = course.assert_refused(f"id,name\nada,Ada Lovelace\n{name},Zed Zoe\n")
        assert f"table.csv, line 3: {name!r} is not a valid id: at most 100 letters that can be seen" in output
    (course.folder / "roster.csv").write_text("id,name\n../x,Ada Lovelace\n")
    assert "roster.csv, line 2: '../x' is not a valid id" in course.refuses("roster")


def test_formulas_in_a_roster_are_escaped_and_read_back(course):
    cells = ["=HYPERLINK(1)", "+x@example.org", "-2+3+cmd|'x'!A0"]
    (course.folder / "a.csv").write_text(f"id,name,email,id number\nada,{','.join(cells)}\n")
    for _ in range(2):
        course.does("roster", "a.csv")
        text = (course.folder / "roster.csv").read_text()
        assert not [cell for cell in cells if f",{cell}" in text] and all(f",'{cell}" in text for cell in cells)
    person = People(find_course(course.folder)).by_id["ada"]
    assert [person.name, person.email, person.number] == cells


def test_accents_written_apart_are_the_same_learner(course):
    (course.folder / "a.csv").write_text("id,name\nZoe\u0308,Zoe\u0308 M\u00adu\u0308ller\n")
    assert course.attn("roster", "a.csv")[0] == 0 and list_ids(course) == ["Zo\u00eb"]
    zipped = download(course, "1.zip", "first", [name_file("Zo\u00eb M\u00fcller", 9001)])
    course.does("collect", "first", "--from", zipped)
    assert [path.name for path in (course.folder / "submitted").iterdir()] == ["Zo\u00eb"]


def test_a_name_of_over_a_hundred_letters_gets_an_id(course):
    long = "Ada " + "Lovelace" * 20
    course.read_roster(f"name\n{long}\n{long}x\n")
    assert len(list_ids(course)) == 2 and all(map(is_id, list_ids(course)))


def test_a_namesake_on_canvas_does_not_get_anothers_answer(course):
    course.read_roster(
        'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",12345,m-1,alove,1\n"Ek, Bo",12346,m-2,67890,1\n'
    )
    files = ["lovelaceada_12345_1_one_query.ipynb", "lovelaceada_99999_2_one_query.ipynb"]
    files.append("zoezed_67890_3_one_query.ipynb")  # Zoe's Canvas number is Bo's id.
    output = course.says("collect", "first", "--from", download(course, "c.zip", "first", files))
    assert sorted(path.name for path in (course.folder / "submitted").iterdir()) == ["99999", "alove"]
    assert "lovelaceada (99999) is not in the roster: recorded as 99999" in output
    assert "zoezed (67890): 67890 is another learner's id; skipped" in output


def test_an_id_that_leads_elsewhere_takes_nothing(course):
    """A learner whose ID contains a path gets no submission. nbgrader's commands accept any ID."""
    with course.kit.open_gradebook() as gradebook:
        gradebook.add_student("../submitted/x", first_name="Ada", last_name="Lovelace")
    zipped = download(course, "1.zip", "first", [name_file("Ada Lovelace", 9001), name_file("Bo Ek", 9002)])
    assert "'../submitted/x' is not a valid id; skipped" in course.says("collect", "first", "--from", zipped)
    assert [path.name for path in (course.folder / "submitted").iterdir()] == ["9002"]
