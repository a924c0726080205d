"""A course for one test, which the test may change."""

import pytest

from support.course import new


@pytest.fixture
def course(released, tmp_path):
    return released.copy_to(tmp_path / "course")


@pytest.fixture(scope="module")
def built(request, tmp_path_factory):
    """Return a course with the module's PLAN and, if there is one, its ROSTER."""
    course = new(tmp_path_factory.mktemp("built") / "course", request.module.PLAN)
    if table := getattr(request.module, "ROSTER", ""):
        course.read_roster(table)
    return course
