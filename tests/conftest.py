"""How the tests are spread over cores: a file stays together, and so do the files that count processes."""

import pytest

COUNT_PROCESSES = ("test_boundary", "test_faults", "test_cluster", "test_hostile", "test_sandbox")


def pytest_collection_modifyitems(items):
    for item in items:
        group = "processes" if item.path.stem in COUNT_PROCESSES else item.path.stem
        item.add_marker(pytest.mark.xdist_group(group))
