"""Judging: a suite questions an answer, and the result is a verdict."""
