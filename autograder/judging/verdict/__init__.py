"""Verdicts: the findings of the tests, and an explanation in words."""
