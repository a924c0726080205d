"""The output of an answer in the shown call."""

import contextlib
import re
import time

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import AnswerRefused, AnswerSession
from autograder.judging.ask.call import Call
from autograder.judging.budget import Budget
from autograder.judging.run.batch import Batch
from autograder.worker.output import BY_FILE, BY_MANY, MAX_PRINTED

# Matches Python's warnings, which are not shown: most come from a library, and their advice may be misleading.
# A place in a notebook looks like "cell [2]:26:".
_WARNING = re.compile(r"^(?:cell \[\d+\]|\S+):\d+: \w*Warning: .*\n?(?:  .*\n?)?", re.MULTILINE)

AGAIN_SECONDS = 3.0  # limit for repeating all calls to separate their output; together they took less than one second


def pop_prints(session: AnswerSession, shown: Call | None, batch: Batch | None, budget: Budget) -> tuple[str, str]:
    """Return the new output of the file and `shown` (None: of all calls), and a phrase on where it was printed."""
    outputs = _pop_output(session)
    text, is_by_file = "".join(text for _, text in outputs), all(origin == BY_FILE for origin, _ in outputs)
    if shown is None or is_by_file:
        return text[:MAX_PRINTED], " as the file ran" if text.strip() and is_by_file else ""
    if batch and any(origin == BY_MANY for origin, _ in outputs):
        file_outputs = [(origin, text) for origin, text in outputs if origin == BY_FILE]
        with budget.charge_elapsed_time(session) as seconds:
            repeated_outputs = _replay_for_output(session, batch, min(seconds, AGAIN_SECONDS))
        outputs = [*file_outputs, *((origin, text) for origin, text in repeated_outputs if origin != BY_FILE)]
    return _select_outputs(outputs, [call.inputs for call in (shown.maker, shown) if call])


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
    return _pop_output(session)


def _pop_output(session: AnswerSession) -> list[tuple[bytes, str]]:
    return [(origin, _WARNING.sub("", text)) for origin, text in session.pop_output()]


def _select_outputs(outputs: list[tuple[bytes, str]], inputs: list[bytes]) -> tuple[str, str]:
    """Return the output of the calls with these inputs and of the file, and a phrase on where it was printed."""
    by_call: list[str] = []
    by_file: list[str] = []
    for origin, text in outputs:
        if origin in inputs:
            inputs.remove(origin)  # A later call with equal inputs is another call.
            by_call.append(text)
        elif origin == BY_FILE:
            by_file.append(text)
    return "".join([*by_call, *by_file])[:MAX_PRINTED], " in this call" * bool("".join(by_call).strip())
