"""A course for one test, which the test may change."""

import pytest


@pytest.fixture
def course(released, tmp_path):
    return released.copy_to(tmp_path / "course")
