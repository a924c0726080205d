"""Grading of submissions, and entering of the results."""
