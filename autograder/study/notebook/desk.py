"""What a running notebook holds, in the place of a learner's folder: answers are what ran, not what is saved."""

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from autograder.chapters import curriculum
from autograder.chapters.answers import AnswerFile, Task
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.study.folder import DONE, PROGRESS_FOLDER, Folder, progress_in, state_of
from autograder.study.notebook.judging import defined_in, tasks_here
from autograder.study.progress import Progress


class Desk(Folder):
    """A notebook as a `Folder`: beside a script its progress is the script's, else it ends with the kernel."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell, self.chapters = shell, [read_chapter(name) for name in curriculum.CHAPTERS]
        has_script = any(Path(f"{name}.py").is_file() for name in curriculum.CHAPTERS)
        self.path = Path() if has_script and progress_in(Path()) else scratch()
        self.progress = Progress(self.path / PROGRESS_FOLDER)

    def task(self, exercise: Exercise) -> Task:
        """The answer to one exercise as it ran; one without code where nothing did."""
        chapter = self.chapter_of(exercise)
        nothing = Task(AnswerFile("this notebook", (), notebook=True), chapter, (exercise,))
        return next(iter(tasks_here(self.shell, [chapter], {exercise.name})), nothing)

    def states(self) -> dict[str, str]:
        """As a folder's; of what the notebook defines, its own."""
        progress, states = self.progress.read(), super().states()
        for chapter in self.chapters:
            for exercise in map(chapter.exercise, defined_in(self.shell, chapter)):
                states[exercise.name] = state_of(self.task(exercise).answer, exercise, progress.get(exercise.name, {}))
        return states

    def current(self, states: dict[str, str] | None = None) -> Exercise | None:
        """Return the one checked last, or the first to do of the notebook's chapters; else as in a folder."""
        states = states or self.states()
        here = [
            exercise for chapter in self.chapters if defined_in(self.shell, chapter) for exercise in chapter.exercises
        ]
        to_do = [exercise for exercise in here if states[exercise.name] not in DONE]
        last = (exercise for exercise in to_do if exercise.name == self.here())
        return next(last, next(iter(to_do), None)) or super().current(states)


@functools.cache
def scratch() -> Path:
    path = Path(tempfile.mkdtemp(prefix="attn-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path
