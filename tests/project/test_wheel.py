"""All commands work if the kit is installed from a wheel, outside the clone."""

import importlib.util
import re
import shutil
import subprocess
import zipfile

import pytest

from autograder.chapters import curriculum

pytestmark = pytest.mark.slow
ONE_CHAPTER = '[assignments.attention-basics]\nchapters = ["one_query"]\n'
RUDE = {"solutions", "exercises", "given", "tests", "book", "docs"}


@pytest.fixture(scope="module")
def folder(installed, tmp_path_factory):
    parent = tmp_path_factory.mktemp("learner")
    done = installed.run("start", "mine", cwd=parent)
    assert done.returncode == 0, done.stdout
    return parent / "mine"


@pytest.fixture
def attn(installed, folder):
    def run(*arguments, code=0, **environment):
        done = installed.run(*arguments, cwd=folder, **environment)
        assert done.returncode == code, done.stdout
        assert "internal error" not in done.stdout
        return done.stdout

    return run


FILES = ("requirements.txt", "LICENSE")  # hatch_build.py adds these files to the wheel.
MOVED = ("solutions", "exercises/given", "book", "docs")


def test_a_wheel_contains_the_course_and_nothing_else(installed):
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"attn", "autograder"}
    assert not [name for name in names if "__pycache__" in name or ".attn" in name or ".venv" in name]
    listed = ["git", "ls-files", "-co", "--exclude-standard", "attn", "autograder", *sorted(MOVED)]
    needed = subprocess.run(listed, cwd=curriculum.ROOT, capture_output=True, text=True, check=True).stdout.split()
    here = [path for path in needed if (curriculum.ROOT / path).exists()]
    expected = {f"{'autograder/content/' * path.startswith(MOVED)}{path}" for path in here}
    added = {f"autograder/content/{name}" for name in FILES}
    assert {name for name in names if "dist-info" not in name} == expected | added


def test_the_wheel_adds_no_common_top_level_name(installed, tmp_path):
    code = f"import importlib.util; print([n for n in {sorted(RUDE)} if importlib.util.find_spec(n)])"
    (tmp_path / "look.py").write_text(code)
    assert installed.run(module="look", cwd=tmp_path).stdout.strip() == "[]"
    assert importlib.util.find_spec("given"), "the tests themselves import it"


def test_the_commands_of_a_learner_work_from_a_wheel(attn, folder):
    assert "single_dot_attention_score" in attn("next")
    assert re.search(r"softmax +to do", attn("list", "one_query"))
    assert "Hint 1 of" in attn("hint", "softmax")
    assert "np.exp" in attn("solution", "softmax", "--give-up")
    assert "One mistake is in" in attn("debug", "softmax", "--seed", "1")
    assert (folder / "debug" / "softmax.py").exists()
    attn("debug", "softmax", "--check", code=1)
    assert "is a stub again" in attn("reset", "softmax")
    assert "1 of" in attn("predict", "one_query")
    assert "for a clone" in attn("stubs", code=2)
    assert "Everything is consistent" in attn("stubs", "--check", "softmax")


@pytest.mark.needs("bubblewrap")
def test_the_commands_of_a_teacher_work_from_a_wheel(attn, folder):
    assert "All promises hold" in attn("doctor")
    attn("course", "new", "course")
    (folder / "course" / "course.toml").write_text(ONE_CHAPTER, encoding="utf-8")
    attn("course", "build", "--course", "course")
    handed_in = folder / "course" / "submitted" / "ada" / "attention-basics"
    handed_in.mkdir(parents=True)
    released = folder / "course" / "release" / "attention-basics" / "one_query.ipynb"
    shutil.copy(released, handed_in)
    assert re.search(r"attention-basics +1 +0 +0", attn("course", "grade", "--course", "course"))
    attn("course", "feedback", "--course", "course")
    attn("course", "report", "--course", "course")
    assert (folder / "course" / "report.html").exists()
    assert list((folder / "course" / "feedback").rglob("*.html"))


def test_an_exported_archive_is_the_one_a_clone_makes(attn, folder, tmp_path):
    course = folder / "another"
    attn("course", "new", course)
    (course / "course.toml").write_text(ONE_CHAPTER, encoding="utf-8")
    options = {"--course": course, "--assignment": "attention-basics", "--to": tmp_path / "a.zip"}
    attn("course", "export", "gradescope", *(word for option in options.items() for word in option))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = set(archive.namelist())
        assert "kit/autograder/classroom/returns/gradescope_run.py" in names
        assert "kit/solutions/one_query.py" in names and "kit/exercises/given/__init__.py" in names
        assert {"kit/constraints.txt", "kit/LICENSE"} <= names
        assert not [name for name in names if "content" in name.split("/")]


def test_the_magic_works_from_a_wheel(installed, folder):
    code = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
shell.run_line_magic("load_ext", "attn")
shell.run_cell("def softmax(x):\\n    return [1.0]")
shell.run_line_magic("check", "softmax")
"""
    (folder / "notebook.py").write_text(code)
    output = installed.run(module="notebook", cwd=folder).stdout
    assert "Traceback" not in output and "fault" not in output, output
    assert "softmax" in output
