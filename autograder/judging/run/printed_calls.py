"""The output of an answer in the shown call, and the number of other calls that printed something."""

import contextlib
import re
import time

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import AnswerRefused, AnswerSession
from autograder.judging.ask.call import Call
from autograder.judging.budget import Budget
from autograder.judging.run.batch import Batch
from autograder.worker.output import BY_FILE, BY_MANY, MAX_PRINTED

# Matches Python's warnings, which are not an answer's own output. A place in a notebook looks like "cell [2]:26:".
WARNING_PATTERN = re.compile(r"^(?:cell \[\d+\]|\S+):\d+: \w*Warning: .*\n?(?:  .*\n?)?", re.MULTILINE)

AGAIN_SECONDS = 3.0  # limit for repeating all calls to separate their output; together they took less than one second


def pop_prints(session: AnswerSession, shown: Call | None, batch: Batch | None, budget: Budget) -> tuple[str, str]:
    """Return the new output of the file and `shown` (None: of all calls), and a phrase on where it was printed."""
    outputs = session.pop_output()
    text, is_by_file = "".join(text for _, text in outputs), all(origin == BY_FILE for origin, _ in outputs)
    if shown is None or is_by_file:
        return text[:MAX_PRINTED], " as the file ran" if text.strip() and is_by_file else ""
    if batch and any(origin == BY_MANY for origin, _ in outputs):
        file_outputs = [(origin, text) for origin, text in outputs if origin == BY_FILE]
        with budget.charge_elapsed_time(session) as seconds:
            repeated_outputs = _replay_for_output(session, batch, min(seconds, AGAIN_SECONDS))
        outputs = [*file_outputs, *((origin, text) for origin, text in repeated_outputs if origin != BY_FILE)]
    return _describe_origin(outputs, [call.inputs for call in (shown.maker, shown) if call])


def _replay_for_output(session: AnswerSession, batch: Batch, seconds: float) -> list[tuple[bytes, str]]:
    session.start_afresh()
    refs: list[int | None] = []
    end = time.monotonic() + seconds
    with contextlib.suppress(WorkerEnded, AnswerRefused):  # Keep the output until the failure.
        for step in batch.steps:
            subject = None if step.subject is None else refs[step.subject]
            if step.subject is None or subject is not None:
                request = [step.kind, step.build_target(batch.name, refs), *step.rest]
                subject = session.ask(request, end - time.monotonic(), step).get("ref")
            refs.append(subject)
    return session.pop_output()


def _describe_origin(outputs: list[tuple[bytes, str]], inputs: list[bytes]) -> tuple[str, str]:
    by_call: list[str] = []
    by_file: list[str] = []
    warnings: list[str] = []
    other_count = 0
    for origin, text in outputs:
        warnings += WARNING_PATTERN.findall(text)
        text = WARNING_PATTERN.sub("", text)
        if origin in inputs:
            inputs.remove(origin)  # A later call with equal inputs counts separately.
            by_call.append(text)
        elif origin == BY_FILE:
            by_file.append(text)
        else:
            other_count += bool(text.strip())
    location = " in this call" if "".join(by_call).strip() else ""
    if other_count:
        other_calls = f"{other_count} other call{'s' * (other_count != 1)}"
        location = f"{location}, and in {other_calls}" if location else f" in {other_calls}, and nothing in this one"
    return "".join([*by_call, *by_file, *dict.fromkeys(warnings)])[:MAX_PRINTED], location
