"""The release reveals no solutions, and its checks run on a machine without the kit."""

import shutil
import sys
from pathlib import Path

import nbformat
import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import CourseError
from autograder.classroom.course.course import find_course, is_own_course
from autograder.classroom.course.new import create_course
from autograder.judging.misconceptions import read_misconceptions
from autograder.worker.reading.cells import read_cells
from support.course import UNIT_OF, body_lines, cell_of, change, files_in, points_of, run, solved
from support.grading import absent_for
from support.missing import require
from support.submissions import noisy

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.
FEW_STEPS = """
from given import training
training.Training.__init__.__defaults__ = 40, *training.Training.__init__.__defaults__[1:]  # it would take minutes
learn = training.learn
training.learn = lambda model, text, train_step, steps, what: learn(model, text, train_step, 2, what)
"""


@pytest.fixture(scope="module", params=curriculum.UNITS)
def ran(request, released, tmp_path_factory):
    """Return chapter -> what the cells of its release print, solved and unsolved, in a folder with only the release.

    The solved pictures are left to `tests/book/test_drawing.py`, which hides the same packages.
    """
    unit, output = request.param, []
    for make in (remove_pictures, lambda same: same):
        folder = tmp_path_factory.mktemp("learner") / unit
        shutil.copytree(released.folder / "release" / unit, folder)
        notebooks = {chapter: make(released.release(chapter)) for chapter in curriculum.UNITS[unit]}
        output.append(_run_cells(notebooks, folder))
    return dict(zip(curriculum.UNITS[unit], zip(*output, strict=True), strict=True))


def remove_pictures(notebook):
    """Return the solved notebook without pictures, except for those of `pretrained`."""
    notebook, pictures = solved(notebook), set()
    for name in set(curriculum.CHAPTERS) - {"pretrained"}:
        pictures |= {cell.source for cell in read_chapter(name).cells if cell.kind == "picture"}
    notebook.cells = [cell for cell in notebook.cells if cell.source not in pictures]
    return notebook


def _require_weights(chapter):
    if chapter == "pretrained":  # Pictures of this chapter use the model.
        require("weights")


def _run_cells(notebooks, folder):
    absent = ["autograder", *set.intersection(*map(set, map(absent_for, notebooks)))]
    code = ["import sys", f"sys.modules.update(dict.fromkeys({absent}))", "import matplotlib; matplotlib.use('Agg')"]
    code += [FEW_STEPS] if "write" in notebooks else []
    for chapter, notebook in notebooks.items():
        nbformat.write(notebook, folder / f"{chapter}.ipynb")  # A chapter may read answers to another.
        code.append("space = {'__name__': '__main__'}")
        for cell in notebook.cells:
            if cell.cell_type == "code" and "%load_ext" not in cell.source:  # test_first_cell.py runs that cell.
                code.append(f"try: exec({cell.source!r}, space)")
                code.append("except Exception as error: print(f'raised {type(error).__name__}: {error}')")
        code.append("print('---')")
    (folder / "cells.py").write_text("\n".join(code), encoding="utf-8")
    code, output = run("cells.py", cwd=folder)
    assert code == 0, output
    return [part.splitlines() for part in output.split("---\n")[:-1]]


def test_release_holds_what_its_chapters_import(released):
    given = {Path("given") / path for path in files_in(curriculum.EXERCISES / "given")}
    for unit, chapters in curriculum.UNITS.items():
        notebooks = {Path(f"{chapter}.ipynb") for chapter in chapters}
        assert files_in(released.folder / "release" / unit) == notebooks | (
            given if {"one_query", "embeddings", "multi_head", "translate"} & set(chapters) else set()
        )


@pytest.mark.parametrize("chapter", curriculum.CHAPTERS)
def test_release_gives_nothing_away(released, chapter):
    notebook = released.release(chapter)
    sources = "\n".join(cell.source for cell in notebook.cells)
    raw = (released.folder / "release" / UNIT_OF[chapter] / f"{chapter}.ipynb").read_text("utf-8")
    assert not [line for line in body_lines(chapter) if line in sources]
    assert "autograder" not in raw and "SOLUTION" not in raw and "def test_" not in raw
    for exercise in read_chapter(chapter).exercises:
        assert cell_of(notebook, f"{exercise.name}-answer").source == exercise.stub  # nbgrader leaves only the stub.
        assert f"`{exercise.name}`** ({exercise.points} points)" in sources
        assert cell_of(notebook, exercise.name).metadata.nbgrader.points == exercise.points
        for number in range(1, len(exercise.hints) + 1):
            assert f"Hint {number}</summary>" in sources


def test_a_solved_release_runs_without_the_kit(ran):
    for chapter, (printed, _) in ran.items():
        _require_weights(chapter)
        checked = [line for line in printed if line.endswith(": the examples pass.")]
        assert checked == [f"{name}: the examples pass." for name in points_of(chapter)]
        assert not [line for line in printed if line.startswith("raised ")]


def test_checks_of_an_untouched_release_say_what_is_to_do(ran):
    for chapter, (_, printed) in ran.items():
        _require_weights(chapter)
        to_do = [line for line in printed if line.endswith("still to do.")]
        assert [line.split()[1:3] for line in to_do] == [["NotRight:", name] for name in points_of(chapter)]
        # A picture that needs an unsolved answer cannot be drawn, and neither can pictures that build on it.
        others = {line.partition(":")[0] for line in printed if line not in to_do}
        assert others <= {"raised NotImplementedError", "raised NameError"}


def test_the_visible_check_says_what_is_wrong(released):
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
    # A kernel's __main__ has no file, and `inspect` raises an error for the classes of such a module.
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
    notebook.cells = [cell for cell in notebook.cells if "plt.show()" not in cell.source]  # Drawing takes time.
    change(notebook, "softmax", "scores - scores.max()", "scores")
    nbformat.write(notebook, tmp_path / "wrong.ipynb")
    _, output = released.nbgrader("validate", str(tmp_path / "wrong.ipynb"))
    sentence = read_misconceptions("softmax")["no_maximum_subtracted"].sentence
    assert f"softmax: {sentence}"[:80] in output, output  # The kit is installed here, so the check uses it.
    assert "normalize_by_sum:" not in output and "Traceback" not in output  # Only callers of softmax may fail.
    assert "Success!" not in output


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
    create_course(released.folder)
    assert secret.read_bytes() == before


def test_the_release_can_be_built_again(released):
    unit = UNIT_OF["embeddings"]
    stale = released.folder / "source" / unit / "given" / "stale.py"
    stale.touch()
    released.does("build")
    assert not stale.exists() and not (released.folder / "release" / unit / "given" / "stale.py").exists()


def test_other_folders_are_refused(tmp_path, monkeypatch):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    with pytest.raises(CourseError, match="neither new or empty nor a course of this kit"):
        create_course(tmp_path)
    with pytest.raises(CourseError, match="neither new or empty"):
        create_course(tmp_path / "nbgrader_config.py")
    with pytest.raises(CourseError, match="create one with `attn course new"):
        find_course(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CourseError, match="there is no course here"):
        find_course()
    assert sorted(tmp_path.iterdir()) == [tmp_path / "nbgrader_config.py"]


def test_a_course_is_found_from_its_subfolders(released, monkeypatch):
    for place in (released.folder, released.folder / "release" / UNIT_OF["one_query"], released.folder.parent):
        monkeypatch.chdir(place)
        assert find_course().folder.resolve() == released.folder.resolve()
    with pytest.raises(CourseError, match=r"softmax is not an assignment of .*: it has attention-basics, "):
        find_course().select_assignments(["softmax"])


def test_a_configuration_inside_a_course_is_never_run(released, tmp_path, monkeypatch):
    course = released.copy_to(tmp_path / "course")
    canary = tmp_path / "ran"
    for place in ("submitted/mallory/week", "moodle-download/Mallory/course", "moodle-download/Mallory"):
        folder = course.folder / place
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "nbgrader_config.py").write_text(f"# autograder.classroom.seam\nopen({str(canary)!r}, 'w')\n")
        assert is_own_course(course.folder) and not is_own_course(folder)
    with pytest.raises(CourseError, match=r"Mallory is a course inside the course .*: name one of them"):
        monkeypatch.chdir(folder)
        find_course()
    monkeypatch.chdir(course.folder / "submitted/mallory/week")
    assert find_course().folder.resolve() == course.folder.resolve() and not canary.exists()


def test_a_broken_configuration_is_named(released, tmp_path):
    course = released.copy_to(tmp_path / "course")
    course.configure("c.Nonsense = = 1\n")
    with pytest.raises(CourseError, match=r"nbgrader_config.py cannot be read: SyntaxError"):
        find_course(course.folder).open_gradebook()
