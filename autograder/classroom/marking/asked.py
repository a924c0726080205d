"""What one notebook of a course asks: exercises of its chapter, with their points there, and tests of one's own.

The gradebook says which, since that is what learners were handed; a teacher may have changed it in Formgrader.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.boundary.session import Refused, Session, refusal
from autograder.chapters import curriculum
from autograder.chapters.chapter import Chapter, read_chapter
from autograder.chapters.errors import KitFault
from autograder.chapters.part import Part, part_of
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
from autograder.worker.reading.answers import AnswerFile, CodeCell


@dataclass(frozen=True)
class Asked:
    """The graded cells of one notebook."""

    part: Part  # the chapter and its exercises that are asked; an empty chapter where the notebook is none of a chapter
    points: dict[str, float]  # exercise -> what it is worth in this course
    tests: dict[str, tuple[float, str]]  # name of a test cell of the teacher's own -> its points and its source
    # whether an exercise has its points where it is right but for another one that it calls
    carry_forward: bool = False

    @property
    def chapter(self) -> Chapter:
        return self.part.chapter

    def key(self) -> str:
        """Stands for what a verdict depends on here, besides the chapter: empty where all is as the kit has it."""
        usual = {exercise.name: exercise.points for exercise in self.part.exercises}
        is_whole = len(self.part.exercises) == len(self.chapter.exercises)
        if is_whole and usual == self.points and not self.tests and not self.carry_forward:
            return ""
        asked = sorted(self.points.items()), sorted(self.tests.items()), self.carry_forward
        return hashlib.sha256(repr(asked).encode()).hexdigest()[:8]

    def counted(self, verdict: ExerciseVerdict) -> ExerciseVerdict:
        """A verdict with the points of this course."""
        verdict = verdict.carried_forward() if self.carry_forward else verdict
        return verdict.worth(self.points[verdict.exercise])


def asked_in(chapter_name: str, graded: dict, carry_forward: bool = False) -> Asked:
    """What a notebook asks.

    `chapter_name`: the name of the notebook, which is its chapter's.
    `graded`: name of a grade cell -> its points and its source.
    `KitFault` where the notebook checks an exercise that its chapter has no longer.
    """
    if not curriculum.solution_of(chapter_name).exists():
        empty = Chapter(chapter_name, chapter_name, "", (), ())
        return Asked(Part(empty, (), (), ()), {}, dict(graded))
    known = {exercise.name for exercise in read_chapter(chapter_name).exercises}
    for name, (_, source) in graded.items():
        if name not in known and source.strip() == f"check({name})":
            raise KitFault(
                f"{chapter_name} was built from another version of the chapter, with an exercise {name}: run `attn "
                "course build` again"
            )
    points = {name: points for name, (points, _) in graded.items() if name in known}
    tests = {name: test for name, test in graded.items() if name not in known}
    return Asked(part_of(chapter_name, points), points, tests, carry_forward)


def run_tests(asked: Asked, answer: AnswerFile) -> Iterator[ExerciseVerdict]:
    """Run the test cells of the teacher's own behind an answer, each in a worker; yields a verdict for each."""
    for name, (points, source) in asked.tests.items():
        behind = AnswerFile(answer.path, (*answer.cells, CodeCell("test", 1, source)), answer.notebook)
        test = TestVerdict("test", "passed", points, points)
        session = Session(behind, asked.chapter)
        try:
            session.load()
            if error := session.loaded["errors"][-1]:
                raise refusal(error, "The test", name, ())
        except Refused as refused:
            test.fail(refused.outcome, refused.finding, refused.call, reason=refused.reason)
        printed = session.take_printed()
        session.close()
        yield ExerciseVerdict(asked.chapter.name, name, [test], printed=printed)
