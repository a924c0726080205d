"""Grading of submissions, and entering of their results into the gradebook."""
