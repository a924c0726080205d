"""Watches a folder of answers: what is saved is judged, and only that; keys are answered."""

import os
import queue
import threading
import time

from autograder.boundary.zygotes import zygote_for
from autograder.chapters.answers import read_answer
from autograder.chapters.errors import InputError, UnreadableAnswer
from autograder.chapters.selection import chapter_file
from autograder.chapters.tasks import Task
from autograder.grading.one import Grader
from autograder.judging.trusted import solution_session
from autograder.study.folder import record_passes
from autograder.study.footprint import footprints
from autograder.study.listing import place_of
from autograder.study.watching import events
from autograder.study.watching.keys import single_keys

UNREADABLE_SECONDS = 1.0  # an editor that writes a file anew takes less; then it is worth a word
SPOKEN = float("inf")


class Watch:
    """What is known of the answers in a folder, and what a save means.

    Parameters
    ----------
    folder : autograder.study.folder.Folder
    exercises : list of autograder.chapters.chapter.Exercise
        Those to work on.
    screen : autograder.study.watching.screen.Screen
    secret : bytes

    Attributes
    ----------
    current : autograder.chapters.chapter.Exercise or None
        The one to work on; None where all are done.
    last : str or None
        The one that was spoken of last.
    verdicts : dict
        Exercise name -> what was found last.
    """

    def __init__(self, folder, exercises, screen, secret):
        self.folder, self.exercises, self.screen, self.secret = folder, exercises, screen, secret
        names = {exercise.chapter for exercise in exercises}
        self.chapters = [chapter for chapter in folder.chapters if chapter.name in names]
        self.footprints, self.verdicts, self.warm = {}, {}, set()
        self.files, self.cells, self.trouble = {}, {}, {}  # by chapter: signature, code, when to speak of trouble
        self.done, self.current, self.last = set(), None, None

    def run(self, actions):
        """Until the learner quits.

        Parameters
        ----------
        actions : dict
            Key -> function of this object.
        """
        inbox, stop = queue.SimpleQueue(), threading.Event()
        with single_keys() as read:
            self.screen.keys = read is not None
            events.start(events.watch_files, self.folder.path, inbox.put, stop)
            if read:
                events.start(events.read_keys, read, inbox.put, stop)
            try:
                self._begin()
                while True:
                    if inbox.empty():
                        self._do(self._warm_up)
                    kind, what = inbox.get()  # news that there is none ends every wait: Windows could not interrupt it
                    if kind == "files":
                        self._do(self.look, what)
                    elif what == "q":
                        return
                    elif what in actions:
                        self._do(actions[what], self)
            finally:
                stop.set()

    def _begin(self):
        """Read all there is; judge what was not done, or has changed since."""
        known = self.folder.progress.read()
        self.footprints = {name: facts["text"] for name, facts in known.items() if "text" in facts}
        self.done = {exercise.name for exercise in self.exercises if exercise.name in self.footprints}
        with self.screen.busy("reading what there is to do"):
            self.grader = Grader(self.exercises, self.secret)
        self.look(set())
        if self.last is None:
            self.go_on()
            self.screen.lines(
                ["Open the file named below in your editor: each time you save it, it is checked."], clear=True
            )
            self.footer()

    def _do(self, function, *arguments):
        """Whatever goes wrong, the learner goes on saving."""
        try:
            function(*arguments)
        except InputError as error:
            self.screen.note(str(error))
        except Exception as error:
            if os.environ.get("ATTN_TRACEBACK"):
                raise
            told = f"{type(error).__name__}: {error}"
            self.screen.note(f"A fault of ours, not of your answers: {told}. The next save tries again.")
            self.footprints.clear()

    def _warm_up(self):
        """Have what the next save needs ready: a process that can fork, and what the suite asks of the solution."""
        if self.current is None:
            return
        chapter = self.folder.chapter_of(self.current)
        zygote_for(chapter.libraries)
        if self.current.name not in self.warm:
            self.warm.add(self.current.name)
            self.grader.judge.verdict(self.current, solution_session(chapter.name))

    # Saves ------------------------------------------------------------------------------------------------------

    def look(self, names):
        """Read again what was saved, or looks changed, and judge what is new in it.

        Parameters
        ----------
        names : set of str
            File names.
        """
        found = []
        for chapter in self.chapters:
            path = chapter_file(self.folder.path, chapter)
            signature = _signature(path)
            is_new = signature != self.files.get(chapter.name) or (path and path.name in names)
            if is_new or chapter.name in self.trouble:
                self.files[chapter.name] = signature
                found += self._read(chapter, path)
        if found:
            self._tell(found)
            record_passes(self.folder.path, found)

    def _read(self, chapter, path):
        try:
            if path is None:
                raise UnreadableAnswer(f"{self.folder.path / chapter.name}.py is gone")
            answer = read_answer(path)
            if not answer.cells:
                raise UnreadableAnswer(f"{path} is empty")
        except UnreadableAnswer as error:
            self._complain(chapter, f"{error}. Save it again, or type: attn reset {chapter.name}")
            return []
        mended = self.trouble.pop(chapter.name, None) == SPOKEN
        exercises = tuple(exercise for exercise in self.exercises if exercise.chapter == chapter.name)
        before, self.cells[chapter.name] = self.cells.get(chapter.name), answer.cells
        return self._judge(Task(answer, chapter, exercises), is_change=mended or before not in (None, answer.cells))

    def _complain(self, chapter, sentence):
        """Speak of a file that cannot be read, once, and not while an editor may be writing it."""
        due = self.trouble.setdefault(chapter.name, time.monotonic() + UNREADABLE_SECONDS)
        if time.monotonic() >= due:
            self.trouble[chapter.name] = SPOKEN
            self.screen.note(sentence)

    def _judge(self, task, is_change):
        prints = footprints(task.answer, task.exercises)
        changed = [each for each in task.exercises if prints[each.name] != self.footprints.get(each.name)]
        stubs = [each for each in changed if task.answer.is_untouched(each)]
        attempted = tuple(each for each in changed if each not in stubs)
        self.footprints |= prints
        self.done -= {each.name for each in stubs}
        found = []
        if attempted:
            with self.screen.busy(f"checking {', '.join(each.name for each in attempted)}"):
                task = Task(task.answer, task.chapter, attempted)
                found = [(task, verdict) for verdict in self.grader.grade(task)]
        elif is_change:
            again = [each.name for each in stubs if self.verdicts.pop(each.name, None)]
            self.screen.note(f"{' and '.join(again)}: a stub again." if again else "Saved. No answer has changed.")
        return found

    def _tell(self, found):
        """Show what a save has come to, and go on to what is next."""
        verdicts = [verdict for _, verdict in found]
        passed = [verdict.exercise for verdict in verdicts if verdict.outcome == "passed"]
        wrong = [verdict.exercise for verdict in verdicts if verdict.outcome != "passed"]
        glad = [name for name in passed if name not in self.done]
        self.verdicts |= {verdict.exercise: verdict for verdict in verdicts}
        self.done = (self.done | set(passed)) - set(wrong)
        self.last = (wrong or passed)[0]
        self.go_on(wrong[0] if wrong else None)
        self.screen.verdicts(found)
        if glad:
            whole = [each.title for each in self.chapters if _names(each) & set(glad) and _names(each) <= self.done]
            self.screen.glad(glad, len(self.done), whole)
        self.footer()

    # Where to go on ---------------------------------------------------------------------------------------------

    def go_on(self, name=None):
        """Make an exercise the current one; without a name, stay, or go to the next one that is not done."""
        if name:
            self.current = self.folder.exercise(name)
        elif self.current is None or self.current.name in self.done:
            self.skip()

    def skip(self):
        """Go to the next exercise that is not done; after the last, to the first."""
        at = self.exercises.index(self.current) + 1 if self.current else 0
        to_do = [each for each in (*self.exercises[at:], *self.exercises[:at]) if each.name not in self.done]
        self.current = to_do[0] if to_do else None

    def footer(self):
        """How far all this is, and where to go on."""
        step = "Everything is done."
        if self.current:
            verb = "Fix" if self.current.name in self.verdicts else "Next: write"
            step = f"{verb} {self.current.name} in {place_of(self.folder, self.current)}"
        self.screen.footer(len(self.done), len(self.exercises), step)


def _names(chapter):
    return {exercise.name for exercise in chapter.exercises}


def _signature(path):
    try:
        found = os.stat(path) if path else None
    except OSError:  # gone since we looked for it
        return None
    return found and (str(path), found.st_ino, found.st_size, found.st_mtime_ns)
