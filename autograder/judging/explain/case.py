"""The data about a failed answer that explainers use. Each subclass of `Case` adds data that take time to obtain."""

from dataclasses import dataclass

from autograder.boundary.session import AnswerSession
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
    """A case with the answer's calls, paired with the solution's."""

    evidence: Evidence


@dataclass(frozen=True)
class CaseWithSession(Case):
    """A case with a session, in which the answer's source can be read and the answer can be called again."""

    session: AnswerSession


@dataclass(frozen=True)
class CaseWithTask(Case):
    """A case with all that is needed to judge variants of the answer."""

    task: Task
    suites: Suites
    dependencies: tuple[str, ...] = ()  # called exercises that are not known to be correct
