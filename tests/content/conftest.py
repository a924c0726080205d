"""`make test` judges known mistakes anew only where the exercise, or what judges it, has changed since they passed."""

import pytest

from support.stamps import digest_of

STAMPED = "test_the_suite_knows_solution_stub_and_every_misconception"


def pytest_collection_modifyitems(config, items):
    """Leave out what is stamped; with any other choice of tests than that of `make test` nothing is."""
    if config.option.markexpr != "not slow" or not hasattr(config, "cache"):
        return
    stamped = [item for item in items if getattr(item, "originalname", "") == STAMPED and _is_stamped(config, item)]
    items[:] = [item for item in items if item not in stamped]
    if stamped:
        config.hook.pytest_deselected(items=stamped)


def _is_stamped(config, item):
    exercise = item.callspec.params["exercise"]
    return config.cache.get(f"judged/{exercise.name}", "") == digest_of(exercise)


@pytest.fixture
def stamp(request):
    """Remember that the exercise of a test has passed as it is now."""

    def stamp(exercise):
        if hasattr(request.config, "cache"):
            request.config.cache.set(f"judged/{exercise.name}", digest_of(exercise))

    return stamp
