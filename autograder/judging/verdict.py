"""What the suites found: one verdict a test, added up to one an exercise."""

from dataclasses import dataclass, replace
from typing import TypedDict

from autograder.chapters.text import clean
from autograder.judging.telling import ROOM, told_of

# "fault" is the kit's own failure: it costs the learner nothing and is loud. All others but "passed" give no points.
OUTCOMES = ("passed", "wrong", "raised", "timeout", "memory", "killed", "unattempted", "forbidden", "fault")

UNNAMED = (None, "", "", "")  # what `ExerciseVerdict.named` is where no known mistake explains an answer

LONGEST = 2000  # characters of a finding: an answer can forge errors and names of any length


class TestRecord(TypedDict):
    """What a record holds of one test."""

    __test__ = False

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
    """What one test of a suite found.

    Attributes
    ----------
    name : str
        The test's name without its prefix.
    outcome : str
        One of `OUTCOMES`.
    points, max_points : int
        Earned and possible.
    finding, call : str
        What was found, for the learner, and the call before it; empty where the test passed.
    mismatch : autograder.judging.values.compare.Mismatch or None
        The values behind the sentence, for a picture.
    error : dict or None
        The error behind it, as the worker described it.
    asked : autograder.judging.calls.Call or None
        The call that the finding is about.
    reason : str
        What the finding comes from, where the test itself shows it; or empty.
    """

    __test__ = False  # not a test class, whatever its name

    name: str
    outcome: str
    points: int
    max_points: int
    finding: str = ""
    call: str = ""
    mismatch: object = None
    error: dict | None = None
    asked: object = None
    reason: str = ""

    @property
    def message(self):
        """The sentence for the learner, with long arguments by their shapes."""
        return clean(" ".join(filter(None, (self.reason, *told_of(self)))))

    @property
    def error_type(self):
        """The name of the error's class, or empty."""
        return self.error["type"] if self.error else ""

    def fail(self, outcome, finding, call="", error=None, reason=""):
        """Take the points away and say why."""
        finding = finding if len(finding) <= LONGEST else f"{finding[:LONGEST]} ..."
        self.outcome, self.points, self.finding, self.call, self.error = outcome, 0, finding, call, error
        self.reason = reason

    def record(self) -> TestRecord:
        points = _rounded(self.points)
        return {"name": self.name, "outcome": self.outcome, "points": points, "message": self.message}


def _rounded(points):
    """Points as whole numbers where they are, and to the cent where a course has scaled them."""
    return int(points) if points == int(points) else round(points, 2)


@dataclass
class ExerciseVerdict:
    """All that was found about one exercise of one answer.

    Attributes
    ----------
    misconception : str or None
        The name of the known mistake that the answer makes.
    lesson, hint, rule : str
        What the misconception tells the learner: what such code does, what to try, and, as the last hint, what should
        hold.
    relation : str
        Where no misconception is named: what the results, or the error, show; empty where they show nothing.
    unexplained : str
        Why the explanation ended before its time; empty where it did not. No points depend on it.
    carried_by : tuple of str
        Other exercises that this one calls, and but for all of which it is right.
    located : autograder.judging.located.Located or None
        Where one small change makes the answer right; None where nobody has looked, or none was found.
    fingerprint : str
        Where no misconception is named: what stands for all that came back wrong; empty where nothing did.
    speaks : str
        The name of the test that speaks for the exercise; the first that failed where it is empty.
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
    tests: list
    seconds: float = 0.0
    misconception: str | None = None
    lesson: str = ""
    hint: str = ""
    rule: str = ""
    relation: str = ""
    unexplained: str = ""
    carried_by: tuple = ()
    located: object = None
    fingerprint: str = ""
    speaks: str = ""
    printed: str = ""
    printed_where: str = ""
    is_read: bool = True

    @property
    def carried_from(self):
        """The first of those that it is `carried_by`, or None."""
        return next(iter(self.carried_by), None)

    @property
    def named(self):
        """The misconception and what it tells, as `judging.diagnosis.diagnose` gives them."""
        return self.misconception, self.lesson, self.hint, self.rule

    @named.setter
    def named(self, found):
        self.misconception, self.lesson, self.hint, self.rule = found

    def take_over(self, other):
        """Make another answer's findings this one's own."""
        self.tests = [replace(test) for test in other.tests]
        self.named, self.relation, self.speaks = other.named, other.relation, other.speaks
        self.fingerprint = other.fingerprint

    def not_read(self, sentence):
        """What this verdict becomes where the answer could not be read, for the reason in the sentence."""
        tests = [TestVerdict(test.name, "raised", 0, test.max_points, sentence) for test in self.tests]
        return ExerciseVerdict(self.chapter, self.exercise, tests, self.seconds, is_read=False)

    @property
    def points(self):
        return _rounded(sum(test.points for test in self.tests))

    @property
    def max_points(self):
        return _rounded(sum(test.max_points for test in self.tests))

    def worth(self, points):
        """The same verdict where the exercise is worth so many points: those of each test are scaled."""
        if points == self.max_points:
            return self
        factor = points / self.max_points
        tests = [replace(each, points=each.points * factor, max_points=each.max_points * factor) for each in self.tests]
        return replace(self, tests=tests)

    @property
    def speaking(self):
        """The test that speaks for the exercise: a fault of ours first, then the one that was chosen to."""
        chosen = [test for test in self.tests if test.name == self.speaks and test.outcome != "passed"]
        first = self._first_failed
        return chosen[0] if chosen and first.outcome != "fault" else first

    @property
    def _first_failed(self):
        """A fault of ours, else the first test that failed, or None."""
        failed = [test for test in self.tests if test.outcome != "passed"]
        attempted = [test for test in failed if test.outcome != "unattempted"]
        faults = [test for test in failed if test.outcome == "fault"]
        return next(iter(faults or attempted or failed), None)

    @property
    def outcome(self):
        return self._first_failed.outcome if self._first_failed else "passed"

    @property
    def told(self):
        """What there is to say, as pairs of a kind and a text: the reason, what shows it, and at last what to try."""
        return self._told(ROOM)

    @property
    def message(self):
        """The same in one text, and with the hint in the same room."""
        return " ".join(text for _, text in self._told(ROOM - len(self.hint)))

    def _told(self, room):
        if self.speaking is None:
            return []
        line = self.located.sentence if self.located else ""
        reason = [("lesson", self.lesson), ("relation", self.relation), ("cause", self.cause), ("line", line)]
        reason += [("unexplained", self.unexplained)]
        is_raw = line and self.speaking.error and not (self.lesson or self.relation or self.cause)
        call, finding = told_of(self.speaking, room - sum(len(text) + 1 for _, text in reason if text))
        found = [("call", call), ("finding", finding)]
        said = (*(found + reason if is_raw else reason + found), ("hint", self.hint))  # an error before its mending
        return [(kind, clean(text)) for kind, text in said if text]

    @property
    def cause(self):
        """The sentence on where the mistake is, where that is another exercise; or an empty string."""
        names, those = " and ".join(self.carried_by), "those" if len(self.carried_by) > 1 else "that"
        return f"{self.exercise} is right but for {names}, which it calls: mend {those} first." if names else ""

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
