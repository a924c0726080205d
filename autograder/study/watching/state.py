"""The state of `attn watch`: the answers in a folder, their verdicts, and the current exercise."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.chapters.answers import Task, find_answer, read_answer
from autograder.chapters.chapter import Chapter, Exercise
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_file_version
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.folder import Folder, find_next_open
from autograder.study.progress import hash_code
from autograder.study.versions import Versions, trim_cell
from autograder.study.watching.events import Keyboard
from autograder.study.watching.screen import Screen
from autograder.views.words import find_place
from autograder.worker.reading.answers import AnswerFile

UNREADABLE_SECONDS = 1.0  # time after which an unreadable file is reported
SPOKEN = float("inf")  # stored instead of a time when an unreadable file has been reported


class SavedAnswers:
    """The answers in a folder. Changed files are read again, and an unreadable file is reported once."""

    def __init__(self, folder: Folder, exercises: list[Exercise], screen: Screen) -> None:
        self.folder, self.screen = folder, screen
        names = {exercise.chapter for exercise in exercises}
        self.exercises = {name: tuple(e for e in exercises if e.chapter == name) for name in names}
        self.chapters = [chapter for chapter in folder.chapters if chapter.name in names]
        self.tasks, self.code_hashes = dict[str, Task](), dict[str, str]()
        self._texts = dict[str, str]()
        # chapter -> signature of its file, and chapter -> time at which to report that the file is unreadable
        self._files, self._trouble = dict[str, object](), dict[str, float]()

    def read_changes(self) -> list[Task]:
        """Read the files that have changed, and return their tasks."""
        tasks: list[Task] = []
        for chapter in self.chapters:
            path = find_answer(self.folder.path, chapter)
            file_signature = read_file_version(path)
            if file_signature != self._files.get(chapter.name) or chapter.name in self._trouble:
                self._files[chapter.name] = file_signature
                tasks += self._read(chapter, path)
        return tasks

    def _read(self, chapter: Chapter, path: Path | None) -> list[Task]:
        try:
            if path is None:
                raise UnreadableAnswer(f"{self.folder.path / chapter.name}.py is gone: {_advise_to_restore(chapter)}")
            answer = read_answer(path)
            if not answer.cells:
                raise UnreadableAnswer(f"{path} is empty: {_advise_to_restore(chapter)}")
        except UnreadableAnswer as error:
            self._wait_or_complain(chapter, f"{error}.")
            return []
        if self._trouble.pop(chapter.name, None) is SPOKEN:
            self.screen.drop_notes()
        task = self.tasks[chapter.name] = Task(answer, chapter, self.exercises[chapter.name])
        self.code_hashes |= hash_code(task.answer, task.exercises)
        self._keep(task)
        return [task]

    def _keep(self, task: Task) -> None:
        """Store new texts as versions, because other programs may overwrite the file."""
        for exercise in task.exercises:
            cell, _ = task.answer.definitions.get(exercise.name, (None, 0))
            if cell and cell.source != self._texts.get(exercise.name) and not task.answer.is_untouched(exercise):
                self._texts[exercise.name] = cell.source
                Versions(self.folder.path, exercise.name).keep(trim_cell(cell.source))

    def _wait_or_complain(self, chapter: Chapter, sentence: str) -> None:
        """Report an unreadable file once, after a delay in which an editor may still be writing it."""
        due = self._trouble.setdefault(chapter.name, time.monotonic() + UNREADABLE_SECONDS)
        if time.monotonic() >= due:
            self._trouble[chapter.name] = SPOKEN
            self.screen.add_note(sentence)


def _advise_to_restore(chapter: Chapter) -> str:
    return f"save it again, or type: attn reset {chapter.name}"


TakesKey = Callable[[str], None]


@dataclass(frozen=True)
class JudgedTask:
    task: Task
    verdict: ExerciseVerdict
    time: str


class WatchState:
    """The state of `attn watch`. Only one thread uses it."""

    def __init__(self, folder: Folder, exercises: list[Exercise], screen: Screen, locates: bool) -> None:
        self.folder, self.exercises, self.screen = folder, exercises, screen
        self.locates = locates  # whether to locate the lines of mistakes
        self.saves, self.keyboard = SavedAnswers(folder, exercises, screen), Keyboard(lambda seconds: [])
        self.takes_keys: TakesKey | None = None  # handles the next key instead of `ACTIONS`
        self.judged, self.checking = dict[str, str](), dict[str, str]()  # exercise -> code hash
        self.failed = False  # whether the last check ended with an error
        self.findings, self.done = dict[str, JudgedTask](), set[str]()
        self.unshown, self.newly_passed = list[str](), set[str]()  # names of exercises
        self.current: Exercise | None = None
        self.just_done: Exercise | None = None
        self.unlocated: JudgedTask | None = None  # a wrong answer whose line is to be located

    @property
    def subject(self) -> Exercise:
        """Return the exercise for keys such as "solution": the one just finished, the current one, or else the last."""
        return self.just_done or self.current or self.exercises[-1]

    def find_due(self) -> dict[str, str]:
        """Return exercise -> code hash, for code that has changed since it was judged."""
        return {name: text for name, text in self.saves.code_hashes.items() if text != self.judged.get(name)}

    def is_out_of_date(self) -> bool:
        """Return whether any code has changed since the running check began."""
        is_changed = any(self.saves.code_hashes[name] != text for name, text in self.checking.items())
        return is_changed or not self.find_due().keys() <= self.checking.keys()

    def is_stub(self, exercise: Exercise) -> bool:
        answer = self._find_answer_with(exercise)
        return answer is None or answer.is_untouched(exercise)

    def find_place(self, exercise: Exercise) -> str:
        """Return the place of an exercise's mistake or definition (``file:line``), or only the file if it has none."""
        finding, answer = self.findings.get(exercise.name), self._find_answer_with(exercise)
        if answer is None:
            return f"{exercise.chapter}.py, which cannot be read"
        return answer.locate(exercise.name, find_place(finding.verdict) if finding else None) or answer.path

    def forget_stubs(self, tasks: Iterable[Task]) -> list[str]:
        """Remove the findings about exercises that are stubs again, and return the names of these exercises."""
        stubs = [exercise.name for task in tasks for exercise in task.exercises if self.is_stub(exercise)]
        known_names = [name for name in stubs if name in self.done or name in self.findings]
        for name in stubs:
            self.judged[name] = self.saves.code_hashes[name]
            self.done.discard(name)
            self.findings.pop(name, None)
        return known_names

    def go_to(self, exercise: Exercise | None) -> None:
        """Make an exercise the current one, and record it for the next start."""
        if exercise is not self.current:
            self.current = exercise
            if exercise:
                self.folder.go_to(exercise.name)

    def go_to_next(self, name: str | None = None) -> None:
        """Go to an exercise, or to an unfinished one that it calls. Without a name, go to the next unfinished one."""
        current_name = name or (self.current.name if self.current else None)
        self.go_to(find_next_open(self.exercises, self.done, current_name, self._find_answer_with))

    def _find_answer_with(self, exercise: Exercise) -> AnswerFile | None:
        task = self.saves.tasks.get(exercise.chapter)
        return task.answer if task else None
