"""Grades a learner's repository on GitHub and reports the points to GitHub Classroom.

Classroom reads points from a notice titled "Autograding report" that the job run-autograding-tests of the workflow
"Autograding Tests" leaves, as {"totalPoints": 20, "maxPoints": 75}. That is all that classroom-resources/
autograding-grading-reporter writes; written here, it needs no action that is not GitHub's own.
"""

import argparse
import html
import json
import os
import sys
from pathlib import Path

from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import FAULT, WRONG, KitFault
from autograder.classroom.exports.unit import grade_unit
from autograder.classroom.plan import Assignment, whole_plan


def report(findings):
    """What the job prints: no word of a learner, whose lines could be commands to the runner."""
    total, possible = sum(each.points for each in findings), sum(each.max_points for each in findings)
    for each in findings:
        yield f"{each.points}/{each.max_points} {each.exercise}"
    yield f"::notice title=Autograding complete::Points {total}/{possible}"
    yield f"::notice title=Autograding report::{json.dumps({'totalPoints': total, 'maxPoints': possible})}"


def summary(unit, findings):
    """The page of the run, in Markdown: points and sentences, learners' own words as text."""
    total, possible = sum(each.points for each in findings), sum(each.max_points for each in findings)
    lines = [f"## {unit}: {total} of {possible} points", "", "| exercise | points |", "| --- | --- |"]
    lines += [f"| {each.exercise} | {each.points}/{each.max_points} |" for each in findings]
    for each in findings:
        if each.points < each.max_points:
            # A blank line would end the HTML in which Markdown keeps still.
            said = html.escape(each.text).replace("\n", "<br>")
            lines += ["", f"### {each.exercise}", "", f"<p>{said}</p>"]
    return "\n".join([*lines, ""])


def _assignment(told):
    return Assignment.of(json.loads(told)) if told.startswith("{") else whole_plan().assignments[told]


def main():
    parser = argparse.ArgumentParser(description="Grade a learner's repository and report the points.")
    parser.add_argument("assignment", help="a unit of the kit, or what a course asks, as JSON")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    try:
        # Who owns the repository could read any other secret.
        assignment = _assignment(arguments.assignment)
        findings = grade_unit(assignment, arguments.folder, SELF_STUDY)
    except KitFault as fault:
        print(f"Not graded, through no fault of yours: {fault}")
        sys.exit(FAULT)
    print("\n".join(report(findings)))
    if page := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(page, "a", encoding="utf-8") as file:
            file.write(summary(assignment.name, findings))
    sys.exit(WRONG if any(each.points < each.max_points for each in findings) else 0)


if __name__ == "__main__":
    main()
