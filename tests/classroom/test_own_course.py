"""A course with four exercises of a chapter, a written question, and a teacher's own chapter."""

import shutil
import zipfile

import nbformat
import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.classroom.course.course import find_course
from autograder.classroom.course.new import create_course
from autograder.classroom.course.plan_file import read_plan
from support.course import cell_of
from support.own_course import answered, new_own_course, notebook_of, write_moodles_files

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("restore_kit_chapters"),
    pytest.mark.filterwarnings("ignore"),  # Importing nbgrader emits warnings.
]

CHOSEN = {"dot_attention_score": 4.0, "softmax": 20.0, "apply_attention_scores": 5.0, "attend": 6.0}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return new_own_course(tmp_path_factory.mktemp("own") / "course")


@pytest.fixture
def course(built, tmp_path):
    course = built.copy_to(tmp_path / "course")
    find_course(course.folder)  # Opening the course registers its own chapters.
    return course


def hand_in(course, student, one_query, heat):
    folder = course.folder / "submitted" / student / "week-3"
    folder.mkdir(parents=True)
    nbformat.write(one_query, folder / "one_query.ipynb")
    nbformat.write(heat, folder / "heat.ipynb")


def read_grades(course, student, chapter="one_query"):
    with course.kit.open_gradebook() as gradebook:
        return {
            grade.name: None if grade.needs_manual_grade else grade.score
            for grade in gradebook.find_submission_notebook(chapter, "week-3", student).grades
        }


# What learners get ------------------------------------------------------------------------------------------------


def test_the_release_contains_only_the_chosen_exercises(built):
    assert sorted(path.name for path in (built.folder / "release").iterdir()) == ["week-3"]
    notebook = notebook_of(built, "one_query")
    points = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader.points for c in notebook.cells if graded(c)}
    assert points == {**CHOSEN, "why-question": 5}
    text = "\n".join(cell.source for cell in notebook.cells)
    assert "single_dot_attention_score" not in text  # The release leaves out this exercise and all text about it.
    assert "**Given: `calculate_attention_vector`.**" in text and "BEGIN SOLUTION" not in text
    assert notebook.cells[0].source == "# Welcome to week 3"
    first = notebook.cells[2].source
    assert "**Due** Monday, 1 February 2027, 12:00 (UTC+01:00)." in first and "under *Week 3*" in first
    assert "There are 4 exercises and 1 written question, worth 40 points together." in first
    assert "The chapter has 7 exercises; the others that these need are given, solved." in first
    ids = [cell.id for cell in notebook.cells]
    assert ids.index("why-question") > ids.index("softmax") and "extra-2" in ids


def graded(cell):
    return cell.metadata.get("nbgrader", {}).get("grade")


# Submissions ------------------------------------------------------------------------------------------------------


def test_points_are_scaled_and_carried_forward_and_questions_wait_for_a_person(course):
    notebook = answered(notebook_of(course, "one_query"), why="Because $e^x$ <script>alert(1)</script> overflows.")
    answer = cell_of(notebook, "softmax-answer")
    answer.source = answer.source.replace("scores - scores.max()", "scores")
    hand_in(course, "ada", notebook, answered(notebook_of(course, "heat")))
    course.does("grade")
    assert read_grades(course, "ada") == {
        **CHOSEN,
        "softmax": 11.25,
        "attend": read_grades(course, "ada")["attend"],
        "why-question": None,
    }
    assert 0 < read_grades(course, "ada")["attend"] < 6
    assert read_grades(course, "ada", "heat") == {"heat_weights": 3}
    autograded = nbformat.read(course.folder / "autograded/ada/week-3/one_query.ipynb", as_version=4)
    assert "$e^x$ <\N{WORD JOINER}script>" in cell_of(autograded, "why-question").source
    assert "as before" in course.does("grade")
    course.does("report", "--csv", "report.csv")
    rows = (course.folder / "report.csv").read_text()
    assert "single_dot_attention_score" not in rows and "heat_weights,passed,3,3" in rows
    assert "softmax,wrong,11.25,20,no_maximum_subtracted" in rows
    course.edit_plan("before =", "carry_forward = true\nbefore =")
    course.does("grade")
    assert read_grades(course, "ada") == {**CHOSEN, "softmax": 11.25, "why-question": None}
    course.does("report")
    page = (course.folder / "report.html").read_text()  # "Teach again" needs a mistake of several learners.
    assert "(softmax; 1 of 1)" not in page and "<code>softmax</code></span>" in page


def test_given_code_runs_before_the_answer_even_if_its_cells_are_missing(course):
    notebook = answered(notebook_of(course, "one_query"))
    notebook.cells = [cell for cell in notebook.cells if "def calculate_attention_vector" not in cell.source]
    heat = answered(notebook_of(course, "heat"))
    wrong = cell_of(heat, "heat_weights-answer")
    wrong.source = wrong.source.replace("/ temperature", "* temperature")
    hand_in(course, "bo", notebook, heat)
    course.does("grade")
    assert read_grades(course, "bo") == {**CHOSEN, "why-question": 0}  # Bo did not answer the written question.
    assert read_grades(course, "bo", "heat")["heat_weights"] == 0
    verdict = (course.folder / "verdicts/bo/week-3/heat.json").read_text()
    assert "multiplied_by_the_temperature" in verdict


def test_an_answer_cannot_read_own_suites(course):
    heat = answered(notebook_of(course, "heat"))
    spy = f"import os\nfound = os.path.exists({str(course.folder / 'own')!r})\n"
    cell = cell_of(heat, "heat_weights-answer")
    cell.source = spy + cell.source.replace("    scores =", "    print('found', found)\n    scores =", 1)
    hand_in(course, "eve", answered(notebook_of(course, "one_query")), heat)
    course.does("grade")
    autograded = nbformat.read(course.folder / "autograded/eve/week-3/heat.ipynb", as_version=4)
    assert "found False" in str(cell_of(autograded, "heat_weights").outputs)


# Edits in source/ -------------------------------------------------------------------------------------------------


def edit(course, change, chapter="one_query"):
    path = course.folder / "source" / "week-3" / f"{chapter}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def test_a_teachers_changes_in_source_are_preserved(course):
    edit(course, lambda notebook: setattr(cell_of(notebook, "given-04"), "source", "My own words."))
    course.edit_plan("{ softmax = 20 }", "{ softmax = 16, attend = 12 }")
    course.edit_plan("2027-02-01", "2027-02-08")
    for _ in range(2):
        output = course.does("build")
        assert [line for line in output.splitlines() if "yours" in line] == ["  kept, yours: one_query: given-04"]
    text = "\n".join(cell.source for cell in notebook_of(course, "one_query").cells)
    assert "My own words." in text and "8 February 2027" in text
    assert "**Exercise `attend`** (12 points)" in text and "**Exercise `softmax`** (16 points)" in text


def test_a_test_of_a_teacher_counts(course):
    (course.folder / "own" / "mine.py").write_text("assert softmax([0, 0])[0] == 0.5\n")
    course.edit_plan("add = [", 'add = [{ after = "attend", file = "own/mine.py", points = 3 },')
    course.does("build")
    notebook = notebook_of(course, "one_query")
    hand_in(course, "ada", answered(notebook), answered(notebook_of(course, "heat")))
    hand_in(course, "bo", notebook_of(course, "one_query"), answered(notebook_of(course, "heat")))
    course.does("grade")
    expected = {**CHOSEN, "mine-test": 3, "why-question": 0}
    assert read_grades(course, "ada") == expected
    assert read_grades(course, "bo") == dict.fromkeys(expected, 0)


@pytest.mark.parametrize(
    ("name", "key", "value", "said"),
    [
        ("why-text", "source", "Mine.", "why-text"),  # own/why.md changes this cell, too.
        ("attend", "points", 12, "attend (12 points)"),  # Points belong in course.toml.
    ],
)
def test_changes_that_meet_are_refused_and_overwritten_by_force(course, name, key, value, said):
    def change(notebook):
        cell = cell_of(notebook, name)
        (cell if key == "source" else cell.metadata.nbgrader)[key] = value

    edit(course, change)
    (course.folder / "own" / "why.md").write_text("Another question.")
    source = (course.folder / "source/week-3/one_query.ipynb").read_bytes()
    output = course.refuses("build")
    assert f"week-3/one_query.ipynb: {said}" in output and "--force" in output
    assert (course.folder / "source/week-3/one_query.ipynb").read_bytes() == source
    course.does("build", "--force")
    assert cell_of(notebook_of(course, "one_query"), "why-text").source.endswith("Another question.")
    assert (course.folder / ".built/week-3/one_query.yours.ipynb").read_bytes() == source


def test_an_edited_notebook_that_gets_other_cells_is_refused(course):
    edit(course, lambda notebook: setattr(cell_of(notebook, "given-04"), "source", "My own words."))
    course.edit_plan('"dot_attention_score", ', "")
    assert "week-3/one_query.ipynb: given-04" in course.refuses("build")
    assert "My own words." in (course.folder / "source/week-3/one_query.ipynb").read_text()


# Another plan -----------------------------------------------------------------------------------------------------


def test_assignments_can_be_renamed_until_a_submission_exists(course):
    course.edit_plan("assignments.week-3", "assignments.third")
    assert "week-3: removed" in course.does("build")
    assert course.kit.select_assignments() == ["third"]
    assert not (course.folder / "source" / "week-3").exists()
    shutil.copytree(course.folder / "release/third", course.folder / "submitted/ada/third")
    course.edit_plan("assignments.third", "assignments.fourth")
    assert "learners have submitted it: put it back" in course.refuses("build")
    assert course.kit.select_assignments() == ["third"]


def test_an_assignment_may_say_how_to_hand_it_in(tmp_path):
    path = tmp_path / "course.toml"
    table = '[assignments.{}]\nchapters = ["one_query"]\n'
    path.write_text(f'hand_in = "In Moodle."\n{table.format("a")}{table.format("b")}hand_in = "On paper."\n')
    assert [each.hand_in for each in read_plan(tmp_path).assignments.values()] == ["In Moodle.", "On paper."]


def test_a_notebook_installs_what_the_teacher_names_and_nothing_else(course):
    """The kit's name is not taken on PyPI, so anybody could register it."""
    first = cell_of(notebook_of(course, "one_query"), "given-first").source
    assert "pip install -q" not in first and "attention" not in first
    (course.folder / "kit-1.0-py3-none-any.whl").write_bytes(b"PK")
    course.edit_plan("", 'install = "kit-1.0-py3-none-any.whl"\n')
    course.does("build")
    assert (course.folder / "release/week-3/kit-1.0-py3-none-any.whl").read_bytes() == b"PK"
    first = cell_of(notebook_of(course, "one_query"), "given-first").source
    assert first.endswith("except ImportError:\n    %pip install -q kit-1.0-py3-none-any.whl\n    %load_ext attn")
    course.edit_plan(".whl", ".whl\\n!ls")
    with pytest.raises(CourseError, match=r"line 1: install is .*: write arguments for pip"):
        read_plan(course.folder)


def test_the_plan_of_a_new_course_asks_everything(tmp_path):
    create_course(tmp_path / "course")
    for path, mode in ((tmp_path / "course", 0o700), (tmp_path / "course" / "gradebook.db", 0o600)):
        assert path.stat().st_mode & 0o777 == mode
    plan = read_plan(tmp_path / "course")
    assert {name: each.chapters for name, each in plan.assignments.items()} == curriculum.UNITS
    for assignment in plan.assignments.values():
        assert all(
            assignment.build_part(name).exercises == read_chapter(name).exercises for name in assignment.chapters
        )


# The whole way ----------------------------------------------------------------------------------------------------


def test_from_moodles_zip_and_back(course, tmp_path):
    reason = "Because $e^{1000}$ overflows. [no](javascript:alert(1))"
    write_moodles_files(course, reason)
    course.does("roster", "ws.csv")
    assert "no roster" not in course.does("collect", "week-3", "--from", "moodle.zip", "--worksheet", "ws.csv")
    course.does("grade")
    assert read_grades(course, "ada") == {**CHOSEN, "why-question": None}
    with course.kit.open_gradebook() as gradebook:  # A person does the same in Formgrader.
        grade = gradebook.find_grade("why-question", "one_query", "week-3", "ada")
        grade.manual_score = 4
        gradebook.find_comment("why-question", "one_query", "week-3", "ada").manual_comment = "Well *said*."
        gradebook.find_grade("attend", "one_query", "week-3", "bo").manual_score = 2
        gradebook.db.commit()
    assert "the pages of 2 learners. docs" in course.says("feedback", "week-3", "--zip", "back.zip")
    with zipfile.ZipFile(course.folder / "back.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert sorted(pages) == [
        f"{student}_assignsubmission_file_/week-3-feedback.html" for student in ("Ada Lovelace_9001", "Bo Ek_9002")
    ]
    ada, bo = (
        pages["Ada Lovelace_9001_assignsubmission_file_/week-3-feedback.html"],
        pages["Bo Ek_9002_assignsubmission_file_/week-3-feedback.html"],
    )
    assert "The whole assignment: 42 of 43 points." in ada and "Well <em>said</em>." in ada and 'href="#of-heat"' in ada
    assert 'href="javascript' not in ada and "<script" not in ada and "http-equiv" in ada
    assert "$e^{1000}$" in ada, "a formula stays as it was typed"
    assert "2 of 6 points, given by a person. The tests alone give 0." in " ".join(bo.split())
    assert ".by-hand ~ .attn .attn-points { display: none; }" in bo and bo.count("</html>") == 1
    course.does("report")
    (course.folder / "canvas.csv").write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,week-3 (7)\n    Points Possible,,,,,43\n"
        '"Lovelace, Ada",5,,ada@example.org,A,\n"Ek, Bo",6,,bo@example.org,A,\n'
    )
    assert "week-3: 2 scores filled in." in course.does(
        "export", "canvas", "--roster", "canvas.csv", "--to", "back.csv"
    )
    rows = (course.folder / "back.csv").read_text().splitlines()
    assert rows[2].endswith(",42") and rows[3].endswith(",2")
