"""Access to nbgrader's gradebook."""
