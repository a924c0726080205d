"""A whole course: made, built, answered in every good and bad way, graded by nbgrader, handed back."""

import subprocess
import sys

import nbformat
import pytest
from course_helpers import CHAPTER, POINTS, UNIT, Course, body_lines, cell_of, change, solved
from nbformat import v4

from autograder import curriculum
from autograder.cells import read_cells
from autograder.chapter import read_chapter
from autograder.course import build_assignments, new_course
from autograder.errors import CourseError

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A course that has been built."""
    course = Course(tmp_path_factory.mktemp("teacher") / "course")
    for arguments in (
        ("new", course.folder),
        ("build", "--course", course.folder),
    ):
        code, printed = course.attn(*arguments)
        assert code == 0, printed
    return course


@pytest.fixture(scope="module")
def graded(released):
    """The course with everybody graded in one run, and the feedback written."""
    for student, write in STUDENTS.items():
        released.submit(student, write(released.release()))
    code, printed = released.nbgrader("autograde", UNIT)
    assert code == 0, printed
    code, printed = released.nbgrader("generate_feedback", UNIT)
    assert code == 0, printed
    return released


# What learners hand in --------------------------------------------------------------------------------------------


def untouched(notebook):
    return notebook


def noisy(notebook):
    notebook = solved(notebook)
    loud = "import sys, warnings\nprint('note', file=sys.stderr)\nwarnings.warn('careful')"
    notebook.cells.insert(0, v4.new_code_cell(loud))
    change(notebook, "softmax", "exponentials = ", "print('max', scores.max(), file=sys.stderr); exponentials = ")
    change(notebook, "attend", "weights = softmax", "print('here'); warnings.warn('again'); weights = softmax")
    return notebook


def wrong(notebook):
    notebook = solved(notebook)
    change(notebook, "softmax", "scores - scores.max()", "scores")
    change(notebook, "calculate_attention_vector", "axis=1", "axis=0")
    change(notebook, "normalize_by_sum", "return scores / scores.sum()", "return '<b>&nonsense</b>'")
    return notebook


FORGED = v4.new_output("execute_result", {"text/plain": "99.0", "text/html": "<script>steal()</script>"})


def hostile(notebook):
    notebook = solved(notebook)
    start = (
        "import numpy as np\nnp.allclose = np.array_equal = np.isclose = lambda *a, **k: True\nprint('8.0')  # \ud800"
    )
    notebook.cells.insert(0, v4.new_code_cell(start, outputs=[FORGED]))
    change(notebook, "softmax", "scores = np.asarray", "import os; os._exit(0)\n    scores = np.asarray")
    change(notebook, "attend", "weights = softmax", "print(6.0)\n    while True: pass\n    weights = softmax")
    change(notebook, "dot_attention_score", "return ", "return 1 + ")
    for name in POINTS:
        grade_cell = cell_of(notebook, name)
        grade_cell.outputs, grade_cell.source = [FORGED], "99.0"
        grade_cell.metadata.nbgrader["points"] = 99
    cell_of(notebook, "softmax").metadata.nbgrader = {"schema_version": 1, "grade_id": "softmax"}
    return notebook


def duplicated_and_moved(notebook):
    stubs = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")]
    checks = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    notebook = solved(notebook)
    notebook.cells = [*reversed(notebook.cells), *stubs, *checks]
    for number, cell in enumerate(notebook.cells):
        cell.id = f"moved-{number}"
    return notebook


def deleted(notebook):
    notebook = solved(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell.id not in ("softmax", "attend", "given-00")]
    return notebook


def retitled(notebook):
    notebook = solved(notebook)
    cell_of(notebook, "softmax").metadata.nbgrader["grade_id"] = "my own title"
    cell_of(notebook, "attend").metadata.nbgrader["grade_id"] = "apply_attention_scores"
    cell_of(notebook, "attend-answer").metadata.nbgrader["grade_id"] = "given-00"
    cell_of(notebook, "given-00").source = "# My title"
    return notebook


def without_metadata(notebook):
    notebook = solved(notebook)
    for cell in notebook.cells:
        cell.metadata = {}
    return notebook


def magics(notebook):
    notebook = solved(notebook)
    notebook.cells.insert(0, v4.new_code_cell("%matplotlib inline\n!ls\n?np.dot"))
    notebook.cells.insert(1, v4.new_code_cell("%%bash\necho hello"))
    cell = cell_of(notebook, "softmax-answer")
    cell.source = "%%time\n" + cell.source
    change(notebook, "attend", "weights = softmax", "%time\n    weights = softmax")
    return notebook


def first_cell_raises(notebook):
    notebook = solved(notebook)
    notebook.cells.insert(0, v4.new_code_cell("raise RuntimeError('first')"))
    return notebook


def unreadable(notebook):
    return nbformat.writes(notebook)[:5000]


RIGHT = (solved, noisy, duplicated_and_moved, deleted, retitled, without_metadata, magics, first_cell_raises)
STUDENTS = {write.__name__: write for write in (*RIGHT, untouched, wrong, hostile, unreadable)}


# What they get ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("student", [write.__name__ for write in RIGHT])
def test_right_answers_get_every_point(graded, student):
    assert graded.scores(student) == POINTS
    for exercise, points in POINTS.items():
        assert f"{points:g} of {points:g} points." in graded.said(student, exercise)


def test_wrong_answers_get_partial_credit_and_the_reason(graded):
    expected = POINTS | {"softmax": 6, "calculate_attention_vector": 0, "normalize_by_sum": 0}
    assert graded.scores("wrong") == expected | {"attend": graded.scores("wrong")["attend"]}
    assert 0 <= graded.scores("wrong")["attend"] < POINTS["attend"]  # it uses both
    said = graded.said("wrong", "softmax")
    assert "6 of 8 points. 6 of 8 tests passed." in said
    assert "overflows for large scores" in said and "Subtract the largest score" in said
    assert "add up the time steps" in graded.said("wrong", "calculate_attention_vector")
    assert "<b>&nonsense</b>" in graded.said("wrong", "normalize_by_sum")
    assert "<b>&nonsense" not in graded.feedback("wrong")


def test_untouched_notebook(graded):
    assert graded.scores("untouched") == dict.fromkeys(POINTS, 0)
    for exercise in POINTS:
        assert f"{exercise} is still to do." in graded.said("untouched", exercise)


def test_hostile_answer_harms_itself_alone(graded):
    assert graded.scores("hostile") == POINTS | {"softmax": 0, "attend": 0, "dot_attention_score": 0}
    assert "ended its own process" in graded.said("hostile", "softmax")
    assert "seconds" in graded.said("hostile", "attend")
    assert "expected" in graded.said("hostile", "dot_attention_score")
    assert "steal()" not in graded.feedback("hostile")
    assert "check(softmax)" in cell_of(_autograded(graded, "hostile"), "softmax").source


def test_unreadable_notebook(graded):
    assert graded.scores("unreadable") == dict.fromkeys(POINTS, 0)
    assert "download or export it again" in graded.said("unreadable", "softmax")


def test_chapter_that_was_not_handed_in(graded):
    for chapter in curriculum.UNITS[UNIT][1:]:
        scores = graded.scores("solved", chapter)
        assert scores == dict.fromkeys([exercise.name for exercise in read_chapter(chapter).exercises], 0)


def test_feedback_shows_no_suite_and_no_solution(graded):
    pages = "".join(graded.feedback(student) for student in STUDENTS)
    suites = "".join((curriculum.SUITES / f"test_{name}.py").read_text("utf-8") for name in POINTS)
    secret_lines = {line.strip() for line in suites.splitlines() if "test_" in line or "answer(" in line}
    assert secret_lines
    assert not [line for line in secret_lines if line in pages]
    assert "autograder" not in pages and "most recent call" not in pages
    # Of those who solved nothing, the pages hold no line of a solution either.
    for student in ("untouched", "unreadable"):
        notebook = "\n".join(cell.source for cell in _autograded(graded, student).cells)
        assert not [line for line in body_lines() if line in notebook]


def test_a_fault_of_ours_costs_nothing_and_is_loud(graded):
    graded.submit("unlucky", solved(graded.release()))
    code, printed = graded.nbgrader("autograde", UNIT, "--student=unlucky", "--GradeAnswers.secret_file=nowhere/secret")
    assert code != 0
    assert "unlucky, one_query: not graded, through no fault of the learner." in printed
    assert "nowhere/secret cannot be read" in printed
    assert set(graded.scores("unlucky").values()) == {None}
    assert not (graded.folder / "autograded" / "unlucky" / UNIT).exists()
    code, printed = graded.nbgrader("autograde", UNIT, "--student=unlucky")
    assert code == 0 and graded.scores("unlucky") == POINTS


def test_the_release_can_be_built_again_after_grading(graded):
    code, printed = graded.attn("build", "--course", graded.folder)
    assert code == 0, printed


def _autograded(course, student):
    return nbformat.read(course.folder / "autograded" / student / UNIT / f"{CHAPTER}.ipynb", as_version=4)


# The release ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", curriculum.UNITS[UNIT])
def test_release_gives_nothing_away(released, chapter):
    notebook = released.release(chapter)
    sources = "\n".join(cell.source for cell in notebook.cells)
    raw = (released.folder / "release" / UNIT / f"{chapter}.ipynb").read_text("utf-8")
    assert not [line for line in body_lines(chapter) if line in sources]
    assert "autograder" not in raw and "SOLUTION" not in raw and "def test_" not in raw
    for exercise in read_chapter(chapter).exercises:
        assert cell_of(notebook, f"{exercise.name}-answer").source == exercise.stub  # as nbgrader's ClearSolutions
        assert f"`{exercise.name}`** ({exercise.points} points)" in sources
        assert cell_of(notebook, exercise.name).metadata.nbgrader.points == exercise.points
        for number in range(1, len(exercise.hints) + 1):
            assert f"Hint {number}</summary>" in sources


@pytest.mark.parametrize("chapter", curriculum.UNITS[UNIT])
def test_release_runs_with_numpy_and_seaborn_alone(released, chapter, tmp_path):
    """Every cell of the solved notebook, checks and pictures too; then the stubs, which say that they are to do."""
    names = [exercise.name for exercise in read_chapter(chapter).exercises]
    code, printed = _run_cells(solved(released.release(chapter), chapter), tmp_path)
    assert code == 0, printed
    assert printed.splitlines() == [f"{name}: the examples pass." for name in names]
    code, printed = _run_cells(released.release(chapter), tmp_path)
    assert [line for line in printed.splitlines() if "still to do" in line] == [
        f"{name} is still to do." for name in names
    ]
    assert "the examples pass" not in printed


def _run_cells(notebook, folder):
    absent = (
        "import sys\nfor name in ('autograder', 'torch', 'pytest', 'IPython', 'nbgrader'): sys.modules[name] = None\n"
    )
    script = [absent + "import matplotlib; matplotlib.use('Agg'); space, failed = {'__name__': '__main__'}, 0\n"]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            script.append(f"try: exec({cell.source!r}, space)\nexcept Exception as error: print(error); failed = 1\n")
    script.append("sys.exit(failed)")
    (folder / "cells.py").write_text("".join(script), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "cells.py"], cwd=folder, capture_output=True, timeout=60, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_visible_check_says_what_is_wrong(released):
    space = {}
    exec(cell_of(released.release(), "given-02").source, space)

    def shown(source, name="twice"):
        space.pop("twice", None)
        exec(source, space)
        with pytest.raises(AssertionError) as failure:
            space["check"](space[name])
        assert failure.value._render_traceback_() == [str(failure.value)]
        return str(failure.value)

    example = 'def twice(x):\n    """\n    >>> twice(2)\n    4\n    >>> y = twice(0.25)\n    """\n    '
    assert shown(example + "return x") == "twice: an example fails.\ntwice(2)\ngives\n2\ninstead of\n4"
    assert shown(example + "return") == "twice: an example fails.\ntwice(2)\ngives\nnothing\ninstead of\n4"
    assert shown(example + "return 10 * x + 4").endswith("gives\n24\ninstead of\n4")
    assert shown(example + "return x / 0").endswith("raises ZeroDivisionError: division by zero")
    assert shown(example + "raise NotImplementedError") == "twice is still to do."
    assert "no examples left" in shown("def twice(x):\n    return 2 * x")
    exec(example + "print('x is', x)\n    return 2 * x", space)
    space["check"](space["twice"])


def test_nbgraders_validate_button(released, tmp_path):
    notebook = noisy(released.release())
    nbformat.write(notebook, tmp_path / "right.ipynb")
    change(notebook, "softmax", "scores - scores.max()", "scores")
    nbformat.write(notebook, tmp_path / "wrong.ipynb")
    _, printed = released.nbgrader("validate", str(tmp_path / "right.ipynb"), str(tmp_path / "wrong.ipynb"))
    about_right, _, about_wrong = printed.partition("Success! Your notebook passes all the tests.")
    assert "fails" not in about_right
    assert "softmax: an example fails." in about_wrong and "Success!" not in about_wrong


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # third-party imports
@pytest.mark.parametrize("chapter", curriculum.CHAPTERS)
def test_jupytext_reads_chapters_as_we_do(chapter):
    import jupytext  # noqa: PLC0415  (its import warns)

    text = (curriculum.SOLUTIONS / f"{chapter}.py").read_text("utf-8")
    ours = [("markdown" if cell.kind == "markdown" else "code", cell.source) for cell in read_cells(text)]
    theirs = [(cell.cell_type, cell.source) for cell in jupytext.reads(text, fmt="py:percent").cells]
    assert ours == theirs


# The folder -------------------------------------------------------------------------------------------------------


def test_the_secret_is_kept(released):
    secret = released.folder / "secret"
    before = secret.read_bytes()
    assert len(before) == 64 and (sys.platform == "win32" or secret.stat().st_mode & 0o777 == 0o600)
    code, printed = released.attn("new", released.folder)
    assert code == 0, printed
    assert secret.read_bytes() == before


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    with pytest.raises(CourseError, match="not empty and no course of this kit"):
        new_course(tmp_path)
    with pytest.raises(CourseError, match="is a file"):
        new_course(tmp_path / "nbgrader_config.py")
    with pytest.raises(CourseError, match="make one with `attn course new"):
        build_assignments(tmp_path, print)
    assert sorted(tmp_path.iterdir()) == [tmp_path / "nbgrader_config.py"]
