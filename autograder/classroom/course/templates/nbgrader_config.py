"""nbgrader's configuration of this course."""

from pathlib import Path

from autograder.classroom.seam import configure

c = get_config()  # noqa: F821  (nbgrader defines it)
c.CourseDirectory.course_id = "attention"
configure(c, course=Path(__file__).parent)

# Settings of your own follow here. They win over the ones above:
# https://nbgrader.readthedocs.io/en/stable/configuration/config_options.html
