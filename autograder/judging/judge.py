"""Judges one answer after the other with suites that were collected once.

Suites ask the same of every answer: from the second answer on, all requests of an exercise travel in one message, and
the same replies get the same verdict.
"""

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from autograder.boundary.session import Asked, Refused, Session, forbidden
from autograder.chapters.chapter import Exercise
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.call import Call
from autograder.judging.ask.caller import MAX_LOST_CALLS, MAX_LOST_CALLS_IN_HASTE
from autograder.judging.ask.evidence import Evidence
from autograder.judging.budget import Budget, explaining
from autograder.judging.explain.fingerprint import fingerprint
from autograder.judging.run.batch import Batch, Played
from autograder.judging.run.kit_code import solution_session
from autograder.judging.run.printed_calls import take_printed
from autograder.judging.run.suites import collect_suites, passing_verdict, refusal_of
from autograder.judging.verdict.explanation import Cost
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict

MAX_REMEMBERED = 1000  # verdicts, and passed tests, that are remembered
MAX_REASON_LENGTH = 400  # characters of why another cell failed


class Judge:
    """Judges answers to some exercises, on inputs that are drawn from a secret."""

    def __init__(self, exercises: Iterable[Exercise], secret: bytes, is_hasty: bool = False) -> None:
        self.suites = collect_suites(exercises, secret)
        self.patience = MAX_LOST_CALLS_IN_HASTE if is_hasty else MAX_LOST_CALLS
        self.asked_once: set[str] = set()  # exercises
        self.passing_replies: dict[tuple[str, int, bytes], bool] = {}  # replies to a test
        self.known_verdicts: dict[tuple[str, bytes], ExerciseVerdict] = {}  # replies to an exercise

    def verdict(self, exercise: Exercise, session: Asked | None, budget: Budget | None = None) -> ExerciseVerdict:
        """The verdict of one exercise's suite on one answer; without a session it is still the stub."""
        started, budget = time.perf_counter(), budget or Budget()
        verdict = ExerciseVerdict(exercise.chapter, exercise.name, [])
        with explaining(verdict, budget):
            self._judge(verdict, exercise, session, budget)
        if len(verdict.tests) < len(self.suites.of(exercise.name)):  # the grader failed before it was through
            self._refuse(verdict, exercise, Refused("fault", verdict.unexplained))
            verdict.unexplained = ""
        if session is not None:
            verdict.stopped = session.take_stopped()
            speaking, batch = verdict.speaking, self.suites.batches.get(exercise.name)
            with explaining(verdict, budget):
                verdict.printed, verdict.printed_where = take_printed(
                    session, speaking.asked if speaking else None, batch, budget
                )
        if isinstance(session, Session) and session.file and verdict.outcome in ("wrong", "raised"):
            _explain(exercise, verdict, budget, session)
            session.take_heard()  # it was printed before
        verdict.seconds = time.perf_counter() - started
        return verdict

    def _judge(self, verdict: ExerciseVerdict, exercise: Exercise, session: Asked | None, budget: Budget) -> None:
        if session is None:
            self._refuse(verdict, exercise, Refused("unattempted", f"{exercise.name} is still to do."))
        elif refusal := refusal_of(exercise, session):
            self._refuse(verdict, exercise, refusal)
            _explain(exercise, verdict, budget)
        else:
            self._judge_attempt(verdict, exercise, session, budget)
            _add_failed_cell(verdict, session)
            if _fail_leftover_stub(verdict, exercise, session):
                _explain(exercise, verdict, budget)

    def skipped(self, exercise: Exercise, cause: str) -> ExerciseVerdict:
        """The verdict on an exercise that would wait in vain for the one that is the cause."""
        verdict = ExerciseVerdict(exercise.chapter, exercise.name, [])
        finding = f"Not tried: {exercise.name} uses {cause}, which gave no result in time."
        self._refuse(verdict, exercise, Refused("timeout", finding))
        return verdict

    def _refuse(self, verdict: ExerciseVerdict, exercise: Exercise, refusal: Refused) -> None:
        verdict.tests = [passing_verdict(test) for test in self.suites.of(verdict.exercise)]
        for test in verdict.tests:
            test.fail(refusal.outcome, refusal.finding, refusal.call, refusal.error, refusal.reason)

    def _judge_attempt(self, verdict: ExerciseVerdict, exercise: Exercise, session: Asked, budget: Budget) -> None:
        """Ask the answer, in one message where the batch of the exercise is known, and run the suite on its replies.

        A verdict holds nothing but what the replies decide, so that the same replies get the same verdict.
        """
        # What takes long is asked step by step.
        can_play = isinstance(session, Session) and session.can_play and exercise.seconds is None
        player = session if isinstance(session, Session) and can_play else None
        batch = self._batch_from_second(exercise) if player else None
        replies = player.play(batch) if player and batch else None
        if replies and replies.whole in self.known_verdicts:
            verdict.copy_findings_from(self.known_verdicts[replies.whole])
        elif replies and all(test in self.passing_replies for test in replies.tests):
            verdict.tests = [passing_verdict(test) for test in self.suites.of(exercise.name)]
        elif player and replies and (values := replies.decode()):
            played = Played(player, replies, values)
            self._run_suite(verdict, exercise, played, budget)
            if not verdict.unexplained and not played.has_ever_strayed and verdict.outcome != "fault":
                findings = ExerciseVerdict(exercise.chapter, exercise.name, [])  # what its text shows comes later
                findings.copy_findings_from(verdict)
                _remember(self.known_verdicts, replies.whole, findings)
        else:
            if player and replies:
                player.start_afresh()
            self._run_suite(verdict, exercise, session, budget)

    def _run_suite(self, verdict: ExerciseVerdict, exercise: Exercise, session: Asked | Played, budget: Budget) -> None:
        """Run every test that is not known to pass on such replies, and explain what the replies show."""
        tests, answer = self.suites.of(exercise.name), Answer.of(exercise, session, self.patience)
        played = session if isinstance(session, Played) else None
        calls: dict[int, list[Call]] = {}

        def run(number: int) -> TestVerdict:
            test_calls: list[Call] = []
            answer.calls = calls[number] = test_calls
            if played:
                played.test = number
            return self.suites.run(tests[number], answer, exercise)

        for number, test in enumerate(tests):
            if played and played.replies.tests[number] in self.passing_replies:
                verdict.tests.append(passing_verdict(test))
                continue
            verdict.tests.append(run(number))
            if played and not played.has_strayed and verdict.tests[-1].outcome == "passed":
                _remember(self.passing_replies, played.replies.tests[number], True)
        if caught := next((test for test in verdict.tests if test.outcome == "forbidden"), None):
            self._refuse(verdict, exercise, _refusal_at_run_time(caught.error or {}, exercise, session))
        evidence, speaking = None, verdict.speaking
        if speaking and verdict.outcome in ("wrong", "raised"):
            for number in range(len(tests)):
                if number not in calls:  # the explanation looks at all of them
                    run(number)
            all_calls = [call for number in range(len(tests)) for call in calls[number]]
            evidence = Evidence.of(exercise, all_calls, solution_session(exercise.chapter), speaking.asked, budget)
        _explain(exercise, verdict, budget, evidence)
        if evidence and evidence.is_small and not (verdict.misconception or verdict.unexplained):
            verdict.fingerprint = fingerprint(evidence)

    def _batch_from_second(self, exercise: Exercise) -> Batch | None:
        """What the suite asks, from the second time on that it is asked for: one check of one answer needs none."""
        if exercise.name in self.asked_once or exercise.name in self.suites.batches:
            return self.suites.batch_of(exercise)
        self.asked_once.add(exercise.name)
        return None


def _explain(
    exercise: Exercise, verdict: ExerciseVerdict, budget: Budget, evidence: Evidence | Session | None = None
) -> None:
    """Have explained what failed, by its replies or in its session where that is known."""
    if verdict.outcome in ("passed", "fault"):  # most answers: for them nobody has to load the explainers
        return
    from autograder.judging.explain.case import Case, Replied, Running  # noqa: PLC0415
    from autograder.judging.explain.pipeline import explain  # noqa: PLC0415

    if isinstance(evidence, Session):
        explain(Running(exercise, verdict, budget, evidence), Cost.ANSWER)
    elif evidence:
        explain(Replied(exercise, verdict, budget, evidence), Cost.REPLIES)
    else:
        explain(Case(exercise, verdict, budget), Cost.REPLIES)


def _remember(memory: dict[Any, Any], key: object, value: object) -> None:
    memory[key] = value
    if len(memory) > MAX_REMEMBERED:
        del memory[next(iter(memory))]


def _refusal_at_run_time(error: dict, exercise: Exercise, session: Asked) -> Refused:
    """The verdict on a banned function that was called by a name which cannot be read in the text."""
    place, line = error["where"][-1][:2] if error["where"] else ("", 0)
    in_cell = f"{place}, " if session.file and session.file.notebook else ""
    return forbidden(exercise.name, error["message"], f"{in_cell}line {line}" if place else "")


def _add_failed_cell(verdict: ExerciseVerdict, session: Asked) -> None:
    """Say which cell failed where a name is missing that it may have been to define: an import, most of the time."""
    if reason := session.failed_cell()[:MAX_REASON_LENGTH]:
        verdict.tests = [  # new ones: the same may be remembered for other answers
            replace(test, finding=f"{test.finding} {reason}") if (test.error or {}).get("type") == "NameError" else test
            for test in verdict.tests
        ]


def _fail_leftover_stub(verdict: ExerciseVerdict, exercise: Exercise, session: Asked) -> bool:
    """Say where the line of the stub stands that was left beside what is written: that is no exercise still to do."""
    if verdict.outcome != "unattempted" or not session.file or session.file.is_untouched(exercise):
        return False
    for test in verdict.tests:
        if test.outcome == "unattempted" and test.error and test.error["where"]:
            place, line = test.error["where"][-1][:2]
            finding = f"came to the `raise NotImplementedError` of the stub ({place}, line {line})."
            reason = f"The stub's own line is still in {exercise.name}: take it out where its code is written."
            test.fail("raised", finding, test.call, test.error, reason)
    verdict.explained_up_to = 0  # the tests say something else now
    return True
