"""What is known about a failed answer; each class adds what costs more to obtain."""

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
    """A failed answer to one exercise, with its verdict so far."""

    exercise: Exercise
    verdict: ExerciseVerdict
    budget: Budget

    @property
    def shown_test(self) -> TestVerdict:
        shown_test = self.verdict.shown_test
        assert shown_test is not None, "what passed is not explained"
        return shown_test


@dataclass(frozen=True)
class CaseWithReplies(Case):
    """A case whose replies can be compared."""

    evidence: Evidence


@dataclass(frozen=True)
class CaseWithSession(Case):
    """A case whose source can be read and which can be called again."""

    session: Session


@dataclass(frozen=True)
class CaseWithTask(Case):
    """A case that can be run again, with solutions or edits in it."""

    task: Task
    suites: Suites
    dependencies: tuple[str, ...] = ()  # exercises that it calls and that are not known to be correct
