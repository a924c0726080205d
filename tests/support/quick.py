"""Selection of the test cases that `make test` runs."""

import pytest


def pick_quick(cases, count=1):
    """Return the cases as parameters: `make test` runs the first `count`, and `make test-all` runs all."""
    return [pytest.param(case, marks=pytest.mark.slow if at >= count else ()) for at, case in enumerate(cases)]
