"""Scores on their way out of nbgrader's gradebook, and the grader on its way to other platforms."""
