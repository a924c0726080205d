"""A report after a run: how often each explainer was asked, how often it explained something, and what it cost.

If all labelled answers were judged and an explainer explained nothing, the run fails: that explainer only costs time.
"""

import contextlib
import dataclasses
import time
from collections import defaultdict

import pytest

from autograder.judging.explain import pipeline

counts = defaultdict(lambda: [0, 0, 0.0])  # explainer -> [calls, explanations, seconds]
JUDGED = "labelled answers"


@contextlib.contextmanager
def count_calls(answers):
    """Count the calls and explanations of each explainer inside the context, which judges `answers` answers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "EXPLAINERS", tuple(map(_counting, pipeline.EXPLAINERS)))
        yield
    counts[JUDGED][0] += answers


def _counting(explainer):
    def explain(case):
        start = time.monotonic()
        explanation = None
        try:
            explanation = explainer.explain(case)
        finally:
            _add(explainer.explain.__name__, 1, explanation is not None, time.monotonic() - start)
        return explanation

    return dataclasses.replace(explainer, explain=explain)


def _add(name, *figures):
    counts[name] = [old + new for old, new in zip(counts[name], figures, strict=True)]


def pytest_sessionfinish(session):
    """Send the counts of this process to the main process, which checks the totals."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["explained"] = dict(counts)
    elif _silent():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    for name, figures in getattr(node, "workeroutput", {}).get("explained", {}).items():
        _add(name, *figures)


def _silent():
    from support.grading import ANSWERS  # noqa: PLC0415  (only runs with labelled answers need it)

    if counts[JUDGED][0] < len(list(ANSWERS.rglob("*.py"))):
        return []
    return [name for name, (asked, spoke, _) in counts.items() if asked and not spoke and name != JUDGED]


def pytest_terminal_summary(terminalreporter):
    answers = counts.get(JUDGED, [0])[0]
    if not answers:
        return
    terminalreporter.section(f"what explained {answers} labelled answers")
    for name in (explainer.explain.__name__ for explainer in pipeline.EXPLAINERS):
        asked, spoke, seconds = counts[name]
        terminalreporter.line(f"{name:24} asked {asked:5}  spoke {spoke:5}  {seconds:8.1f} s")
    for name in _silent():
        terminalreporter.line(f"{name} never spoke: give a labelled answer that needs it, or remove it.", red=True)
