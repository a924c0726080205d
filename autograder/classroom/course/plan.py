"""`course.toml`: the exercises of a course, their weights, and the teacher's texts around them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.part import Part, build_part

PLAN, OWN = "course.toml", "own"
END_OF_DAY = datetime.time.max  # a due date without a time is at the end of the day
FULL, NONE = WAIVED = "full", "none"  # points of everybody who handed in, for an exercise that is waived
MARK, REFUSE = "mark", "refuse"  # policies for late work

# Suffixes that copying and downloading add: "(1)", " - Copy", "-Copy1", "-2", " copy 2", ".ipynb" of ".ipynb.txt". They
# are removed one at a time, because one expression for several would backtrack exponentially.
_ADDED = re.compile(r"(\(\d{1,9}\)|cop(y|ie)\s?\d{0,9}|[-_ ]\d{1,9}|\.ipynb|\.py|[-_\s])\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Addition:
    place: str  # the exercise or chapter that it follows
    file: Path  # Markdown, or cells as in a chapter
    points: float | None = None  # for a question (graded by hand) or a test (run)

    @property
    def name(self) -> str:
        """Return the prefix of nbgrader's names for its cells."""
        return re.sub(r"\W+", "-", self.file.stem)

    @property
    def is_question(self) -> bool:
        return self.points is not None and self.file.suffix == ".md"

    @property
    def graded_cell(self) -> str:
        """The name of the cell that has its points."""
        return f"{self.name}-{'question' if self.is_question else 'test'}"


@dataclass(frozen=True)
class Assignment:
    name: str
    chapters: tuple[str, ...]
    exercises: frozenset[str] | None = None  # chosen from all its chapters; None for all
    points: dict[str, float] = field(default_factory=dict)  # by exercise, if other than its chapter's
    waived: dict[str, str] = field(default_factory=dict)  # exercise, question or test -> `FULL` or `NONE`
    due: datetime.datetime | None = None  # with its time zone
    # whether an exercise keeps its points if it is wrong only because of another one that it calls
    carry_forward: bool = False
    hand_in: str = ""  # instructions, in the teacher's words
    install: str = ""  # arguments of pip in the first cell; empty for nothing
    before: Path | None = None  # Markdown at the beginning of the first notebook
    additions: tuple[Addition, ...] = ()
    group_work: bool = False  # whether a submission of one member of a roster's group counts for all of them
    exam: bool = False  # whether it has no hints, and hidden inputs of its own
    own_inputs: bool = False  # whether each learner gets different hidden inputs
    opens: datetime.datetime | None = None  # before this it is not released, and nothing can be submitted
    late: str = MARK  # `MARK` or `REFUSE`
    grace: datetime.timedelta = datetime.timedelta()  # how late work is still not late
    feedback: bool | datetime.datetime = True  # whether, or from when on, pages go back to learners

    def choice(self) -> dict[str, Any]:
        """Return what it asks, as plain data: what another machine needs to grade it."""
        exercises = None if self.exercises is None else sorted(self.exercises)
        choice = {"name": self.name, "chapters": self.chapters, "exercises": exercises, "points": self.points}
        return choice | {"exam": self.exam, "waived": self.waived}

    @classmethod
    def of(cls, choice: dict[str, Any]) -> Assignment:
        exercises = choice["exercises"]
        chosen = None if exercises is None else frozenset(exercises)
        known = {key: choice[key] for key in ("points", "exam", "waived")}
        return cls(choice["name"], tuple(choice["chapters"]), chosen, **known)

    @property
    def exercises_asked(self) -> list[Exercise]:
        """Return all exercises that are graded automatically, in order."""
        return [exercise for chapter in self.chapters for exercise in self.part(chapter).exercises]

    @property
    def returns_feedback(self) -> bool:
        return self.feedback if isinstance(self.feedback, bool) else self.feedback <= _now()

    @property
    def withheld(self) -> str:
        """Return why pages may not go back yet, or an empty string."""
        words = "is not to go back yet, as course.toml has it: `attn course feedback {0} --release` lets it"
        return "" if self.returns_feedback else f"the feedback of {self.name} {words.format(self.name)}"

    @property
    def is_open(self) -> bool:
        return self.opens is None or self.opens <= _now()

    @property
    def own_chapters(self) -> list[str]:
        return [chapter for chapter in self.chapters if chapter not in curriculum.CHAPTERS]

    def place_of(self, chapter: str) -> tuple[int, str]:
        """Return the sort key of a chapter's notebook; notebooks of no chapter come last."""
        return (self.chapters.index(chapter) if chapter in self.chapters else len(self.chapters), chapter)

    def part(self, chapter: str) -> Part:
        return build_part(chapter, self.exercises)

    def points_of(self, exercise: Exercise) -> float:
        return self.points.get(exercise.name, exercise.points)

    def added_to(self, chapter: str) -> list[Addition]:
        places = {chapter, *(exercise.name for exercise in read_chapter(chapter).exercises)}
        return [addition for addition in self.additions if addition.place in places]


@dataclass(frozen=True)
class Plan:
    assignments: dict[str, Assignment]
    timezone: datetime.tzinfo | None = None  # None for the machine's

    def assignment(self, name: str) -> Assignment:
        return self.assignments.get(name) or Assignment(name, ())

    def local(self, time: datetime.datetime) -> datetime.datetime:
        return time.astimezone(self.timezone)

    def end_of(self, day: datetime.date) -> datetime.datetime:
        return self.zoned(datetime.datetime.combine(day, END_OF_DAY))

    def shown(self, time: datetime.datetime, form: str = "%a %d %b %Y %H:%M") -> str:
        """Return a time by the clocks of the course, with the name of the zone."""
        return f"{self.local(time):{form} %Z}"

    def zoned(self, time: datetime.datetime) -> datetime.datetime:
        """Return a time with the course's time zone if it has none."""
        if time.tzinfo is None and self.timezone is not None:
            return time.replace(tzinfo=self.timezone)
        return time if time.tzinfo else time.astimezone()


def chapter_named(stem: str, chapters: Collection[str]) -> str:
    """Return the chapter after which a file is named, whatever copying and downloading made of it; empty for none."""
    while (shorter := _ADDED.sub("", stem)) != stem and shorter:
        stem = shorter
    stem = re.sub(r"[-\s]+", "_", stem.strip().lower())
    named = [chapter for chapter in chapters if chapter == stem or stem.endswith(f"_{chapter}")]
    return max(named, key=len, default="")


def whole_plan() -> Plan:
    return Plan({unit: Assignment(unit, chapters) for unit, chapters in curriculum.UNITS.items()})


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)
