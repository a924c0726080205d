"""The verdict on an exercise, with its tests, points and explanation."""

import contextlib
import hashlib
import itertools
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypedDict

from autograder.boundary.zygote import WorkerFailure
from autograder.chapters.errors import BrokenKitError, MissingExtra
from autograder.chapters.text import clean
from autograder.judging.ask.evidence import to_error_key
from autograder.judging.budget import Budget, BudgetExhausted
from autograder.judging.verdict.finding import (
    ROOM_CHARACTERS,
    Explanation,
    Kind,
    SuggestedChange,
    TestRecord,
    TestVerdict,
    round_points,
)

FINGERPRINT_LETTERS = 16
SPENT_SENTENCE = "The time for explaining this answer is used up, so there may be more to report."
_REASONS = {Kind.MISTAKE: "lesson", Kind.DEPENDENCY: "cause"}
_ORDER = {"fault": 0, "unattempted": 2}  # rank of an outcome in the choice of the first failed test; 1 for all others


class ExerciseRecord(TypedDict):
    """The JSON object of one exercise in records and ``check --json``; docs/records.md describes it."""

    exercise: str
    outcome: str
    points: float
    max_points: float
    misconception: str | None
    relation: str
    line: int | None
    carried_from: str | None
    explained: bool
    fingerprint: str
    message: str
    seconds: float
    tests: list[TestRecord]


@dataclass
class ExerciseVerdict:
    """The verdict on one exercise of an answer: its tests, and an explanation of the failed ones."""

    chapter: str
    exercise: str
    tests: list[TestVerdict]
    seconds: float = 0.0
    explanation: Explanation | None = None  # set by `explain.pipeline.run_explainers`; front ends may remove it
    deepest_cost: int = 0  # the `Cost` of the most expensive explainers that have run
    explanation_error: str = ""  # reason why the explanation is incomplete; does not affect points
    stopped: str = ""  # sentence on an interrupted cell (only in the first verdict) or an ignored redefinition
    printed: str = ""  # beginning of the output, with control characters: call `clean` before showing it
    printed_where: str = ""  # where the output was printed, in words that follow "printed"
    is_read: bool = True  # whether the answer could be read

    @property
    def misconception(self) -> str | None:
        return self.explanation.name or None if self.explanation else None

    @property
    def sentence(self) -> str:
        return self.explanation.sentence if self.explanation else ""

    @property
    def relation(self) -> str:
        """Return the explanation's sentence, or "" if it is about a known mistake or another exercise."""
        return self.sentence if self._reason == "relation" else ""

    @property
    def _reason(self) -> str:
        """Return the kind of the explanation's paragraph, "lesson", "cause" or "relation"; "" without explanation."""
        return _REASONS.get(self.explanation.kind, "relation") if self.explanation else ""

    @property
    def hint(self) -> str:
        return self.explanation.hint if self.explanation else ""

    @property
    def rule(self) -> str:
        return self.explanation.rule if self.explanation else ""

    @property
    def change(self) -> SuggestedChange | None:
        """Return a small change that makes the answer correct, or None if none was found."""
        return self.explanation.change if self.explanation else None

    @property
    def carried_from(self) -> str | None:
        """Return the first called exercise whose mistake makes this one wrong, or None."""
        return next(iter(self.explanation.dependencies), None) if self.explanation else None

    @contextlib.contextmanager
    def isolate_failures(self, budget: Budget) -> Iterator[None]:
        """Record an error of an explanation step in `explanation_error`. If it affects all answers, raise it."""
        try:
            with budget:
                yield
        except BudgetExhausted:
            self.explanation_error = SPENT_SENTENCE
        except Exception as error:
            if isinstance(error, (BrokenKitError, MissingExtra, WorkerFailure)):
                raise  # These errors affect all answers, so stop.
            self.explanation_error = describe_fault(error)

    def copy_findings_from(self, source: "ExerciseVerdict") -> None:
        """Copy the tests and the explanation from `source`, the verdict on an answer with equal replies."""
        self.tests = [replace(test) for test in source.tests]
        self.explanation, self.deepest_cost = source.explanation, source.deepest_cost

    def compute_fingerprint(self) -> str:
        """Return a hash of the findings about failing calls; empty if there are none.

        Answers with equal first digits in all results get equal hashes. A `NameError` has many causes, so answers with
        no other error get an empty hash.
        """
        tests = [test for test in self.tests if test.shown_call and test.outcome in ("wrong", "raised")]
        if all(test.error and test.error["type"] == "NameError" for test in tests):
            return ""
        parts = [(test.name, to_error_key(test.error) if test.error else (test.call, test.finding)) for test in tests]
        return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:FINGERPRINT_LETTERS]

    def mark_unread(self, sentence: str) -> "ExerciseVerdict":
        """Return the verdict for an answer that could not be read; `sentence` is the reason."""
        tests = [TestVerdict(test.name, "raised", 0, test.max_points, sentence) for test in self.tests]
        return ExerciseVerdict(self.chapter, self.exercise, tests, self.seconds, is_read=False)

    @property
    def points(self) -> float:
        return round_points(sum(test.points for test in self.tests))

    @property
    def max_points(self) -> float:
        return round_points(sum(test.max_points for test in self.tests))

    def scale_points(self, points: float) -> "ExerciseVerdict":
        """Return the verdict with all points scaled so that the maximum is `points`."""
        if points == self.max_points:
            return self
        scale = points / self.max_points
        tests = [replace(test, points=test.points * scale, max_points=test.max_points * scale) for test in self.tests]
        return replace(self, tests=tests)

    def carry_forward(self) -> "ExerciseVerdict":
        """Return the verdict, with full points if only a called exercise is wrong, because that one loses points."""
        if not self.carried_from:
            return self
        return replace(self, tests=[replace(test, points=test.max_points) for test in self.tests])

    @property
    def shown_test(self) -> TestVerdict | None:
        """Return the failed test to show: the one that the explanation names, otherwise the first one."""
        explained_name = self.explanation.test if self.explanation else ""
        return next((test for test in self.tests if test.name == explained_name), self._first_failed)

    @property
    def _first_failed(self) -> TestVerdict | None:
        """Return the first test with an internal error, otherwise the first that failed, or None."""
        failed_tests = [test for test in self.tests if test.outcome != "passed"]
        return min(failed_tests, key=lambda test: _ORDER.get(test.outcome, 1), default=None)

    @property
    def outcome(self) -> str:
        return self._first_failed.outcome if self._first_failed else "passed"

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Return (kind, text) of each paragraph: the explanation, the call and finding, and finally the hint."""
        return self._list_texts(ROOM_CHARACTERS)

    @property
    def message(self) -> str:
        return " ".join(text for _, text in self._list_texts(ROOM_CHARACTERS - len(self.hint)))

    def _list_texts(self, room: int) -> list[tuple[str, str]]:
        if self.shown_test is None:
            return []
        line = self.change.sentence if self.change else ""
        reason = [(self._reason, self.sentence), ("line", line), ("unexplained", self.explanation_error)]
        is_raw = line and self.shown_test.error and not self.sentence
        call, finding = self.shown_test.shorten(room - sum(len(text) + 1 for _, text in reason if text))
        findings = [("call", call), ("finding", finding)]
        # A raw error comes before the sentence on how to repair it.
        texts = (*(findings + reason if is_raw else reason + findings), ("hint", self.hint))
        return [(kind, clean(text)) for kind, text in texts if text]

    def to_record(self) -> ExerciseRecord:
        return {
            "exercise": self.exercise,
            "outcome": self.outcome,
            "points": self.points,
            "max_points": self.max_points,
            "misconception": self.misconception,
            "message": self.message,
            "seconds": round(self.seconds, 4),
            "tests": [test.to_record() for test in self.tests],
            "relation": clean(self.relation),
            "line": self.change.line if self.change else None,
            "carried_from": self.carried_from,
            "explained": bool(self.misconception or self.relation or self.change or self.carried_from),
            "fingerprint": "" if self.misconception else self.compute_fingerprint(),
        }


def describe_fault(error: Exception) -> str:
    """Return a message about an internal error, with its place in the kit's code and without data of the answer."""
    modules = [(frame.f_globals.get("__name__", ""), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    kit_modules = itertools.takewhile(lambda module: module[0].startswith("autograder."), modules[1:])
    name, line = [modules[0], *kit_modules][-1]
    fault = f"The grader failed ({type(error).__name__} in {name}, line {line})."
    return f"{fault} This says nothing about the answer; please report it."
