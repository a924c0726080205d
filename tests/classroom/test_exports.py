"""Scores and the grader on other platforms: files follow their documentation, and the grader runs as on Gradescope."""

import csv
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.chapters import curriculum
from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import read_chapter
from autograder.chapters.curriculum import ROOT, SOLUTIONS, SUITES, UNITS
from autograder.chapters.errors import CourseError
from autograder.chapters.text import clean
from autograder.classroom.course.course import find_course
from autograder.classroom.course.new import create_course
from autograder.classroom.course.plan import Assignment
from autograder.classroom.returns.gradescope import make_constraints, write_archive
from autograder.classroom.returns.gradescope_run import list_packages
from autograder.classroom.roster.people import People, Person
from autograder.classroom.roster.table import escape_cell, read_table, unescape_cell
from support.course import Course
from support.grading import grade_answers
from support.late import LazyModule

platforms = LazyModule("autograder.classroom.returns.platforms")
scores = LazyModule("autograder.classroom.returns.scores")

UNIT = "attention-basics"
ASSIGNMENT = Assignment(UNIT, curriculum.UNITS[UNIT])
POSSIBLE = sum(exercise.points for name in UNITS[UNIT] for exercise in read_chapter(name).exercises)
STUDENTS = {
    "ada": ("Ada", "Lovelace, Countess", "ada@uni.example"),
    "b2": ("Jürgen", 'Mü"ller', "JM@uni.example"),
    "late": ('=HYPERLINK("http://x")', "Late", "late@uni.example"),
    "idle": ("No", "Work", None),
    "lost": (None, None, None),
}
SHARES = {"ada": 1.0, "b2": 0.5, "late": 1.0, "lost": 0.25}  # student -> share of all points; `idle` handed in nothing
PENALTY = 2.5  # points taken off for each of two notebooks


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exports") / "course"
    create_course(folder)
    results = find_course(folder)
    with results.open_gradebook() as gradebook:
        for unit in (UNIT, "learned-attention"):  # Nobody has worked on the second unit.
            gradebook.add_assignment(unit)
            for chapter in UNITS[unit]:
                gradebook.add_notebook(chapter, unit)
                for exercise in read_chapter(chapter).exercises:
                    gradebook.add_grade_cell(exercise.name, chapter, unit, max_score=exercise.points, cell_type="code")
        for student, (first, last, email) in STUDENTS.items():
            gradebook.add_student(student, first_name=first, last_name=last, email=email)
        for student, share in SHARES.items():
            with gradebook.db.no_autoflush:
                gradebook.add_submission(UNIT, student)
            for chapter in UNITS[UNIT]:
                notebook = gradebook.find_submission_notebook(chapter, UNIT, student)
                notebook.late_submission_penalty = PENALTY if student == "late" else None
                for grade in notebook.grades:
                    grade.auto_score, grade.needs_manual_grade = grade.cell.max_score * share, student == "b2"
        gradebook.db.commit()
    return results


def rows_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


# Tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [";", "\n", "\r"])
@pytest.mark.parametrize("formula", ["=cmd|x", "@SUM(A1)", "+cmd|x", "-cmd|x", "-1+cmd|x", "+1+1", "\uff1d1+1"])
def test_formulas_after_the_end_of_a_cell_are_escaped(sign, formula):
    assert escape_cell(f"a{sign}{formula}") == clean(f"a{sign}'{formula}")
    assert unescape_cell(escape_cell(f"a;{formula}")) == f"a;{formula}"


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["=1+1", "+cmd|x", "-2+3", "@SUM(A1)", " =1+1", "\t=1", "＝1+1", "= 1", "=\n1"], "'"),
        (["", "-", "-3.5", "+4917012345", "1,5", "Ada", "a=b", "    Points Possible", "ä@b", "1;-2;b", "x\n- a"], ""),
    ],
)
def test_formulas_are_escaped_and_other_cells_are_not(cells, mark):
    assert [escape_cell(cell) for cell in cells] == [f"{mark}{clean(cell)}" for cell in cells]
    assert escape_cell("x;- 2+cmd|y") == "x;'- 2+cmd|y"


@pytest.mark.parametrize(
    ("data", "notes"),
    [
        ("Student,ID\r\nMüller,1\r\n".encode(), 0),
        ("\ufeffStudent;ID\nMüller;1\n".encode(), 0),
        ("Student\tID\r\nMüller\t1\r\n".encode("utf-16"), 0),
        ("Student;ID\r\n\r\nMüller;1\r\n".encode("cp1252"), 1),
    ],
)
def test_tables_are_read_as_spreadsheets_save_them(tmp_path, data, notes):
    (tmp_path / "roster.csv").write_bytes(data)
    table = read_table(tmp_path / "roster.csv")
    assert (table.header, table.rows, len(table.notes)) == (["Student", "ID"], [["Müller", "1"]], notes)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"PK\x03\x04\x14\x81", None])
def test_a_file_that_is_not_a_table_is_refused(tmp_path, data):
    path = tmp_path / "roster.csv"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(CourseError, match=r"roster\.csv"):
        read_table(path)


@pytest.mark.parametrize(("points", "shown"), [(0, "0"), (30.0, "30"), (12.5, "12.5"), (1 / 3, "0.33"), (100, "100")])
def test_numbers(points, shown):
    assert scores.format_points(points) == shown


def test_rows_find_their_students(tmp_path):
    people = People(SimpleNamespace(folder=tmp_path))
    emails = {"ada": "a@x", "7": "s@x", "b@x": "", "twice": "", "bob": "both@x", "Bob": "both@x", "eve": "e@x"}
    people.by_id = {name: Person(name, email=email) for name, email in (emails | {"gone": "ada"}).items()}
    rows = [["ADA ", "7"], ["", "7"], ["b@X", ""], ["s@x", ""], ["twice", ""], ["twice", ""], ["", ""], ["who", ""]]
    rows += [["bob", ""], ["both@x", ""], ["eve", ""]]
    # Two rows match student `7` (by id and address), two match `twice`; bob and both@x match two students each.
    matched = platforms.match_rows(dict(enumerate(rows)), [0, 1], people, set(emails))
    assert matched == {0: "ada", 2: "b@x", 10: "eve"}


# Canvas and Moodle ------------------------------------------------------------------------------------------------

CANVAS_TABLE = f"""\
Student,ID,SIS User ID,SIS Login ID,Integration ID,Section,Quiz 1 (11),Attention-Basics (77),Current Score
    Points Possible,,,,,,10,{POSSIBLE}.00,(read only)
"Lovelace, Ada",1001,S1,ADA,,AK1,7,,70
"Müller, Jürgen",1002,S2,jm@uni.example,,AK1,7,5,70
=cmd|x,1003,late,unknown,,AK1,7,,70
"Work, No",1005,S5,idle,,AK1,7,3,70
"Student, Test",1006,,abc123,,AK1,,,
"""
MOODLE_TABLE = f"""\
Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed","Online text",\
"Last modified (grade)","Feedback comments"
"Participant 7","Ada Lovelace",ADA@uni.example,"Submitted for grading",,{POSSIBLE}.00,Yes,"=1+1, ""x""\nmore",-,
"Participant 8","=Jürgen",jm@uni.example,Submitted,,{POSSIBLE}.00,No,,-,"- gut"
"Participant 10",Anonymous,LATE,Submitted,,{POSSIBLE}.00,Yes,,-,
"Participant 9",Who,w@x,-,4.00,{POSSIBLE}.00,Yes,,"Monday, 2 November 2026, 9:00 AM",
"""
HALF, LATE = f"{POSSIBLE / 2:g}", f"{POSSIBLE - 2 * PENALTY:g}"  # points
CANVAS_HEAD = "".join(CANVAS_TABLE.splitlines(True)[:2])


@pytest.fixture
def fill(course, tmp_path):
    def fill(platform, text):
        (tmp_path / "table.csv").write_text(text, encoding="utf-8")
        table, filled = tmp_path / "table.csv", tmp_path / "filled.csv"
        return "\n".join(platforms.fill_table(course, getattr(platforms, platform), table, filled)), rows_of(filled)

    return fill


def test_the_canvas_table_keeps_its_columns_and_gets_the_scores(fill, tmp_path):
    notes, rows = fill("CANVAS", f"\ufeff{CANVAS_TABLE}")
    assert rows == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Section", "Attention-Basics (77)"],
        ["    Points Possible", "", "", "", "", "", f"{POSSIBLE}.00"],
        ["Lovelace, Ada", "1001", "S1", "ADA", "", "AK1", str(POSSIBLE)],
        ["Müller, Jürgen", "1002", "S2", "jm@uni.example", "", "AK1", HALF],
        ["'=cmd|x", "1003", "late", "unknown", "", "AK1", LATE],
        ["Work, No", "1005", "S5", "idle", "", "AK1", "3"],
        ["Student, Test", "1006", "", "abc123", "", "AK1", ""],
    ]
    assert f"{UNIT}: 3 scores filled in." in notes
    assert "no graded submission from idle." in notes
    assert "still to be graded by hand, so their points may change: b2." in notes
    assert f"graded, but in no row of table.csv, or in several: lost ({POSSIBLE / 4:g})." in notes
    assert "In table.csv, but without a match in the gradebook, so left unchanged: Student, Test." in notes


def test_canvas_makes_a_new_assignment(fill):
    notes, (header, possible, ada, *_) = fill("CANVAS", CANVAS_TABLE.replace("Attention-Basics (77)", "Other (77)"))
    assert (header[-1], possible[-1], ada[-1]) == (UNIT, str(POSSIBLE), str(POSSIBLE)) and len(header) == 7
    assert f"{UNIT}: a new column, not in table.csv before." in notes


def test_canvas_ids_match_rows_without_another_match(fill):
    rows = "One,ada,S,who,,A,,,\nTwo,b2,late,nobody,,A,,,\n"
    for text, expected in ((rows, ["", LATE]), (rows.replace("late", "S"), [str(POSSIBLE), HALF])):
        assert [row[-1] for row in fill("CANVAS", CANVAS_HEAD + text)[1][2:]] == expected


def test_a_download_is_never_overwritten(course, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text(CANVAS_TABLE, encoding="utf-8")
    with pytest.raises(CourseError, match="is the file that you downloaded"):
        platforms.fill_table(course, platforms.CANVAS, roster, tmp_path / "." / "roster.csv")
    assert roster.read_text(encoding="utf-8") == CANVAS_TABLE


def test_moodle_worksheet(fill, tmp_path):
    notes, after = fill("MOODLE", MOODLE_TABLE)
    before = rows_of(tmp_path / "table.csv")
    grade = before[0].index("Grade")
    assert [row[grade] for row in after[1:]] == [str(POSSIBLE), HALF, LATE, "4.00"]
    changed = {
        (old, new)
        for row, other in zip(before, after, strict=True)
        for at, (old, new) in enumerate(zip(row, other, strict=True))
        if at != grade and old != new
    }
    assert changed == {('=1+1, "x"\nmore', '\'=1+1, "x"\nmore'), ("=Jürgen", "'=Jürgen"), ("- gut", "'- gut")}
    assert "3 scores filled in" in notes and "so left unchanged: Who." in notes and "lost (" in notes
    assert "Moodle will skip them, locked or above the maximum grade: b2." in notes


def test_moodle_participants_of_a_blind_assignment(fill):
    head = "Identifier,Grade,Maximum Grade,Last modified (grade)\n"
    _, rows = fill("MOODLE", f"{head}Participant ada,,{POSSIBLE},-\nParticipant 9,,90,-\n")
    assert [row[1] for row in rows[1:]] == [str(POSSIBLE), ""]


@pytest.mark.parametrize(
    ("platform", "text", "reads"),
    [
        (
            "CANVAS",
            CANVAS_TABLE.replace(f"10,{POSSIBLE}.00", "10,100"),
            f"has 100 points in Canvas and {POSSIBLE} in the gradebook",
        ),
        ("CANVAS", CANVAS_TABLE.replace("Section", "Group"), "is not a gradebook of Canvas"),
        ("CANVAS", f"{CANVAS_HEAD}Who,1,S,who,,A,,,\n", r"no student in .* is in the gradebook"),
        ("MOODLE", MOODLE_TABLE.replace(f"{POSSIBLE}.00", "100.00"), "has 100 points in Moodle"),
        ("MOODLE", MOODLE_TABLE.replace("Identifier", "ID"), "is not a grading worksheet"),
        ("MOODLE", MOODLE_TABLE.replace("Last modified (grade)", "Changed"), "is not a grading worksheet"),
    ],
)
def test_a_table_that_does_not_match_the_course_is_refused(fill, tmp_path, platform, text, reads):
    with pytest.raises(CourseError, match=reads):
        fill(platform, text)
    assert not (tmp_path / "filled.csv").exists()


def test_the_overview_is_a_table_that_moodle_imports(course, tmp_path):
    scores.write_overview(tmp_path / "import.csv", scores.read_scores(course))
    header, *rows = rows_of(tmp_path / "import.csv")
    assert header == ["student", "name", "email", UNIT]
    rows = {row[0]: row[1:4] for row in rows}
    assert rows == {
        "ada": ["Ada Lovelace, Countess", "ada@uni.example", str(POSSIBLE)],
        "b2": ['Jürgen Mü"ller', "JM@uni.example", HALF],
        "late": ['\'=HYPERLINK("http://x") Late', "late@uni.example", LATE],
        "lost": ["", "", f"{POSSIBLE / 4:g}"],
        "idle": [*rows["idle"][:2], ""],
    }


# Commands of a teacher --------------------------------------------------------------------------------------------


def documented():
    page = (ROOT / "docs" / "teacher-reference.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\$ attn course export (.*)$", page, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Libraries of the command line emit warnings.
def test_commands(course, tmp_path):
    (tmp_path / "course").symlink_to(course.folder)
    for name, text in (("canvas-export.csv", CANVAS_TABLE), ("worksheet.csv", MOODLE_TABLE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    good = documented()
    assert {arguments[0] for arguments in good} == {"canvas", "moodle", "gradescope"}
    refused = {
        ("moodle", "--roster", "worksheet.csv", "--assignment", "nix"): "nix is not an assignment of",
        ("moodle", "--roster", "worksheet.csv", "--assignment", "learned-attention"): "nothing has been graded",
        ("canvas", "--roster", "canvas-export.csv", "--to", "no/such/f.csv"): "no/such/f.csv cannot be written",
        ("canvas", "--roster", "nix.csv"): "nix.csv cannot be read: no such file or directory",
        ("moodle", "--roster", "worksheet.csv", "--course", "."): "is not a course",
        ("gradescope", "--assignment", "nix"): "There is no assignment 'nix'",
    }
    for arguments in good:
        assert "Wrote " in Course(tmp_path).does("export", *arguments)
    for arguments, reads in refused.items():
        assert reads in Course(tmp_path).refuses("export", *arguments)


# Gradescope -------------------------------------------------------------------------------------------------------


@pytest.fixture
def container(course, tmp_path):
    """Return a function that makes a folder like Gradescope's /autograder, with the archive's files."""

    def make(no_sandbox=False):
        write_archive(course, tmp_path / "autograder.zip", ASSIGNMENT, no_sandbox)
        root = tmp_path / "autograder"
        for name in ("source", "submission", "results"):
            (root / name).mkdir(parents=True)
        zipfile.ZipFile(tmp_path / "autograder.zip").extractall(root / "source")
        shutil.copy(root / "source" / "run_autograder", root)
        return root

    return make


def run_autograder(root, **environment):
    process = subprocess.run(
        [shutil.which("bash"), root / "run_autograder"],
        cwd=root,
        env={"PATH": os.environ["PATH"], "AUTOGRADER_ROOT": root, "AUTOGRADER_PYTHON": sys.executable, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    path = root / "results" / "results.json"
    return process.returncode, process.stdout + process.stderr, json.loads(path.read_text()) if path.exists() else None


def test_gradescope_archive(course, tmp_path):
    path = tmp_path / "gradescope.zip"
    path.write_text("an older one")
    path.chmod(0o644)
    notes = write_archive(course, path, ASSIGNMENT)
    assert f"{POSSIBLE} points" in notes[0]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    archive = zipfile.ZipFile(path)
    names = archive.namelist()
    assert [archive.getinfo(name).external_attr >> 16 & 0o777 for name in names[:3]] == [0o755, 0o755, 0o600]
    assert names[:3] == ["setup.sh", "run_autograder", "secret"]
    # The archive has only the suites, misconceptions and solutions that the unit needs.
    suites = {Path(name).stem for name in names if Path(name).parent.name == "suites" and name.endswith(".py")}
    exercises = {exercise.name for chapter in UNITS[UNIT] for exercise in read_chapter(chapter).exercises}
    assert suites - {"__init__"} == {f"test_{name}" for name in exercises}
    mistakes = {Path(name).name for name in names if Path(name).parent.name == "misconceptions"}
    assert mistakes == {f"{name}.md" for name in ("kinds", *exercises)}
    assert {Path(name).stem for name in names if name.startswith("kit/solutions/")} == set(UNITS[UNIT])
    assert not [name for name in names if "__pycache__" in name or name.startswith("/") or ".." in name]
    secret = (course.folder / "secret").read_bytes()
    assert not [name for name in names if secret in archive.read(name)]
    assert archive.read("setup.sh").startswith(b"#!") and archive.read("run_autograder").startswith(b"#!")
    subprocess.run(["bash", "-n"], input=archive.read("setup.sh"), check=True)


@pytest.mark.needs("bubblewrap")
def test_gradescope_gives_our_points_and_sentences(container):
    root = container()
    good = (SOLUTIONS / "one_query.py").read_text(encoding="utf-8")
    text = good.replace(
        "exponentials = np.exp(scores - scores.max())", "print('::notice'); exponentials = np.exp(scores)"
    )
    assert text != good
    (root / "submission" / "my work").mkdir()
    (root / "submission" / "my work" / "one_query.py").write_text(text, encoding="utf-8")
    (root / "submission" / "all_queries.ipynb").write_text("{")
    code, message, results = run_autograder(root)
    assert code == 0, message
    ours = grade_answers([parse_script("one_query.py", text)], secret=(root / "source" / "secret").read_bytes())[0]
    assert 0 < ours["softmax"].points + ours["attend"].points < 14
    tests = {test["name"]: test for test in results["tests"]}
    for name, verdict in ours.items():
        assert (tests[name]["score"], tests[name]["max_score"]) == (verdict.points, verdict.max_points)
        assert tests[name]["status"] == ("passed" if verdict.outcome == "passed" else "failed")
        assert verdict.shown_test is None or verdict.shown_test.message in tests[name]["output"]
        assert verdict.sentence in tests[name]["output"]
    for exercise in read_chapter("all_queries").exercises:
        assert (tests[exercise.name]["score"], tests[exercise.name]["max_score"]) == (0, exercise.points)
        assert tests[exercise.name]["output"].startswith("all_queries.ipynb is not a notebook")
    assert results["score"] == sum(verdict.points for verdict in ours.values())
    assert sum(test["max_score"] for test in results["tests"]) == POSSIBLE
    assert [test["number"] for test in results["tests"]][:2] == ["1.1", "1.2"]
    assert results["stdout_visibility"] == "hidden" and results["test_output_format"] == "text"
    assert {test["output_format"] for test in results["tests"]} == {"text"}
    assert f"{results['score']} of {POSSIBLE} points. Sandbox: bubblewrap." in message
    content = json.dumps(results)
    assert str(root) not in content
    lines = {line.strip() for name in ours for line in (SUITES / f"test_{name}.py").read_text().splitlines()}
    assert not [line for line in lines if len(line) > 12 and line in content]


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_gradescope_follows_no_links(container):
    root = container()
    (root / "submission" / "one_query.py").symlink_to(root / "source" / "secret")
    (root / "submission" / "all_queries.py").symlink_to(root / "source" / "kit" / "solutions" / "all_queries.py")
    code, message, results = run_autograder(root)
    assert (code, results["score"]) == (0, 0), message
    assert (root / "source" / "secret").read_text() not in json.dumps(results)
    assert results["tests"][0]["output"] == "one_query.ipynb is missing: hand it in under this name."


def test_gradescope_grades_the_copy_with_more_exercises_begun(container):
    root = container()
    for name, folder in (("one_query.py", curriculum.EXERCISES), ("one_query (1).py", curriculum.SOLUTIONS)):
        (root / "submission" / name).write_text((folder / "one_query.py").read_text("utf-8"), encoding="utf-8")
    _, message, results = run_autograder(root)
    assert results["tests"][0]["output"].startswith("one_query (1).py counts as one_query.ipynb."), message
    assert results["tests"][0]["score"] == results["tests"][0]["max_score"]


def test_gradescope_needs_no_sandbox_only_if_allowed(container, tmp_path):
    root = container()
    (tmp_path / "nothing").mkdir()
    code, message, results = run_autograder(root, PATH=str(tmp_path / "nothing"))
    assert (code, results) == (2, None) and "bubblewrap is missing" in message and (root / "source" / "secret").exists()


@pytest.mark.slow
def test_gradescope_without_a_sandbox_takes_the_secret_away(container, tmp_path):
    root = container(no_sandbox=True)
    secret = root / "source" / "secret"
    steal = f"def dot_attention_score(*arguments):\n    return open({str(secret)!r}).read()\n"
    (root / "submission" / "one_query.py").write_text(steal)
    (tmp_path / "nothing").mkdir()
    code, message, results = run_autograder(root, PATH=str(tmp_path / "nothing"))
    assert (code, results["score"], results["extra_data"]) == (0, 0, {"sandbox": "none"}), message
    assert message.startswith("Note for the teacher: bubblewrap does not work") and not secret.exists()
    assert "It was confined by the container, " in message
    assert "FileNotFoundError" in results["tests"][1]["output"]
    code, message, _ = run_autograder(root, PATH=str(tmp_path / "nothing"))
    assert code == 3 and "is not the learner's fault" in message


# Other machines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", UNITS)
def test_packages_of_a_unit_are_pinned_for_gradescope(unit):
    pinned = set(re.findall(r"^([\w.-]+)==", make_constraints(), re.MULTILINE))
    packages = set(list_packages(Assignment(unit, UNITS[unit])))
    assert packages <= pinned
    code = "\n".join(cell.source for name in UNITS[unit] for cell in read_chapter(name).cells if cell.kind == "code")
    imported = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)) - sys.stdlib_module_names
    assert imported and imported <= {*packages, "matplotlib", "given"}  # Installing seaborn installs Matplotlib.
    assert ("torch" in packages) == ("torch" in imported)


def test_graders_elsewhere_need_neither_nbgrader_nor_typer():
    code = """
import sys
import autograder.classroom.returns.gradescope_run, autograder.judging.judge
print(*{name.partition(".")[0] for name in sys.modules})"""
    process = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "numpy" in process.stdout.split()
    assert not {"nbgrader", "nbformat", "jupytext", "sqlalchemy", "typer", "torch"} & set(process.stdout.split())
