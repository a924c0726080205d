"""What the head of a feedback page says: whose it is, and the points of the whole assignment."""

from dataclasses import dataclass, field

from autograder.chapters.text import clean


@dataclass
class Totals:
    """The points of one submission.

    Attributes
    ----------
    here : dict
        nbgrader's ``score``, ``max_score`` and ``late_penalty`` of the notebook at hand.
    student, assignment : str
    notebooks : list of (str, float, float)
        Name, score after lateness, and maximum of each notebook of the assignment.
    waiting : frozenset of str
        Cells of the notebook at hand that a person has still to grade.
    """

    here: dict
    student: str = ""
    assignment: str = ""
    notebooks: list = field(default_factory=list)
    waiting: frozenset = frozenset()

    @property
    def score(self):
        return sum(score for _, score, _ in self.notebooks)

    @property
    def max_score(self):
        return sum(worth for _, _, worth in self.notebooks)


def read_totals(about):
    """Ask the gradebook, for what nbgrader's converters know about a notebook."""
    from nbgrader.api import Gradebook  # noqa: PLC0415

    with Gradebook(about["db_url"]) as gradebook:
        submission = gradebook.find_submission(about["assignment"], about["student"])
        student = submission.student
        name = clean(" ".join(filter(None, (student.first_name, student.last_name))) or student.id)
        notebooks, waiting = [], frozenset()
        for each in submission.notebooks:
            score = max(0.0, each.score - (each.late_submission_penalty or 0))
            notebooks.append((each.name, score, each.max_score))
            if each.name == about["notebook"]:
                waiting = frozenset(grade.name for grade in each.grades if grade.needs_manual_grade)
    return Totals(about, name, about["assignment"], sorted(notebooks), waiting)
