"""What the suites found: one verdict a test, added up to one an exercise."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from autograder.chapters.text import clean
from autograder.judging.verdict.change import Change
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.judging.verdict.wording import ROOM, shorten

if TYPE_CHECKING:
    from autograder.judging.ask.call import Call
    from autograder.judging.values.compare import Mismatch

# "fault" is the kit's own failure: it costs the learner nothing and is loud. All others but "passed" give no points.
OUTCOMES = ("passed", "wrong", "raised", "timeout", "memory", "killed", "unattempted", "forbidden", "fault")

LONGEST = 2000  # characters of a finding: an answer can forge errors and names of any length


class TestRecord(TypedDict):
    """What a record holds of one test."""

    name: str
    outcome: str
    points: float
    message: str


class ExerciseRecord(TypedDict):
    """What a record holds of one exercise, and what ``check --json`` prints of it; docs/records.md describes both."""

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
class TestVerdict:
    """What one test of a suite found."""

    __test__ = False  # not a test class, whatever its name

    name: str  # of the test, without its prefix
    outcome: str  # one of `OUTCOMES`
    points: float
    max_points: float
    finding: str = ""  # for the learner; empty where the test passed
    call: str = ""  # before it
    mismatch: "Mismatch | None" = None  # the values behind the sentence, for a picture
    error: dict | None = None  # as the worker described it
    asked: "Call | None" = None  # the call that the finding is about
    reason: str = ""  # what it comes from, where the test itself shows it

    @property
    def message(self) -> str:
        """The sentence for the learner, with long arguments by their shapes."""
        return clean(" ".join(filter(None, (self.reason, *shorten(self)))))

    @property
    def error_type(self) -> str:
        """The name of the error's class, or empty."""
        return self.error["type"] if self.error else ""

    def fail(self, outcome: str, finding: str, call: str = "", error: dict | None = None, reason: str = "") -> None:
        """Take the points away and say why."""
        finding = finding if len(finding) <= LONGEST else f"{finding[:LONGEST]} ..."
        self.outcome, self.points, self.finding, self.call, self.error = outcome, 0, finding, call, error
        self.reason = reason

    def record(self) -> TestRecord:
        points = _rounded(self.points)
        return {"name": self.name, "outcome": self.outcome, "points": points, "message": self.message}


def _rounded(points: float) -> float:
    """Points as whole numbers where they are, and to the cent where a course has scaled them."""
    points = round(points, 2)
    return int(points) if points == int(points) else points


@dataclass
class ExerciseVerdict:
    """All that was found about one exercise of one answer: its tests, and one explanation of those that failed.

    Attributes
    ----------
    explanation : Explanation or None
        Only `judging.explain.pipeline.explain` writes it.
    explained_up_to : int
        The cost of the dearest explainers that have been asked, as in `judging.explain.pipeline.Cost`.
    unexplained : str
        Why the explanation ended before its time; empty where it did not. No points depend on it.
    fingerprint : str
        Where no misconception is named: a digest of all that came back wrong; empty where nothing did.
    printed : str
        The beginning of what Python printed (stdout and stderr) in the call that is shown, or, where none is, while
        it was judged; the file itself runs with the first exercise. As it came: clean it before you show it. No part
        of the record.
    printed_where : str
        A few words on where that was, to follow "printed".
    is_read : bool
        Whether there was an answer that could be read.
    """

    chapter: str
    exercise: str
    tests: list[TestVerdict]
    seconds: float = 0.0
    explanation: Explanation | None = None
    explained_up_to: int = 0
    unexplained: str = ""
    fingerprint: str = ""
    printed: str = ""
    printed_where: str = ""
    is_read: bool = True

    @property
    def misconception(self) -> str | None:
        """The name of the known mistake that the answer makes."""
        return self.explanation.name or None if self.explanation else None

    @property
    def lesson(self) -> str:
        """What such a known mistake does."""
        return self._sentence(Kind.MISTAKE)

    @property
    def relation(self) -> str:
        """What the results, the error or the text show where no known mistake is named."""
        return self._sentence(Kind.ERROR, Kind.OBSERVATION, Kind.EARLY_EXIT, Kind.SLIP, Kind.LEAKED_STATE)

    @property
    def cause(self) -> str:
        """Where the mistake is, where that is another exercise."""
        return self._sentence(Kind.DEPENDENCY)

    def _sentence(self, *kinds: Kind) -> str:
        return self.explanation.sentence if self.explanation and self.explanation.kind in kinds else ""

    @property
    def hint(self) -> str:
        """What to try."""
        return self.explanation.hint if self.explanation else ""

    @property
    def rule(self) -> str:
        """What should hold: the last hint."""
        return self.explanation.rule if self.explanation else ""

    @property
    def located(self) -> Change | None:
        """Where one small change makes the answer right; None where nobody has looked, or none was found."""
        return self.explanation.change if self.explanation else None

    @property
    def carried_by(self) -> tuple[str, ...]:
        """Other exercises that this one calls, and but for all of which it is right."""
        return self.explanation.dependencies if self.explanation else ()

    @property
    def carried_from(self) -> str | None:
        """The first of those that it is `carried_by`, or None."""
        return next(iter(self.carried_by), None)

    def copy_findings_from(self, other: "ExerciseVerdict") -> None:
        """Make another answer's findings this one's own: its replies were the same."""
        self.tests, self.fingerprint = [replace(test) for test in other.tests], other.fingerprint
        self.explanation, self.explained_up_to = other.explanation, other.explained_up_to

    def not_read(self, sentence: str) -> "ExerciseVerdict":
        """What this verdict becomes where the answer could not be read, for the reason in the sentence."""
        tests = [TestVerdict(test.name, "raised", 0, test.max_points, sentence) for test in self.tests]
        return ExerciseVerdict(self.chapter, self.exercise, tests, self.seconds, is_read=False)

    @property
    def points(self) -> float:
        return _rounded(sum(test.points for test in self.tests))

    @property
    def max_points(self) -> float:
        return _rounded(sum(test.max_points for test in self.tests))

    def worth(self, points: float) -> "ExerciseVerdict":
        """The same verdict where the exercise is worth so many points: those of each test are scaled."""
        if points == self.max_points:
            return self
        scale = points / self.max_points
        tests = [replace(test, points=test.points * scale, max_points=test.max_points * scale) for test in self.tests]
        return replace(self, tests=tests)

    def carried_forward(self) -> "ExerciseVerdict":
        """The same with all points where it is right but for another exercise: that one loses them."""
        if not self.carried_by:
            return self
        return replace(self, tests=[replace(test, points=test.max_points) for test in self.tests])

    @property
    def speaking(self) -> TestVerdict | None:
        """The test that speaks for the exercise: a fault of ours first, then the one that was chosen to."""
        speaks = self.explanation.test if self.explanation else ""
        chosen = [test for test in self.tests if test.name == speaks and test.outcome != "passed"]
        first = self._first_failed
        return chosen[0] if chosen and first and first.outcome != "fault" else first

    @property
    def _first_failed(self) -> TestVerdict | None:
        """A fault of ours, else the first test that failed, or None."""
        failed = [test for test in self.tests if test.outcome != "passed"]
        attempted = [test for test in failed if test.outcome != "unattempted"]
        faults = [test for test in failed if test.outcome == "fault"]
        return next(iter(faults or attempted or failed), None)

    @property
    def outcome(self) -> str:
        return self._first_failed.outcome if self._first_failed else "passed"

    @property
    def told(self) -> list[tuple[str, str]]:
        """What there is to say, as pairs of a kind and a text: the reason, what shows it, and at last what to try."""
        return self._told(ROOM)

    @property
    def message(self) -> str:
        """The same in one text, and with the hint in the same room."""
        return " ".join(text for _, text in self._told(ROOM - len(self.hint)))

    def _told(self, room: int) -> list[tuple[str, str]]:
        if self.speaking is None:
            return []
        line = self.located.sentence if self.located else ""
        reason = [("lesson", self.lesson), ("relation", self.relation), ("cause", self.cause), ("line", line)]
        reason += [("unexplained", self.unexplained)]
        is_raw = line and self.speaking.error and not (self.lesson or self.relation or self.cause)
        call, finding = shorten(self.speaking, room - sum(len(text) + 1 for _, text in reason if text))
        found = [("call", call), ("finding", finding)]
        said = (*(found + reason if is_raw else reason + found), ("hint", self.hint))  # an error before its mending
        return [(kind, clean(text)) for kind, text in said if text]

    def record(self) -> ExerciseRecord:
        """What goes into a record."""
        return {
            "exercise": self.exercise,
            "outcome": self.outcome,
            "points": self.points,
            "max_points": self.max_points,
            "misconception": self.misconception,
            "message": self.message,
            "seconds": round(self.seconds, 4),
            "tests": [test.record() for test in self.tests],
            "relation": clean(self.relation),
            "line": self.located.line if self.located else None,
            "carried_from": self.carried_from,
            "explained": bool(self.misconception or self.relation or self.located or self.carried_from),
            "fingerprint": "" if self.misconception else self.fingerprint,
        }
