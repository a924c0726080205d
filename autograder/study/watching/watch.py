"""Watches a folder of answers: what is saved is judged, and only that; keys are answered at any time."""

import functools
import os
import queue
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.boundary.zygotes import zygote_for
from autograder.chapters.chapter import Exercise
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import OURS, InputError, sentence_of
from autograder.chapters.extras import lacking
from autograder.chapters.tasks import Task
from autograder.grading.one import LOCATE_SECONDS, Grader
from autograder.judging.budget import Budget
from autograder.judging.verdict.explanation import Explanation
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.folder import Folder, first_cause, next_open, record_spots, record_verdicts
from autograder.study.watching import events, screen_pages
from autograder.study.watching.actions import ACTIONS
from autograder.study.watching.checker import Checker, Job
from autograder.study.watching.keys import Keyboard, single_keys
from autograder.study.watching.saves import Saves
from autograder.study.watching.screen import Screen

STALE_SECONDS = 1.0  # a key that had to wait longer was meant for another screen
QUIT_SECONDS = 0.2
TakesKey = Callable[[str], "TakesKey | None"]  # gives what takes the next key, if anything


@dataclass(frozen=True)
class Options:
    locates: bool = True  # whether the lines of mistakes are looked for
    stays: bool = False  # whether one stays at an exercise that is done until one goes on
    opens: Callable[[str], None] = lambda place: None  # takes ``file:line`` of each exercise that one comes to


@dataclass(frozen=True)
class Finding:
    task: Task
    verdict: ExerciseVerdict
    time: str


class Watch:
    """What is known of the answers in a folder, and what a save or a key means.

    One thread, this one, owns all of it. Others put what happens into its queue: saves, keys, and what the checker
    finds. Nothing that takes long is done here.
    """

    def __init__(
        self,
        folder: Folder,
        exercises: list[Exercise],
        screen: Screen,
        options: Options = Options(),
    ) -> None:
        self.folder, self.exercises, self.screen, self.options = folder, exercises, screen, options
        self.saves = Saves(folder, exercises, screen)
        self.inbox, self.keyboard = queue.SimpleQueue[object](), Keyboard(lambda seconds: [])
        self.takes_keys: TakesKey | None = None  # in place of the actions
        self.checker, self.warm, self.began = Checker(self.inbox.put), set[str](), 0.0
        self.waiting = list[Callable[[], Iterable]]()  # jobs that keys asked for
        self.judged, self.findings = dict[str, str](), dict[str, Finding]()  # by exercise; the first are footprints
        self.fresh, self.done, self.glad = list[str](), set[str](), set[str]()
        self.failed = self.over = False
        self.drawn: Path | None = None  # the picture on the screen as a file
        self.current: Exercise | None = None
        self.just_done: Exercise | None = None
        self.trail = list[Exercise]()
        self.on_screen: tuple[list[str], list[str]] = [], []  # what the screen shows, and what of it has just been done
        self.unlocated: Finding | None = None  # what is wrong, and its line is still to be looked for

    @property
    def subject(self) -> Exercise:
        """The exercise that a key is about which may be about one that is done."""
        return self.just_done or self.current or self.exercises[-1]

    @functools.cached_property
    def grader(self) -> Grader:
        """Made where it is first asked for, which is in the checker's thread."""
        return Grader(self.exercises, SELF_STUDY, is_hasty=True)

    def run(self) -> None:
        stop = threading.Event()
        with single_keys(lambda: self.inbox.put(events.Resumed())) as keyboard:
            self.screen.keys, self.keyboard = keyboard is not None, keyboard or self.keyboard
            events.start(events.watch_files, self.folder.path, self.inbox.put, stop)
            if keyboard:
                events.start(events.read_keys, keyboard, self.inbox.put, stop)
            try:
                self._do(self._begin)
                while not self.over:
                    self._do(self._keep_checking)
                    self._do(self._handle, self.inbox.get())  # news of nothing ends every wait, also on Windows
            finally:
                stop.set()
                self.checker.close(QUIT_SECONDS)

    def _handle(self, event: object) -> None:
        match event:
            case events.FilesChanged(names):
                self.look(names)
            case events.KeyPressed(key, when):
                if time.monotonic() - when <= STALE_SECONDS:
                    self._key(key)
            case events.JobGave(job, result):
                if job is self.checker.job:
                    result() if callable(result) else self._judge(job, *result)
            case events.JobEnded(job, error):
                if job is self.checker.job:
                    self._end(job, error)
            case events.Resumed():
                self.keyboard.renew()
                self.screen.again()

    def _begin(self) -> None:
        """Read all there is; what was not done, or has changed since, is judged."""
        progress = self.folder.progress.read()
        self.judged = {name: facts["text"] for name, facts in progress.items() if "text" in facts}
        self.done = {exercise.name for exercise in self.exercises if exercise.name in self.judged}
        self.look(at_the_beginning=True)
        self.done -= self._footprints_of(self.due()).keys()
        self.go_on(self.folder.here())
        self.screen.page(*screen_pages.welcome(self))
        self._open()

    def _do(self, function: Callable[..., None], *arguments: object) -> None:
        """Whatever goes wrong, the learner goes on saving."""
        try:
            function(*arguments)
        except InputError as error:
            self.screen.note(str(error))
        except Exception as error:
            if os.environ.get("ATTN_TRACEBACK"):
                raise
            self._fault(error)

    def _fault(self, error: BaseException) -> None:
        self.screen.note(f"{OURS}{sentence_of(error)}. The next save tries again.")
        self.failed = True

    # What happens ------------------------------------------------------------------------------------------------

    def _key(self, key: str) -> None:
        if self.checker.job is None:
            self.screen.status()  # what was said in passing
        if self.takes_keys:
            self.takes_keys = self.takes_keys(key)
        elif key == "q":
            self.over = True
        elif key in ACTIONS:
            ACTIONS[key](self)
        else:
            self.screen.passing(f"{key} means nothing here: ? tells all keys.")

    def look(self, names: Collection[str] = (), at_the_beginning: bool = False) -> None:
        """Files were saved, or it is time to look. Stubs count at once; `_keep_checking` sees to the rest."""
        tasks = self.saves.look(names)
        again = [exercise.name for task in tasks for exercise in task.exercises if self._is_new_stub(task, exercise)]
        self.failed = self.failed and not tasks
        due = self.due()
        stopped = self.checker.job is not None and self._is_out_of_date()
        if stopped:
            self.checker.stop()
        names = list(self._footprints_of(due))
        if tasks and names and not at_the_beginning and not (self.current and self.current.name in names):
            self.go_on(names[0])  # what is worked on now, though no verdict says so yet
        if again:
            self.just_done = self.takes_keys = None
            self.go_on(again[0])
            self.screen.page(*screen_pages.stub_again(self, again))
        elif stopped and not due:  # what is saved now has its verdict already
            self.show()
        elif tasks and not (due or at_the_beginning):
            self.screen.passing(f"Saved at {_now()}. No answer has changed.")

    def _is_out_of_date(self) -> bool:
        """Whether what the checker is at is no longer what the files hold, or not all of it."""
        about = self.checker.job.about if self.checker.job else None
        if about is None:  # it gets something ready, or does what a key asked for: a save comes first
            return bool(self.due())
        now = self.saves.footprints
        return (
            any(now[name] != about[name] for name in about)
            or not self._footprints_of(self.due()).keys() <= about.keys()
        )

    def _is_new_stub(self, task: Task, exercise: Exercise) -> bool:
        name = exercise.name
        if not task.answer.is_untouched(exercise):
            return False
        self.judged[name] = self.saves.footprints[name]
        was_known = name in self.done or name in self.findings
        self.done.discard(name)
        self.findings.pop(name, None)
        return was_known

    def _judge(self, job: Job, task: Task, verdict: ExerciseVerdict) -> None:
        name = verdict.exercise
        self.judged[name] = job.about[name]
        self.findings[name] = Finding(task, verdict, _now())
        if verdict.outcome == "passed" and name not in self.done:
            self.glad.add(name)
        self.done = self.done | {name} if verdict.outcome == "passed" else self.done - {name}
        self.fresh = [other for other in self.fresh if other != name] + [name]

    def _end(self, job: Job, error: BaseException | None) -> None:
        self.checker.job = None
        if job.about:
            self.screen.status()
        self._tell()
        if isinstance(error, InputError):
            self.failed = True
            self.screen.note(str(error))
        elif error is not None:
            self._fault(error)

    # Checking ----------------------------------------------------------------------------------------------------

    def due(self) -> list[Task]:
        """What differs from what was judged last, as tasks."""
        tasks: list[Task] = []
        for task in self.saves.tasks.values():
            changed = tuple(e for e in task.exercises if self.saves.footprints[e.name] != self.judged.get(e.name))
            if changed:
                tasks.append(replace(task, exercises=changed))
        return tasks

    def check(self, tasks: list[Task]) -> None:
        about = self._footprints_of(tasks)
        self.fresh = [name for name in self.fresh if name not in about]

        def work() -> Iterator[tuple[Task, ExerciseVerdict]]:
            for task in sorted(tasks, key=lambda task: bool(lacking(task.chapter.libraries))):  # it ends the work
                for verdict in self.grader.grade(task, self.done):
                    yield task, verdict.carry_forward()

        self.began = time.monotonic()
        self.checker.begin(work, about)

    def _keep_checking(self) -> None:
        """Give the checker something to do: what is due, what keys asked for, or what the next save will need."""
        if self.checker.job is None and not self.failed:
            if due := self.due():
                self.check(due)
            elif self.waiting:
                self.checker.begin(self.waiting.pop(0))
            elif self.unlocated:
                self.checker.begin(functools.partial(self._locate, self.unlocated, self.screen.times_shown))
                self.unlocated = None
            elif self.current and self.current.name not in self.warm:
                self.warm.add(self.current.name)
                self.checker.begin(functools.partial(self._warm_up, self.current))
        self._tick()

    def _warm_up(self, exercise: Exercise) -> tuple:
        """Have what the next save needs ready: a process that can fork, and what the suite asks of the solution."""
        zygote_for(self.folder.chapter_of(exercise).libraries)
        self.grader.judge.suites.batch_of(exercise)
        return ()

    def _locate(self, finding: Finding, times_shown: int) -> Iterator[Callable]:
        """Look for the line of a mistake while its verdict is read already."""
        verdict = replace(finding.verdict)
        if self.grader.explain_line(finding.task, verdict, Budget(LOCATE_SECONDS)):
            yield functools.partial(self._show_line, finding, verdict.explanation, times_shown)

    def _show_line(self, finding: Finding, explanation: Explanation | None, times_shown: int) -> None:
        """Show where a mistake is: in its page, or below where something else was shown since."""
        if self.findings.get(finding.verdict.exercise) is not finding:
            return
        finding.verdict.explanation = explanation
        record_spots(self.folder.path, [(finding.task, finding.verdict)])
        if self.screen.redraw and self.screen.times_shown == times_shown:
            self.screen.page(*screen_pages.verdicts(self, *self.on_screen))
        elif finding.verdict.change:
            self.screen.note(f"{finding.verdict.exercise}: {finding.verdict.change.sentence}")

    def _footprints_of(self, tasks: list[Task]) -> dict[str, str]:
        return {exercise.name: self.saves.footprints[exercise.name] for task in tasks for exercise in task.exercises}

    def _tick(self) -> None:
        """Say what is being done and for how long, so that nothing on the screen is taken for newer than it is."""
        if self.checker.job is None or not self.checker.job.about:
            return
        about, seconds = self.checker.job.about, time.monotonic() - self.began
        names = [name for name in about if name not in self.fresh] or list(about)
        rest = f" and {len(names) - 1} more" * (len(names) > 1)
        text = f"Checking {names[0]}{rest}"
        self.screen.status(f"{text} ... {f'{seconds:.0f} s, keys and saves work ' if seconds >= 1 else ''}".rstrip())

    # Where the learner is ----------------------------------------------------------------------------------------

    def _tell(self) -> None:
        """Show what a save has come to, and go on to what is next."""
        names, self.fresh = [name for name in self.fresh if name in self.findings], list[str]()
        if not names:
            return
        fresh = [self.findings[name] for name in names]
        record_verdicts(self.folder.path, [(finding.task, finding.verdict) for finding in fresh])
        glad = [exercise.name for exercise in self.exercises if exercise.name in self.glad and exercise.name in names]
        self.glad = set()
        wrong = [finding.verdict.exercise for finding in fresh if finding.verdict.outcome != "passed"]
        self.takes_keys = self.drawn = None
        self.just_done = self.folder.exercise(glad[-1]) if glad and not wrong else None
        before = self.current
        if self.just_done and self.options.stays:
            self.current = self.just_done
        else:
            self.go_on(wrong[0] if wrong else None)
        if before and self.current and before.chapter != self.current.chapter:
            self._open()
        self.on_screen = names, glad
        self.unlocated = self.findings[wrong[0]] if wrong and self.options.locates else None
        self.screen.page(*screen_pages.verdicts(self, names, glad))

    def go_on(self, name: str | None = None) -> None:
        """Make an exercise the current one, or what it waits for; without a name, the next one that is not done."""
        before = self.current
        here = name or (before.name if before else None)
        self.current = next_open(self.exercises, self.done, here)
        if self.current and (task := self.saves.tasks.get(self.current.chapter)):
            cause = first_cause(self.current, task, self.done)
            self.current = cause if cause in self.exercises else self.current
        if before and before is not self.current:
            self.trail.append(before)
        if self.current and self.current is not before:
            self.folder.go_to(self.current.name)

    def jump(self, exercise: Exercise) -> None:
        if self.current and exercise is not self.current:
            self.trail.append(self.current)
        self.current, self.just_done = exercise, None
        self.folder.go_to(exercise.name)
        self.show()
        self._open()

    def _open(self) -> None:
        """Have an editor come along, where it goes by itself: not within a file, for somebody may be typing there."""
        if self.current:
            self.options.opens(screen_pages.place(self, self.current))

    def show(self) -> None:
        self.takes_keys = self.drawn = None
        self.screen.page(*screen_pages.current(self))


def _now() -> str:
    return time.strftime("%H:%M:%S")
