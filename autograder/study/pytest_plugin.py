"""The pytest plugin of the kit: `pytest exercises/` asks an answer what `attn check` asks, one item a hidden test.

It is loaded by every pytest where the kit is installed. So it imports nothing but pytest until it meets an answer or a
hidden suite.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

SUFFIXES = (".py", ".ipynb")
SUITES = Path(__file__).resolve().parents[1] / "suites"
WHAT_TO_ADD = "say which answers to run it on, with --answers FILE (such as --answers solutions)"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("attention exercises")
    group.addoption("--answers", metavar="FILE", help="The answers that hidden suites are run on: a file or a folder.")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect an answer or a hidden suite as what it is: pytest's own collector would import an answer."""
    collectors = yield
    # The files of other projects are mostly tests, and none of these is an answer.
    if file_path.suffix not in SUFFIXES or (file_path.name.startswith("test_") and file_path.parent.name != "suites"):
        return collectors
    from autograder.study.pytest_items import collector_of  # noqa: PLC0415  (takes a while to import)

    own = collector_of(file_path, parent, bool(collectors))
    return [own] if own else collectors


def pytest_configure(config: pytest.Config) -> None:
    """Refuse hidden suites without answers, in one sentence for all of them; a list of tests needs none."""
    if config.getoption("answers") or config.option.collectonly:
        return
    for argument in config.args:
        path = Path(config.invocation_params.dir, argument.partition("::")[0]).resolve()
        if SUITES in (path, path.parent):
            raise pytest.UsageError(f"{argument} is a hidden suite, or many: {WHAT_TO_ADD}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    if items := sys.modules.get("autograder.study.pytest_items"):
        items.keep_progress(session.config)
