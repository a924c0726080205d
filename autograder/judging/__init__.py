"""Judging: a suite calls an answer and compares its results, which gives a verdict."""
