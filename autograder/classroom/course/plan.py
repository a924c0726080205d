"""`course.toml`: which exercises a course asks, how it weighs them, and what the teacher says around them."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.part import Part, part_of

PLAN, OWN = "course.toml", "own"
END_OF_DAY = datetime.time.max  # a day as a due date ends when the day does
MARK, REFUSE = "mark", "refuse"  # what becomes of work that comes late


@dataclass(frozen=True)
class Addition:
    place: str  # the exercise, or the chapter, that it stands behind
    file: Path  # Markdown, or cells as in a chapter
    points: float | None = None  # what a question is worth, which is graded by hand, or a test, which is run

    @property
    def name(self) -> str:
        """What nbgrader's names for its cells begin with."""
        return re.sub(r"\W+", "-", self.file.stem)

    @property
    def is_question(self) -> bool:
        return self.points is not None and self.file.suffix == ".md"


@dataclass(frozen=True)
class Assignment:
    name: str
    chapters: tuple[str, ...]
    exercises: frozenset[str] | None = None  # the chosen ones of all its chapters; None for all
    points: dict[str, float] = field(default_factory=dict)  # by exercise, where it is not what its chapter says
    due: datetime.datetime | None = None  # with its time zone
    # whether an exercise gets its points where it is wrong only because it calls another one that is
    carry_forward: bool = False
    hand_in: str = ""  # how, in the teacher's words
    install: str = ""  # what the first cell gives to pip; empty for nothing
    before: Path | None = None  # Markdown at the beginning of the first notebook
    additions: tuple[Addition, ...] = ()
    group_work: bool = False  # whether what one of a group in the roster hands in counts for all of them
    exam: bool = False  # whether it is asked without hints, on hidden inputs that no other assignment draws
    own_inputs: bool = False  # whether each learner's answer is asked with hidden inputs that no other's is
    opens: datetime.datetime | None = None  # before this it is not handed out, and nothing can have been handed in
    late: str = MARK  # `MARK` or `REFUSE`
    grace: datetime.timedelta = datetime.timedelta()  # by which work may come later and is not refused
    feedback: bool | datetime.datetime = True  # whether, or from when on, its pages go back to learners

    def choice(self) -> dict[str, Any]:
        """What is asked, as plain data: what another machine has to know to grade it."""
        exercises = None if self.exercises is None else sorted(self.exercises)
        choice = {"name": self.name, "chapters": self.chapters, "exercises": exercises, "points": self.points}
        return choice | {"exam": self.exam}

    @classmethod
    def of(cls, choice: dict[str, Any]) -> Assignment:
        exercises = choice["exercises"]
        chosen = None if exercises is None else frozenset(exercises)
        return cls(choice["name"], tuple(choice["chapters"]), chosen, choice["points"], exam=choice["exam"])

    @property
    def exercises_asked(self) -> list[Exercise]:
        """All that are graded by themselves, in order."""
        return [exercise for chapter in self.chapters for exercise in self.part(chapter).exercises]

    @property
    def returns_feedback(self) -> bool:
        return self.feedback if isinstance(self.feedback, bool) else self.feedback <= _now()

    @property
    def is_open(self) -> bool:
        return self.opens is None or self.opens <= _now()

    @property
    def own_chapters(self) -> list[str]:
        return [chapter for chapter in self.chapters if chapter not in curriculum.CHAPTERS]

    def place_of(self, chapter: str) -> tuple[int, str]:
        """Return where a chapter's notebook stands among the others; those of no chapter come last."""
        return (self.chapters.index(chapter) if chapter in self.chapters else len(self.chapters), chapter)

    def part(self, chapter: str) -> Part:
        return part_of(chapter, self.exercises)

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

    def shown(self, time: datetime.datetime, form: str = "%a %d %b %Y %H:%M") -> str:
        """Return a time as the clocks of the course show it, with the name of the zone."""
        return f"{self.local(time):{form} %Z}"

    def zoned(self, time: datetime.datetime) -> datetime.datetime:
        """The same time; where it names no zone, that of the course is meant."""
        if time.tzinfo is None and self.timezone is not None:
            return time.replace(tzinfo=self.timezone)
        return time if time.tzinfo else time.astimezone()


def whole_plan() -> Plan:
    return Plan({unit: Assignment(unit, chapters) for unit, chapters in curriculum.UNITS.items()})


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)
