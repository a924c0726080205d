"""One answer and what is to be judged in it."""

from dataclasses import dataclass

from autograder.chapters.chapter import Chapter, Exercise
from autograder.worker.reading.answers import AnswerFile


@dataclass(frozen=True)
class Task:
    answer: AnswerFile
    chapter: Chapter
    exercises: tuple[Exercise, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer", self.answer.without_leftover_stubs(self.chapter.exercises))

    def is_untouched(self) -> bool:
        return all(self.answer.is_untouched(exercise) for exercise in self.exercises)
