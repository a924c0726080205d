"""What a later grading says otherwise: the one diff of two lines, for `attn regrade` and for a course."""

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.grading.record import Line
from autograder.judging.verdict.verdict import ExerciseRecord


@dataclass(frozen=True)
class Change:
    """One exercise of one answer whose points are no longer the same, and why."""

    answer: str
    exercise: str
    before: float
    now: float
    worth: float
    why: str

    def __str__(self) -> str:
        return f"{self.exercise} {self.before:g} -> {self.now:g} of {self.worth:g} ({self.why})"


def changes_of(before: Line | None, now: Line, why: str = "") -> Iterator[Change]:
    """What an answer's new line changes; where no reason is given, what is wrong with the answer is it.

    Where we failed before, or the exercise was not asked, no points were known; nothing of less is nothing still.
    """
    old = {each["exercise"]: each for each in (before or now)["exercises"] if each["outcome"] != "fault"}
    for each in now["exercises"]:
        was = old.get(each["exercise"])
        if was and _counted(was) != _counted(each):
            because = why or each["message"] or "every test passes now"
            yield Change(now["answer"], each["exercise"], was["points"], each["points"], each["max_points"], because)


def _counted(exercise: ExerciseRecord) -> tuple[float, float]:
    return exercise["points"], exercise["max_points"] if exercise["points"] else 0
