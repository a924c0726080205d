"""The commands in docs/teacher.md are run one after the other, from a new course to feedback."""

import re
import shlex
import shutil
import zipfile

import pytest

from autograder.chapters import curriculum
from autograder.classroom.course.plan_file import KEYS, read_plan
from support.course import Course, points_of, solved

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Importing nbgrader emits warnings.

PAGE, YEAR, REFERENCE = (
    (curriculum.ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for name in ("teacher", "teacher-year", "teacher-reference")
)
UNIT = "attention-basics"


def find_commands(heading, page=PAGE):
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    fence = re.search(r"```console\n(.*?)```", section, re.DOTALL)[1]
    return [shlex.split(line.removeprefix("$ "), comments=True) for line in fence.splitlines()]


def test_the_walk_from_nothing_to_feedback(tmp_path, monkeypatch):
    monkeypatch.setattr(curriculum, "UNITS", {UNIT: curriculum.UNITS[UNIT]})
    here, course = Course(tmp_path), Course(tmp_path / "course")
    (tmp_path / "exchange").mkdir()
    walk = find_commands("From nothing to feedback")
    assert [words[2] for words in walk] == ["new", "build", "release", "collect", "collect", "grade", "feedback"]
    for attn, course_word, *words in walk:
        assert (attn, course_word) == ("attn", "course")
        if words[0] == "collect":
            submit_as_learners(course, tmp_path)
        here.does(*words)
    for student in ("ada", "4711"):
        assert course.scores(student, "one_query") == points_of("one_query")
        assert "of 35 points" in course.read(student, "one_query") or "35" in course.read(student, "one_query")
    assert len(list((tmp_path / "exchange" / "attention" / "feedback").glob("*.html"))) == 2  # Both pages are Ada's.


def submit_as_learners(course, folder):
    """Submit Ada's notebook through the exchange and Bo's through Moodle."""
    release, place = course.folder / "release" / UNIT, folder / "exchange" / "attention"
    assert (place / "outbound" / UNIT / "one_query.ipynb").exists()
    ada = place / "inbound" / f"ada+{UNIT}+2026-10-05 11:00:00 UTC+x"
    shutil.copytree(release, ada, dirs_exist_ok=True)
    (ada / "timestamp.txt").write_text("2026-10-05 11:00:00 UTC")
    (ada / "submission_secret.txt").write_text("abc")
    text = _solve_text(course)
    (ada / "one_query.ipynb").write_text(text, encoding="utf-8")
    with zipfile.ZipFile(folder / "moodle.zip", "w") as archive:
        archive.writestr("Bo Ek_4711_assignsubmission_file_/one_query (2).ipynb", text)


def _solve_text(course):
    import nbformat  # noqa: PLC0415

    return nbformat.writes(solved(course.release("one_query")))


def test_every_documented_course_command_exists(monkeypatch):
    from click import Context  # noqa: PLC0415
    from typer.main import get_command  # noqa: PLC0415

    from autograder.cli.main import app  # noqa: PLC0415

    monkeypatch.setattr("autograder.cli.people.find_course", lambda folder: None)
    shown = [line for page in (PAGE, YEAR, REFERENCE) for line in re.findall(r"^\$ attn (.*)$", page, re.MULTILINE)]
    assert len(shown) > 25
    for line in shown:
        command, words = get_command(app), shlex.split(line, comments=True)
        while hasattr(command, "commands"):
            command = command.get_command(Context(command), words.pop(0))
        command.make_context(command.name, words)


def test_the_keys_of_the_plan_are_all_in_the_reference():
    table = REFERENCE.partition("## course.toml")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z_]+)`", "".join(re.findall(r"(?m)^\| (.*?) \|", table))))
    assert KEYS - {"assignments"} <= named


def test_the_plans_shown_are_read(tmp_path):
    for number, text in enumerate(re.findall(r"```toml\n(.*?)```", PAGE + YEAR, re.DOTALL)):
        folder = tmp_path / str(number)
        (folder / "own").mkdir(parents=True)
        for name in re.findall(r'"own/([\w.]+)"', text):
            (folder / "own" / name).write_text("Words.")
        (folder / "course.toml").write_text(text)
        assert list(read_plan(folder).assignments) in (["week-3"], ["exam"])


def test_links_between_the_pages_lead_somewhere():
    docs = curriculum.ROOT / "docs"
    for page in sorted(docs.glob("teacher*.md")):
        for name, heading in re.findall(r"\]\(([\w-]+\.md)?(?:#([\w-]+))?\)", page.read_text(encoding="utf-8")):
            text = (docs / name if name else page).read_text(encoding="utf-8")
            headings = [
                re.sub(r"[^\w -]", "", line).strip().replace(" ", "-") for line in re.findall(r"(?m)^#+ (.*)$", text)
            ]
            assert not heading or heading in [each.lower() for each in headings], (page.name, name, heading)
