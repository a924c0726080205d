"""The content of `course.toml`: the exercises of a course, their points, and the teacher's texts around them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.chapters.errors import CourseError
from autograder.chapters.part import ChapterPart, build_part

PLAN, OWN = "course.toml", "own"
END_OF_DAY, UTC = datetime.time.max, datetime.timezone.utc
# What everybody who has submitted gets for a waived exercise: all of its points, or none.
FULL, NONE = WAIVED = "full", "none"
MARK, REFUSE = "mark", "refuse"

# Matches a suffix that copying or downloading adds: "(1)", " - Copy", "-Copy1", "-2", " copy 2", or ".ipynb" in
# ".ipynb.txt". Suffixes are removed one by one, because a pattern for several would backtrack exponentially.
_COPY_SUFFIX = re.compile(r"(\(\d{1,9}\)|cop(y|ie)\s?\d{0,9}|[-_ ]\d{1,9}|\.ipynb|\.py|[-_\s])\Z", re.IGNORECASE)


@dataclass(frozen=True)
class AddedCells:
    """Cells that a teacher adds to a notebook. If they have points, Markdown is a question and Python a test."""

    place: str  # the exercise or chapter after which they are inserted
    file: Path
    points: float | None = None

    @property
    def name(self) -> str:
        """Return the prefix of the added cells' names."""
        return re.sub(r"\W+", "-", self.file.stem)

    @property
    def is_question(self) -> bool:
        return self.points is not None and self.file.suffix == ".md"

    @property
    def graded_cell(self) -> str:
        """Return the name of the cell that has the points."""
        return f"{self.name}-{'question' if self.is_question else 'test'}"


@dataclass(frozen=True)
class Assignment:
    """An assignment. docs/teacher-reference.md describes its keys in `course.toml`."""

    name: str
    chapters: tuple[str, ...]
    exercises: frozenset[str] | None = None  # None for all exercises of the chapters
    points: dict[str, float] = field(default_factory=dict)  # exercise -> points, if they differ from the chapter's
    waived: dict[str, str] = field(default_factory=dict)  # exercise, question or test -> `FULL` or `NONE`
    due: datetime.datetime | None = None  # with a time zone
    carry_forward: bool = False
    hand_in: str = ""
    install: str = ""
    before: Path | None = None  # Markdown file that is inserted before the first chapter
    additions: tuple[AddedCells, ...] = ()
    group_work: bool = False
    exam: bool = False
    own_inputs: bool = False  # whether each learner gets different hidden inputs
    opens: datetime.datetime | None = None
    late: str = MARK  # `MARK` or `REFUSE`
    grace: datetime.timedelta = datetime.timedelta()  # how late a submission may be and still count as on time
    feedback: bool | datetime.datetime = True  # whether feedback is returned, or the time from which it is

    def to_json(self) -> dict[str, Any]:
        """Return the fields that another machine needs for grading, as input to `from_json`."""
        keys = ("name", "chapters", "points", "exam", "waived")
        return {key: getattr(self, key) for key in keys} | {"exercises": self.exercises and sorted(self.exercises)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Assignment:
        exercises = None if values["exercises"] is None else frozenset(values["exercises"])
        return cls(**values | {"chapters": tuple(values["chapters"]), "exercises": exercises})

    @property
    def graded_exercises(self) -> list[Exercise]:
        return [exercise for chapter in self.chapters for exercise in self.build_part(chapter).exercises]

    @property
    def returns_feedback(self) -> bool:
        return self.feedback if isinstance(self.feedback, bool) else self.feedback <= datetime.datetime.now(UTC)

    def require_feedback(self) -> None:
        """Raise `CourseError` if feedback pages must not be returned to learners yet."""
        if not self.returns_feedback:
            advice = f"to release it now: `attn course feedback {self.name} --release`"
            raise CourseError(f"the feedback for {self.name} is not released yet according to course.toml; {advice}")

    @property
    def is_open(self) -> bool:
        return self.opens is None or self.opens <= datetime.datetime.now(UTC)

    @property
    def own_chapters(self) -> list[str]:
        return [chapter for chapter in self.chapters if chapter not in curriculum.CHAPTERS]

    def notebook_sort_key(self, chapter: str) -> tuple[int, str]:
        """Return the sort key of a notebook: its chapter's position. Notebooks of other chapters come last."""
        return (self.chapters.index(chapter) if chapter in self.chapters else len(self.chapters), chapter)

    def build_part(self, chapter: str) -> ChapterPart:
        return build_part(chapter, self.exercises)

    def points_of(self, exercise: Exercise) -> float:
        return self.points.get(exercise.name, exercise.points)

    def find_additions(self, chapter: str) -> list[AddedCells]:
        places = {chapter, *(exercise.name for exercise in read_chapter(chapter).exercises)}
        return [addition for addition in self.additions if addition.place in places]


@dataclass(frozen=True)
class Plan:
    assignments: dict[str, Assignment]
    timezone: datetime.tzinfo | None = None  # None for the machine's time zone
    ignored: list[str] = field(default_factory=list)  # warnings about keys that only earlier versions read

    def get_assignment(self, name: str) -> Assignment:
        """Return an assignment; if it is missing from `course.toml`, one without chapters."""
        return self.assignments.get(name) or Assignment(name, ())

    def to_course_zone(self, time: datetime.datetime) -> datetime.datetime:
        return time.astimezone(self.timezone)

    def format_time(self, time: datetime.datetime, form: str = "%a %d %b %Y %H:%M") -> str:
        """Return a time as text, in the course's time zone and followed by the name of the zone."""
        return f"{self.to_course_zone(time):{form} %Z}"

    def add_zone(self, time: datetime.datetime) -> datetime.datetime:
        """Return a time with a zone: its own, or else the course's, or else the machine's."""
        if time.tzinfo is None and self.timezone is not None:
            return time.replace(tzinfo=self.timezone)
        return time if time.tzinfo else time.astimezone()


def find_chapter_of_file(stem: str, chapters: Collection[str]) -> str:
    """Return the chapter that a file is named after, despite suffixes of copies and downloads; "" if there is none."""
    while (shorter := _COPY_SUFFIX.sub("", stem)) != stem and shorter:
        stem = shorter
    stem = re.sub(r"[-\s]+", "_", stem.strip().lower())
    matches = [chapter for chapter in chapters if chapter == stem or stem.endswith(f"_{chapter}")]
    return max(matches, key=len, default="")
