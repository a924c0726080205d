"""One answer and what is to be judged in it."""

import functools
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

    @functools.cached_property
    def is_untouched(self) -> bool:
        return all(self.answer.is_untouched(exercise) for exercise in self.exercises)

    @functools.cached_property
    def libraries(self) -> tuple[str, ...]:
        """Libraries slow to import that its worker has at hand."""
        return self.chapter.libraries_for(self.answer)
