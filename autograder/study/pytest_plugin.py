"""The kit's pytest plugin: `pytest exercises/` judges answers like `attn check`, with an item for each hidden test.

Every pytest run in an environment with the kit loads this module, so it imports only pytest until it finds an answer or
a hidden suite.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

SUFFIXES = (".py", ".ipynb")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("attention exercises")
    group.addoption("--answers", metavar="FILE", help="The answers that hidden suites are run on: a file or a folder.")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect answers and hidden suites with the kit's collectors, because pytest's would import the answer."""
    collectors = yield
    # Most files of other projects are tests. This quick check leaves them to pytest.
    if file_path.suffix not in SUFFIXES or (file_path.name.startswith("test_") and file_path.parent.name != "suites"):
        return collectors
    from autograder.study.pytest_items import make_collector  # noqa: PLC0415  (takes a while to import)

    collector = make_collector(file_path, parent, bool(collectors))
    return [collector] if collector else collectors


def pytest_sessionfinish(session: pytest.Session) -> None:
    if items := sys.modules.get("autograder.study.pytest_items"):
        items.record_progress(session.config)
