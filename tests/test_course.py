"""A whole course: made, built, answered in every good and bad way, graded by nbgrader, handed back."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest
from course_helpers import EXERCISES, UNIT_OF, Course, body_lines, cell_of, change, points_of, run, solved
from submissions import ATTACKS, FILES, MISTAKES, RIGHT, SUBMISSIONS, cases, hostile, noisy, untouched, wrong

from autograder import curriculum
from autograder.cells import read_cells
from autograder.chapter import read_chapter
from autograder.classroom.course import build_assignments, new_course
from autograder.errors import CourseError
from autograder.reference import lesson_of

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
def graded(released, tmp_path_factory):
    """Chapter -> a course in which everybody has been graded in one run and has feedback, one course for each unit."""

    def grade(unit):
        course = released.copied_to(tmp_path_factory.mktemp("graded") / unit)
        for chapter, write in SUBMISSIONS:
            if UNIT_OF[chapter] == unit:
                student = write.__name__
                course.submit(student, write(course.release(chapter)), chapter, FILES.get(student, {}))
        for step in ("autograde", "generate_feedback"):
            code, printed = course.nbgrader(step, unit)
            assert code == 0, printed
        return course

    with ThreadPoolExecutor(2) as two:
        courses = dict(zip(curriculum.UNITS, two.map(grade, curriculum.UNITS), strict=True))
    return {chapter: courses[unit] for chapter, unit in UNIT_OF.items()}


# What they get ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chapter", "student"), [(chapter, write.__name__) for chapter, all_of in RIGHT.items() for write in all_of]
)
def test_right_answers_get_every_point(graded, chapter, student):
    assert graded[chapter].scores(student, chapter) == points_of(chapter)
    for exercise, points in points_of(chapter).items():
        assert f"{points:g} of {points:g} points." in graded[chapter].said(student, exercise)


@pytest.mark.parametrize("exercise", MISTAKES)
def test_wrong_answers_get_fewer_points_and_the_reason(graded, exercise):
    misconception = MISTAKES[exercise][2]
    chapter, points = EXERCISES[exercise].chapter, EXERCISES[exercise].points
    assert graded[chapter].scores("wrong", chapter)[exercise] < points
    sentence, hint = lesson_of(exercise, misconception)
    said = graded[chapter].said("wrong", exercise)
    assert f" of {points} points." in said
    assert sentence.replace("`", "") in said and hint.replace("`", "") in said


@pytest.mark.parametrize("chapter", cases(wrong))
def test_what_does_not_need_the_wrong_answers_gets_every_point(graded, chapter):
    scores = graded[chapter].scores("wrong", chapter)
    users = {"attend"}  # of a wrong softmax
    right = {name: points for name, points in points_of(chapter).items() if name not in {*MISTAKES, *users}}
    assert {name: scores[name] for name in right} == right


def test_partial_credit(graded):
    assert graded["one_query"].scores("wrong", "one_query")["softmax"] == 6
    assert "6 of 8 points. 6 of 8 tests passed." in graded["one_query"].said("wrong", "softmax")


def test_what_learners_return_is_shown_as_text(graded):
    assert "<b>&nonsense</b>" in graded["one_query"].said("nonsense", "normalize_by_sum")
    assert "<b>&nonsense" not in graded["one_query"].feedback("nonsense", "one_query")


@pytest.mark.parametrize("chapter", cases(untouched))
def test_untouched_notebook(graded, chapter):
    assert graded[chapter].scores("untouched", chapter) == dict.fromkeys(points_of(chapter), 0)
    for exercise in points_of(chapter):
        assert f"{exercise} is still to do." in graded[chapter].said("untouched", exercise)


@pytest.mark.parametrize("chapter", cases(hostile))
def test_hostile_answer_harms_itself_alone(graded, chapter):
    attacks = {exercise: reads for exercise, (_, _, reads) in ATTACKS.items() if exercise in points_of(chapter)}
    assert graded[chapter].scores("hostile", chapter) == points_of(chapter) | dict.fromkeys(attacks, 0)
    for exercise, reads in attacks.items():
        assert reads in graded[chapter].said("hostile", exercise)
        assert f"check({exercise})" in cell_of(graded[chapter].autograded("hostile", chapter), exercise).source
    assert "steal()" not in graded[chapter].feedback("hostile", chapter)


def test_banned_shortcut(graded):
    course = graded["multi_head"]
    assert course.scores("banned", "multi_head") == points_of("multi_head") | {"MultiHeadAttention": 0}
    assert "uses torch.nn.MultiheadAttention" in course.said("banned", "MultiHeadAttention")
    assert "which this exercise does not allow" in course.said("banned", "MultiHeadAttention")


def test_unreadable_notebook(graded):
    assert graded["one_query"].scores("unreadable", "one_query") == dict.fromkeys(points_of("one_query"), 0)
    assert "download or export it again" in graded["one_query"].said("unreadable", "softmax")


def test_chapter_that_was_not_handed_in(graded):
    assert graded["all_queries"].scores("noisy", "all_queries") == dict.fromkeys(points_of("all_queries"), 0)


@pytest.mark.parametrize("student", ["solved", "changed_given"])
def test_given_package_is_the_original_whatever_came_back(graded, student):
    course = graded["embeddings"]
    for path in _files(curriculum.EXERCISES / "given"):
        original = (curriculum.EXERCISES / "given" / path).read_bytes()
        place = course.folder / "autograded" / student / UNIT_OF["embeddings"] / "given" / path
        assert place.read_bytes() == original


@pytest.mark.parametrize("chapter", curriculum.CHAPTERS)
def test_feedback_shows_no_suite_and_no_solution(graded, chapter):
    course, students = graded[chapter], [write.__name__ for each, write in SUBMISSIONS if each == chapter]
    pages = "".join(course.read(student, chapter) for student in students)
    suites = "".join((curriculum.SUITES / f"test_{name}.py").read_text("utf-8") for name in points_of(chapter))
    secret_lines = {line.strip() for line in suites.splitlines() if "test_" in line or "answer" in line}
    assert secret_lines
    assert not [line for line in secret_lines if line in pages]
    assert "autograder" not in pages
    said = [course.said(student, exercise) for student in students for exercise in points_of(chapter)]
    assert not [text for text in said if "most recent call" in text]
    # A page shows the code that was handed in, and to those who solved nothing no line of a solution.
    assert all(line in course.read("solved", chapter) for line in body_lines(chapter))
    for student in {"untouched", "unreadable"} & set(students):
        assert not [line for line in body_lines(chapter) if line in course.read(student, chapter)]


def test_a_fault_of_ours_costs_nothing_and_is_loud(graded):
    course, unit, chapter = graded["one_query"], UNIT_OF["one_query"], "one_query"
    course.submit("unlucky", solved(course.release(chapter)), chapter)
    code, printed = course.nbgrader("autograde", unit, "--student=unlucky", "--GradeAnswers.secret_file=nowhere/secret")
    assert code != 0
    assert "unlucky, one_query: not graded, through no fault of the learner." in printed
    assert "nowhere/secret cannot be read" in printed
    assert set(course.scores("unlucky", chapter).values()) == {None}
    assert not (course.folder / "autograded" / "unlucky" / unit).exists()
    code, printed = course.nbgrader("autograde", unit, "--student=unlucky")
    assert code == 0 and course.scores("unlucky", chapter) == points_of(chapter)


def test_the_release_can_be_built_again_after_grading(graded):
    course, unit = graded["embeddings"], UNIT_OF["embeddings"]
    stale = course.folder / "source" / unit / "given" / "stale.py"
    stale.touch()
    code, printed = course.attn("build", "--course", course.folder)
    assert code == 0, printed
    assert not stale.exists() and not (course.folder / "release" / unit / "given" / "stale.py").exists()


# The release ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ran(released, tmp_path_factory):
    """Chapter -> what the cells of its release print, solved and as it is, in a folder that holds no more than that."""

    def run_release(chapter):
        folder = tmp_path_factory.mktemp("learner") / chapter
        shutil.copytree(released.folder / "release" / UNIT_OF[chapter], folder)
        return _run_cells([solved(released.release(chapter)), released.release(chapter)], chapter, folder)

    with ThreadPoolExecutor(2) as two:
        return dict(zip(curriculum.CHAPTERS, two.map(run_release, curriculum.CHAPTERS), strict=True))


def _run_cells(notebooks, chapter, folder):
    absent = ["autograder", "pytest", "IPython", "nbgrader", "requests", "platformdirs", "rich"]
    absent += [] if "torch" in read_chapter(chapter).libraries else ["torch"]
    code = ["import sys", f"sys.modules.update(dict.fromkeys({absent}))", "import matplotlib; matplotlib.use('Agg')"]
    for notebook in notebooks:
        code.append("space = {'__name__': '__main__'}")
        for cell in notebook.cells:
            if cell.cell_type == "code":
                code.append(f"try: exec({cell.source!r}, space)")
                code.append("except Exception as error: print(type(error).__name__, error, sep=': ')")
        code.append("print('---')")
    (folder / "cells.py").write_text("\n".join(code), encoding="utf-8")
    code, printed = run("cells.py", cwd=folder)
    assert code == 0, printed
    return [part.splitlines() for part in printed.split("---\n")[:-1]]


def test_release_holds_what_its_chapters_import(released):
    given = {Path("given") / path for path in _files(curriculum.EXERCISES / "given")}
    for unit, chapters in curriculum.UNITS.items():
        notebooks = {Path(f"{chapter}.ipynb") for chapter in chapters}
        assert _files(released.folder / "release" / unit) == notebooks | (given if "embeddings" in chapters else set())


def _files(folder):
    paths = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    return {path for path in paths if "__pycache__" not in path.parts}


@pytest.mark.parametrize("chapter", curriculum.CHAPTERS)
def test_release_gives_nothing_away(released, chapter):
    notebook = released.release(chapter)
    sources = "\n".join(cell.source for cell in notebook.cells)
    raw = (released.folder / "release" / UNIT_OF[chapter] / f"{chapter}.ipynb").read_text("utf-8")
    assert not [line for line in body_lines(chapter) if line in sources]
    assert "autograder" not in raw and "SOLUTION" not in raw and "def test_" not in raw
    for exercise in read_chapter(chapter).exercises:
        assert cell_of(notebook, f"{exercise.name}-answer").source == exercise.stub  # as nbgrader's ClearSolutions
        assert f"`{exercise.name}`** ({exercise.points} points)" in sources
        assert cell_of(notebook, exercise.name).metadata.nbgrader.points == exercise.points
        for number in range(1, len(exercise.hints) + 1):
            assert f"Hint {number}</summary>" in sources


@pytest.mark.parametrize("chapter", curriculum.CHAPTERS)
def test_solved_release_runs_with_its_libraries_alone(ran, chapter):
    """Every cell: exercises, checks and pictures."""
    printed, _ = ran[chapter]
    assert printed == [f"{name}: the examples pass." for name in points_of(chapter)]


@pytest.mark.parametrize("chapter", curriculum.CHAPTERS)
def test_untouched_release_says_what_is_to_do(ran, chapter):
    _, printed = ran[chapter]
    to_do = [line for line in printed if line.endswith("still to do.")]
    assert [line.split()[:2] for line in to_do] == [["ExampleFailed:", name] for name in points_of(chapter)]
    # A picture cannot be drawn without the answer that it shows, nor one that goes on from there.
    assert {line.partition(":")[0] for line in printed if line not in to_do} <= {"NotImplementedError", "NameError"}


def test_visible_check_says_what_is_wrong(released):
    space = {}
    exec(cell_of(released.release("one_query"), "given-02").source, space)

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
    calls_another = "def half(x):\n    raise NotImplementedError\n" + example
    assert shown(calls_another + "return half(x)") == "twice needs half, which is still to do."


def test_visible_check_runs_the_examples_of_a_class_and_of_its_methods(released, monkeypatch, capsys):
    # A kernel's __main__ has no file, and `inspect` raises at the classes of such a module.
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)
    space = {"__name__": "__main__"}
    exec(cell_of(released.release("qkv"), "given-02").source, space)
    twice = (
        'class Twice:\n    """\n    >>> Twice().of(2)\n    4\n    """\n    other = dict\n'
        '    def of(self, x):\n        """\n        >>> Twice().of(3)\n        6\n        """\n        '
    )

    def shown(body):
        exec(twice + body, space)
        with pytest.raises(AssertionError) as failure:
            space["check"](space["Twice"])
        return str(failure.value)

    assert shown("return x + 1").startswith("Twice: an example fails.\nTwice().of(2)\ngives\n3\n")
    assert shown("return x + 2").startswith("Twice: an example fails.\nTwice().of(3)\ngives\n5\n")
    assert shown("raise NotImplementedError") == "Twice is still to do."
    exec(twice + "return 2 * x", space)
    space["check"](space["Twice"])
    assert capsys.readouterr().out.endswith("Twice: the examples pass.\n")


def test_nbgraders_validate_button(released, tmp_path):
    notebook = noisy(released.release("one_query"))
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
