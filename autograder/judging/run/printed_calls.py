"""The printed output of an answer: the output of the shown call, and the number of other calls that printed."""

import contextlib
import re
import time

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import AnswerRefused, AnswerSession, Session
from autograder.judging.ask.call import Call
from autograder.judging.budget import Budget
from autograder.judging.run.batch import Batch
from autograder.worker.output import BY_FILE, BY_MANY, MAX_PRINTED

# Warnings, which no answer prints itself. "cell [2]:26:" is a notebook's place.
WARNING_PATTERN = re.compile(r"^(?:cell \[\d+\]|\S+):\d+: \w*Warning: .*\n?(?:  .*\n?)?", re.MULTILINE)

AGAIN_SECONDS = 3.0  # limit for repeating calls that took less than one second together


def pop_printed(session: AnswerSession, shown: Call | None, batch: Batch | None, budget: Budget) -> tuple[str, str]:
    """Return the new output, only that of the shown call if there is one, and a phrase on where it was printed."""
    heard = session.pop_output()
    text, is_by_file = "".join(text for _, text in heard), all(by == BY_FILE for by, _ in heard)
    if shown is None or is_by_file:
        return text[:MAX_PRINTED], " as the file ran" if text.strip() and is_by_file else ""
    if batch and isinstance(session, Session) and any(by == BY_MANY for by, _ in heard):
        by_file = [(by, text) for by, text in heard if by == BY_FILE]
        with budget.charge_waiting(session) as seconds:
            again = _replay_for_output(session, batch, min(seconds, AGAIN_SECONDS))
        heard = [*by_file, *((by, text) for by, text in again if by != BY_FILE)]
    return _describe_origin(heard, [call.inputs for call in (shown.maker, shown) if call])


def _replay_for_output(session: Session, batch: Batch, seconds: float) -> list[tuple[bytes, str]]:
    session.start_afresh()
    refs: list[int | None] = []
    end = time.monotonic() + seconds
    with contextlib.suppress(WorkerEnded, AnswerRefused):  # Keep the output until the failure.
        for step in batch.steps:
            about = None if step.subject is None else refs[step.subject]
            if step.subject is None or about is not None:
                request = [step.kind, step.build_target(batch.name, refs), *step.rest]
                about = session.ask(request, end - time.monotonic(), step).get("ref")
            refs.append(about)
    return session.pop_output()


def _describe_origin(heard: list[tuple[bytes, str]], inputs: list[bytes]) -> tuple[str, str]:
    by_call: list[str] = []
    by_file: list[str] = []
    warnings: list[str] = []
    others = 0
    for by, text in heard:
        warnings += WARNING_PATTERN.findall(text)
        text = WARNING_PATTERN.sub("", text)
        if by in inputs:
            inputs.remove(by)  # A second call with equal inputs is another call.
            by_call.append(text)
        elif by == BY_FILE:
            by_file.append(text)
        else:
            others += bool(text.strip())
    where = " in this call" if "".join(by_call).strip() else ""
    if others:
        there = f"{others} other call{'s' * (others != 1)}"
        where = f"{where}, and in {there}" if where else f" in {there}, and nothing in this one"
    return "".join([*by_call, *by_file, *dict.fromkeys(warnings)])[:MAX_PRINTED], where
