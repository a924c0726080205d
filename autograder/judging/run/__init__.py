"""Suites, which run in the grader, and the kit's own solutions and mistakes, which run in workers."""
