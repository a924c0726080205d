"""Grades one submission in a container of Gradescope's: submission/ in, results/results.json out.

`run_autograder`, which lies beside this file, starts it. The format is described in
https://gradescope-autograders.readthedocs.io/en/latest/specs/. What is printed, only teachers see. Where something of
ours is broken there is no results.json: Gradescope then says that the autograder failed, and records no points.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from autograder.boundary import sandbox
from autograder.boundary.zygotes import zygote_for
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import FAULT, UNREADABLE, InputError, KitFault
from autograder.chapters.files import write_whole
from autograder.classroom.course.plan import Assignment
from autograder.classroom.returns.exports.gradescope.unit import Finding, grade_unit

_OPEN = """\
Note for the teacher: bubblewrap does not work in this container, and the autograder was exported with --no-sandbox. The
answer could read the autograder's files, its hidden tests among them; the secret had been removed before it ran.
What shut it in: the container, {layers}."""
_ALL_OPEN = "and nothing else, so that an answer could have written its own results"


def results(findings: list[Finding], exam: bool = False) -> dict[str, Any]:
    """The object for results.json; of an exam learners see it once it is published."""
    visibility = "after_published" if exam else "visible"
    return {
        "score": sum(each.points for each in findings),
        "tests": [{**_test(each), "visibility": visibility} for each in findings],
        "visibility": visibility,
        "stdout_visibility": "hidden",
        # What learners wrote stands in these texts: Gradescope shall show it, not render it.
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "extra_data": {"sandbox": sandbox.name()},
    }


def _test(finding: Finding) -> dict[str, Any]:
    return {
        "name": finding.exercise,
        "number": finding.number,
        "score": finding.points,
        "max_score": finding.max_points,
        "status": "passed" if finding.points == finding.max_points else "failed",
        "output": finding.text,
        "output_format": "text",
    }


def grade(assignment: Assignment, root: Path, no_sandbox: bool) -> None:
    """Grade root/submission into root/results/results.json."""
    sandbox.require(no_sandbox)
    secret_file = root / "source" / "secret"
    try:
        secret = secret_file.read_bytes()
    except OSError:
        raise KitFault(
            f"{secret_file} cannot be read. Without a sandbox it is removed before an answer runs, so that a container "
            "grades once: start a new one, or upload the archive again"
        ) from None
    if not sandbox.is_available():
        secret_file.unlink()
        print(_OPEN.format(layers=", ".join(_layers(assignment)) or _ALL_OPEN))
    found = results(grade_unit(assignment, root / "submission", secret), assignment.exam)
    path = root / "results" / "results.json"
    path.parent.mkdir(exist_ok=True)
    write_whole(path, json.dumps(found, indent=1))
    possible = sum(test["max_score"] for test in found["tests"])
    print(f"{assignment.name}: {found['score']} of {possible} points. Sandbox: {sandbox.name()}.")


def _layers(assignment: Assignment) -> tuple[str, ...]:
    """What the kernel has to shut an answer in, without bubblewrap."""
    zygote = zygote_for(read_chapter(assignment.chapters[0]).libraries)
    zygote.wait_until_ready()
    return zygote.layers or ()


def main() -> None:
    parser = argparse.ArgumentParser(description="Grade one submission as Gradescope lays it out.")
    parser.add_argument("asked", type=Path, help="what is asked, as the export wrote it")
    parser.add_argument("root", type=Path, help="Gradescope's folder, /autograder")
    arguments = parser.parse_args()
    try:
        asked = json.loads(arguments.asked.read_text(encoding="utf-8"))
        own = arguments.root / "source" / "own"
        curriculum.open_home(curriculum.Home.own(own) if own.is_dir() else None)
        grade(Assignment.of(asked["assignment"]), arguments.root, asked["no_sandbox"])
    except InputError as error:
        print(f"Not graded: {error}")
        sys.exit(UNREADABLE)
    except (KitFault, OSError) as error:
        print(f"Not graded, through no fault of the learner: {error}")
        sys.exit(FAULT)


if __name__ == "__main__":
    main()
