"""`make test` and `make test-all` judge an answer again only if it, its exercise, or the judging code has changed."""

import pytest


def pytest_collection_modifyitems(config, items):
    """With --changed-only, deselect the tests that passed with the current hash of the answer and of what judges it."""
    if not config.option.changed_only or not hasattr(config, "cache"):
        return
    passed = [item for item in items if (mark := _mark(item)) and config.cache.get(_stamp(item), "") == mark.args[0]]
    items[:] = [item for item in items if item not in passed]
    if passed:
        config.hook.pytest_deselected(items=passed)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.passed and (mark := _mark(item)) and hasattr(item.config, "cache"):
        item.config.cache.set(_stamp(item), mark.args[0])
    return report


def _mark(item):
    return item.get_closest_marker("judges")


def _stamp(item):
    return f"judged/{item.name}"
