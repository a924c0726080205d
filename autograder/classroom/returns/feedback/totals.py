"""What the head of a feedback page says: whose it is, and the points of the whole assignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import GetGrades

from autograder.classroom.gradebook.queries import after_penalty, comments_of, scores_of
from autograder.classroom.roster.people import full_name

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from nbgrader.api import SubmittedAssignment


@dataclass
class Totals:
    """The points of one submission."""

    student: str
    assignment: str
    notebooks: list  # name, score after lateness, and maximum of each notebook of the assignment
    waiting: frozenset  # cells of the notebook at hand that a person has still to grade

    @property
    def score(self) -> float:
        return sum(score for _, score, _ in self.notebooks)

    @property
    def max_score(self) -> float:
        return sum(worth for _, _, worth in self.notebooks)


class ReadGrades(GetGrades):
    """nbgrader's step, which puts points and comments among the marks, with a question for each kind, not each cell.

    It leaves the `Totals` of the submission in the resources.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            submission = gradebook.find_submission(about["assignment"], about["student"])
            here = next(each for each in submission.notebooks if each.name == about["notebook"])
            scores = scores_of(gradebook, here)
            comments = {name: comment.comment for name, comment in comments_of(gradebook, here).items()}
            penalty = here.late_submission_penalty or 0
            about |= {"score": after_penalty(here.score, penalty), "max_score": here.max_score, "late_penalty": penalty}
            waiting = {name for name, (_, _, waits) in scores.items() if waits}
            about["totals"] = _totals(about, submission, frozenset(waiting))
        for cell in nb.cells:
            marks = cell.metadata.get("nbgrader", {})
            if utils.is_solution(cell) or utils.is_task(cell):
                marks["comment"] = comments[marks["grade_id"]]
            if utils.is_grade(cell) or utils.is_task(cell):
                marks["score"], marks["points"], _ = scores[marks["grade_id"]]
        return nb, resources


def _totals(about: dict[str, Any], submission: SubmittedAssignment, waiting: frozenset[str]) -> Totals:
    student = submission.student
    notebooks = sorted(
        (each.name, after_penalty(each.score, each.late_submission_penalty), each.max_score)
        for each in submission.notebooks
    )
    return Totals(full_name(student) or student.id, about["assignment"], notebooks, waiting)
