"""Watches a folder of answers: what is saved is judged, and only that; keys are answered at any time."""

import functools
import os
import queue
import threading
import time
from dataclasses import dataclass, replace

from autograder.boundary.zygotes import zygote_for
from autograder.chapters.errors import InputError, sentence_of
from autograder.chapters.extras import lacking
from autograder.chapters.tasks import Task
from autograder.grading.one import LOCATE_SECONDS, Grader
from autograder.judging.verdict import ExerciseVerdict
from autograder.study.folder import record_spots, record_verdicts
from autograder.study.place import first_cause, next_open
from autograder.study.watching import events, pages
from autograder.study.watching.checker import Checker
from autograder.study.watching.keys import single_keys
from autograder.study.watching.saves import Saves

STALE_SECONDS = 1.0  # a key that had to wait longer was meant for another screen
QUIT_SECONDS = 0.2


@dataclass(frozen=True)
class Found:
    """A verdict, what it is about, and when it was found."""

    task: Task
    verdict: ExerciseVerdict
    time: str


class Watch:
    """What is known of the answers in a folder, and what a save or a key means.

    One thread, this one, owns all of it. Others put what happens into its queue: saves, keys, and what the checker
    finds. Nothing that takes long is done here.

    Parameters
    ----------
    folder : autograder.study.folder.Folder
    exercises : list of autograder.chapters.chapter.Exercise
        Those to work on.
    screen : autograder.study.watching.screen.Screen
    secret : bytes
    locates : bool
        Whether the lines of mistakes are looked for.

    Attributes
    ----------
    current : autograder.chapters.chapter.Exercise or None
        The one to work on; None where all are done.
    last : str or None
        The one that was spoken of last.
    found : dict
        Exercise name -> `Found` last.
    takes_keys : callable or None
        What the next key goes to, such as the answer to a question; it gives what takes the one after, or None.
    """

    def __init__(self, folder, exercises, screen, secret, locates=True):
        self.folder, self.exercises, self.screen, self.secret = folder, exercises, screen, secret
        self.locates = locates
        self.saves = Saves(folder, exercises, screen.note)
        self.inbox, self.keyboard, self.takes_keys, self.over = queue.SimpleQueue(), None, None, False
        self.checker, self.waiting, self.warm = Checker(self.inbox.put), [], set()
        self.judged, self.found, self.fresh, self.done, self.glad = {}, {}, [], set(), set()
        self.began, self.failed, self.drawn = 0.0, False, None
        self.current, self.last, self.trail = None, None, []
        self.told = (), set()  # names that the screen shows, and those of them that have just been done
        self.unlocated = None  # what is `Found` and wrong, and its line is still to be looked for

    @functools.cached_property
    def grader(self):
        """Made where it is first asked for, which is in the checker's thread."""
        return Grader(self.exercises, self.secret, is_hasty=True)

    def run(self, actions):
        """Until the learner quits.

        Parameters
        ----------
        actions : dict
            Key -> function of this object.
        """
        stop, self.actions = threading.Event(), actions
        with single_keys() as self.keyboard:
            self.screen.keys = self.keyboard is not None
            events.start(events.watch_files, self.folder.path, self.inbox.put, stop)
            if self.keyboard:
                events.start(events.read_keys, self.keyboard, self.inbox.put, stop)
            try:
                self._do(self._begin)
                while not self.over:
                    kind, what = self.inbox.get()  # news that there is none ends every wait: Windows cannot interrupt
                    self._do(getattr(self, f"_{kind}"), what)
                    self._do(self._keep_checking)
            finally:
                stop.set()
                self.checker.close(QUIT_SECONDS)

    def _begin(self):
        """Read all there is; what was not done, or has changed since, is judged."""
        known = self.folder.progress.read()
        self.judged = {name: facts["text"] for name, facts in known.items() if "text" in facts}
        self.done = {exercise.name for exercise in self.exercises if exercise.name in self.judged}
        self._files(set(), at_the_beginning=True)
        self.done -= self._footprints_of(self.due()).keys()
        self.go_on(self.folder.here())
        self.screen.page(*pages.welcome(self))

    def _do(self, function, *arguments):
        """Whatever goes wrong, the learner goes on saving."""
        try:
            function(*arguments)
        except InputError as error:
            self.screen.note(str(error))
        except Exception as error:
            if os.environ.get("ATTN_TRACEBACK"):
                raise
            self._fault(error)

    def _fault(self, error):
        self.screen.note(f"A fault of ours, not of your answers: {sentence_of(error)}. The next save tries again.")
        self.failed = True

    # What happens ------------------------------------------------------------------------------------------------

    def _key(self, what):
        key, when = what
        if time.monotonic() - when > STALE_SECONDS:
            return
        if self.takes_keys:
            self.takes_keys = self.takes_keys(key)
        elif key == "q":
            self.over = True
        elif key in self.actions:
            self.actions[key](self)

    def _files(self, names, at_the_beginning=False):
        """Files were saved, or it is time to look. Stubs count at once; `_keep_checking` sees to the rest."""
        read = self.saves.look(names)
        again = [each.name for task in read for each in task.exercises if self._is_new_stub(task, each)]
        self.failed = self.failed and not read
        due = self.due()
        stopped = self.checker.job is not None and self._is_out_of_date()
        if stopped:
            self.checker.stop()
        names = list(self._footprints_of(due))
        if read and names and not at_the_beginning and not (self.current and self.current.name in names):
            self.go_on(names[0])  # what is worked on now, though no verdict says so yet
        if again:
            self.last, self.takes_keys = again[0], None
            self.go_on(again[0])
            self.screen.page(*pages.stub_again(self, again))
        elif stopped and not due:  # what is saved now has its verdict already
            self.show()
        elif read and not (due or at_the_beginning):
            self.screen.passing(f"Saved at {_now()}. No answer has changed.")

    def _is_out_of_date(self):
        """Whether what the checker is at is no longer what the files hold, or not all of it."""
        about = self.checker.job.about if self.checker.job else None
        if about is None:  # it gets something ready, or does what a key asked for: a save comes first
            return bool(self.due())
        now = self.saves.footprints
        return (
            any(now[name] != about[name] for name in about)
            or not self._footprints_of(self.due()).keys() <= about.keys()
        )

    def _is_new_stub(self, task, exercise):
        """Whether an exercise is a stub and was none before."""
        name = exercise.name
        if not task.answer.is_untouched(exercise):
            return False
        self.judged[name] = self.saves.footprints[name]
        was_known = name in self.done or name in self.found
        self.done.discard(name)
        self.found.pop(name, None)
        return was_known

    def _found(self, what):
        job, found = what
        if job is not self.checker.job:
            return
        if callable(found):  # what another kind of job wants to be done here
            found()
            return
        task, verdict = found
        name = verdict.exercise
        self.judged[name] = job.about[name]
        self.found[name] = Found(task, verdict, _now())
        if verdict.outcome == "passed" and name not in self.done:
            self.glad.add(name)
        self.done = self.done | {name} if verdict.outcome == "passed" else self.done - {name}
        self.fresh = [each for each in self.fresh if each != name] + [name]

    def _finished(self, what):
        job, error = what
        if job is not self.checker.job:
            return
        self.checker.job = None
        if job.about:
            self.screen.status()
        if isinstance(error, InputError):
            self.failed = True
            self.screen.note(str(error))
        elif error is not None:
            self._fault(error)
        self._tell()

    def _said(self, sentence):
        self.screen.note(sentence)

    def _drew(self, path):
        self.drawn = path
        self.screen.note(f"The same as a file: {path}    o opens it")

    # Checking ----------------------------------------------------------------------------------------------------

    def due(self):
        """What differs from what was judged last, as tasks."""
        tasks = []
        for task in self.saves.tasks.values():
            changed = tuple(e for e in task.exercises if self.saves.footprints[e.name] != self.judged.get(e.name))
            if changed:
                tasks.append(replace(task, exercises=changed))
        return tasks

    def check(self, tasks):
        """Have the checker judge this, in place of whatever it does."""
        about = self._footprints_of(tasks)
        self.fresh = [name for name in self.fresh if name not in about]

        def work():
            for task in sorted(tasks, key=lambda task: bool(lacking(task.chapter.libraries))):  # it ends the work
                for verdict in self.grader.grade(task, self.done):
                    yield task, verdict

        self.began = time.monotonic()
        self.checker.begin(work, about)

    def _keep_checking(self):
        """Give the checker something to do: what is due, what keys asked for, or what the next save will need."""
        if self.checker.job is None and not self.failed:
            if due := self.due():
                self.check(due)
            elif self.waiting:
                self.checker.begin(self.waiting.pop(0))
            elif self.unlocated:
                self.checker.begin(functools.partial(self._locate, self.unlocated, self.screen.shown))
                self.unlocated = None
            elif self.current and self.current.name not in self.warm:
                self.warm.add(self.current.name)
                self.checker.begin(functools.partial(self._warm_up, self.current))
        self._tick()

    def _warm_up(self, exercise):
        """Have what the next save needs ready: a process that can fork, and what the suite asks of the solution."""
        zygote_for(self.folder.chapter_of(exercise).libraries)
        self.grader.judge.batch_of(exercise)
        return ()

    def _locate(self, found, shown):
        """Look for the line of a mistake while its verdict is read already."""
        located = self.grader.locate(found.task, found.verdict, LOCATE_SECONDS)
        if located:
            yield functools.partial(self._located, found, located, shown)

    def _located(self, found, located, shown):
        """Show where a mistake is: in its page, or below where something else was shown since."""
        if self.found.get(found.verdict.exercise) is not found:
            return
        found.verdict.located = located
        record_spots(self.folder.path, [(found.task, found.verdict)])
        if self.screen.redraw and self.screen.shown == shown:
            self.screen.page(*pages.verdicts(self, *self.told))
        else:
            self.screen.note(f"{found.verdict.exercise}: {located.sentence}")

    def _footprints_of(self, tasks):
        return {each.name: self.saves.footprints[each.name] for task in tasks for each in task.exercises}

    def _tick(self):
        """Say what is being done and for how long, so that nothing on the screen is taken for newer than it is."""
        if self.checker.job is None or not self.checker.job.about:
            return
        about, seconds = self.checker.job.about, time.monotonic() - self.began
        names = [name for name in about if name not in self.fresh] or list(about)
        rest = f" and {len(names) - 1} more" * (len(names) > 1)
        told = f"Checking {names[0]}{rest}"
        self.screen.status(f"{told} ... {f'{seconds:.0f} s, keys and saves work ' if seconds >= 1 else ''}".rstrip())

    # Where the learner is ----------------------------------------------------------------------------------------

    def _tell(self):
        """Show what a save has come to, and go on to what is next."""
        names, self.fresh = [name for name in self.fresh if name in self.found], []
        if not names:
            return
        fresh = [self.found[name] for name in names]
        record_verdicts(self.folder.path, [(each.task, each.verdict) for each in fresh])
        glad, self.glad = [name for name in names if name in self.glad], set()
        wrong = [each.verdict.exercise for each in fresh if each.verdict.outcome != "passed"]
        self.last, self.takes_keys, self.drawn = (wrong or names)[0], None, None
        self.go_on(wrong[0] if wrong else None)
        self.told, self.unlocated = (names, glad), self.found[wrong[0]] if wrong and self.locates else None
        self.screen.page(*pages.verdicts(self, names, glad))

    def go_on(self, name=None):
        """Make an exercise the current one, or what it waits for; without a name, the next one that is not done."""
        before = self.current
        here = name or (before and before.name)
        self.current = next_open(self.exercises, self.done, here)
        if self.current and (task := self.saves.tasks.get(self.current.chapter)):
            cause = first_cause(self.current, task, self.done)
            self.current = cause if cause in self.exercises else self.current
        if before and before is not self.current:
            self.trail.append(before)
        if self.current and self.current is not before:
            self.folder.go_to(self.current.name)

    def jump(self, exercise):
        """Make an exercise the current one, done or not, and show what is known of it."""
        if self.current and exercise is not self.current:
            self.trail.append(self.current)
        self.current = exercise
        self.folder.go_to(exercise.name)
        self.show()

    def show(self):
        """What is known of the current exercise."""
        self.takes_keys = self.drawn = None
        self.screen.page(*(pages.where_one_is(self) if self.current else pages.welcome(self)))


def _now():
    return time.strftime("%H:%M:%S")
