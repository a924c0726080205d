"""What is known of an answer that failed: less at little cost, and more where more is paid."""

from dataclasses import dataclass

from autograder.boundary.session import Session
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Exercise
from autograder.judging.ask.evidence import Evidence
from autograder.judging.budget import Budget
from autograder.judging.run.suites import Suites
from autograder.judging.verdict.finding import TestVerdict
from autograder.judging.verdict.verdict import ExerciseVerdict


@dataclass(frozen=True)
class Case:
    """An answer to one exercise that failed, and what has been said of it."""

    exercise: Exercise
    verdict: ExerciseVerdict
    budget: Budget

    @property
    def speaking(self) -> TestVerdict:
        speaking = self.verdict.speaking
        assert speaking is not None, "what passed is not explained"
        return speaking


@dataclass(frozen=True)
class Replied(Case):
    """One whose replies can be compared."""

    evidence: Evidence


@dataclass(frozen=True)
class Running(Case):
    """One whose text can be read, and which can be asked for more."""

    session: Session


@dataclass(frozen=True)
class Submitted(Case):
    """One that can be run once more, among solutions or with edits in it."""

    task: Task
    suites: Suites
    dependencies: tuple[str, ...] = ()  # exercises that it calls and that are not known to be right
