"""The archive of a Gradescope autograder: setup.sh, run_autograder, and the necessary part of this package."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from autograder.api import GIVEN, KINDS_FILE
from autograder.chapters import curriculum
from autograder.chapters.files import write_output
from autograder.classroom.course.course import Course, derive_secret
from autograder.classroom.course.plan import Assignment
from autograder.classroom.returns.gradescope_run import list_packages

TEMPLATES = Path(__file__).parent / "templates" / "gradescope"


def write_archive(course: Course, path: Path, assignment: Assignment, no_sandbox: bool = False) -> list[str]:
    """Write Gradescope's archive of an assignment to `path`, and return a list of sentences for the teacher."""
    members = {name: ((TEMPLATES / name).read_bytes(), 0o755) for name in ("setup.sh", "run_autograder")}
    members |= {
        # A derived secret, so that a leak at Gradescope does not reveal the course's secret.
        "secret": (derive_secret(course.derive_assignment_secret(assignment.name), "gradescope"), 0o600),
        "requirements.txt": ("\n".join(list_packages(assignment)).encode(), 0o644),
        "asked.json": (json.dumps({"assignment": assignment.to_json(), "no_sandbox": no_sandbox}).encode(), 0o644),
    }
    members["kit/constraints.txt"] = (make_constraints().encode(), 0o644)
    members |= {_name_in_archive(file): (file.read_bytes(), 0o644) for file in _list_kit_files(assignment)}
    members |= {f"own/{name}": (file.read_bytes(), 0o644) for name, file in _list_own_files(assignment).items()}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in members.items():
            # All entries are dated 1980, so that equal files give equal archives.
            entry = zipfile.ZipInfo(name)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            archive.writestr(entry, content)
    write_output(path, data.getvalue())
    points = sum(map(assignment.points_of, assignment.graded_exercises))
    notes = [f"{assignment.name}: {points:g} points; enter that as the autograder's points in Gradescope."]
    if any(addition.points for addition in assignment.additions):
        notes.append("Your own questions and tests are not included: add them in Gradescope itself.")
    return notes


def _list_own_files(assignment: Assignment) -> dict[str, Path]:
    """Return name in the folder `own` -> file, for the teacher's own chapters in an assignment."""
    files: dict[str, Path] = {}
    if (home := curriculum.get_own_home()) is None:
        return files
    for chapter in assignment.own_chapters:
        names = [exercise.name for exercise in assignment.build_part(chapter).exercises]
        paths = [curriculum.solution_of(chapter), *map(curriculum.suite_of, names)]
        paths += [path for path in map(curriculum.misconceptions_of, names) if path.exists()]
        files |= {path.relative_to(home.solutions).as_posix(): path for path in paths}
    return files


def _list_kit_files(assignment: Assignment) -> Iterator[Path]:
    """Yield the kit's files that are needed to grade an assignment, without other exercises' suites and mistakes."""
    stems = {KINDS_FILE, *(exercise.name for exercise in assignment.graded_exercises)}
    texts = *curriculum.MISCONCEPTIONS.glob("*.md"), *curriculum.PACKAGE.glob("judging/*/*.txt")
    for path in sorted([*curriculum.PACKAGE.rglob("*.py"), *texts]):
        if path.is_relative_to(curriculum.CONTENT):
            continue
        of_exercises = path.parent in (curriculum.SUITES, curriculum.MISCONCEPTIONS)
        if not of_exercises or path.stem.removeprefix("test_") in stems:
            yield path
    yield curriculum.SUITES / "collect.ini"
    own_chapters = assignment.own_chapters
    yield from (curriculum.SOLUTIONS / f"{name}.py" for name in assignment.chapters if name not in own_chapters)
    yield from sorted(path for path in GIVEN.iterdir() if path.suffix in (".py", ".txt"))
    yield curriculum.ROOT / "LICENSE"


def make_constraints() -> str:
    """Return the pinned versions of all packages as text, without their hashes."""
    pinned = (curriculum.ROOT / "requirements.txt").read_text(encoding="utf-8")
    return re.sub(r" \\\n +--hash=\S+", "", pinned)


def _name_in_archive(file: Path) -> str:
    """Return a file's name in the archive, which has the layout of a clone."""
    in_package = file.is_relative_to(curriculum.PACKAGE) and not file.is_relative_to(curriculum.CONTENT)
    return f"kit/{file.relative_to(curriculum.PACKAGE.parent if in_package else curriculum.ROOT).as_posix()}"
