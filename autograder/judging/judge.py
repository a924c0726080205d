"""A judge of answers, whose suites are collected once.

A suite makes the same requests to every answer, so they are sent in one message, and equal replies get equal verdicts.
"""

import time
from collections.abc import Iterable

from autograder.boundary.session import AnswerRefused, AnswerSession, refuse_shortcut
from autograder.chapters.chapter import Exercise
from autograder.chapters.text import clean
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import MAX_LOST_CALLS, MAX_LOST_INTERACTIVE_CALLS
from autograder.judging.ask.evidence import Evidence
from autograder.judging.budget import Budget
from autograder.judging.run.batch import Batch, ReplayedSession
from autograder.judging.run.kit_code import open_solution_session
from autograder.judging.run.printed_calls import pop_prints
from autograder.judging.run.suites import collect_suites, find_refusal, make_passing_verdict
from autograder.judging.verdict.finding import Cost
from autograder.judging.verdict.verdict import ExerciseVerdict

MAX_REMEMBERED = 1000  # verdicts
MAX_REASON_LENGTH = 400  # characters quoted from another cell's error


class Judge:
    """A judge of answers to some exercises, with inputs generated from a secret."""

    def __init__(self, exercises: Iterable[Exercise], secret: bytes, is_interactive: bool = False) -> None:
        self.suites = collect_suites(exercises, secret)
        self.is_interactive, self.asked_once = is_interactive, set[str]()  # exercises that were judged before
        self.known_verdicts: dict[tuple[str, bytes], ExerciseVerdict] = {}  # exercise and hash of replies -> verdict

    def judge(self, exercise: Exercise, session: AnswerSession | None, budget: Budget | None = None) -> ExerciseVerdict:
        """Return the verdict on one exercise of an answer. Without a session, the answer is the unchanged stub."""
        return ExerciseRun(self, exercise, session, budget or Budget()).run()

    def skip(self, exercise: Exercise, cause: str) -> ExerciseVerdict:
        """Return the verdict on an exercise that is skipped because it calls `cause`, which timed out."""
        trial = ExerciseRun(self, exercise, None, Budget())
        finding = f"Not tried: {exercise.name} uses {cause}, which gave no result in time."
        trial.refuse(AnswerRefused("timeout", finding))
        return trial.verdict

    def prepare_batch(self, exercise: Exercise) -> Batch | None:
        """Return a suite's requests as a batch, or None for an interactive grader's first answer: recording is slow."""
        if self.is_interactive and exercise.name not in self.asked_once:
            self.asked_once.add(exercise.name)
            return None
        return self.suites.get_batch(exercise)

    def remember(self, key: tuple[str, bytes], verdict: ExerciseVerdict) -> None:
        """Store a verdict to reuse it for equal replies, and remove the oldest one if there are too many."""
        self.known_verdicts[key] = verdict
        if len(self.known_verdicts) > MAX_REMEMBERED:
            del self.known_verdicts[next(iter(self.known_verdicts))]


class ExerciseRun:
    def __init__(self, judge: Judge, exercise: Exercise, session: AnswerSession | None, budget: Budget) -> None:
        self.owner, self.exercise, self.session, self.budget = judge, exercise, session, budget
        self.tests = judge.suites.get_tests(exercise.name)
        self.verdict = ExerciseVerdict(exercise.chapter, exercise.name, [])

    def run(self) -> ExerciseVerdict:
        start, verdict, session = time.perf_counter(), self.verdict, self.session
        with verdict.isolate_failures(self.budget):
            self._judge()
        if len(verdict.tests) < len(self.tests):  # An exception of the grader ended the suite.
            self.refuse(AnswerRefused("fault", verdict.explanation_error))
            verdict.explanation_error = ""
        if session is not None:
            redefined = session.file.describe_redefinition(verdict.exercise) if session.file else ""
            verdict.stopped = clean(session.pop_interrupted_cell() or (f"{redefined}." if redefined else ""))
            shown_call = verdict.shown_test.shown_call if verdict.shown_test else None
            batch = self.owner.suites.batches.get(self.exercise.name)
            with verdict.isolate_failures(self.budget):
                verdict.printed, verdict.printed_where = pop_prints(session, shown_call, batch, self.budget)
        if session and session.file and verdict.outcome in ("wrong", "raised"):
            self._explain(session=session)
            session.pop_output()  # Discard the output of calls that explainers repeated.
        verdict.seconds = time.perf_counter() - start
        return verdict

    def refuse(self, refusal: AnswerRefused) -> None:
        self.verdict.tests = [make_passing_verdict(test) for test in self.tests]
        for test in self.verdict.tests:
            test.fail(refusal.outcome, refusal.finding, refusal.call, refusal.error, refusal.reason)

    def _judge(self) -> None:
        exercise, session = self.exercise, self.session
        if session is None:
            self.refuse(AnswerRefused("unattempted", f"{exercise.name} is still to do."))
        elif refusal := find_refusal(exercise, session):
            self.refuse(refusal)
            self._explain()
        else:
            self._judge_attempt(session)
            self._add_failed_cell(session)
            if session.file and not session.file.is_untouched(exercise) and self.verdict.outcome == "unattempted":
                self._report_leftover_stub()
                self._explain()

    def _judge_attempt(self, session: AnswerSession) -> None:
        """Judge code that is not the stub. All requests are sent in one message if possible, otherwise one by one."""
        verdict, owner = self.verdict, self.owner
        # The requests of slow exercises are sent one by one.
        batch = owner.prepare_batch(self.exercise) if session.worker and not self.exercise.seconds else None
        replies = session.play_batch(batch) if batch else None
        if replies is None:
            self._run_suite(session)
        elif replies.key in owner.known_verdicts:
            verdict.copy_findings_from(owner.known_verdicts[replies.key])
        elif values := replies.decode():
            replay = ReplayedSession(session, replies, values)
            self._run_suite(replay)
            if not verdict.explanation_error and not replay.has_ever_left_batch and verdict.outcome != "fault":
                # Keep a copy: the explanation may later change with the answer's source.
                findings = ExerciseVerdict(verdict.chapter, verdict.exercise, [])
                findings.copy_findings_from(verdict)
                owner.remember(replies.key, findings)
        else:
            session.start_afresh()
            self._run_suite(session)

    def _run_suite(self, session: AnswerSession) -> None:
        verdict, exercise = self.verdict, self.exercise
        max_lost = MAX_LOST_INTERACTIVE_CALLS if self.owner.is_interactive else MAX_LOST_CALLS
        answer = Answer.for_exercise(exercise, session, max_lost)
        for number, test in enumerate(self.tests):
            session.test = number
            verdict.tests.append(self.owner.suites.run_test(test, answer, exercise))
        if caught := next((test for test in verdict.tests if test.outcome == "forbidden"), None):
            self.refuse(_make_late_refusal(caught.error or {}, exercise, session))
        evidence, shown_test = None, verdict.shown_test
        if shown_test and verdict.outcome in ("wrong", "raised"):
            solution = open_solution_session(exercise.chapter)
            evidence = Evidence.collect(exercise, answer.calls, solution, shown_test.shown_call, self.budget)
        self._explain(evidence)

    def _add_failed_cell(self, session: AnswerSession) -> None:
        """Add the error of the first failed cell to findings about an undefined name, which the cell may define."""
        if reason := session.describe_failed_cell()[:MAX_REASON_LENGTH]:
            for test in self.verdict.tests:
                if test.error and test.error["type"] == "NameError":
                    test.finding = f"{test.finding} {reason}"

    def _report_leftover_stub(self) -> None:
        """Report a `raise NotImplementedError` of the stub that the learner has left in the code."""
        for test in self.verdict.tests:
            if test.outcome == "unattempted" and test.error and test.error["where"]:
                place, line = test.error["where"][-1][:2]
                finding = f"reached the `raise NotImplementedError` of the stub ({place}, line {line})."
                reason = f"The stub's own line is still in {self.exercise.name}: remove it."
                test.fail("raised", finding, test.call, test.error, reason)
        self.verdict.deepest_cost = 0  # The tests have changed, so all explainers run again.

    def _explain(self, evidence: Evidence | None = None, session: AnswerSession | None = None) -> None:
        """Explain why tests failed, from the evidence or the session if one is passed."""
        if self.verdict.outcome in ("passed", "fault"):  # Most answers pass, so the explainers are not even imported.
            return
        from autograder.judging.explain.case import Case, CaseWithReplies, CaseWithSession  # noqa: PLC0415
        from autograder.judging.explain.pipeline import run_explainers  # noqa: PLC0415

        case_fields = self.exercise, self.verdict, self.budget
        if session:
            run_explainers(CaseWithSession(*case_fields, session), Cost.ANSWER)
        else:
            run_explainers(CaseWithReplies(*case_fields, evidence) if evidence else Case(*case_fields), Cost.REPLIES)


def _make_late_refusal(error: dict, exercise: Exercise, session: AnswerSession) -> AnswerRefused:
    """Return the refusal for a banned function that the answer called by a name computed at run time."""
    place, line = error["where"][-1][:2] if error["where"] else ("", 0)
    in_cell = f"{place}, " if session.file and session.file.notebook else ""
    return refuse_shortcut(exercise.name, error["message"], f"{in_cell}line {line}" if place else "")
