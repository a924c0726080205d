"""The main loop of `attn watch`, which judges saved answers and handles keys at any time."""

import functools
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from autograder.boundary.channel import get_zygote
from autograder.chapters.answers import Task
from autograder.chapters.chapter import Exercise
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import OURS, InputError, sentence_of
from autograder.chapters.extras import find_missing_extra
from autograder.judging.budget import Budget
from autograder.judging.grader import LOCATE_SECONDS, Grader
from autograder.judging.verdict.finding import Explanation
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.folder import record_located_lines
from autograder.study.verbs import check, locate
from autograder.study.watching import actions, events
from autograder.study.watching.actions import ACTIONS, format_time, handle_saves, handle_verdicts
from autograder.study.watching.events import CheckerThread, open_keyboard
from autograder.study.watching.state import JudgedTask, WatchState

STALE_SECONDS = 1.0  # an older key press is ignored, because it was meant for the previous page
QUIT_SECONDS = 0.2


class WatchLoop:
    """A loop over a queue of events: saves, keys, and results of the checker."""

    def __init__(self, state: WatchState) -> None:
        self.state, self.screen = state, state.screen
        self.inbox = queue.SimpleQueue[object]()
        self.checker, self.began = CheckerThread(self.inbox.put), 0.0
        self.warm = set[str]()
        self.is_over = False

    @functools.cached_property
    def grader(self) -> Grader:
        """Return the grader, which is created on first use, in the checker's thread."""
        return Grader(self.state.exercises, SELF_STUDY, is_interactive=True)

    def run(self) -> None:
        stop = threading.Event()
        with open_keyboard(lambda: self.inbox.put(events.ProcessResumed())) as keyboard:
            events.start_thread(events.watch_files, self.state.folder.path, self.inbox.put, stop)
            if keyboard:
                self.screen.keys, self.state.keyboard = True, keyboard
                events.start_thread(events.read_keys, keyboard, self.inbox.put, stop)
            try:
                self._run_safely(self._read_all)
                while not self.is_over:
                    self._run_safely(self._start_next_job)
                    # `watch_files` sends regular events, because on Windows Ctrl-C does not interrupt an endless wait.
                    self._run_safely(self._handle, self.inbox.get())
            finally:
                stop.set()
                self.checker.close(QUIT_SECONDS)

    def _handle(self, event: object) -> None:
        match event:
            case events.FilesChanged():
                handle_saves(self.state)
            case events.KeyPressed(key, when) if time.monotonic() - when <= STALE_SECONDS:
                self._handle_key(key)
            case events.JobResult(job, result) if job is self.checker.job:
                result() if callable(result) else self._add_verdict(*result)
            case events.JobEnded(job, error) if job is self.checker.job:
                self._end_job(error)
            case events.ProcessResumed():
                self.state.keyboard.renew()
                self.screen.redraw()

    def _read_all(self) -> None:
        """Read all answers and show the first page. Unfinished and changed exercises will be judged."""
        state, progress = self.state, self.state.folder.progress.read()
        state.judged = {name: facts["text"] for name, facts in progress.items() if "text" in facts}
        state.done = {exercise.name for exercise in state.exercises if exercise.name in state.judged}
        state.forget_stubs(state.saves.read_changes())
        state.done -= state.find_due().keys()
        state.go_to_next(state.folder.read_last_visited())
        self.screen.show_page(*actions.build_welcome_page(state))

    def _run_safely(self, function: Callable[..., None], *arguments: object) -> None:
        """Call a function. If it raises an error, show the error, so that the learner can continue."""
        try:
            function(*arguments)
        except InputError as error:
            self.screen.add_note(str(error))
        except Exception as error:
            if os.environ.get("ATTN_TRACEBACK"):
                raise
            self._report_fault(error)

    def _report_fault(self, error: BaseException) -> None:
        self.screen.add_note(f"{OURS}{sentence_of(error)}. The next save tries again.")
        self.state.failed = True

    def _handle_key(self, key: str) -> None:
        if self.checker.job is None:
            self.screen.show_status()  # Remove the temporary message.
        if answer := self.state.takes_keys:
            self.state.takes_keys = None
            answer(key)
        elif key == "q":
            self.is_over = True
        elif key in ACTIONS:
            ACTIONS[key][0](self.state)
        else:
            self.screen.show_briefly(f"{key} has no meaning here: ? lists all keys.")

    def _add_verdict(self, task: Task, verdict: ExerciseVerdict) -> None:
        state, name = self.state, verdict.exercise
        state.judged[name] = state.checking[name]
        state.findings[name] = JudgedTask(task, verdict, format_time())
        if verdict.outcome == "passed" and name not in state.done:
            state.newly_passed.add(name)
        state.done = state.done | {name} if verdict.outcome == "passed" else state.done - {name}
        state.unshown = [other for other in state.unshown if other != name] + [name]

    def _end_job(self, error: BaseException | None) -> None:
        self.checker.job = None
        if self.state.checking:
            self.screen.show_status()
        self.state.checking = {}
        handle_verdicts(self.state)
        if isinstance(error, InputError):
            self.state.failed = True
            self.screen.add_note(str(error))
        elif error is not None:
            self._report_fault(error)

    # Checking ----------------------------------------------------------------------------------------------------

    def _start_next_job(self) -> None:
        """Start the checker's next job: check changed code, locate a mistake, or prepare for the next save."""
        state = self.state
        if state.is_out_of_date():
            self.checker.stop()
            state.checking = {}
        if self.checker.job is None and not state.failed:
            if state.find_due():
                self._start_check()
            elif state.unlocated:
                self.checker.begin(functools.partial(self._locate, state.unlocated))
                state.unlocated = None
            elif state.current and state.current.name not in self.warm:
                self.warm.add(state.current.name)
                self.checker.begin(functools.partial(self._warm_up, state.current))
        self._show_progress()

    def _start_check(self) -> None:
        state = self.state
        state.checking = subject = state.find_due()
        state.unshown = [name for name in state.unshown if name not in subject]
        due = ((task, tuple(e for e in task.exercises if e.name in subject)) for task in state.saves.tasks.values())
        tasks = [replace(task, exercises=exercises) for task, exercises in due if exercises]
        # A missing library ends the job, so tasks with a missing library come last.
        tasks.sort(key=lambda task: bool(find_missing_extra(task.chapter.libraries)))
        self.began = time.monotonic()
        self.checker.begin(lambda: check(self.grader, tasks, state.done))

    def _warm_up(self, exercise: Exercise) -> tuple:
        """Start the zygote and record the suite's requests in advance, so that the next save is judged faster."""
        get_zygote(self.state.folder.chapter_of(exercise).libraries)
        self.grader.judge.suites.get_batch(exercise)
        return ()

    def _locate(self, finding: JudgedTask) -> Iterator[Callable]:
        """Yield a function that shows the line of a mistake, located while the learner reads the verdict."""
        verdict = replace(finding.verdict)
        for _ in locate(self.grader, [(finding.task, verdict)], Budget(LOCATE_SECONDS)):
            yield functools.partial(self._show_line, finding, verdict.explanation)

    def _show_line(self, finding: JudgedTask, explanation: Explanation | None) -> None:
        """Add the located line to the verdict, and show it in a note."""
        state, verdict = self.state, finding.verdict
        if state.findings.get(verdict.exercise) is not finding:
            return
        verdict.explanation = explanation
        record_located_lines(state.folder.path, [(finding.task, verdict)])
        if verdict.change:
            self.screen.add_note(f"{verdict.exercise}: {verdict.change.sentence}")

    def _show_progress(self) -> None:
        """Show the names of the exercises that are being checked, and the time so far."""
        if checking := self.state.checking:
            seconds = time.monotonic() - self.began
            names = [name for name in checking if name not in self.state.unshown] or list(checking)
            others = f" and {len(names) - 1} more" * (len(names) > 1)
            time_taken = f" {seconds:.0f} s, keys and saves work" if seconds >= 1 else ""
            self.screen.show_status(f"Checking {names[0]}{others} ...{time_taken}")
