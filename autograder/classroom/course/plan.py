"""`course.toml`: which exercises a course asks, how it weighs them, and what the teacher says around them."""

import datetime
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.part import part_of

PLAN, OWN = "course.toml", "own"
MARK, REFUSE = "mark", "refuse"  # what becomes of work that comes late


@dataclass(frozen=True)
class Addition:
    """Something of the teacher's own at a place in a notebook."""

    place: str  # the exercise, or the chapter, that it stands behind
    file: Path  # Markdown, or cells as in a chapter
    points: float | None = None  # what the answer to it is worth, where it is a question: graded by hand

    @property
    def name(self):
        """What nbgrader's names for its cells begin with."""
        return re.sub(r"\W+", "-", self.file.stem)

    @property
    def cell(self):
        """The name of the cell that is answered, where it is a question."""
        return f"{self.name}-question"


@dataclass(frozen=True)
class Assignment:
    """One assignment as `course.toml` has it."""

    name: str
    chapters: tuple
    exercises: frozenset | None = None  # the chosen ones of all its chapters; None for all
    points: dict = field(default_factory=dict)  # exercise -> what it is worth, where that is not what its chapter says
    due: datetime.datetime | None = None  # with its time zone
    # whether an exercise gets its points where it is wrong only because it calls another one that is
    carry_forward: bool = False
    before: Path | None = None  # Markdown at the beginning of the first notebook, and at the end of the last
    after: Path | None = None
    additions: tuple = ()
    weight: float = 1.0  # how much it counts in the whole course, beside the others
    exam: bool = False  # whether it is asked without hints, on hidden inputs that no other assignment draws
    opens: datetime.datetime | None = None  # before this it is not handed out, and nothing can have been handed in
    late: str = MARK  # `MARK` or `REFUSE`
    feedback: bool | datetime.datetime = True  # whether, or from when on, its pages go back to learners

    def choice(self):
        """What is asked, as plain data: what another machine has to know to grade it."""
        exercises = None if self.exercises is None else sorted(self.exercises)
        asked = {"name": self.name, "chapters": self.chapters, "exercises": exercises, "points": self.points}
        return asked | {"exam": self.exam}

    @classmethod
    def of(cls, choice):
        """The assignment of a `choice`."""
        exercises = choice["exercises"]
        chosen = None if exercises is None else frozenset(exercises)
        return cls(choice["name"], tuple(choice["chapters"]), chosen, choice["points"], exam=choice.get("exam", False))

    @property
    def exercises_asked(self):
        """All that are graded by themselves, in order."""
        return [exercise for chapter in self.chapters for exercise in self.part(chapter).exercises]

    @property
    def returns_feedback(self):
        """Whether its pages may go back to learners by now."""
        return self.feedback if isinstance(self.feedback, bool) else self.feedback <= _now()

    @property
    def is_open(self):
        """Whether it may be handed out by now."""
        return self.opens is None or self.opens <= _now()

    @property
    def own_chapters(self):
        """Those that are not the kit's."""
        return [chapter for chapter in self.chapters if chapter not in curriculum.CHAPTERS]

    def place_of(self, chapter):
        """Where a chapter's notebook stands among the others; those that are none of its chapters come last."""
        return (self.chapters.index(chapter) if chapter in self.chapters else len(self.chapters), chapter)

    def part(self, chapter):
        """What of a chapter is asked."""
        return part_of(chapter, self.exercises)

    def points_of(self, exercise):
        """What an exercise is worth here."""
        return self.points.get(exercise.name, exercise.points)

    def weighed(self, points):
        """The same with other points: grade cell -> points, as nbgrader names the cells."""
        added = tuple(replace(each, points=points.get(each.cell, each.points)) for each in self.additions)
        return replace(self, points={**self.points, **points}, additions=added)

    def added_to(self, chapter):
        """The additions to a chapter's notebook."""
        places = {chapter, *(exercise.name for exercise in read_chapter(chapter).exercises)}
        return [each for each in self.additions if each.place in places]


@dataclass(frozen=True)
class Plan:
    """The assignments of a course by name; how learners hand in, in the teacher's words; how many do not count."""

    assignments: dict
    hand_in: str = ""
    drop_lowest: int = 0

    def assignment(self, name):
        """The assignment of that name; one that asks for nothing special where it is none of the plan's."""
        return self.assignments.get(name) or Assignment(name, ())


def whole_plan():
    """What a course without `course.toml` asks: everything."""
    return Plan({unit: Assignment(unit, chapters) for unit, chapters in curriculum.UNITS.items()})


def _now():
    return datetime.datetime.now(datetime.timezone.utc)
