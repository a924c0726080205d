"""The workflow that GitHub runs in every learner's repository, for GitHub Classroom and without it."""

import json
import re
import shlex

from autograder.chapters.errors import CourseError
from autograder.chapters.files import write_whole, writing
from autograder.classroom.exports.unit import packages
from autograder.classroom.plan import Assignment, whole_plan

KIT = ".kit"

_WORKFLOW = """\
# Grades UNIT on every push; points and sentences stand in the summary of the run.
# GitHub Classroom knows this workflow and its job by their names: do not change them.
name: Autograding Tests
on: [push, workflow_dispatch, repository_dispatch]
permissions:
  contents: read
jobs:
  run-autograding-tests:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    if: github.actor != 'github-classroom[bot]'
    steps:
      - name: Get the answers
        uses: actions/checkout@v4
        with:
          persist-credentials: false
      - name: Get the kit
        uses: actions/checkout@v4
        with:
          repository: REPOSITORY
          ref: REF
          path: KIT
          persist-credentials: false
      - name: Get Python
        uses: actions/setup-python@v5
        with:
          python-version: "3.11"
          cache: pip
          cache-dependency-path: KIT/constraints.txt
      - name: Install
        run: python -P -m pip install --constraint KIT/constraints.txt PACKAGES
      - name: Grade
        run: PYTHONPATH=KIT python -P -m autograder.classroom.exports.github ASKED .
"""


def export(path, assignment, kit):
    """Write the workflow of one assignment.

    Parameters
    ----------
    path : pathlib.Path
    assignment : autograder.classroom.plan.Assignment
    kit : str
        Where the kit lies on GitHub: "owner/repository", or "owner/repository@tag".

    Raises
    ------
    CourseError
        Where the kit is not named like that, or the assignment is an exam or has a chapter of the teacher's own.
    """
    if not re.fullmatch(r"[\w.-]+/[\w.-]+(@[\w./-]+)?", kit, re.ASCII):
        raise CourseError(f"{kit} names no repository on GitHub: write --kit owner/repository or owner/repository@tag")
    repository, _, ref = kit.partition("@")
    if own := assignment.own_chapters:
        raise CourseError(
            f"{', '.join(own)} of {assignment.name} cannot be graded on GitHub: learners could read its tests there. "
            "Take it into an assignment of its own"
        )
    if assignment.exam:
        raise CourseError(
            f"{assignment.name} is an exam: on GitHub every push would be graded at once, on inputs that are no secret"
        )
    is_unit = assignment.choice() == whole_plan().assignments.get(assignment.name, Assignment("", ())).choice()
    asked = assignment.name if is_unit else shlex.quote(json.dumps(assignment.choice()))
    values = {
        "UNIT": assignment.name,
        "ASKED": asked,
        "REPOSITORY": json.dumps(repository),
        "REF": json.dumps(ref),
        "KIT": KIT,
    }
    values["PACKAGES"] = " ".join(packages(assignment))
    text = re.sub(rf"\b({'|'.join(values)})\b", lambda word: values[word[0]], _WORKFLOW)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
