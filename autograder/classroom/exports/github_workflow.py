"""The workflow that GitHub runs in every learner's repository, for GitHub Classroom and without it."""

import json
import re

from autograder.chapters.errors import CourseError
from autograder.classroom.exports.unit import packages

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
        run: python -m pip install --constraint KIT/constraints.txt PACKAGES
      - name: Grade
        run: PYTHONPATH=KIT python -m autograder.classroom.exports.github UNIT .
"""


def export(path, unit, kit):
    """Write the workflow of one unit.

    Parameters
    ----------
    path : pathlib.Path
    unit : str
    kit : str
        Where the kit lies on GitHub: "owner/repository", or "owner/repository@tag".

    Raises
    ------
    CourseError
        Where the kit is not named like that.
    """
    if not re.fullmatch(r"[\w.-]+/[\w.-]+(@[\w./-]+)?", kit, re.ASCII):
        raise CourseError(f"{kit} names no repository on GitHub: write --kit owner/repository or owner/repository@tag")
    repository, _, ref = kit.partition("@")
    values = {"UNIT": unit, "REPOSITORY": json.dumps(repository), "REF": json.dumps(ref), "KIT": KIT}
    values["PACKAGES"] = " ".join(packages(unit))
    text = re.sub(rf"\b({'|'.join(values)})\b", lambda word: values[word[0]], _WORKFLOW)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CourseError(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None
