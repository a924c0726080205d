"""A learner's folder: the answers in it, the progress beside them, and where to go on."""

import datetime
import functools
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.answers import read_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.selection import chapter_file, find_exercise, wanted_names
from autograder.chapters.tasks import Task
from autograder.study.footprint import footprints, footprints_as_run
from autograder.study.progress import Progress

KEPT = ".attn"  # what is kept beside the answers


class Folder:
    """The chapter files of one learner.

    Parameters
    ----------
    path : pathlib.Path

    Raises
    ------
    UnreadableAnswer
        Where there is no such folder, or no chapter in it.
    """

    def __init__(self, path):
        self.path, self.chapters = Path(path), [read_chapter(name) for name in curriculum.CHAPTERS]
        if not self.path.is_dir():
            raise UnreadableAnswer(f"{path} is no folder: go to the course's folder, or name yours with --answers")
        if not any(chapter_file(self.path, chapter) for chapter in self.chapters):
            names = ", ".join(f"{chapter.name}.py" for chapter in self.chapters)
            raise UnreadableAnswer(f"{path} holds no chapter file ({names})")
        kept = self.path / KEPT
        self.progress, self.pictures = Progress(kept), kept / "pictures"

    @functools.cached_property
    def exercises(self):
        """All exercises, in the order in which they are taught."""
        return [exercise for chapter in self.chapters for exercise in chapter.exercises]

    def exercise(self, name=None):
        """The exercise of that name, or else the current one; `UnknownName` where there is none."""
        return find_exercise(self.chapters, name) if name else self.current()

    def chosen(self, names):
        """The exercises of these names, or of the chapters of these names; all where none is given."""
        wanted = wanted_names(names, self.chapters)
        return [each for each in self.exercises if wanted is None or each.name in wanted]

    def chapter_of(self, exercise):
        """The chapter of an exercise."""
        return next(chapter for chapter in self.chapters if chapter.name == exercise.chapter)

    def file_of(self, exercise):
        """The file that an exercise belongs in; `UnreadableAnswer` where it is missing."""
        chapter = self.chapter_of(exercise)
        path = chapter_file(self.path, chapter)
        if path is None:
            missing = self.path / f"{chapter.name}.py"
            raise UnreadableAnswer(f"{missing} does not exist: `attn reset {chapter.name}` writes it anew")
        return path

    def task(self, exercise):
        """The answer to one exercise, to be graded."""
        return Task(read_answer(self.file_of(exercise)), self.chapter_of(exercise), (exercise,))

    def states(self):
        """Exercise name -> "done", "changed" (since it was), "begun" or "to do"; nothing is run."""
        known, states = self.progress.read(), {}
        for chapter in self.chapters:
            path = chapter_file(self.path, chapter)
            answer = Task(read_answer(path), chapter, ()).answer if path else None
            prints = [of(answer, chapter.exercises) for of in (footprints, footprints_as_run)] if path else []
            for exercise in chapter.exercises:
                facts = known.get(exercise.name, {})
                if answer is None or exercise.name not in answer.definitions or answer.is_untouched(exercise):
                    state = "to do"
                elif "passed" in facts:
                    is_same = any(facts.get("text") == each[exercise.name] for each in prints)
                    state = "done" if is_same else "changed"
                else:
                    state = "begun"
                states[exercise.name] = state
        return states

    def current(self):
        """The first exercise that is begun, or else to do; None where all are done."""
        states = self.states()
        for wanted in (("begun", "changed"), ("to do",)):
            for exercise in self.exercises:
                if states[exercise.name] in wanted:
                    return exercise
        return None


def progress_in(folder):
    """The progress in a folder of answers; None where there is no such folder, or it is the kit's own."""
    return Progress(folder / KEPT) if folder.is_dir() and folder.resolve() != curriculum.SOLUTIONS else None


def record_passes(folder, verdicts, digests=footprints):
    """Keep which exercises are done.

    Parameters
    ----------
    folder : pathlib.Path
        Where the answers lie.
    verdicts : list of (Task, ExerciseVerdict)
    digests : callable
        `footprints`, or what else tells whether an answer has changed.
    """
    passed = [(task, verdict.exercise) for task, verdict in verdicts if verdict.outcome == "passed"]
    if not passed or not (progress := progress_in(folder)):
        return
    texts = {}
    for task, _ in passed:
        texts |= digests(task.answer, task.exercises)
    today = datetime.date.today().isoformat()

    def edit(known):
        for _, name in passed:
            facts = known.setdefault(name, {})
            facts.setdefault("passed", today)
            facts["text"] = texts[name]

    progress.change(edit)
