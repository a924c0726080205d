"""What the files of a folder hold now, and whether they can be read."""

import time
from collections.abc import Collection
from pathlib import Path

from autograder.chapters.answers import Task, read_answer
from autograder.chapters.chapter import Chapter, Exercise
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import signature
from autograder.chapters.selection import chapter_file
from autograder.study.cell import tidy
from autograder.study.folder import Folder
from autograder.study.footprint import footprints
from autograder.study.versions import Versions
from autograder.study.watching.screen import Screen

UNREADABLE_SECONDS = 1.0  # an editor that writes a file anew takes less; then it is worth a word
SPOKEN = float("inf")


class Saves:
    """The answers in a folder, read again when they change; one that cannot be read is told once."""

    def __init__(self, folder: Folder, exercises: list[Exercise], screen: Screen) -> None:
        self.folder, self.screen = folder, screen
        names = {exercise.chapter for exercise in exercises}
        self.exercises = {name: tuple(e for e in exercises if e.chapter == name) for name in names}
        self.chapters = [chapter for chapter in folder.chapters if chapter.name in names]
        self.tasks, self.footprints = dict[str, Task](), dict[str, str]()
        self._texts = dict[str, str]()
        self._files, self._trouble = dict[str, object](), dict[str, float]()  # signature; when to speak of trouble

    def look(self, names: Collection[str] = ()) -> list[Task]:
        """Read again what was saved, or looks changed; the tasks of what was read."""
        tasks: list[Task] = []
        for chapter in self.chapters:
            path = chapter_file(self.folder.path, chapter)
            file_signature = signature(path)
            is_new = file_signature != self._files.get(chapter.name) or (path and path.name in names)
            if is_new or chapter.name in self._trouble:
                self._files[chapter.name] = file_signature
                tasks += self._read(chapter, path)
        return tasks

    def _read(self, chapter: Chapter, path: Path | None) -> list[Task]:
        try:
            if path is None:
                raise UnreadableAnswer(f"{self.folder.path / chapter.name}.py is gone: {_anew(chapter)}")
            answer = read_answer(path)
            if not answer.cells:
                raise UnreadableAnswer(f"{path} is empty: {_anew(chapter)}")
        except UnreadableAnswer as error:
            self._wait_or_complain(chapter, f"{error}.")
            return []
        if self._trouble.pop(chapter.name, None) is SPOKEN:
            self.screen.forget(chapter.name)
        task = self.tasks[chapter.name] = Task(answer, chapter, self.exercises[chapter.name])
        self.footprints |= footprints(task.answer, task.exercises)
        self._keep(task)
        return [task]

    def _keep(self, task: Task) -> None:
        """Keep what is new as a version, which another program may write over."""
        for exercise in task.exercises:
            cell, _ = task.answer.definitions.get(exercise.name, (None, 0))
            if cell and cell.source != self._texts.get(exercise.name) and not task.answer.is_untouched(exercise):
                self._texts[exercise.name] = cell.source
                Versions(self.folder.path, exercise.name).keep(tidy(cell.source))

    def _wait_or_complain(self, chapter: Chapter, sentence: str) -> None:
        """Speak of a file that cannot be read, once, and not while an editor may be writing it."""
        due = self._trouble.setdefault(chapter.name, time.monotonic() + UNREADABLE_SECONDS)
        if time.monotonic() >= due:
            self._trouble[chapter.name] = SPOKEN
            self.screen.note(sentence, chapter.name)


def _anew(chapter: Chapter) -> str:
    return f"save it again, or type: attn reset {chapter.name}"
